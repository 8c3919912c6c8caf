import { request } from 'node:http'
import { describe, expect, inject, it } from 'vitest'
import { type GatewayBindings, gatewayApp } from '../../functions/gateway/app.ts'
import { WORKERS } from '../../local/bundle.ts'
import { GROUPS, OPERATIONS } from '../../src/operations.ts'
import { newAccount } from '../support/client.ts'
import { expectError, misspelt, unknownKey } from '../support/contract.ts'

const stack = inject('stack')

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const
const fill = (path: string): string => path.replaceAll(/:\w+/g, '7')

const methodsByPath = (): [string, Set<string>][] => {
  const paths = new Map<string, Set<string>>()
  for (const op of OPERATIONS)
    for (const path of [op.path, ...(op.aliases ?? [])]) {
      const methods = paths.get(path) ?? new Set()
      paths.set(path, op.method === 'GET' ? methods.add('GET').add('HEAD') : methods.add(op.method))
    }
  return [...paths]
}

const listed = (header: string | null): string[] =>
  (header ?? '')
    .split(',')
    .map((v) => v.trim())
    .sort()

describe.each(methodsByPath())('%s', (path, methods) => {
  it('is 405 for every other method, naming those that are allowed, also without a key', async () => {
    const api = await newAccount(stack)
    for (const method of METHODS.filter((m) => !methods.has(m))) {
      const answer = await api.call(method, fill(path), { key: null, ...(method === 'GET' ? {} : { raw: '{' }) })
      expectError(answer, 'method_not_allowed')
      expect(listed(answer.headers.get('allow'))).toEqual([...methods].sort())
      expect(answer.body.allowed).toEqual(expect.arrayContaining([...methods]))
    }
  })

  it('answers a preflight without a key', async () => {
    const api = await newAccount(stack)
    const headers = {
      origin: 'https://somewhere.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, content-type, idempotency-key',
    }
    const { status, text, headers: told } = await api.call('OPTIONS', fill(path), { key: null, headers })
    expect([status, text]).toEqual([204, ''])
    expect(told.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(told.get('access-control-allow-origin')).toBe('*')
    expect(told.get('access-control-allow-credentials')).toBeNull()
    expect(listed(told.get('access-control-allow-methods'))).toEqual([...methods, 'OPTIONS'].sort())
    const allowed = listed(told.get('access-control-allow-headers')).map((v) => v.toLowerCase())
    expect(allowed).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'idempotency-key', 'x-request-id']),
    )
  })
})

describe('paths that are no endpoints of the API', () => {
  it.each([
    ['/stripe/events', ['POST']],
    ['/mail/events', ['POST']],
    ['/jobs/run', ['POST']],
    ['/media/a.png', ['GET', 'HEAD', 'OPTIONS']],
    ['/healthz', ['GET', 'HEAD']],
    ['/api/v1/readyz', ['GET', 'HEAD']],
    ['/llms.txt', ['GET', 'HEAD']],
    ['/openapi.json', ['GET', 'HEAD']],
    ['/api/v1', ['GET', 'HEAD']],
    ['/', ['GET', 'HEAD']],
    ['/.well-known/oauth-protected-resource/mcp', ['GET', 'HEAD']],
  ])('%s is 405 for every other method, naming those that are allowed', async (path, methods) => {
    for (const method of METHODS.filter((m) => !methods.includes(m))) {
      const response = await fetch(stack.url + path, { method })
      const told = { code: 'method_not_allowed', allowed: methods, request_id: response.headers.get('x-request-id') }
      expect([response.status, await response.json()]).toEqual([405, expect.objectContaining(told)])
      expect(response.headers.get('allow')).toBe(methods.join(', '))
    }
    const preflight = await fetch(stack.url + path, { method: 'OPTIONS' })
    const allowed = listed(preflight.headers.get('access-control-allow-methods'))
    expect([preflight.status, allowed]).toEqual([204, [...new Set([...methods, 'OPTIONS'])].sort()])
  })
})

describe('unknown paths', () => {
  it.each([
    '/nothing',
    '/articles/7/nothing',
    '/articles/7/publish/now',
    '/Articles',
    '/projects//7',
    '/articles/7%2Fpublish%2Fx/y',
  ])('%s is 404 without asking for a key', async (path) => {
    const api = await newAccount(stack)
    for (const method of METHODS)
      expectError(
        await api.call(method, path, { key: null, ...(method === 'GET' ? {} : { raw: '{' }) }),
        'unknown_path',
      )
  })

  it.each(['/projects', '/api', '/api/v2/projects', '/internal/offer'])(
    '%s outside of /api/v1 is 404',
    async (path) => {
      const response = await fetch(`${stack.url}${path}`, { method: path === '/internal/offer' ? 'POST' : 'GET' })
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([404, 'unknown_path'])
    },
  )
})

