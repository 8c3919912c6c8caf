import { Hono } from 'hono/tiny'
import { OAUTH } from '../../src/accounts/oauth/paths.ts'
import { PATHS, pageTriedFor } from '../../src/accounts/people/paths.ts'
import { MEDIA_PATH } from '../../src/content/media/rules.ts'
import { MCP_PATH, RESOURCE_METADATA_PATH } from '../../src/mcp/protected-resource.ts'
import type { ApiWorker } from '../../src/operations.ts'
import { refusedForm } from '../../src/pages/own-forms.ts'
import { addressOf, prefixOf } from '../../src/platform/http/address.ts'
import { CORS_HEADERS, preflight, SERVICE_LINK } from '../../src/platform/http/cors.ts'
import { createKnownCallers } from '../../src/platform/http/deps.ts'
import { EXECUTOR_PATH } from '../../src/platform/jobs/job.ts'
import { sha256 } from '../../src/platform/lib/crypto.ts'
import { ApiError, type ErrorExtras, errorBody } from '../../src/platform/lib/errors.ts'
import { foreignJson } from '../../src/platform/lib/foreign-answers.ts'
import { requestIdOf } from '../../src/platform/lib/request-scope.ts'
import { REQUEST_KEYS_PATH } from '../../src/platform/lib/request-signature.ts'
import { GIT_EVENTS_PATHS } from '../../src/publishing/pulls/path.ts'
import { RECEIPT_KEYS_PATH } from '../../src/publishing/signed/path.ts'
import { nearestPaths, suggestedReads, triedFor } from './nearest.ts'
import { ROUTES } from './routes.generated.ts'

type Routed = (typeof ROUTES)[number][1][number]
type Service = { fetch: typeof fetch }
/** Cloudflare's rate limiting binding, which counts near the caller without a request to another service. */
type RateLimit = { limit: (of: { key: string }) => Promise<{ success: boolean }> }

/** Environment of the gateway: a service binding to each Worker that it forwards to, and its settings. */
export type GatewayBindings = Record<Uppercase<ApiWorker> | 'DOCS' | 'JOBS' | 'MCP' | 'OAUTH' | 'PAGES', Service> & {
  SERVICE_NAME?: string
  /** Address of support; without it there is no security.txt. */
  SUPPORT_EMAIL?: string
  /** Public address of the service. Addresses in answers begin with it, whatever host a request named. */
  PUBLIC_URL: string
  /** Limit on requests per minute from one address, before the limits of keys; absent if it is not bound. */
  ADDRESS_LIMIT?: RateLimit
  /** The same limit for an IPv6 network of 48 bits, which one site usually has. */
  NETWORK_LIMIT?: RateLimit
}

const BASE = '/api/v1'

/** For crawlers (RFC 9309): they should not read the API, and find the documents in the sitemap. */
const robots = ({ PUBLIC_URL }: Pick<GatewayBindings, 'PUBLIC_URL'>): string =>
  `User-agent: *\nDisallow: /api/\n\nSitemap: ${PUBLIC_URL.replace(/\/+$/, '')}/sitemap.xml\n`

/** Time after which a security.txt has to be read again. It may be a year at most (RFC 9116, 2.5.5). */
const SECURITY_HOLDS_MS = 180 * 86_400_000

/** For people who found a vulnerability (RFC 9116). The expiry is made with each answer, so that it never passes. */
const securityText = ({ PUBLIC_URL, SUPPORT_EMAIL }: GatewayBindings, now: Date): string => {
  const expires = new Date(now.getTime() + SECURITY_HOLDS_MS).toISOString()
  const canonical = `${PUBLIC_URL.replace(/\/+$/, '')}${SECURITY_PATH}`
  return `Contact: mailto:${SUPPORT_EMAIL}\nExpires: ${expires}\nPreferred-Languages: en\nCanonical: ${canonical}\n`
}

const SECURITY_PATH = '/.well-known/security.txt'

/** Paths of the documents' Worker besides `/docs`: the start page, the API description, texts for agents. */
const DOCUMENTS = [
  '/',
  '/data',
  '/llms.txt',
  '/llms-full.txt',
  '/sitemap.xml',
  '/openapi.json',
  '/openapi/:group',
  '/.well-known/api-catalog',
  '/server.json',
  BASE,
]

