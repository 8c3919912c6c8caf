import type { MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import { html } from 'hono/html'
import type { Child } from 'hono/jsx'
import { routePath } from 'hono/route'
import { OAUTH } from '../accounts/oauth/paths.ts'
import { PATHS, safeNext } from '../accounts/people/paths.ts'
import { calledPerson, personOf } from '../accounts/people/person.ts'
import { mayUse, withArticle } from '../accounts/people/roles.ts'
import { addressOf } from '../platform/http/address.ts'
import type { HttpDeps } from '../platform/http/deps.ts'
import type { Policy } from '../platform/http/ratelimit.ts'
import { sha256 } from '../platform/lib/crypto.ts'
import { ApiError } from '../platform/lib/errors.ts'
import type { IconName } from './icons.tsx'
import { Page } from './layout.tsx'
import { consumeNotice, type Notice } from './notice.ts'
import { ActionButton } from './parts.tsx'
import { readMenu } from './queries.ts'
import { type PagesContext, type PagesEnv, type Session, type SessionOf, setOwnCookie } from './session.ts'
import { type Menu, THEMES, type Theme } from './shell.tsx'
import { STYLES } from './style.generated.ts'
import { drawnBy } from './zone.ts'

export type { PagesContext, PagesEnv } from './session.ts'

/** Dependencies of all pages. */
export type Front = {
  deps: HttpDeps
  /** Returns the session of a request, by its cookie. */
  sessionOf: SessionOf
}

/** Dependencies of pages that send mail. */
export type MailingFront = Front & {
  /** True if the operator has set up mail. Without it, pages offer nothing that needs mail. */
  sendsMail: boolean
}

type Shown = {
  title: string
  body: Child
  notice?: Notice | undefined
  status?: 200 | 400 | 403 | 404 | 409 | 412 | 413 | 415 | 422 | 429 | 500 | 503
  /** True if the page has the menu of the signed-in person. */
  menu?: boolean
  /** Menu entry of this page, for a page of a site. */
  page?: IconName
  /** Id of the site that the page is about. */
  site?: number | undefined
  /** Buttons and marks beside the heading. */
  actions?: Child
  /** Address of the page's script. */
  script?: string
  /** True if the page shows another page of the service in a frame. */
  frames?: boolean
  /** True for the editor's page: it shows pictures of articles, and its library may parse pasted HTML. */
  isEditor?: boolean
  /** True if the page shows pictures of articles or posts, which may be on any host. */
  hasPictures?: boolean
  /** Another origin to which a form of the page may redirect. */
  formTarget?: string
}

const SITE_COOKIE = 'galley_site'
const THEME_COOKIE = 'galley_theme'
/** Cookie that is `yes` if the person switched keys off in this browser. */
const NO_KEYS_COOKIE = 'galley_no_keys'
const YEAR_S = 31_536_000

/** Stores a setting in a cookie for a year. */
const remember = (c: PagesContext, { settings }: Front['deps'], name: string, value: string): void =>
  setOwnCookie(c, settings, { name, value, path: '/', seconds: YEAR_S })

/** Returns the colour theme stored in this browser. */
export const themeIn = (c: PagesContext): Theme =>
  THEMES.find((theme) => theme === getCookie(c, THEME_COOKIE)) ?? 'system'

/** Returns the time zone of the signed-in person: the chosen one, else that of their first site. */
export const zoneFor = async (c: PagesContext): Promise<string> =>
  c.get('person').zone ?? (await c.get('sites'))[0]?.zone ?? 'UTC'

/** True unless the person switched keys off in this browser. */
export const hasKeys = (c: PagesContext): boolean => getCookie(c, NO_KEYS_COOKIE) !== 'yes'

/** Returns the menu of the signed-in person; undefined if nobody is signed in or the sites cannot be read. */
const menuFor = async (
  c: PagesContext,
  deps: Front['deps'],
  { site: about, page }: Shown,
): Promise<Menu | undefined> => {
  const person = c.get('person')
  if (!person) return undefined
  const parts = await c.get('menu').catch(() => undefined)
  if (!parts) return undefined
  const { sites, unread } = parts
  const last = about ?? Number(getCookie(c, SITE_COOKIE))
  const site = sites.find(({ id }) => id === last) ?? sites[0]
  if (about !== undefined && getCookie(c, SITE_COOKIE) !== String(about)) remember(c, deps, SITE_COOKIE, String(about))
  const path = `/${c.req.path.split('/').slice(1, 3).join('/')}`
  const who = calledPerson(person)
  const own = { theme: themeIn(c), hasKeys: hasKeys(c) }
  return { sites, site, unread, current: page ?? path, who, role: person.role, ...own }
}

/**
 * Returns the script part of the Content-Security-Policy: only scripts of the service, which may not create HTML from
 * text.
 *
 * The editor's library may, because it parses pasted HTML.
 */
const scriptPolicy = (isEditor: boolean): string =>
  ` script-src 'self'; require-trusted-types-for 'script'; trusted-types ${isEditor ? 'ProseMirrorClipboard' : "'none'"};`

/** Renders that mails to the signed-in person do not arrive. */
const MailFaultNotice = ({ email }: { email: string }) => (
  <p class="notice bad">
    Mails to {email} do not arrive. You get no notices, approvals and links to sign in.{' '}
    <a href={PATHS.profile}>Use another address</a>
  </p>
)

/**
 * Sends a page. A page without a script allows none, and no other site may frame a page.
 *
 * `connect-src` allows the palette's search. It also allows /robots.txt, which page checkers request from within the
 * browser.
 */
export const show = async (c: PagesContext, { deps }: Pick<Front, 'deps'>, shown: Shown): Promise<Response> => {
  const {
    title,
    body,
    notice,
    status = 200,
    menu: hasMenu = false,
    formTarget,
    actions,
    script,
    frames = false,
    isEditor = false,
    hasPictures = isEditor,
  } = shown
  const [menu, kept] = await Promise.all([hasMenu ? menuFor(c, deps, shown) : undefined, consumeNotice(c, { deps })])
  c.header(
    'Content-Security-Policy',
    `default-src 'none';${script !== undefined || menu ? scriptPolicy(isEditor) : ''} style-src 'self'; img-src 'self'${hasPictures ? ' https:' : ''}; connect-src 'self';${frames ? " frame-src 'self';" : ''} form-action 'self'${formTarget === undefined ? '' : ` ${formTarget}`}; base-uri 'none'; frame-ancestors 'none'`,
  )
  const own = shown.site === undefined ? c.get('person')?.zone : undefined
  const scene = { zone: own ?? menu?.site?.zone ?? 'UTC', now: deps.now(), role: c.get('person')?.role }
  const page = drawnBy(
    scene,
    () =>
      html`<!doctype html>${(
        <Page
          service={deps.settings.serviceName}
          legal={deps.settings.legal}
          title={title}
          menu={menu}
          notice={notice ?? kept}
          actions={actions}
          script={script}
        >
          {menu && c.get('person')?.mailFault && <MailFaultNotice email={c.get('person').email} />}
          {body}
        </Page>
      )}`,
  )
  return await c.html(page, status)
}

/** Returns the fields of a form. NUL, which PostgreSQL text cannot store, becomes the replacement character U+FFFD. */
export const formOf = async (c: PagesContext): Promise<Record<string, string>> =>
  Object.fromEntries(
    new URLSearchParams((await c.req.text()).replaceAll('%00', '%EF%BF%BD').replaceAll('\0', '\ufffd')),
  )

/** Copies the cookies of a better-auth response to this response. */
export const copyCookies = (c: PagesContext, from: Response | undefined): void => {
  for (const cookie of from?.headers.getSetCookie() ?? []) c.header('Set-Cookie', cookie, { append: true })
}

/**
 * Redirects (303) to another page of the service, with the cookies of a better-auth response.
 *
 * An authorization request continues through a page with a refresh: it may end at the application, and the form policy
 * blocks redirects to other origins.
 */
export const redirectInside = (c: PagesContext, path: string, from?: Response): Response | Promise<Response> => {
  copyCookies(c, from)
  if (!path.startsWith(OAUTH.authorize)) return c.redirect(path, 303)
  c.header('Refresh', `0; url=${path}`)
  c.header('Content-Security-Policy', "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'")
  return c.html(html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Signed in</title><link rel="stylesheet" href="${STYLES}"></head>
<body><main class="narrow"><h1>Signed in</h1><p><a href="${path}">Continue to the application’s request</a></p></main></body></html>`)
}

/**
 * Counts a try against each limit. Returns the page to show if a limit is reached; undefined if not.
 *
 * Ids are hashed before they reach the limiter.
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
      menu: c.get('person') !== undefined,
      body: (
        <>
          <p>Nothing was changed. Wait {wait} seconds, then try again.</p>
          <p>
            <a href={c.req.path}>Back to the form</a>
          </p>
        </>
      ),
    },
  )
}

/** Returns the caller's IP address in the form that limits are counted by. */
export const addressIn = (c: PagesContext): string => addressOf(c.req.header('cf-connecting-ip'))

/** Returns the session of the signed-in person. Sends the browser its cookie if that was signed again. */
export const sessionIn = async (c: PagesContext, { sessionOf }: Front): Promise<Session | undefined> => {
  const session = await sessionOf(c.req.raw)
  if (session?.setCookie !== undefined) c.header('Set-Cookie', session.setCookie, { append: true })
  return session
}

/** Shows a page to signed-in people without an active account. */
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

/** Returns the id of the site that a page is about, from its path; 0 for other pages. */
const siteOf = ({ req }: PagesContext): number => Number(/^\/p\/([1-9]\d{0,8})(?:\/|$)/.exec(req.path)?.[1] ?? 0)

/** Stores the signed-in person in the context, and starts to read the sites of their account. */
export const identify = async (c: PagesContext, front: Front): Promise<Session | undefined> => {
  const { db, now } = front.deps
  const session = await sessionIn(c, front)
  const person = session && (session.person ?? (await personOf(db, session.user.id, now())))
  if (!person) return session
  const menu = readMenu(db, { personId: person.id, accountId: person.accountId }, siteOf(c), person.projectId)
  const sites = menu.then((parts) => parts.sites)
  // A page can fail before its menu awaits the sites. The rejections must not stay unhandled.
  menu.catch(() => {})
  sites.catch(() => {})
  c.set('person', person)
  c.set('menu', menu)
  c.set('sites', sites)
  c.set('session', session.id)
  c.set('provedAt', session.provedAt)
  return session
}

/**
 * Checks that the person's role allows the request.
 *
 * Throws `not_found` if the person works in one site and the path names another. Throws `forbidden` if the role does
 * not allow the page or form.
 */
const checkRole = (c: PagesContext): void => {
  const { role, projectId } = c.get('person')
  const site = c.req.param('site')
  if (projectId !== null && site !== undefined && site !== String(projectId))
    throw new ApiError('not_found', 'There is no such site.')
  if (!mayUse(role, c.req.method, routePath(c)))
    throw new ApiError(
      'forbidden',
      `You are ${withArticle(role)} of this account, and your role cannot do this. Ask an owner.`,
    )
}

/**
 * Lets only signed-in people with an active account and a sufficient role pass. Others sign in first and return.
 *
 * Every page and form for signed-in people uses it.
 */
export const signedIn =
  (front: Front): MiddlewareHandler<PagesEnv> =>
  async (c, next) => {
    const session = await identify(c, front)
    const isIn = c.get('person') !== undefined
    if (!isIn && session?.user.emailVerified) return notActive(c, front, session)
    if (!isIn) {
      const { pathname, search } = new URL(c.req.url)
      // A form leads back to its page, on which a text that was not saved is offered again.
      const back = c.req.method === 'GET' ? `${pathname}${search}` : previousPath(c)
      return c.redirect(`${PATHS.signIn}?next=${encodeURIComponent(back)}`, 303)
    }
    checkRole(c)
    await next()
    return undefined
  }

/** Returns the path of the page that a form was sent from; the settings if the browser does not send it. */
export const previousPath = (c: PagesContext): string => {
  const from = c.req.header('referer')
  return from !== undefined && URL.canParse(from)
    ? safeNext(new URL(from).pathname + new URL(from).search)
    : PATHS.settings
}

/** Stores the colour theme that a person chose. */
export const rememberTheme = (c: PagesContext, { deps }: Front, theme: string | undefined): void =>
  remember(c, deps, THEME_COOKIE, THEMES.find((one) => one === theme) ?? 'system')

/** Stores whether a person wants keys on the pages. */
export const rememberKeys = (c: PagesContext, { deps }: Front, isOn: boolean): void =>
  remember(c, deps, NO_KEYS_COOKIE, isOn ? 'no' : 'yes')
