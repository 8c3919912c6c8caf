import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { html } from 'hono/html'
import type { Child } from 'hono/jsx'
import { addressOf } from '../http/address.ts'
import type { HttpDeps } from '../http/deps.ts'
import type { Policy } from '../http/ratelimit.ts'
import { sha256 } from '../lib/crypto.ts'
import { ApiError } from '../lib/errors.ts'
import { requestIdNow } from '../lib/request-scope.ts'
import { OAUTH } from '../oauth/paths.ts'
import { PATHS } from '../people/paths.ts'
import { type Person, personOf } from '../people/person.ts'
import { errorFields } from '../runtime/log.ts'
import { requestIdOf } from '../runtime/request-id.ts'
import { awayFields } from './away.ts'
import { type Notice, Page, STYLES } from './layout.tsx'
import { ActionButton } from './parts.tsx'
import type { Session, SessionOf } from './session.ts'

export type PagesEnv = { Variables: { person: Person; provedAt: number | undefined; requestId: string } }
export type PagesContext = Context<PagesEnv>

/** What the pages are made from. */
export type Front = {
  deps: HttpDeps
  /** Who a request's cookie says is signed in. */
  sessionOf: SessionOf
}

/** What pages that send mails are made from. */
export type MailingFront = Front & {
  /** True if the operator has set up mail. Pages that need it promise nothing without it. */
  sendsMail: boolean
}

/** The settings' pages in the order of the menu. */
const MENU: { path: string; label: string }[] = [
  { path: PATHS.settings, label: 'Account' },
  { path: PATHS.keys, label: 'API keys' },
  { path: PATHS.applications, label: 'Applications' },
  { path: PATHS.projects, label: 'Projects' },
  { path: PATHS.integrations, label: 'Integrations' },
  { path: PATHS.social, label: 'Social' },
  { path: PATHS.providerKeys, label: 'Provider keys' },
  { path: PATHS.billing, label: 'Plan' },
  { path: PATHS.people, label: 'People' },
  { path: PATHS.audit, label: 'Audit log' },
  { path: PATHS.sessions, label: 'Sessions' },
  { path: PATHS.leaving, label: 'Export and deletion' },
]

type Shown = {
  title: string
  body: Child
  notice?: Notice | undefined
  status?: 200 | 400 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 500 | 503
  /** Whether the menu of a person who is signed in is shown. */
  menu?: boolean
  /** Where else a form of the page may lead by a redirect. */
  formTarget?: string
}

/**
 * Sends a page. Nothing on it runs scripts, and no other site may frame it; what may be connected to is for those who judge
 * pages from within a browser (they ask for /robots.txt in the page's name).
 */
export const show = (c: PagesContext, { deps }: Pick<Front, 'deps'>, shown: Shown): Response | Promise<Response> => {
  const { title, body, notice, status = 200, menu = false, formTarget } = shown
  c.header(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'${formTarget === undefined ? '' : ` ${formTarget}`}; base-uri 'none'; frame-ancestors 'none'`,
  )
  const frame = { service: deps.settings.serviceName, title, styles: STYLES, notice }
  const page = (
    <Page
      {...frame}
      {...(menu ? { menu: MENU, current: `/${c.req.path.split('/').slice(1, 3).join('/')}` } : { narrow: true })}
    >
      {body}
    </Page>
  )
  return c.html(html`<!doctype html>${page}`, status)
}

/** The fields of a form that was sent. PostgreSQL's text takes no NUL: one becomes the character for what cannot be shown. */
export const formOf = async (c: PagesContext): Promise<Record<string, string>> =>
  Object.fromEntries(
    new URLSearchParams((await c.req.text()).replaceAll('%00', '%EF%BF%BD').replaceAll('\0', '\ufffd')),
  )

/** Gives the browser the cookies of an answer of better-auth. */
export const takeCookies = (c: PagesContext, from: Response | undefined): void => {
  for (const cookie of from?.headers.getSetCookie() ?? []) c.header('Set-Cookie', cookie, { append: true })
}

/**
 * 303 to another of our pages, with the cookies of an answer of better-auth. An application's request is gone on to by a page:
 * it may lead back to the application, and browsers follow no redirect of a form to where the form itself may not be sent.
 */
