import { foreignJson } from '../../../platform/lib/foreign-json.ts'
import { withNext, withStop } from '../../../platform/lib/full-stop.ts'
import { hideSecrets } from '../../../platform/lib/hide-secrets.ts'
import { clip, storableText } from '../../../platform/lib/text.ts'
import type { Deps } from '../../../platform/runtime/ctx.ts'

export type BlueskyDeps = Pick<Deps, 'outbound' | 'now'> & {
  settings: Pick<Deps['settings'], 'serviceName' | 'publicUrl'>
}

/** An answer of XRPC, or why there is none. `name` is the error's name at the server. */
export type Asked =
  | { kind: 'answered'; body: unknown }
  | { kind: 'refused'; name: string; reason: string; status: number; retryable: boolean; retryAfterS?: number }
  /** `isDeaf`: nobody takes a connection at the address. */
  | { kind: 'unknown'; reason: string; isDeaf?: boolean }

type Call = {
  pds: string
  method: string
  token?: string
  query?: Record<string, string>
  json?: unknown
  blob?: { bytes: Uint8Array<ArrayBuffer>; type: string }
  /** Texts that no message may hold. */
  secrets?: readonly string[]
}

const TIMEOUT_MS = 20_000
const MAX_BYTES = 512 * 1024
const MAX_WAIT_S = 3_600

/** Steps for the owner of an account, by the name of the error (lexicon com.atproto.server.createSession, and the servers). */
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

/** Makes one call of a server of the AT protocol (XRPC): a query without a body, else a procedure. */
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