/** Returns the name of the service binding to a Worker. */
const bindingOf = (worker: ApiWorker): Uppercase<ApiWorker> => worker.toUpperCase() as Uppercase<ApiWorker>

const idOf = (request: Request): string => requestIdOf(request.headers.get('x-request-id'), () => crypto.randomUUID())

/** Returns the headers of answers that the gateway makes itself. */
const ownHeaders = (request: Request) => ({ ...CORS_HEADERS, ...SERVICE_LINK, 'X-Request-Id': idOf(request) })

/** Returns the headers of answers that must not be stored, because they are true only now. */
const passing = (request: Request) => ({ ...ownHeaders(request), 'Cache-Control': 'no-store' })

const refuse = (
  request: Request,
  env: Pick<GatewayBindings, 'PUBLIC_URL'>,
  error: ApiError,
  headers: Record<string, string> = {},
): Response => {
  const own = { ...passing(request), ...headers }
  return Response.json(errorBody(error, own['X-Request-Id'], env.PUBLIC_URL.replace(/\/+$/, '')), {
    status: error.status,
    headers: own,
  })
}

/** Returns the refusal of a method, with the permitted ones. */
const notAllowed = (
  request: Request,
  env: GatewayBindings,
  allowed: readonly string[],
  { hint = '', ...extras }: ErrorExtras & { hint?: string } = {},
): Response =>
  refuse(
    request,
    env,
    new ApiError(
      'method_not_allowed',
      `${request.method} is not allowed here. Allowed: ${allowed.join(', ')}.${hint}`,
      {
        allowed,
        ...extras,
      },
    ),
    { Allow: allowed.join(', ') },
  )

/** Most bytes of a body that the refusal of a PATCH repeats in the PUT it suggests. */
const MAX_NAMED_BODY = 4_096

/** Returns the JSON of a small body; undefined for any other. */
const smallJson = async (request: Request): Promise<unknown> => {
  const length = Number(request.headers.get('content-length') ?? Number.NaN)
  if (!(length <= MAX_NAMED_BODY)) return undefined
  const value = foreignJson(await request.text())
  return typeof value === 'object' && value !== null ? value : undefined
}

/** Returns additions to the refusal of a method: calls of the same path that work without changes. */
const instead = async (request: Request, operations: readonly Routed[]): Promise<ErrorExtras & { hint?: string }> => {
  const path = new URL(request.url).pathname.slice(BASE.length)
  const isPatch = request.method === 'PATCH' && operations.some(({ method }) => method === 'PUT')
  const body = isPatch ? await smallJson(request) : undefined
  const calls = [
    ...(body === undefined ? [] : [{ method: 'PUT', path, body, why: 'Changes only the fields that are sent.' }]),
    ...(operations.some(({ isBare }) => isBare) ? [{ method: 'GET', path, why: 'Shows what is there.' }] : []),
  ]
  return {
    ...(isPatch ? { hint: ' PUT changes only the fields that are sent: send the same body with PUT.' } : {}),
    ...(calls.length > 0 ? { next_calls: calls } : {}),
  }
}

/** Pattern of the path of a request as it was sent. */
const SENT_PATH = /^[^:]+:\/\/[^/?#\\]*([^?#]*)/
/** Pattern of a segment of dots in any spelling, or a backslash. `URL` would change such a path. */
const READ_TWO_WAYS = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)|\\/i

/** Returns the refusal of a path that the gateway and a Worker behind it could read differently. */
const ambiguous = (request: Request, env: GatewayBindings): Response | undefined => {
  const [, path = ''] = SENT_PATH.exec(request.url) ?? []
  if (!READ_TWO_WAYS.test(path)) return undefined
  const message = 'must have no "." or ".." as a segment, also percent-encoded, and no backslash'
  return refuse(
    request,
    env,
    new ApiError('invalid_input', `The path of the request ${message}.`, { details: [{ field: 'path', message }] }),
  )
}

/** True if a key has sent more requests than a limit allows. False if the limit cannot be checked. */
const isPast = async (limit: RateLimit | undefined, key: string): Promise<boolean> =>
  (await limit?.limit({ key }).then(
    ({ success }) => !success,
    () => false,
  )) ?? false

/** Credentials that a Worker behind this isolate accepted within the last minute, each with the id it is counted by. */
const admitted = createKnownCallers<string>(() => new Date())