export const goTo = (c: PagesContext, path: string, from?: Response): Response | Promise<Response> => {
  takeCookies(c, from)
  if (!path.startsWith(OAUTH.authorize)) return c.redirect(path, 303)
  c.header('Refresh', `0; url=${path}`)
  c.header('Content-Security-Policy', "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'")
  return c.html(html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Signed in</title><link rel="stylesheet" href="${STYLES}"></head>
<body><main class="narrow"><h1>Signed in</h1><p><a href="${path}">Go on to the application’s question</a></p></main></body></html>`)
}

/**
 * Counts a try against each of the given names; the page to show when one has tried too often. Names that say who somebody
 * is are hashed first.
 */
export const tooOften = async (
  c: PagesContext,
  { deps }: Pick<Front, 'deps'>,
  tries: readonly [Policy, string][],
): Promise<Response | undefined> => {
  const verdicts = await Promise.all(tries.map(async ([policy, id]) => deps.limiter.take(policy, await sha256(id))))
  const refused = verdicts.filter(({ allowed }) => !allowed)
  if (refused.length === 0) return undefined
  const wait = Math.max(...refused.map(({ resetS }) => resetS ?? 1))
  c.header('Retry-After', String(wait))
  return await show(
    c,
    { deps },
    {
      title: 'Too many tries',
      status: 429,
      body: <p>Wait {wait} seconds, then try again.</p>,
    },
  )
}

/** The caller's address, as tries are counted by it. */
export const addressIn = (c: PagesContext): string => addressOf(c.req.header('cf-connecting-ip'))

/** Who is signed in. The browser is given their cookie where it was signed again. */
export const sessionIn = async (c: PagesContext, { sessionOf }: Front): Promise<Session | undefined> => {
  const session = await sessionOf(c.req.raw)
  if (session?.setCookie !== undefined) c.header('Set-Cookie', session.setCookie, { append: true })
  return session
}

/** For who is signed in and works in no account that is active. */
const notActive = (c: PagesContext, front: Front, { user }: Session) =>
  show(c, front, {
    title: 'Your account is not active',
    status: 403,
    body: (
      <>
        <p>
          You are signed in as {user.email}, and no account that you work in is active. Those who run the service can
          say why, and open it again.
        </p>
        <ActionButton action={PATHS.signOut} label="Sign out" name="" fields={{}} />
      </>
    ),
  })

/** Only for people who are signed in and work in an account; others sign in first and come back. */
export const signedIn =
  (front: Front): MiddlewareHandler<PagesEnv> =>
  async (c, next) => {
    const { deps } = front
    const session = await sessionIn(c, front)
    const person = session ? await personOf(deps.db, session.user.id, deps.now()) : undefined
    if (!person && session?.user.emailVerified) return notActive(c, front, session)
    if (!person) {
      const { pathname, search } = new URL(c.req.url)
      const back = c.req.method === 'GET' ? `${pathname}${search}` : PATHS.settings
      return c.redirect(`${PATHS.signIn}?next=${encodeURIComponent(back)}`, 303)
    }
    c.set('person', person)
    c.set('provedAt', session?.provedAt)
    await next()
    return undefined
  }

/** The pages' app: headers, and pages with words for what fails. The gateway lets only forms of our own pages in. */
export const frontApp = (front: Front): Hono<PagesEnv> => {
  const { deps } = front
  const app = new Hono<PagesEnv>({ strict: false })
  app.use(async (c, next) => {
    const startedAt = deps.now().getTime()
    const requestId = requestIdNow() ?? requestIdOf(c.req.header('x-request-id'), deps.newId)
    c.set('requestId', requestId)
    await next()
    c.header('X-Request-Id', requestId)
    c.header('X-Content-Type-Options', 'nosniff')
    // With no-referrer browsers would send forms with `Origin: null`.
    c.header('Referrer-Policy', 'same-origin')
    if (deps.settings.publicUrl.startsWith('https:')) c.header('Strict-Transport-Security', 'max-age=31536000')
    if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store')
    deps.log('info', 'page', {
      request_id: requestId,
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms: deps.now().getTime() - startedAt,
    })
  })
  app.onError((error, c) => {
    const seen = { request_id: c.get('requestId'), path: c.req.path }
    const away = awayFields(error)
    if (away) deps.log('error', 'database.away', { ...seen, ...away })
    if (away || (error instanceof ApiError && error.code === 'unavailable')) {
      c.header('Retry-After', '5')
      return show(c, front, {
        title: 'Not now',
        status: 503,
        body: <p>The database does not answer at the moment. Open the page again in a few seconds.</p>,
      })
    }
    // Who was taken out of an account while they did something in it.
    if (error instanceof ApiError && error.code === 'forbidden')
      return show(c, front, { title: 'Not allowed', status: 403, body: <p>{error.message}</p> })
    deps.log('error', 'page.failed', { ...seen, ...errorFields(error) })
    return show(c, front, {
      title: 'Something went wrong',
      status: 500,
      body: <p>Try again shortly. If it stays, tell us this number: {c.get('requestId')}</p>,
    })
  })
  app.notFound((c) => show(c, front, { title: 'No such page', status: 404, body: <p>There is nothing here.</p> }))
  return app
}
