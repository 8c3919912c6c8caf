import type { Context } from 'hono'
import { deleteCookie, getCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { Hono } from 'hono/tiny'
import { askToConnect, finishConnecting } from '../insights/search/callback.ts'
import {
  CONNECT_PATH,
  goToGoogle,
  type Page,
  pickProperty,
  type Reply,
  showConnection,
} from '../insights/search/connect-page.ts'
import type { SearchConsole } from '../insights/search/port.ts'
import { addressOf } from '../platform/http/address.ts'
import type { HttpDeps } from '../platform/http/deps.ts'
import { ApiError } from '../platform/lib/errors.ts'
import { errorFields } from '../platform/runtime/log.ts'
import { Page as Frame } from './layout.tsx'
import { setOwnCookie } from './session.ts'

/** Limit of requests to these pages, by IP address. */
const POLICY = { name: 'connect.pages', perMinute: 30 }
const COOKIE = 'galley_connect'

const FAILED: Page = {
  title: 'Something went wrong',
  lines: ['It is not known whether the last step was carried out. Open the address to connect at again to see.'],
}
const TOO_MANY: Page = { title: 'Too many requests', lines: ['Wait a minute, then try again.'] }

const formOf = async (c: Context): Promise<URLSearchParams> => new URLSearchParams(await c.req.text())

/** Renders the form of a page: hidden fields, and at most one choice. */
const PageForm = ({ form: { action, button, hidden, choice } }: { form: NonNullable<Page['form']> }) => (
  <form class="stack" method="post" action={action}>
    {Object.entries(hidden).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    {choice && (
      <fieldset class="stack">
        <legend>{choice.legend}</legend>
        {choice.options.map((option) => (
          <label class="check">
            <input type="radio" name={choice.name} value={option} required checked={option === choice.chosen} />
            {option}
          </label>
        ))}
      </fieldset>
    )}
    <button type="submit">{button}</button>
  </form>
)

/** Returns the pages that connect a project to Google Search Console. */
export const connectPages = (deps: HttpDeps, google: SearchConsole) => {
  const app = new Hono({ strict: false })

  const show = async (c: Context, page: Page, status: number) => {
    const policy = `default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' ${google.consentOrigin}; frame-ancestors 'none'; base-uri 'none'`
    c.header('Content-Security-Policy', policy)
    c.header('X-Robots-Tag', 'noindex')
    const shown = (
      <Frame service={deps.settings.serviceName} legal={deps.settings.legal} title={page.title}>
        {page.lines.map((line) => (
          <p>{line}</p>
        ))}
        {page.form && <PageForm form={page.form} />}
      </Frame>
    )
    return await c.html(html`<!doctype html>${shown}`, status as 200)
  }

  const send = async (c: Context, reply: Reply) => {
    if ('page' in reply) return await show(c, reply.page, reply.status)
    if (reply.cookie) setOwnCookie(c, deps.settings, { name: COOKIE, path: CONNECT_PATH, ...reply.cookie })
    return c.redirect(reply.to, 303)
  }

  app.use(async (c, next) => {
    const { allowed } = await deps.limiter.take(POLICY, addressOf(c.req.header('cf-connecting-ip')))
    if (allowed) await next()
    else c.res = await show(c, TOO_MANY, 429)
    c.header('Cache-Control', 'no-store')
    // With no-referrer, browsers would send forms with `Origin: null`.
    c.header('Referrer-Policy', 'same-origin')
    c.header('X-Content-Type-Options', 'nosniff')
  })

  app.get(CONNECT_PATH, async (c) => send(c, await showConnection(deps, google, c.req.query('link') ?? '')))
  app.post(CONNECT_PATH, async (c) => send(c, await goToGoogle(deps, google, (await formOf(c)).get('link') ?? '')))
  app.post(`${CONNECT_PATH}/property`, async (c) => {
    const form = await formOf(c)
    const given = { link: form.get('link') ?? '', property: form.get('property') ?? '' }
    return await send(c, await pickProperty(deps, given, (work) => c.executionCtx.waitUntil(work)))
  })
  app.get(`${CONNECT_PATH}/callback`, async (c) => {
    const { code = '', state = '', error = '' } = c.req.query()
    return await send(c, await askToConnect(deps, { code, state, error, cookie: getCookie(c, COOKIE) ?? '' }))
  })
  app.post(`${CONNECT_PATH}/callback`, async (c) => {
    const form = await formOf(c)
    const [code, state] = [form.get('code') ?? '', form.get('state') ?? '']
    const returned = { code, state, error: '', cookie: getCookie(c, COOKIE) ?? '' }
    deleteCookie(c, COOKIE, { path: CONNECT_PATH })
    return await send(c, await finishConnecting(deps, google, returned, (work) => c.executionCtx.waitUntil(work)))
  })
  app.notFound((c) => show(c, { title: 'Not found', lines: ['There is no such page.'] }, 404))
  app.onError((error, c) => {
    if (error instanceof ApiError) return show(c, FAILED, 503)
    deps.log('error', 'connect.failed', { path: c.req.path, ...errorFields(error) })
    return show(c, FAILED, 500)
  })
  return app
}
