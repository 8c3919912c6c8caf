import { Hono } from 'hono/quick'
import { PATHS } from '../../src/accounts/people/paths.ts'
import { renewSession, type SessionSecrets, withSession } from '../../src/accounts/people/session-cookie.ts'
import { frontApp } from '../../src/pages/app.tsx'
import type { Front } from '../../src/pages/front.tsx'
import { mailHook } from '../../src/pages/mail-hook.ts'
import { passkeyPages } from '../../src/pages/passkeys/pages.tsx'
import { SESSION_PATH, type SessionOf } from '../../src/pages/session.ts'
import { billingHook } from '../../src/pages/settings/billing.tsx'
import { invitationPages } from '../../src/pages/signin/invitation.tsx'
import { mailStatePages } from '../../src/pages/signin/mail-state.tsx'
import { sessionPages } from '../../src/pages/signin/sessions.tsx'
import { type SignInFront, signInPages } from '../../src/pages/signin/sign-in.tsx'
import type { ReachFront } from '../../src/pages/site/reach/front.ts'
import { databaseFailureFields } from '../../src/platform/db/client.ts'
import { requestIdNow } from '../../src/platform/lib/request-scope.ts'
import { errorFields } from '../../src/platform/runtime/log.ts'
import { rulesOf } from './rules.tsx'
import { type SettingsFront, settingsOf } from './settings.tsx'
import { type SitesFront, sitesOf } from './sites.tsx'

/** Returns the app from which the OAuth server reads the signed-in person. */
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

/** Dependencies of all pages. */
type AllFront = SignInFront &
  SitesFront &
  SettingsFront &
  ReachFront & {
    secrets: SessionSecrets
    /** Secret that signs the mail provider's events. */
    mailSecret: string
  }

/** Returns the app of all pages, and the app that returns the session to the OAuth server. */
export const pagesApp = (front: AllFront) => {
  const { auth, secrets, sessionOf } = front
  const pages = frontApp(front)
  signInPages(pages, front)
  invitationPages(pages, front)
  mailStatePages(pages, front)
  sessionPages(pages, front)
  passkeyPages(pages, front)
  settingsOf(pages, front)
  rulesOf(pages, front)
  sitesOf(pages, front)
  const renewed = async (request: Request) => {
    const { sessionToken } = (await (await auth()).$context).authCookies
    return { sessionToken, ...(await renewSession(request, sessionToken, secrets)) }
  }
  const internal = innerApp(front, async (request) => {
    const { request: known, setCookie } = await renewed(request)
    const session = await sessionOf(known)
    return session && { ...session, setCookie }
  })
  const hooks = new Map<string, ReturnType<typeof billingHook> | ReturnType<typeof mailHook>>([
    [PATHS.stripeEvents, billingHook(front)],
    [PATHS.mailEvents, mailHook(front)],
  ])
  const fetch = async (...[request, env, ctx]: Parameters<typeof pages.fetch>): Promise<Response> => {
    const hook = hooks.get(new URL(request.url).pathname)
    if (hook) return await hook.fetch(request, env, ctx)
    if (!request.headers.has('cookie')) return await pages.fetch(request, env, ctx)
    const { request: known, setCookie, sessionToken } = await renewed(request)
    return withSession(await pages.fetch(known, env, ctx), sessionToken, setCookie)
  }
  return {
    open: { fetch, routes: [...pages.routes, ...[...hooks.values()].flatMap(({ routes }) => routes)] },
    internal,
  }
}
