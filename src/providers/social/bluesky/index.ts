import * as z from 'zod/mini'
import { headerLine, httpUrl, text } from '../../../platform/lib/fields.ts'
import type { DirectNetwork, Unfit } from '../../../reach/social/port.ts'
import type { Asked, BlueskyDeps } from './api.ts'
import { findOnBluesky, MAX_IMAGE_BYTES, sendToBluesky } from './post.ts'
import { signedIn, signIn } from './session.ts'

const DEFAULT_PDS = 'https://bsky.social'

const Fields = z.object({
  identifier: text(253, 1),
  app_password: headerLine(200),
  service_url: z.optional(httpUrl()),
})

/** Returns the reason for which the caller's address is no server's; undefined if one answered, or may yet. */
const unfitAddress = (asked: Asked, url: string): Unfit | undefined => {
  const fault = { kind: 'unfit', field: 'service_url' } as const
  if (asked.kind === 'refused' && asked.name === 'Forbidden')
    return { ...fault, code: 'forbidden_url', reason: asked.reason }
  const isNobody = asked.kind === 'unknown' ? asked.isDeaf : asked.kind === 'refused' && asked.name === 'no_host'
  return isNobody
    ? { ...fault, code: 'invalid_input', reason: `nothing answers at ${url}, where signing in was tried` }
    : undefined
}

/** Bluesky, called directly with an app password (AT protocol). */
export const bluesky = (deps: BlueskyDeps): DirectNetwork => ({
  credentials: {
    fields: Fields,
    connect: async (fields) => {
      const { identifier, app_password, service_url } = fields as z.infer<typeof Fields>
      const handle = identifier.replace(/^@/, '')
      const asked = await signIn(deps, service_url ?? DEFAULT_PDS, handle, app_password)
      const unfit = service_url === undefined ? undefined : unfitAddress(asked, service_url)
      if (unfit) return unfit
      if (asked.kind === 'unknown') return { kind: 'refused', reason: asked.reason, retryable: true }
      if (asked.kind === 'refused') {
        const { name: _, ...refusal } = asked
        return refusal
      }
      const got = signedIn(asked.body, service_url ?? DEFAULT_PDS)
      if (!got) return { kind: 'refused', reason: 'Bluesky’s answer could not be read.', retryable: true }
      return {
        kind: 'got',
        value: {
          remoteId: got.did,
          name: got.handle,
          username: got.handle,
          url: got.pds,
          secrets: { identifier: got.did, app_password },
          session: got.session,
        },
      }
    },
  },
  misfit: ({ media }) => {
    if (media.some(({ type }) => type === 'video')) return 'must be pictures: videos go to Bluesky through the provider'
    const isTooLarge = media.some(({ size = 0 }) => size > MAX_IMAGE_BYTES)
    return isTooLarge ? 'must be pictures of at most 2 MB: Bluesky takes no larger ones' : undefined
  },
  send: (account, post) => sendToBluesky(deps, account, post),
  find: (account, post) => findOnBluesky(deps, account, post),
})
