import type { Context } from 'hono'
import { setCookie } from 'hono/cookie'
import type { Person } from '../accounts/people/person.ts'
import { ApiError } from '../platform/lib/errors.ts'
import { requestIdHeader } from '../platform/lib/request-scope.ts'
import type { MenuParts, Site } from './queries.ts'

/** Values of a request to a page, in hono's context. `signedIn` sets the person, sites and session. */
export type PagesEnv = {
  Variables: {
    person: Person
    /** Sites of the account and the number of unread notices. The query is already running. */
    menu: Promise<MenuParts>
    /** Sites of the account, from the same query. */
    sites: Promise<readonly Site[]>
    /** Id of the person's session. */
    session: string
    /** Time at which a mailed link last proved the person, ms; undefined if none did. */
    provedAt: number | undefined
    requestId: string
  }
}
/** Context of a request to a page. */
export type PagesContext = Context<PagesEnv>

type OwnCookie = { name: string; value: string; path: string; seconds: number }

/**
 * Sets a cookie that scripts cannot read.
 *
 * SameSite is Lax: the browser also sends it when it follows a link from another site, such as Google.
 */
export const setOwnCookie = (
  c: Context,
  { publicUrl }: { publicUrl: string },
  { name, value, path, seconds }: OwnCookie,
): void =>
  setCookie(c, name, value, {
    path,
    httpOnly: true,
    secure: publicUrl.startsWith('https:'),
    sameSite: 'Lax',
    maxAge: seconds,
  })

/** Session of a signed-in person. */
export type Session = {
  id: string
  user: { id: string; email: string; emailVerified: boolean }
  /** Time at which a mailed link last proved the person for this session, in milliseconds; undefined if none did. */
  provedAt?: number | undefined
  /** Person with their current account and role, if read together with the session. */
  person?: Person | undefined
  /** Session cookie, signed again with the newest secret. */
  setCookie?: string | undefined
}

/**
 * Returns the session of a request, by its cookie; undefined if nobody is signed in. Throws `unavailable` if it cannot
 * be checked.
 */
export type SessionOf = (request: Request) => Promise<Session | undefined>

/** Internal path at which the pages Worker returns the session to the OAuth server. */
export const SESSION_PATH = '/internal/session'

/** Service binding to another Worker. */
export type Service = { fetch: (request: Request) => Promise<Response> }

/** Returns a `SessionOf` that asks the pages Worker over its service binding. */
export const sessionThrough =
  (pages: Service): SessionOf =>
  async (request) => {
    const cookie = request.headers.get('cookie')
    if (cookie === null) return undefined
    const headers = { cookie, ...requestIdHeader() }
    const response = await pages.fetch(new Request(`http://pages${SESSION_PATH}`, { method: 'POST', headers }))
    if (!response.ok) throw new ApiError('unavailable', 'Sign-in cannot be checked at the moment.')
    const session = ((await response.json()) as Session | null) ?? undefined
    // JSON has no dates.
    const eraseAt = session?.person?.eraseAt
    return session?.person && eraseAt
      ? { ...session, person: { ...session.person, eraseAt: new Date(eraseAt) } }
      : session
  }
