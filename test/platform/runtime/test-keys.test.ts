import { expect, it } from 'vitest'
import { mintApiKey } from '../../../src/platform/accounts/api-key.ts'
import { routes } from '../../../src/platform/http/route.ts'
import type { Ctx } from '../../../src/platform/runtime/ctx.ts'
import { awayWorker, IDLE_CONTEXT } from '../../support/away.ts'

const OPERATIONS = {
  see: { id: 'test.see', method: 'GET', path: '/see', perMinute: 60, scope: 'read', summary: 'Sees.', errors: [] },
} as const

const see = async (ctx: Ctx) => ({ account: (await ctx.account()).id })

const call = async (kind: 'live' | 'test', env: Record<string, string>): Promise<[number, Record<string, unknown>]> => {
  const key = mintApiKey(kind, (bytes) => crypto.getRandomValues(bytes))
  const request = new Request('https://api.example/api/v1/see', { headers: { authorization: `Bearer ${key}` } })
  const response = await awayWorker(routes(OPERATIONS, { see }), { env }).app.fetch(request, {}, IDLE_CONTEXT)
  return [response.status, (await response.json()) as Record<string, unknown>]
}

it.each([undefined, '', '1', 'TRUE'])(
  'a test key is refused if ALLOW_TEST_KEYS is %j, with the reason',
  async (value) => {
    const env: Record<string, string> = value === undefined ? {} : { ALLOW_TEST_KEYS: value }
    const [status, body] = await call('test', env)
    expect(status).toBe(401)
    expect(body).toMatchObject({ code: 'unauthorized', error: expect.stringContaining('gly_live_') })
    expect((await call('live', env))[0]).toBe(503)
  },
)

it('a test key is checked like any other if ALLOW_TEST_KEYS is true', async () => {
  expect((await call('test', { ALLOW_TEST_KEYS: 'true' }))[0]).toBe(503)
})
