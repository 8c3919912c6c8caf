import * as z from 'zod/mini'
import type { DirectAccount, Session } from '../../../reach/social/port.ts'
import { type Asked, type BlueskyDeps, xrpc } from './api.ts'

const SessionShape = z.object({
  accessJwt: z.string(),
  refreshJwt: z.string(),
  did: z.string(),
  handle: z.string(),
  didDoc: z.optional(
    z.object({ service: z.optional(z.array(z.object({ id: z.string(), serviceEndpoint: z.unknown() }))) }),
  ),
})

export type SignedIn = { did: string; handle: string; pds: string; session: Session }

/** Returns the session of a sign-in. Later calls go to the server that its own document names. */
export const signedIn = (body: unknown, pds: string): SignedIn | undefined => {
  const parsed = SessionShape.safeParse(body)
  if (!parsed.success) return undefined
  const { accessJwt, refreshJwt, did, handle, didDoc } = parsed.data
  const own = didDoc?.service?.find(({ id }) => id.endsWith('#atproto_pds'))?.serviceEndpoint
  return { did, handle, pds: typeof own === 'string' ? own : pds, session: { access: accessJwt, refresh: refreshJwt } }
}

/** Signs in with an app password. Allowed a few times a day, so never for each post. */
export const signIn = (deps: BlueskyDeps, pds: string, identifier: string, password: string): Promise<Asked> =>
  xrpc(deps, { pds, method: 'com.atproto.server.createSession', json: { identifier, password }, secrets: [password] })

/** New tokens, or how asking for them ended. */
type Renewed = { session: Session } | { failed: Asked }

const renew = async (deps: BlueskyDeps, account: DirectAccount, held: Session | null): Promise<Renewed> => {
  const keep = async (asked: Asked): Promise<Renewed> => {
    if (asked.kind !== 'answered') return { failed: asked }
    const got = signedIn(asked.body, account.url)
    if (!got) return { failed: { kind: 'unknown', reason: 'Bluesky’s answer could not be read.' } }
    await account.keepSession(got.session)
    return { session: got.session }
  }
  if (held?.refresh) {
    const asked = await xrpc(deps, {
      pds: account.url,
      method: 'com.atproto.server.refreshSession',
      token: held.refresh,
    })
    if (asked.kind !== 'refused' || asked.retryable) return await keep(asked)
    // A refresh token works once. Another run may have used it: its tokens are there by now.
    const now = await account.session()
    if (now && now.refresh !== held.refresh) return { session: now }
  }
  const { identifier = account.remoteId, app_password: password = '' } = account.secrets
  const asked = await signIn(deps, account.url, identifier, password)
  if (asked.kind === 'refused' && asked.name === 'AuthenticationRequired') await account.end(asked.reason)
  return await keep(asked)
}

const isStale = (asked: Asked): boolean =>
  asked.kind === 'refused' && (asked.name === 'ExpiredToken' || asked.name === 'InvalidToken' || asked.status === 401)

/** Calls with the account's tokens, and renews them once when they have ended. */
export type Caller = (call: (token: string) => Promise<Asked>) => Promise<Asked>

/** Makes a caller for one piece of work. */
export const callerOf = (deps: BlueskyDeps, account: DirectAccount): Caller => {
  let session: Session | null | undefined
  return async (call) => {
    session ??= await account.session()
    if (session?.access) {
      const asked = await call(session.access)
      if (!isStale(asked)) return asked
    }
    const renewed = await renew(deps, account, session ?? null)
    if ('failed' in renewed) {
      const { failed } = renewed
      // Nothing was sent with tokens that are none: a failed sign-in is no doubt about the call.
      if (failed.kind !== 'unknown') return failed
      return { kind: 'refused', name: 'NoSession', reason: failed.reason, status: 0, retryable: true }
    }
    session = renewed.session
    return await call(session.access ?? '')
  }
}