describe('headers of every answer', () => {
  it('expose to browsers what they may read', async () => {
    const api = await newAccount(stack)
    for (const answer of [
      await api.get('/projects'),
      await api.get('/nothing'),
      await api.get('/projects', { key: null }),
    ]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      const exposed = listed(answer.headers.get('access-control-expose-headers')).map((v) => v.toLowerCase())
      for (const name of ['x-request-id', 'ratelimit', 'ratelimit-policy', 'retry-after', 'idempotency-replayed'])
        expect(exposed).toContain(name)
    }
  })

  it('are not cached, also those of the gateway', async () => {
    const api = await newAccount(stack)
    const answers = [
      await api.get('/projects'),
      await api.get('/nothing'),
      await api.call('PATCH', '/projects'),
      await api.get('/healthz'),
      await api.get('/readyz'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 405, 200, expect.any(Number)])
    expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(answers.map(() => 'no-store'))
  })

  it('have the caller’s request id, even if the gateway answers', async () => {
    const api = await newAccount(stack)
    const headers = { 'x-request-id': 'my-request_1' }
    const answers = [
      await api.get('/nothing', { headers }),
      await api.call('PATCH', '/projects', { headers }),
      await api.get('/suggestions', { headers }),
      await api.get('/healthz', { headers }),
      await api.get('/readyz', { headers }),
    ]
    for (const answer of answers) expect(answer.headers.get('x-request-id')).toBe('my-request_1')
  })

  it.each([
    ['POST', '/sign-in'],
    ['GET', '/connect/search-console'],
    ['POST', '/oauth/token'],
    ['GET', '/.well-known/oauth-authorization-server'],
    ['POST', '/jobs/run'],
    ['POST', '/stripe/events'],
    ['POST', '/mail/events'],
  ])('have it beside the API, too: %s %s', async (method, path) => {
    const { headers } = await fetch(stack.url + path, { method, headers: { 'x-request-id': 'my-request_2' } })
    expect(headers.get('x-request-id')).toBe('my-request_2')
  })
})

describe('the platform’s own limit by address, if it is bound', () => {
  const ask = async (
    env: Record<string, unknown>,
    method = 'GET',
    path = '/api/v1/projects',
    address = '203.0.113.9',
  ) => {
    const asked: string[] = []
    const worker = { fetch: async () => new Response('from the Worker') }
    const limit = async ({ key }: { key: string }) => {
      asked.push(key)
      return { success: false }
    }
    const request = new Request(`https://api.example${path}`, {
      method,
      headers: { 'cf-connecting-ip': address },
    })
    const bound = {
      PUBLIC_URL: 'https://api.example',
      PROJECTS: worker,
      ADDRESS_LIMIT: { limit },
      ...env,
    } as unknown as GatewayBindings
    return { response: await gatewayApp().fetch(request, bound), asked }
  }

  it.each([
    '/api/v1/projects',
    '/api/v1',
    '/docs',
    '/mcp',
    '/sign-in',
    '/oauth/token',
    '/media/a.png',
    '/connect/search-console/callback',
  ])('refuses an address past it before any Worker is called for %s', async (path) => {
    const { response, asked } = await ask({}, 'GET', path)
    expect(asked).toEqual(['203.0.113.9'])
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '10'])
    expect(await response.json()).toMatchObject({ code: 'rate_limited', policy: 'address', retry_after: 10 })
  })

  it('counts an IPv6 address by its networks of 64 and 48 bits, and each may refuse', async () => {
    const address = '2001:db8:a:b:1:2:3:4'
    const networks: string[] = []
    const let64 = { limit: async () => ({ success: true }) }
    const stop48 = {
      limit: async ({ key }: { key: string }) => {
        networks.push(key)
        return { success: false }
      },
    }
    const { asked } = await ask({}, 'GET', '/mcp', address)
    expect(asked).toEqual(['2001:db8:a:b::/64'])
    const { response } = await ask({ ADDRESS_LIMIT: let64, NETWORK_LIMIT: stop48 }, 'GET', '/mcp', address)
    expect([response.status, networks]).toEqual([429, ['2001:db8:a::/48']])
    await ask({ NETWORK_LIMIT: stop48 }, 'GET', '/mcp', '::ffff:203.0.113.9')
    expect(networks).toHaveLength(1)
  })

  it('counts a credential that a Worker accepted within the last minute apart from its address', async () => {
    const keys: string[] = []
    const limit = async ({ key }: { key: string }) => ({ success: keys.push(key) > 0 })
    const call = async (credential: string, status: number) => {
      const env = {
        PUBLIC_URL: 'https://api.example',
        PROJECTS: { fetch: async () => new Response('', { status }) },
        ADDRESS_LIMIT: { limit },
      } as unknown as GatewayBindings
      const headers = { 'cf-connecting-ip': '203.0.113.9', authorization: credential }
      await gatewayApp().fetch(new Request('https://api.example/api/v1/projects', { headers }), env)
      return keys.at(-1)
    }
    expect([await call('Bearer refused', 401), await call('Bearer refused', 401)]).toEqual(Array(2).fill('203.0.113.9'))
    expect(await call('Bearer accepted', 200)).toBe('203.0.113.9')
    expect(await call('Bearer accepted', 200)).toMatch(/^[0-9a-f]{64}$/)
    expect(await call('Bearer another', 200)).toBe('203.0.113.9')
  })

  it('lets requests pass if counting fails, and preflights', async () => {
    const failing = { limit: async () => Promise.reject(new Error('away')) }
    for (const ADDRESS_LIMIT of [undefined, failing])
      expect(await (await ask({ ADDRESS_LIMIT })).response.text()).toBe('from the Worker')
    const { response, asked } = await ask({}, 'OPTIONS')
    expect([response.status, asked]).toEqual([204, []])
  })
})