/** Returns the answer of a Worker that checks credentials, and remembers the credential if it succeeded. */
const checked = async (request: Request, service: Service): Promise<Response> => {
  const answer = await service.fetch(request)
  const credential = request.headers.get('authorization')
  if (answer.ok && credential !== null && !admitted.has(credential))
    admitted.remember(credential, await sha256(credential))
  return answer
}

const REPLACED_RETRY_S = 5

/**
 * Returns the answer of an operation's Worker. A Worker of another release, as during a deployment, may not have the operation: the
 * call is then refused for the moment.
 */
const answerOf = async (request: Request, env: GatewayBindings, service: Service): Promise<Response> => {
  const answer = await checked(request, service)
  if (answer.status !== 404) return answer
  const body = foreignJson(await answer.clone().text()) as { code?: unknown } | undefined
  if (body?.code !== 'unknown_path') return answer
  const message = 'This part of the service is being replaced. Nothing was changed; repeat the call shortly.'
  return refuse(request, env, new ApiError('unavailable', message, { retry_after: REPLACED_RETRY_S }), {
    'Retry-After': String(REPLACED_RETRY_S),
  })
}

/**
 * True if the caller has sent more requests than its limit allows. A caller with an admitted key is counted by the key, any other
 * one by its address and by its network of 48 bits. Many customers may share an address.
 */
const isFlooding = async (request: Request, { ADDRESS_LIMIT, NETWORK_LIMIT }: GatewayBindings): Promise<boolean> => {
  const header = request.headers.get('cf-connecting-ip')
  if (header === null || request.method === 'OPTIONS') return false
  const credential = admitted.of(request.headers.get('authorization') ?? '')
  if (credential !== undefined) return await isPast(ADDRESS_LIMIT, credential)
  const [address, network] = [addressOf(header), prefixOf(header, 48)]
  const verdicts = [isPast(ADDRESS_LIMIT, address), ...(network === address ? [] : [isPast(NETWORK_LIMIT, network)])]
  return (await Promise.all(verdicts)).includes(true)
}

const ADDRESS_RETRY_S = 10

const flooding = (request: Request, env: GatewayBindings): Response =>
  refuse(
    request,
    env,
    new ApiError('rate_limited', 'Too many requests from this address. Send fewer, and repeat this one later.', {
      retry_after: ADDRESS_RETRY_S,
      policy: 'address',
    }),
    { 'Retry-After': String(ADDRESS_RETRY_S) },
  )

/** Returns a request to an alias as a request to the operation's own path, so that Workers know only one path. */
const underOwnPath = (request: Request, path: string, params: Record<string, string>): Request => {
  const url = new URL(request.url)
  url.pathname = BASE + path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return new Request(url, request)
}

const IMAGE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/** Returns a hosted image, which needs no key. */
const hostedImage = async (request: Request, env: GatewayBindings): Promise<Response> => {
  const own = ownHeaders(request)
  if (request.method === 'OPTIONS') return preflight(['GET', 'HEAD'], own)
  if (!IMAGE_METHODS.includes(request.method)) return notAllowed(request, env, IMAGE_METHODS)
  if (await isFlooding(request, env)) return flooding(request, env)
  const answer = await env.MEDIA.fetch(request)
  if (answer.status === 404) return refuse(request, env, new ApiError('not_found', 'There is no such image.'))
  const response = new Response(answer.body, answer)
  for (const [name, value] of Object.entries(own)) response.headers.set(name, value)
  return response
}

const READ = ['GET', 'HEAD']

/** Paths of public keys, by which anybody checks receipts and requests of the service. */
const KEY_PATHS = [RECEIPT_KEYS_PATH, REQUEST_KEYS_PATH]

/** Permitted methods of paths that are not operations of the API. */
const OWN_METHODS: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    ['/healthz', '/readyz', `${BASE}/healthz`, `${BASE}/readyz`, '/robots.txt', ...KEY_PATHS, ...DOCUMENTS].map(
      (path) => [path, READ],
    ),
  ),
  [RESOURCE_METADATA_PATH]: READ,
  [RESOURCE_METADATA_PATH + MCP_PATH]: READ,
  [PATHS.stripeEvents]: ['POST'],
  [PATHS.mailEvents]: ['POST'],
  [EXECUTOR_PATH]: ['POST'],
}

const ACCOUNT_CALL = { method: 'GET', path: '/account', why: 'Shows the pages for tasks that only people can do.' }

