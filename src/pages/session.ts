import type { Person } from '../accounts/people/person.ts'
import { ApiError } from '../platform/lib/errors.ts'
import { requestIdHeader } from '../platform/lib/request-scope.ts'

/** Somebody who is signed in. */
export type Session = {
  id: string
  user: { id: string; email: string; emailVerified: boolean }
  /** Time at which a mailed link started the session, in milliseconds; undefined if a password did. */
  provedAt?: number | undefined
  /** The account they work in and as what, where it was read with the session. */
  person?: Person | undefined
  /** Their cookie signed again, by the newest secret. */
  setCookie?: string | undefined
}

/** Returns who is signed in by the cookie of a request; undefined for nobody. Throws `unavailable` if that cannot be told now. */
export type SessionOf = (request: Request) => Promise<Session | undefined>

/** Path at which the Worker that people sign in at tells other Workers who that is, at its internal entrypoint. */
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
    if (!response.ok) throw new ApiError('unavailable', 'Sign-in cannot be checked at the moment.')
    const session = ((await response.json()) as Session | null) ?? undefined
    // JSON has no instants.
    const eraseAt = session?.person?.eraseAt
    return session?.person && eraseAt
      ? { ...session, person: { ...session.person, eraseAt: new Date(eraseAt) } }
      : session
  }
