import { expect, it } from 'vitest'
import { mintApiKey } from '../../src/accounts/api-key.ts'
import { createRefusedSignIns } from '../../src/accounts/refused-sign-ins.ts'
import { createKnownCallers } from '../../src/http/callers.ts'
import { groupApp } from '../../src/http/group.ts'
import { createLimiter } from '../../src/http/ratelimit.ts'
import { routes } from '../../src/http/route.ts'
import type { Ctx } from '../../src/runtime/ctx.ts'
import { depsFrom } from '../../src/runtime/deps.ts'

const OPERATIONS = {
  see: { id: 'test.see', method: 'GET', path: '/see', perMinute: 60, scope: 'read', summary: 'Sees.', errors: [] },
} as const

/** A Worker whose database and Redis are not there: who is not turned away before them is told that they do not answer. */
const workerWith = (env: Record<string, string>) => {
  const deps = { ...depsFrom({ ...ENV, ...env }, { name: 'projects' }), log: () => {} }
  const limiter = createLimiter(deps.settings, deps.now, deps.log)
  const see = async (ctx: Ctx) => ({ account: (await ctx.account()).id })
  const callers = createKnownCallers(deps.now)
  const refusedSignIns = createRefusedSignIns(deps.now)
  return groupApp({ ...deps, limiter, callers, refusedSignIns }, routes(OPERATIONS, { see }))
}

const ENV = {
  DATABASE_URL: 'postgresql://nobody:nothing@db.localtest.neon/none',
  NEON_FETCH_ENDPOINT: 'http://127.0.0.1:9/sql',
  UPSTASH_REDIS_REST_URL: 'http://127.0.0.1:9',
  UPSTASH_REDIS_REST_TOKEN: 'none',
  PUBLIC_URL: 'http://127.0.0.1:9',
}

const call = async (kind: 'live' | 'test', env: Record<string, string>): Promise<[number, Record<string, unknown>]> => {
  const key = mintApiKey(kind, (bytes) => crypto.getRandomValues(bytes))
  const request = new Request('https://api.example/api/v1/see', { headers: { authorization: `Bearer ${key}` } })
  const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} }
  const response = await workerWith(env).fetch(request, {}, context)
  return [response.status, (await response.json()) as Record<string, unknown>]
}

it.each([undefined, '', '1', 'TRUE'])(
  'a test key is refused where ALLOW_TEST_KEYS is %j, and told why',
  async (value) => {
    const env: Record<string, string> = value === undefined ? {} : { ALLOW_TEST_KEYS: value }
    const [status, body] = await call('test', env)
    expect(status).toBe(401)
    expect(body).toMatchObject({ code: 'unauthorized', error: expect.stringContaining('gly_live_') })
    expect((await call('live', env))[0]).toBe(503)
  },
)

it('a test key is judged like any other where ALLOW_TEST_KEYS is true', async () => {
  expect((await call('test', { ALLOW_TEST_KEYS: 'true' }))[0]).toBe(503)
})