/** Returns the refusal of an unknown path. It names the page on which people do this, or the nearest paths. */
const unknownPath = (method: string, path: string, publicUrl: string): ApiError => {
  const page = path.startsWith(BASE) ? pageTriedFor(path.slice(BASE.length)) : undefined
  if (page !== undefined)
    return new ApiError(
      'unknown_path',
      `There is no ${method} ${path}: only people can do this, at ${publicUrl}${page}.`,
      {
        instructions_for_agent: `Ask the user to do it at ${publicUrl}${page}.`,
        next_calls: [ACCOUNT_CALL],
      },
    )
  const own = path.startsWith(BASE) ? path.slice(BASE.length) : path
  const tried = triedFor(own)
  const near = tried.length > 0 ? [] : nearestPaths(own)
  const known = tried[0] ?? near[0]
  const hint = known ? ` Did you mean ${known.method} ${BASE}${known.path.replace(/^\/$/, '')}?` : ''
  const all = { method: 'GET', path: '/', why: 'Lists every operation with its path.' }
  const calls = tried.length > 0 ? tried : suggestedReads(own, near)
  return new ApiError('unknown_path', `There is no ${method} ${path}.${hint} GET ${BASE} lists every operation.`, {
    next_calls: [...calls, ...(calls.some((call) => call.path === '/') ? [] : [all])],
  })
}

/** First parts of the paths of pages for people, with the Workers that answer them, in the order to try them. */
const PAGES = (
  [
    ['OAUTH', ['/oauth', PATHS.applications]],
    ['DOCS', ['/docs']],
    ['INSIGHTS', ['/connect/search-console']],
    [
      'PAGES',
      [
        '/p',
        '/sites',
        '/settings',
        '/setup',
        '/review',
        '/report',
        '/sign-in',
        '/sign-up',
        '/sign-out',
        '/verify',
        '/reset',
      ],
    ],
    ['PAGES', ['/notices', '/invitation', '/unsubscribe', '/stripe', '/mail', '/assets', '/favicon.svg']],
  ] as const
).flatMap(([binding, roots]) => roots.flatMap((root) => [root, `${root}/*`].map((path) => [path, binding] as const)))

/** Returns a request for a page with the time zone that Cloudflare knows of the caller's address, which Workers behind this one lack. */
const withTimeZone = (request: Request): Request => {
  const { cf } = request as Request & { cf?: { timezone?: unknown } }
  const zone = cf?.timezone
  if (request.method !== 'GET' || typeof zone !== 'string') return request
  const headers = new Headers(request.headers)
  headers.set('cf-timezone', zone)
  return new Request(request, { headers })
}

/** True if a browser requests a page at an unknown address. People get a page, programs JSON. */
const isForPeople = ({ method, headers }: Request, path: string): boolean =>
  method === 'GET' && !path.startsWith('/api/') && (headers.get('accept') ?? '').includes('text/html')

/**
 * Returns the public Worker: it answers health, preflight, 404 and 405, and sends all other requests to the Worker of
 * their group.
 */