describe('health', () => {
  it.each(['/healthz', '/api/v1/healthz'])('%s needs no key', async (path) => {
    const response = await fetch(stack.url + path)
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok', service: 'Galley' }])
  })

  it.each(['/readyz', '/api/v1/readyz'])('%s names database and Redis with their latency', async (path) => {
    const ask = async () => {
      const response = await fetch(stack.url + path)
      return { status: response.status, body: await response.json() }
    }
    // On a busy machine, the database may sometimes take longer than two seconds, after which it counts as away.
    const part = { ok: true, latency_ms: expect.any(Number) }
    const jobs = { dead: expect.any(Number), overdue_s: expect.any(Number) }
    await expect.poll(ask).toEqual({ status: 200, body: { status: 'ready', database: part, redis: part, jobs } })
  })
})

it.each([
  ['a Worker without the operation', { code: 'unknown_path' }, 503, 'unavailable', '5'],
  ['no such row', { code: 'not_found' }, 404, 'not_found', null],
  ['no JSON', 'gone', 404, undefined, null],
] as const)('a 404 of %s is no claim about the path', async (_, body, status, code, wait) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const service = { fetch: async () => new Response(text, { status: 404 }) }
  const env = { PUBLIC_URL: 'https://api.example', PROJECTS: service } as unknown as GatewayBindings
  const answer = await gatewayApp().fetch(new Request('https://api.example/api/v1/projects'), env)
  const told = await answer.text()
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, wait])
  expect(told.startsWith('{') ? JSON.parse(told).code : undefined).toBe(code)
})

it('every group has a Worker, and the gateway is bound to it', () => {
  const gateway = WORKERS.find(({ folder }) => folder === 'gateway')
  for (const { worker } of Object.values(GROUPS)) {
    expect(WORKERS.map(({ folder }) => folder)).toContain(worker)
    expect(gateway?.services[worker.toUpperCase()], `the binding of ${worker} in wrangler.toml`).toBe(worker)
  }
})

it('an unknown key with a true checksum is answered as a misspelt one', async () => {
  const api = await newAccount(stack)
  const [unknown, wrong] = [
    await api.get('/projects', { key: unknownKey() }),
    await api.get('/projects', { key: misspelt(api.key) }),
  ]
  const { request_id: _, ...rest } = unknown.body
  expect(wrong.body).toMatchObject(rest)
})

it('tells crawlers and agents without a key what the service is, with working addresses', async () => {
  const robots = await fetch(`${stack.url}/robots.txt`)
  expect([robots.status, await robots.text()]).toEqual([
    200,
    `User-agent: *\nDisallow: /api/\n\nSitemap: ${stack.url}/sitemap.xml\n`,
  ])
  const about = await fetch(`${stack.url}/llms.txt`)
  const words = await about.text()
  expect([about.status, about.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(words).toMatch(/^# Galley\n\n> /)
  const links = [...words.matchAll(/\]\((\S+)\)/g)].map(([, link]) => link ?? '')
  expect(links.length).toBeGreaterThan(4)
  for (const link of links) expect([200, 401, 405], link).toContain((await fetch(link)).status)
})

const textFor = (host: string, path: string) =>
  new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(stack.url)
    request({ hostname, port, path, headers: { host } }, async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve(text)
    })
      .on('error', reject)
      .end()
  })

