import { ApiError } from '../lib/errors.ts'
import { requestIdHeader } from '../lib/request-scope.ts'

/** Somebody who is signed in. */
export type Session = {
  user: { id: string; email: string; emailVerified: boolean }
  /** When a mailed link started the session, in milliseconds; undefined if a password did. */
  provedAt?: number | undefined
  /** Their cookie signed again, by the newest secret. */
  setCookie?: string | undefined
}

/** Who a request's cookie says is signed in; undefined for nobody. Throws `unavailable` where that cannot be told now. */
export type SessionOf = (request: Request) => Promise<Session | undefined>

/** Where the Worker that people sign in at tells other Workers of ours who that is, at its internal entrypoint. */
export const SESSION_PATH = '/internal/session'

export type Service = { fetch: (request: Request) => Promise<Response> }

/** Asks the Worker that people sign in at, over its service binding. */
export const sessionThrough =
  (signin: Service): SessionOf =>
  async (request) => {
    const cookie = request.headers.get('cookie')
    if (cookie === null) return undefined
    const headers = { cookie, ...requestIdHeader() }
    const response = await signin.fetch(new Request(`http://signin${SESSION_PATH}`, { method: 'POST', headers }))
    if (!response.ok) throw new ApiError('unavailable', 'Who is signed in cannot be told at the moment.')
    return ((await response.json()) as Session | null) ?? undefined
  }