export const gatewayApp = () => {
  const app = new Hono<{ Bindings: GatewayBindings }>({ strict: false })
  app.use('*', async (c, next) => {
    const refusal = ambiguous(c.req.raw, c.env)
    if (refusal) return refusal
    await next()
    // Pages, OAuth and calls between services do not set it themselves.
    if (!c.res.headers.has('x-request-id')) c.header('X-Request-Id', idOf(c.req.raw))
    return undefined
  })
  for (const paths of [`${BASE}/*`, MCP_PATH, ...PAGES.map(([path]) => path)])
    app.use(paths, async (c, next) => {
      if (await isFlooding(c.req.raw, c.env)) return flooding(c.req.raw, c.env)
      await next()
      return undefined
    })
  for (const [path] of PAGES)
    app.use(path, async (c, next) => {
      const refusal = refusedForm(c.req.raw, c.env.PUBLIC_URL)
      if (refusal) return refusal
      await next()
      return undefined
    })
  for (const prefix of ['', BASE]) {
    app.get(`${prefix}/healthz`, (c) =>
      Response.json({ status: 'ok', service: c.env.SERVICE_NAME ?? 'Galley' }, { headers: passing(c.req.raw) }),
    )
    app.get(`${prefix}/readyz`, async (c) => {
      const answer = await c.env.JOBS.fetch('http://jobs/readyz')
      return new Response(answer.body, {
        status: answer.status,
        headers: { ...Object.fromEntries(answer.headers), ...passing(c.req.raw) },
      })
    })
  }
  const text = (c: { req: { raw: Request } }, words: string) =>
    new Response(words, {
      headers: {
        ...ownHeaders(c.req.raw),
        'Content-Type': 'text/plain; charset=utf-8',
        'Cache-Control': 'public, max-age=3600',
      },
    })
  for (const path of DOCUMENTS)
    app.get(path, async (c) =>
      (await isFlooding(c.req.raw, c.env)) ? flooding(c.req.raw, c.env) : c.env.DOCS.fetch(c.req.raw),
    )
  app.get('/robots.txt', (c) => text(c, robots(c.env)))
  app.get(SECURITY_PATH, (c) => (c.env.SUPPORT_EMAIL ? text(c, securityText(c.env, new Date())) : c.notFound()))
  for (const path of KEY_PATHS)
    app.get(path, async (c) => {
      if (await isFlooding(c.req.raw, c.env)) return flooding(c.req.raw, c.env)
      const answer = await c.env.PUBLISHING.fetch(c.req.raw)
      return new Response(answer.body, {
        status: answer.status,
        headers: { ...Object.fromEntries(answer.headers), ...ownHeaders(c.req.raw) },
      })
    })
  for (const path of GIT_EVENTS_PATHS)
    app.post(`${path}/:integration`, async (c) =>
      (await isFlooding(c.req.raw, c.env)) ? flooding(c.req.raw, c.env) : c.env.PUBLISHING.fetch(c.req.raw),
    )
  app.all(`${MEDIA_PATH}/:name`, (c) => hostedImage(c.req.raw, c.env))
  for (const path of [RESOURCE_METADATA_PATH, RESOURCE_METADATA_PATH + MCP_PATH])
    app.get(path, (c) => c.env.MCP.fetch(c.req.raw))
  for (const path of [PATHS.stripeEvents, PATHS.mailEvents]) app.post(path, (c) => c.env.PAGES.fetch(c.req.raw))
  app.post(EXECUTOR_PATH, (c) => c.env.JOBS.fetch(c.req.raw))
  for (const [path, methods] of Object.entries(OWN_METHODS))
    app.all(path, ({ env, req: { raw } }) =>
      raw.method === 'OPTIONS' ? preflight(methods, ownHeaders(raw)) : notAllowed(raw, env, methods),
    )
  for (const [path, binding] of PAGES) app.all(path, (c) => c.env[binding].fetch(withTimeZone(c.req.raw)))
  app.all(OAUTH.metadata, (c) => c.env.OAUTH.fetch(c.req.raw))
  app.all(MCP_PATH, (c) => checked(c.req.raw, c.env.MCP))

  for (const [path, operations] of ROUTES) {
    const methods = operations.flatMap((op) => (op.method === 'GET' ? ['GET', 'HEAD'] : [op.method]))
    app.all(`${BASE}${path}`, async (c) => {
      if (c.req.method === 'OPTIONS') return preflight(methods, ownHeaders(c.req.raw))
      const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
      const operation = operations.find((op) => op.method === method)
      if (!operation) return notAllowed(c.req.raw, c.env, methods, await instead(c.req.raw, operations))
      const request = operation.path === path ? c.req.raw : underOwnPath(c.req.raw, operation.path, c.req.param())
      return answerOf(request, c.env, c.env[bindingOf(operation.worker)])
    })
  }
  app.notFound((c) => {
    if (c.req.method === 'OPTIONS') return preflight(['GET', 'HEAD', 'POST', 'PUT', 'DELETE'], ownHeaders(c.req.raw))
    return isForPeople(c.req.raw, c.req.path)
      ? c.env.PAGES.fetch(c.req.raw)
      : refuse(c.req.raw, c.env, unknownPath(c.req.method, c.req.path, c.env.PUBLIC_URL.replace(/\/+$/, '')))
  })
  app.onError((error, c) => {
    const id = idOf(c.req.raw)
    const line = { level: 'error', event: 'gateway.failed', request_id: id, error: error.name, path: c.req.path }
    console.error(JSON.stringify(line))
    return refuse(
      c.req.raw,
      c.env,
      new ApiError('unavailable', 'A part of the service does not answer at the moment. Repeat the call shortly.', {
        retry_after: 5,
      }),
      { 'Retry-After': '5', 'X-Request-Id': id },
    )
  })
  return app
}
