import * as z from 'zod/mini'
import { foreignJson, hideSecrets } from '../../../platform/lib/foreign-answers.ts'
import { clip, storableText, withNext, withStop } from '../../../platform/lib/text.ts'
import type { Deps } from '../../../platform/runtime/ctx.ts'
import type { DirectAccount, Session } from '../../../reach/social/port.ts'

export type BlueskyDeps = Pick<Deps, 'outbound' | 'now'> & {
  settings: Pick<Deps['settings'], 'serviceName' | 'publicUrl'>
}

/** Answer of XRPC, or why there is none. `name` is the server's name of the error. */
export type Asked =
  | { kind: 'answered'; body: unknown }
  | { kind: 'refused'; name: string; reason: string; status: number; retryable: boolean; retryAfterS?: number }
  /** `isDeaf`: nothing accepts a connection at the address. */
  | { kind: 'unknown'; reason: string; isDeaf?: boolean }

type Call = {
  pds: string
  method: string
  token?: string
  query?: Record<string, string>
  json?: unknown
  blob?: { bytes: Uint8Array<ArrayBuffer>; type: string }
  /** Texts that no message may contain. */
  secrets?: readonly string[]
}

const TIMEOUT_MS = 20_000
const MAX_BYTES = 512 * 1024
const MAX_WAIT_S = 3_600

/** Advice for the owner of an account, by the name of the error (lexicon com.atproto.server.createSession, and the servers). */
const HINTS: Readonly<Record<string, string>> = {
  AuthenticationRequired:
    'Make an app password at Bluesky (Settings, Privacy and security, App passwords), and connect the account again.',
  AuthFactorTokenRequired:
    'The account asks for a code by mail, so its own password is not enough: connect it with an app password.',
  AccountTakedown: 'Bluesky took the account down: its owner has to see to it there.',
  AccountDeactivated: 'Its owner has to activate the account again at Bluesky.',
}

const waitOf = (headers: Headers, now: Date): number | undefined => {
  const seconds = Math.ceil(Number(headers.get('ratelimit-reset') ?? Number.NaN) - now.getTime() / 1_000)
  return Number.isFinite(seconds) ? Math.min(MAX_WAIT_S, Math.max(1, seconds)) : undefined
}

/** Makes one call of a server of the AT protocol (XRPC): a query if `query` is given, else a procedure. */
export const xrpc = async ({ outbound, now }: BlueskyDeps, call: Call): Promise<Asked> => {
  const { pds, method, token, query, json, blob, secrets = [] } = call
  const search = query ? `?${new URLSearchParams(query).toString()}` : ''
  const isProcedure = query === undefined
  const answer = await outbound({
    url: `${pds.replace(/(?<!\/)\/+$/, '')}/xrpc/${method}${search}`,
    method: isProcedure ? 'POST' : 'GET',
    headers: {
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(blob ? { 'content-type': blob.type } : {}),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(blob ? { body: blob.bytes } : {}),
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  })
  if (answer.kind === 'forbidden')
    return {
      kind: 'refused',
      name: 'Forbidden',
      reason: 'The server’s address is not public.',
      status: 0,
      retryable: false,
    }
  if (answer.kind === 'unsent')
    return {
      kind: 'refused',
      name: answer.reason,
      reason: 'The server could not be reached.',
      status: 0,
      retryable: true,
    }
  if (answer.kind === 'no_answer')
    return { kind: 'unknown', reason: 'Bluesky did not answer in time.', isDeaf: answer.reason === 'connection' }
  const body = foreignJson(answer.body)
  if (answer.status === 200)
    return body === undefined
      ? { kind: 'unknown', reason: 'Bluesky’s answer could not be read.' }
      : { kind: 'answered', body }
  const { error = '', message = '' } = (body ?? {}) as { error?: string; message?: string }
  const words = [error, message].filter(Boolean).join(': ')
  const said = withStop(clip(`Bluesky answered ${answer.status}${words ? `: ${words}` : '.'}`, 360))
  const reason = storableText(hideSecrets(withNext(said, HINTS[error]), secrets))
  if (answer.status >= 500) return { kind: 'unknown', reason }
  const wait = answer.status === 429 ? waitOf(answer.headers, now()) : undefined
  return {
    kind: 'refused',
    name: error,
    reason,
    status: answer.status,
    retryable: answer.status === 429,
    ...(wait === undefined ? {} : { retryAfterS: wait }),
  }
}

const SessionShape = z.object({
  accessJwt: z.string(),
  refreshJwt: z.string(),
  did: z.string(),
  handle: z.string(),
  didDoc: z.optional(
    z.object({ service: z.optional(z.array(z.object({ id: z.string(), serviceEndpoint: z.unknown() }))) }),
  ),
})

type SignedIn = { did: string; handle: string; pds: string; session: Session }

/** Returns the account and session of a sign-in. Later calls go to the server that the account's own document names. */
export const signedIn = (body: unknown, pds: string): SignedIn | undefined => {
  const parsed = SessionShape.safeParse(body)
  if (!parsed.success) return undefined
  const { accessJwt, refreshJwt, did, handle, didDoc } = parsed.data
  const own = didDoc?.service?.find(({ id }) => id.endsWith('#atproto_pds'))?.serviceEndpoint
  return { did, handle, pds: typeof own === 'string' ? own : pds, session: { access: accessJwt, refresh: refreshJwt } }
}

/** Signs in with an app password. Servers allow it a few times a day, so it is not done for each post. */
export const signIn = (deps: BlueskyDeps, pds: string, identifier: string, password: string): Promise<Asked> =>
  xrpc(deps, { pds, method: 'com.atproto.server.createSession', json: { identifier, password }, secrets: [password] })

/** New tokens, or why there are none. */
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
    // A refresh token works once. Another run may have used it and stored new tokens.
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

/** Calls with the account's tokens, and renews them once if they have expired. */
export type Caller = (call: (token: string) => Promise<Asked>) => Promise<Asked>

/** Returns a caller for one piece of work. */
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
      // Nothing was sent without tokens. So the result of the call is certain, even if that of the sign-in is not.
      if (failed.kind !== 'unknown') return failed
      return { kind: 'refused', name: 'NoSession', reason: failed.reason, status: 0, retryable: true }
    }
    session = renewed.session
    return await call(session.access ?? '')
  }
}
