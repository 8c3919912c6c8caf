import { MEDIA_PATH } from '../content/media/rules.ts'
import type { Deps } from '../platform/runtime/ctx.ts'
import type { GoogleSettings, SocialSettings } from '../platform/runtime/provider-env.ts'
import type { Profiles } from '../reach/profile/port.ts'
import type { Social, StoredFiles } from '../reach/social/port.ts'
import { type GoogleBusiness, googleBusiness } from './google/business/index.ts'
import { bluesky } from './social/bluesky/index.ts'
import { telegram } from './social/telegram/index.ts'
import { zernio, zernioProfile } from './social/zernio/index.ts'

const NAME = /^[0-9a-f]{64}\.(?:jpg|png|webp|gif|mp4|mov)$/

/** Returns the media files of posts that this service hosts, by their addresses. */
const storedFiles = ({ media, settings }: Pick<Deps, 'media' | 'settings'>): StoredFiles => {
  const root = `${settings.publicUrl}${MEDIA_PATH}/`
  const nameIn = (url: string): string | undefined => {
    const name = url.startsWith(root) ? url.slice(root.length) : ''
    return NAME.test(name) ? name : undefined
  }
  return {
    has: (url) => nameIn(url) !== undefined,
    look: async (url) => {
      const name = nameIn(url)
      const known = name === undefined ? null : await media.head(name)
      if (name === undefined || !known?.size) return undefined
      const open = async (): Promise<AsyncIterable<Uint8Array>> => {
        const file = await media.get(name)
        if (!file) throw new Error('the file is gone')
        return file.body as unknown as AsyncIterable<Uint8Array>
      }
      return { name, size: known.size, open }
    },
  }
}

type SocialDeps = Pick<Deps, 'outbound' | 'now' | 'media' | 'settings'>

/** Clients of the social networks and of business profiles. */
export type SocialServices = { social: Social; profiles: Profiles; consent: GoogleBusiness['consent'] }

/** Returns the provider for all social networks; undefined if none is configured. */
export const socialProvider = (
  { outbound, now }: Pick<SocialDeps, 'outbound' | 'now'>,
  { baseUrl, key }: SocialSettings,
): Social['provider'] => (key === '' ? undefined : zernio({ outbound, now, baseUrl, key }))

/** Returns the clients of the social networks and of business profiles. There is no provider if none is configured. */
export const socialServices = (
  { outbound, now, media, settings }: SocialDeps,
  { baseUrl, key, telegramUrl }: SocialSettings,
  google: GoogleSettings,
): SocialServices => {
  const business = googleBusiness({ outbound, now }, google)
  const deps = { outbound, now, baseUrl, key }
  return {
    social: {
      provider: socialProvider(deps, { baseUrl, key, telegramUrl }),
      direct: {
        bluesky: bluesky({ outbound, now, settings }),
        telegram: telegram({ outbound, baseUrl: telegramUrl, files: storedFiles({ media, settings }) }),
        ...(business.consent.isConfigured ? { googlebusiness: business.network } : {}),
      },
    },
    profiles: {
      provided: (accountId) => (key === '' ? undefined : zernioProfile(deps, accountId)),
      direct: business.profile,
    },
    consent: business.consent,
  }
}