it('shows its own address, whatever host a request names', async () => {
  const told = await textFor('attacker.example', '/llms.txt')
  expect(told).toContain(`${stack.url}/mcp`)
  expect(told).not.toContain('attacker')
})

it.each([
  ['GET', '/api/v1/project', 'GET /api/v1/projects', ['GET /projects']],
  ['GET', '/api/v1/article/7', 'GET /api/v1/articles/:id', ['GET /articles/7']],
  ['GET', '/api/v1/articles/7/publsh', 'POST /api/v1/articles/:id/publish', ['GET /articles/7']],
  ['GET', '/projects', 'GET /api/v1/projects', ['GET /projects']],
  ['GET', '/api/v1/agent-tools', 'GET /api/v1', ['GET /']],
  ['POST', '/api/v1/playbooks/7/run', 'GET /api/v1', ['GET /']],
  ['GET', '/api/v1/link-outreach/campaigns', 'GET /api/v1/outreach/entitlement', ['GET /outreach/entitlement']],
  ['POST', '/api/v1/admin/settings', 'GET /api/v1/account', ['GET /account']],
  ['POST', '/api/v1/articles/7/schedule', 'PUT /api/v1/articles/7', ['PUT /articles/7', 'GET /articles/7']],
])('the refusal of %s %s names the nearest path, and calls that work', async (method, path, nearest, calls) => {
  const answer = await fetch(`${stack.url}${path}`, { method })
  const told = (await answer.json()) as { error: string; next_calls: { method: string; path: string }[] }
  expect(answer.status).toBe(404)
  expect(told.error).toContain(`Did you mean ${nearest}?`)
  expect(told.next_calls.map((call) => `${call.method} ${call.path}`)).toEqual(expect.arrayContaining(calls))
  for (const call of told.next_calls) expect(call.path).not.toContain(':')
})

it('the refusal of PATCH names PUT with the same body, and the GET of the object', async () => {
  const patch = async (path: string, body: string) =>
    (await (await fetch(`${stack.url}/api/v1${path}`, { method: 'PATCH', body })).json()) as Record<string, unknown>
  const told = await patch('/articles/7', '{"title": "Sheds"}')
  expect(told).toMatchObject({ code: 'method_not_allowed', error: expect.stringContaining('with PUT') })
  expect(told.next_calls).toMatchObject([
    { method: 'PUT', path: '/articles/7', body: { title: 'Sheds' } },
    { method: 'GET', path: '/articles/7' },
  ])
  for (const body of ['', '{"title"', `{"title": "${'x'.repeat(5_000)}"}`])
    expect((await patch('/projects/7', body)).next_calls).toMatchObject([{ method: 'GET', path: '/projects/7' }])
})

describe('a path that two readers see differently', () => {
  /** Returns the status of a POST whose path is sent unchanged. */
  const post = (path: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(stack.url)
      const sent = request({ hostname, port, path, method: 'POST', headers: { origin: stack.url } }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      sent.on('error', reject)
      sent.setHeader('content-type', 'application/x-www-form-urlencoded')
      sent.end('a=b')
    })
  const PREFIXES = [
    '/sign-in',
    '/oauth',
    '/settings',
    '/stripe',
    '/connect/search-console',
    '/api/v1',
    '/mcp',
    '/media',
    '/jobs',
    '/docs',
  ]
  const INNER = ['internal/session', 'internal/token', 'internal/sync', 'internal/offer', 'capture']

  it.each(['%2e%2e', '.%2e', '%2E.', '..', '.', '%2e', '..\\', 'a\\..'])('is 400 with %s', async (segment) => {
    for (const prefix of PREFIXES)
      for (const inner of INNER) {
        const path = `${prefix}/${segment}/${inner}`
        expect([path, await post(path)]).toEqual([path, 400])
      }
  })

  it.each(['..%2f', '%5c', '', '%2f'])('is 404 with %s, and reaches no internal entrypoint', async (segment) => {
    for (const prefix of ['', ...PREFIXES])
      for (const inner of INNER) {
        const path = `${prefix}/${segment}/${inner}`
        expect([path, await post(path)]).toEqual([path, expect.toBeOneOf([404, 405])])
      }
    expect(await post(`${stack.url}/sign-in/%2e%2e/internal/session`)).toBe(400)
    for (const inner of INNER) expect([inner, await post(`${stack.url}/${inner}`)]).toEqual([inner, 404])
  })
})
