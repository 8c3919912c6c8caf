import { Hono } from 'hono'
import type { Auth } from '../../src/accounts/people/auth.ts'
import { personOfSession } from '../../src/accounts/people/person.ts'
import { renewSession, type SessionSecrets, tokenIn, withSession } from '../../src/accounts/people/session-cookie.ts'
import { frontApp } from '../../src/pages/app.tsx'
import type { Front } from '../../src/pages/front.tsx'
import { SESSION_PATH, type Session, type SessionOf } from '../../src/pages/session.ts'
import { invitationPages } from '../../src/pages/signin/invitation.tsx'
import { mailStatePages } from '../../src/pages/signin/mail-state.tsx'
import { sessionPages } from '../../src/pages/signin/sessions.tsx'
import { type SignInFront, signInPages } from '../../src/pages/signin/sign-in.tsx'
import { databaseFailureFields } from '../../src/platform/db/client.ts'
import { requestIdNow } from '../../src/platform/lib/request-scope.ts'
import { errorFields } from '../../src/platform/runtime/log.ts'

const sessionsBy =
  (auth: Auth): SessionOf =>
  async ({ headers }) => {
    const session = await auth.api.getSession({ headers })
    if (!session) return undefined
    const { id, email, emailVerified } = session.user
    const { id: sessionId, provedAt } = session.session
    return { id: sessionId, user: { id, email, emailVerified }, provedAt: provedAt?.getTime() }
  }

/** Returns the app from which other Workers read the signed-in person. */
const innerApp = ({ deps }: Pick<Front, 'deps'>, sessionOf: SessionOf) => {
  const app = new Hono()
  app.onError((error, c) => {
    const away = databaseFailureFields(error)
    const seen = { request_id: requestIdNow(), path: c.req.path }
    deps.log('error', away ? 'database.away' : 'request.failed', { ...seen, ...(away ?? errorFields(error)) })
    return c.body(null, away ? 503 : 500)
  })
  app.post(SESSION_PATH, async (c) => c.json((await sessionOf(c.req.raw)) ?? null))
  return app
}

/**
 * Returns the Worker for signing in: its pages, those of invitations and sessions, and the session for other Workers.
 */
export const signInApp = (given: Omit<SignInFront, 'sessionOf'> & { secrets: SessionSecrets }) => {
  const { auth, secrets } = given
  const sessionOf = sessionsBy(auth)
  const front: SignInFront = { ...given, sessionOf }
  const pages = frontApp(front)
  signInPages(pages, front)
  invitationPages(pages, front)
  mailStatePages(pages, front)
  sessionPages(pages, front)
  const renewed = async (request: Request) => {
    const { sessionToken } = (await auth.$context).authCookies
    return { sessionToken, ...(await renewSession(request, sessionToken, secrets)) }
  }
  const internal = innerApp(front, async (given): Promise<Session | undefined> => {
    const { request, setCookie, sessionToken } = await renewed(given)
    const token = tokenIn(request, sessionToken)
    // Read at the same time as the session, so that both cost one wait.
    const [session, person] = await Promise.all([
      sessionOf(request),
      token === undefined ? undefined : personOfSession(front.deps.db, token),
    ])
    return session && { ...session, setCookie, person: person?.id === session.user.id ? person : undefined }
  })
  const fetch = async (...[given, env, ctx]: Parameters<typeof pages.fetch>): Promise<Response> => {
    if (!given.headers.has('cookie')) return await pages.fetch(given, env, ctx)
    const { request, setCookie, sessionToken } = await renewed(given)
    return withSession(await pages.fetch(request, env, ctx), sessionToken, setCookie)
  }
  return { open: { fetch, routes: pages.routes }, internal }
}
