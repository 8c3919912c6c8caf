import { describe, expect, inject, it } from 'vitest'
import { mcpApp } from '../../functions/mcp/app.ts'
import { accessTokens } from '../../src/mcp/admission.ts'
import { operationAt } from '../../src/mcp/served.ts'
import { anotherKey, newAccount } from '../support/client.ts'
import { unknownKey } from '../support/contract.ts'
import { post } from './client.ts'

const stack = inject('stack')

const METHODS = ['initialize', 'tools/list', 'prompts/list']

/** Parts of the server that these tests do not use. */
const UNUSED = {
  readDocument: async () => undefined,
  keyOfToken: async () => undefined,
  publicUrl: 'http://127.0.0.1',
  serviceName: 'Galley',
  allowTestKeys: true,
  log: () => {},
  now: () => new Date(),
  wait: async () => {},
  newId: () => 'request-0001',
}

/** Asks from one address with a bearer of any kind. */
const asker = (address: string) => (bearer: string | undefined, method?: string) =>
  post(stack.url, {
    headers: { 'cf-connecting-ip': address, ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }) },
    ...(method === undefined ? {} : { body: { jsonrpc: '2.0', id: 1, method } }),
  })

const expectLimited = async (response: Response) => {
  expect([response.status, await response.json()]).toEqual([
    429,
    expect.objectContaining({ code: 'rate_limited', policy: 'unauthorized', retryable: true }),
  ])
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
}

describe('an address that was refused 30 times in a minute', () => {
  it.each([
    ['keys that were never issued', () => unknownKey()],
    ['access tokens that are none', (n: number) => `aaa:bbb:ccc${n}`],
    ['words', (n: number) => `word${n}`],
  ])('with %s gets 429 with Retry-After', async (what, bearerOf) => {
    const api = await newAccount(stack)
    const ask = asker(`refused-${api.accountId}`)
    expect((await ask(api.key)).status).toBe(200)
    for (let n = 0; n < 30; n += 1) expect((await ask(bearerOf(n))).status, `${what}, ${n}`).toBe(401)
    for (const method of METHODS)
      for (let again = 0; again < 2; again += 1) await expectLimited(await ask(bearerOf(31), method))
    expect((await ask(api.key)).status, 'a key that was admitted before').toBe(200)
    expect((await ask((await anotherKey(stack, api)).key)).status, 'a key that is new to it').toBe(200)
    expect((await asker(`refused-${api.accountId}-other`)(bearerOf(32))).status).toBe(401)
  })

  it('by the endpoints cannot use an unknown key', async () => {
    const api = await newAccount(stack)
    const address = `refused-${api.accountId}`
    const from = { key: unknownKey(), headers: { 'cf-connecting-ip': address } }
    for (let n = 0; n < 31; n += 1) await api.get('/account', from)
    const key = unknownKey()
    for (const method of METHODS)
      for (let again = 0; again < 2; again += 1) await expectLimited(await asker(address)(key, method))
  })
})

const serving = (account: () => Response, publicUrl = UNUSED.publicUrl) =>
  mcpApp({
    ...UNUSED,
    publicUrl,
    services: new Map([[operationAt('GET /account')?.worker ?? '', { fetch: async () => account() }]]),
  })

describe('a page of another site', () => {
  const admitted = () => Response.json({ key: { scopes: ['read'] } })
  const ask = (publicUrl: string, method: string, origin: string, more: Record<string, string> = {}) =>
    serving(
      admitted,
      publicUrl,
    )(
      new Request(`${publicUrl}/mcp`, {
        method,
        headers: { host: new URL(publicUrl).host, origin, 'content-type': 'application/json', accept: '*/*', ...more },
        ...(method === 'POST' ? { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' } : {}),
      }),
    )
  const PUBLIC = 'https://galley.example'

  it.each(['https://chatgpt.com', 'https://claude.ai', 'null', 'http://localhost:6274'])(
    'may call a public service, as %s',
    async (origin) => {
      const asked = 'authorization,content-type,mcp-protocol-version,mcp-param-region'
      const preflight = await ask(PUBLIC, 'OPTIONS', origin, { 'access-control-request-headers': asked })
      expect(preflight.status).toBe(204)
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
      expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
      const allowed = preflight.headers.get('access-control-allow-headers')?.toLowerCase().split(/, ?/)
      expect(allowed).toEqual(expect.arrayContaining(asked.split(',')))
      const key = { authorization: `Bearer ${unknownKey()}` }
      const answer = await ask(PUBLIC, 'POST', origin, key)
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
      const refused = await ask(PUBLIC, 'POST', origin)
      const exposed = refused.headers.get('access-control-expose-headers')
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, '*'])
      expect(exposed).toContain('WWW-Authenticate')
      expect(exposed).toContain('Mcp-Session-Id')
    },
  )

  it.each(['https://chatgpt.com', 'null', 'http://localhost.attacker.example'])(
    'may not call a service on loopback, as %s',
    async (origin) => {
      for (const method of ['OPTIONS', 'POST'])
        expect((await ask('http://127.0.0.1', method, origin)).status, method).toBe(403)
      expect((await ask('http://127.0.0.1', 'OPTIONS', 'http://localhost:6274')).status).toBe(204)
    },
  )

  it('may not call a public service under another host’s name', async () => {
    expect((await ask(PUBLIC, 'POST', 'https://chatgpt.com', { host: 'attacker.example' })).status).toBe(403)
  })
})

describe('a key that cannot be checked', () => {
  it.each([503, 500, 403])('is answered with 503, each time, if the endpoint answers %i', async (status) => {
    const app = serving(() => Response.json({ code: 'x' }, { status }))
    const key = unknownKey()
    for (let again = 0; again < 2; again += 1) {
      const request = new Request('http://127.0.0.1/mcp', {
        headers: { host: '127.0.0.1', authorization: `Bearer ${key}` },
      })
      const response = await app(request)
      expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
        503,
        '5',
        expect.objectContaining({ code: 'unavailable', error: expect.stringContaining('Nothing was done') }),
      ])
    }
  })
})

it('calls without a token are not counted', async () => {
  const api = await newAccount(stack)
  const ask = asker(`anonymous-${api.accountId}`)
  for (let n = 0; n < 40; n += 1) expect((await ask(undefined)).status).toBe(401)
  expect((await ask(unknownKey())).status).toBe(401)
})

it('an expired token of an existing grant is not counted, one of no grant is', async () => {
  const app = (found: 'expired' | undefined) =>
    mcpApp({ ...UNUSED, services: new Map(), keyOfToken: async () => found })
  const statusesOf = async (found: 'expired' | undefined): Promise<number[]> => {
    const server = app(found)
    const statuses: number[] = []
    for (let n = 0; n < 31; n += 1) {
      const headers = { host: '127.0.0.1', authorization: 'Bearer person:grant:secret' }
      statuses.push((await server(new Request('http://127.0.0.1/mcp', { headers }))).status)
    }
    return [...new Set(statuses)]
  }
  expect(await statusesOf('expired')).toEqual([401])
  expect(await statusesOf(undefined)).toEqual([401, 429])
})

it('a token is looked up once a minute', async () => {
  let asked = 0
  const keys = accessTokens(
    async () => {
      asked += 1
      return { apiKey: 'key', scope: 'write', expiresAt: 2_000_000_000 }
    },
    () => new Date(0),
  )
  for (let again = 0; again < 2; again += 1) expect(await keys.behind('Bearer a:b:c')).toMatchObject({ apiKey: 'key' })
  expect(asked).toBe(1)
})
