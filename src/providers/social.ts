import type { Deps } from '../platform/runtime/ctx.ts'
import type { GoogleSettings, SocialSettings } from '../platform/runtime/env.ts'
import type { Profiles } from '../reach/profile/port.ts'
import type { Social } from '../reach/social/port.ts'
import { storedFiles } from '../reach/social/stored-files.ts'
import { type GoogleBusiness, googleBusiness } from './google/business/index.ts'
import { bluesky } from './social/bluesky/index.ts'
import { telegram } from './social/telegram/index.ts'
import { zernio } from './social/zernio/index.ts'
import { zernioProfile } from './social/zernio/profile.ts'

type SocialDeps = Pick<Deps, 'outbound' | 'now' | 'media' | 'settings'>

/** Every way to the social networks, and to business profiles. */
export type SocialServices = { social: Social; profiles: Profiles; consent: GoogleBusiness['consent'] }

/** Returns the provider of all social networks; undefined if none is configured. */
export const socialProvider = (
  { outbound, now }: Pick<SocialDeps, 'outbound' | 'now'>,
  { baseUrl, key }: SocialSettings,
): Social['provider'] => (key === '' ? undefined : zernio({ outbound, now, baseUrl, key }))

/** Returns every way to the social networks and to business profiles; no provider if none is configured. */
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
