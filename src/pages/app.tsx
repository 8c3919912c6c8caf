import { Hono } from 'hono/quick'
import { PATHS } from '../accounts/people/paths.ts'
import { databaseFailureFields } from '../platform/db/client.ts'
import { ApiError } from '../platform/lib/errors.ts'
import { requestIdNow, requestIdOf } from '../platform/lib/request-scope.ts'
import { errorFields } from '../platform/runtime/log.ts'
import { type Front, identify, type PagesContext, type PagesEnv, show } from './front.tsx'

/** Returns the page for an unknown address. */
const noSuchPage = (c: PagesContext, front: Pick<Front, 'deps'>): Promise<Response> =>
  show(c, front, {
    title: 'No such page',
    status: 404,
    menu: true,
    body: (
      <>
        <p>There is nothing at this address, or it is not yours to see.</p>
        <p>
          <a class="button plain" href={c.get('person') === undefined ? '/' : PATHS.home}>
            {c.get('person') === undefined ? 'To the start page' : 'To your sites'}
          </a>
        </p>
      </>
    ),
  })

const Again = ({ c }: { c: PagesContext }) => (
  <p>
    <a class="button plain" href={c.req.method === 'GET' ? c.req.path : PATHS.settings}>
      {c.req.method === 'GET' ? 'Open the page again' : 'To the settings'}
    </a>
  </p>
)

/** True if a route's pattern matches the path. */
const isAt = (pattern: string, path: string): boolean => {
  const [one, other] = [pattern.split('/'), path.split('/')]
  return (
    one.length === other.length &&
    one.every((part, n) => part === other[n] || (part.startsWith(':') && other[n] !== ''))
  )
}

/** Returns the nearest page at or above the path of a form, else the home page; undefined if no form has that path. */
const pageOfAction = (routes: readonly { method: string; path: string }[], path: string): string | undefined => {
  const has = (method: string, at: string) => routes.some((one) => one.method === method && isAt(one.path, at))
  if (!has('POST', path)) return undefined
  for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) if (has('GET', at)) return at
  return PATHS.home
}

/** Returns the app of the pages, with their headers and error pages. The gateway has already refused forms from other sites. */
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
    // With no-referrer, browsers would send forms with `Origin: null`.
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
    const away = databaseFailureFields(error)
    if (away) deps.log('error', 'database.away', { ...seen, ...away })
    if (away || (error instanceof ApiError && error.code === 'unavailable')) {
      c.header('Retry-After', '5')
      return show(c, front, {
        title: 'Not now',
        status: 503,
        body: (
          <>
            <p>The database does not answer at the moment. Open the page again in a few seconds.</p>
            <Again c={c} />
          </>
        ),
      })
    }
    if (error instanceof ApiError && error.code === 'not_found') return noSuchPage(c, front)
    if (error instanceof ApiError && error.code === 'invalid_input')
      return show(c, front, {
        title: 'That is not possible',
        status: 400,
        menu: true,
        body: (
          <>
            <p>{error.message}</p>
            <Again c={c} />
          </>
        ),
      })
    // The role does not allow it, or the person was removed from the account during the request.
    if (error instanceof ApiError && error.code === 'forbidden')
      return show(c, front, { title: 'Not allowed', status: 403, menu: true, body: <p>{error.message}</p> })
    deps.log('error', 'page.failed', { ...seen, ...errorFields(error) })
    return show(c, front, {
      title: 'Something went wrong',
      status: 500,
      menu: true,
      body: (
        <>
          <p>It is not known whether anything was changed. Look before you try again.</p>
          <Again c={c} />
          <details>
            <summary>If this happens again</summary>
            <p>Tell us this number: {c.get('requestId')}</p>
          </details>
        </>
      ),
    })
  })
  app.notFound(async (c) => {
    const page = c.req.method === 'GET' ? pageOfAction(app.routes, c.req.path) : undefined
    if (page !== undefined) return c.redirect(page, 303)
    await identify(c, front).catch(() => undefined)
    return await noSuchPage(c, front)
  })
  return app
}
