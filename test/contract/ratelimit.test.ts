import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import type { Command } from '../../local/redis/backend.ts'
import { createMemoryStore } from '../../local/redis/memory.ts'
import { type RedisServer, startRedis } from '../../local/redis/server.ts'
import { OPERATIONS } from '../../src/operations.ts'
import { createKey, revokeKey } from '../../src/platform/accounts/admin.ts'
import { createLimiter } from '../../src/platform/http/ratelimit.ts'
import {
  type Answer,
  type Api,
  anotherKey,
  clientOf,
  newAccount,
  newProject,
  rowsIn,
  runnerOf,
} from '../support/client.ts'
import { bodyOf, expectError, named, ofEachKind, pathOf, rateFields, unknownKey } from '../support/contract.ts'

const stack = inject('stack')

/**
 * Calls that the next window may additionally admit, because the window before counts less with time, and because of
 * rounding.
 */
const SPILL = 3
const spillOf = (limit: number, elapsedMs: number): number => SPILL + Math.ceil((limit * elapsedMs) / 60_000)

/**
 * Calls until an answer is 429. Returns all answers, the 429 last. Earlier answers are no more than a window can admit.
 */
const callsTo429 = async (limit: number, from: number, call: () => Promise<Answer>): Promise<Answer[]> => {
  const answers: Answer[] = []
  for (let more = 0; more <= spillOf(limit, Date.now() - from); more += 1) {
    const answer = await call()
    answers.push(answer)
    if (answer.status === 429) return answers
  }
  throw new Error(`no 429 after ${answers.length} calls past ${limit}`)
}

/** Uses up an allowance and calls on until an answer is 429; all answers, the 429 last. */
const untilLimited = async (limit: number, call: () => Promise<Answer>): Promise<Answer[]> => {
  const from = Date.now()
  const answers = await Promise.all(Array.from({ length: limit }, call))
  return [...answers, ...(await callsTo429(limit, from, call))]
}

const expectLimited = (answer: Answer): void => {
  expectError(answer, 'rate_limited')
  const { t } = rateFields(answer.headers)
  const seconds = answer.headers.get('retry-after') ?? ''
  expect(seconds).toMatch(/^\d+$/)
  expect(Number(seconds)).toBeGreaterThanOrEqual(t ?? 1)
  expect(Number(seconds)).toBeLessThanOrEqual(60)
}

/** Of each kind, the operation with the lowest rate: it takes the fewest calls. */
const lowestRates = ofEachKind([...OPERATIONS].sort((a, b) => b.perMinute - a.perMinute))

it.each(named(lowestRates))('%s is 429 past its rate, before any message about the input', async (_, op) => {
  const api = await newAccount(stack)
  const from = Date.now()
  const answers = await untilLimited(op.perMinute, () => api.call(op.method, pathOf(op), { body: bodyOf(op) }))
  for (const answer of answers.slice(0, op.perMinute)) expect(answer.status).not.toBe(429)
  const last = answers.at(-1)
  if (last) expectLimited(last)
  expect(rateFields(last?.headers ?? new Headers())).toMatchObject({ policy: op.id, q: op.perMinute, r: 0 })
  const left = answers.slice(0, op.perMinute).map(({ headers }) => rateFields(headers).r ?? -1)
  expect(Math.max(...left)).toBe(op.perMinute - 1)
  const wrong = () => api.call(op.method, pathOf(op, 'abc'), { ...(op.method === 'GET' ? {} : { raw: '{"a":' }) })
  expectLimited((await callsTo429(op.perMinute, from, wrong)).at(-1) as Answer)
})

describe('what counts toward the limit', () => {
  const exhaust = async (): Promise<Api> => {
    const api = await newAccount(stack)
    await untilLimited(10, () => api.post('/articles', {}))
    return api
  }

  it('each key counts separately', async () => {
    const api = await exhaust()
    expectError(await (await anotherKey(stack, api)).post('/articles', {}), 'invalid_input')
  })

  it('each operation counts separately, under any of its paths', async () => {
    const api = await exhaust()
    expect((await api.get('/articles')).status).toBe(200)
    const again = await callsTo429(10, Date.now(), () => api.post('/articles/', {}))
    expectLimited(again.at(-1) as Answer)
  })

  it('is no preflight', async () => {
    const api = await newAccount(stack)
    for (let i = 0; i < 40; i += 1) expect((await api.call('OPTIONS', '/projects')).status).toBe(204)
    expect(rateFields((await api.get('/projects')).headers).r).toBe(29)
  })
})

describe('refused keys', () => {
  it('from one address are 429 from the 31st on, and only them', async () => {
    const api = await newAccount(stack)
    const from = (address: string, key: string) => ({ key, headers: { 'cf-connecting-ip': address } })
    const address = `203.0.113.7-${api.accountId}`
    expect((await api.get('/projects')).status).toBe(200)
    const answers = await untilLimited(30, () => api.get('/projects', from(address, unknownKey())))
    expect(answers.length).toBe(31)
    for (const answer of answers.slice(0, 30)) expectError(answer, 'unauthorized')
    for (const answer of [answers[30], await api.get('/projects', from(address, 'gly_test_x'))]) {
      if (!answer) throw new Error('no answer')
      expectLimited(answer)
      expect(rateFields(answer.headers)).toMatchObject({ policy: 'unauthorized', q: 30, r: 0 })
    }
    expect((await api.get('/projects', from(address, api.key))).status, 'a key that was admitted before').toBe(200)
    const another = await anotherKey(stack, api)
    expect((await api.get('/projects', from(address, another.key))).status, 'a key that is new to it').toBe(200)
    expectError(await api.get('/projects', from(`${address}-other`, unknownKey())), 'unauthorized')
  })

  it('are not counted without a credential', async () => {
    const api = await newAccount(stack)
    const headers = { 'cf-connecting-ip': `203.0.113.9-${api.accountId}` }
    for (let n = 0; n < 40; n += 1) expect((await fetch(`${stack.url}/api/v1/projects`, { headers })).status).toBe(401)
    expectError(await api.get('/projects', { key: unknownKey(), headers }), 'unauthorized')
  })

  it('counts for all Workers together', async () => {
    const api = await newAccount(stack)
    const from = { key: unknownKey(), headers: { 'cf-connecting-ip': `203.0.113.8-${api.accountId}` } }
    for (let i = 0; i < 30; i += 1) expect((await api.get('/projects', from)).status).toBe(401)
    const statuses: number[] = []
    while (statuses.length < 29 && !statuses.includes(429)) statuses.push((await api.get('/articles', from)).status)
    expect(statuses).toContain(429)
  })

  it('is a revoked one, at once', async () => {
    const api = await newAccount(stack)
    const { key, row } = await createKey(runnerOf(stack), String(api.accountId), { name: 'to go', scopes: ['read'] })
    const client = clientOf(stack.url, key, api.accountId)
    expect((await client.get('/projects')).status).toBe(200)
    await revokeKey(runnerOf(stack), Number(row.id))
    expectError(await client.get('/projects'), 'unauthorized')
    expect((await api.get('/projects')).status).toBe(200)
  })

  it('is an expired one', async () => {
    const api = await newAccount(stack)
    const keyOf = async (expiresAt: Date) =>
      (await createKey(runnerOf(stack), String(api.accountId), { name: 'ends', scopes: ['read'], expiresAt })).key
    expectError(await api.get('/projects', { key: await keyOf(new Date(Date.now() - 1_000)) }), 'unauthorized')
    expect((await api.get('/projects', { key: await keyOf(new Date(Date.now() + 60_000)) })).status).toBe(200)
  })

  it('every key of a suspended account is refused, and works again when that ends', async () => {
    const api = await newAccount(stack)
    const project = await newProject(api)
    const suspend = (at: string) =>
      rowsIn(stack, sql`update accounts set suspended_at = ${sql.raw(at)} where id = ${api.accountId}`)
    await suspend('now()')
    const answer = await api.get(`/projects/${project}`)
    expectError(answer, 'account_inactive')
    expect(answer.body.error).toBe('Account is not active.')
    // Its key is right: nothing about the header would help.
    expect(answer.body).not.toHaveProperty('instructions_for_agent')
    expectError(await api.put(`/projects/${project}`, { tone: 'Persuasive' }), 'account_inactive')
    await suspend('null')
    expect((await api.get(`/projects/${project}`)).status).toBe(200)
  })
})

describe('the limiter, with the clock moved by hand', () => {
  const START = Date.UTC(2027, 0, 5, 12, 0, 20)
  const T0 = START
  let redis: RedisServer
  let commands: Command[] = []

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: T0 })
    const store = createMemoryStore({})
    commands = []
    const run = (command: Command) => {
      commands.push(command)
      return store.run(command)
    }
    redis = await startRedis({ port: 0, token: 't', store: { ...store, run } })
  })
  afterEach(async () => {
    vi.useRealTimers()
    await redis.close()
  })

  const policy = { name: 'p', perMinute: 5 }
  const limiterOf = (url: string) =>
    createLimiter(
      { redisUrl: url, redisToken: 't', limiterWaitMs: 60_000 },
      () => new Date(),
      () => {},
    )

  /** Five minutes share a number in Redis; a window may begin with any of them. */
  const anyMinute = it.each([0, 1, 2, 3, 4])

  anyMinute('lets a caller through who waited as long as the 429 said (minute %i)', async (minute) => {
    const T0 = START + minute * 60_000
    vi.setSystemTime(T0)
    const limiter = limiterOf(redis.url)
    for (let i = 4; i >= 0; i -= 1)
      expect(await limiter.take(policy, 'k')).toMatchObject({ allowed: true, remaining: i })
    const denied = await limiter.take(policy, 'k')
    expect(denied).toEqual({ allowed: false, remaining: 0, resetS: 40 })
    vi.setSystemTime(T0 + 30_000)
    expect((await limiter.take(policy, 'k')).allowed).toBe(false)
    vi.setSystemTime(T0 + (denied.resetS ?? 0) * 1_000 + 1)
    expect((await limiter.take(policy, 'k')).allowed).toBe(true)
  })

  it('has the whole allowance again after two windows', async () => {
    const limiter = limiterOf(redis.url)
    for (let i = 0; i < 6; i += 1) await limiter.take(policy, 'k')
    vi.setSystemTime(T0 + 120_000)
    expect(await limiter.take(policy, 'k')).toMatchObject({ allowed: true, remaining: 4 })
  })

  it('admits hardly more than the rate in any minute', async () => {
    const limiter = limiterOf(redis.url)
    const passed: number[] = []
    for (let s = 0; s < 240; s += 2) {
      vi.setSystemTime(T0 + s * 1_000)
      if ((await limiter.take(policy, 'k')).allowed) passed.push(s)
    }
    const busiest = Math.max(...passed.map((at) => passed.filter((s) => s >= at && s < at + 60).length))
    expect(busiest).toBeLessThanOrEqual(policy.perMinute + 2)
    expect(passed.length).toBeGreaterThan(3 * policy.perMinute)
    expect(passed.length).toBeLessThanOrEqual(5 * policy.perMinute)
  })

  it('counts for all isolates together, to the call', { tags: ['services'] }, async () => {
    for (let minute = 0; minute < 12; minute += 1) {
      vi.setSystemTime(T0 + minute * 180_000)
      const isolates = [limiterOf(redis.url), limiterOf(redis.url), limiterOf(redis.url)]
      const verdicts = await Promise.all(
        Array.from({ length: 9 }, (_, n) => isolates[n % 3]?.take(policy, 'k') ?? expect.fail('no isolate')),
      )
      const left = verdicts.filter(({ allowed }) => allowed).map(({ remaining }) => remaining)
      expect(left.sort()).toEqual([0, 1, 2, 3, 4])
      vi.setSystemTime(T0 + minute * 180_000 + 70_000)
      const next = await Promise.all(
        Array.from({ length: 9 }, (_, n) => isolates[n % 3]?.take(policy, 'k') ?? expect.fail('no isolate')),
      )
      // Half of the minute before still counts: two of its five.
      expect(next.filter(({ allowed }) => allowed)).toHaveLength(3)
    }
  })

  it('costs one command a call, one more for the first of five minutes, and one an isolate for the end of a hash', async () => {
    const limiter = limiterOf(redis.url)
    const used = async (minute: number): Promise<number> => {
      vi.setSystemTime(T0 + minute * 60_000)
      const before = commands.length
      expect((await limiter.take(policy, 'k')).allowed).toBe(true)
      return commands.length - before
    }
    const counts: number[] = []
    for (const minute of [0, 0, 1, 1, 2, 3, 4, 5, 5, 6, 30, 31]) counts.push(await used(minute))
    expect(counts).toEqual([3, 1, 1, 1, 1, 1, 1, 2, 1, 1, 3, 1])
    expect(commands.filter(([name]) => name === 'expire').map(([, , seconds]) => Number(seconds))).toEqual([2100, 2100])
  })

  it('waits the given time for a silent Redis, then counts in this isolate and logs that', async () => {
    await redis.close()
    redis = await startRedis({
      port: 0,
      token: 't',
      store: { ...createMemoryStore({}), run: () => new Promise(() => {}) },
    })
    const said: unknown[] = []
    const settings = { redisUrl: redis.url, redisToken: 't', limiterWaitMs: 200 }
    const limiter = createLimiter(
      settings,
      () => new Date(),
      (...line) => said.push(line),
    )
    const startedAt = performance.now()
    expect(await limiter.take(policy, 'k')).toEqual({ allowed: true })
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(190)
    expect(said).toEqual([['warn', 'ratelimit.slow', { policy: 'p', waited_ms: 200 }]])
  })

  it('counts in this isolate when Redis is away, and knows no remaining', async () => {
    await redis.close()
    const limiter = limiterOf(redis.url)
    for (let i = 0; i < 5; i += 1) expect(await limiter.take(policy, 'k')).toEqual({ allowed: true })
    expect(await limiter.take(policy, 'k')).toEqual({ allowed: false, resetS: 60 })
    expect(await limiter.take(policy, 'other')).toEqual({ allowed: true })
    vi.setSystemTime(T0 + 60_000)
    expect(await limiter.take(policy, 'k')).toEqual({ allowed: true })
  })
})

describe('limits by address', () => {
  type Ask = (address: string, n: number) => Promise<number>
  const send = async (path: string, address: string, init: RequestInit = {}) =>
    (await fetch(stack.url + path, { ...init, headers: { ...init.headers, 'cf-connecting-ip': address } })).status
  const form = (path: string, address: string, fields: Record<string, string>) =>
    send(path, address, { method: 'POST', headers: { origin: stack.url }, body: new URLSearchParams(fields) })
  const email = () => `${randomBytes(8).toString('hex')}@people.example`
  const PEOPLE = ['/sign-in', '/sign-up', '/reset', '/sign-in/link']

  it.each<[string, number, Ask]>([
    [
      'refused keys',
      30,
      (address) => send('/api/v1/projects', address, { headers: { authorization: `Bearer ${unknownKey()}` } }),
    ],
    [
      'refused keys of /mcp',
      30,
      (address) => send('/mcp', address, { method: 'POST', headers: { authorization: 'Bearer nope' } }),
    ],
    [
      'forms of sign-in',
      20,
      (address, n) => form(PEOPLE[n % 4] ?? '', address, { email: email(), password: 'a-password' }),
    ],
    ['invitations', 20, (address) => send('/invitation?token=x', address)],
    [
      'registrations of applications',
      10,
      (address) =>
        send('/oauth/register', address, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ redirect_uris: ['http://127.0.0.1:9/'], token_endpoint_auth_method: 'none' }),
        }),
    ],
    ['tokens', 60, (address) => form('/oauth/token', address, { grant_type: 'authorization_code' })],
    ['pages to connect at', 30, (address) => send('/connect/search-console?link=x', address)],
  ])('%s count an IPv6 network of 64 bits as one address, and networks apart by themselves', async (_, limit, ask) => {
    const site = randomBytes(4)
      .toString('hex')
      .replace(/^(.{4})/, '$1:')
    const within = (n: number) => ask(`2001:${site}:1:0:0:${n.toString(16)}:7`, n)
    const apart = (n: number) => ask(`2001:${site}:${(n + 2).toString(16)}::7`, n)
    const statuses: number[] = []
    const begun = Date.now()
    for (let n = 0; n < limit + spillOf(limit, Date.now() - begun) + 5; n += 1) statuses.push(await within(n))
    expect(statuses.slice(0, limit)).not.toContain(429)
    expect(statuses.slice(-4)).toEqual([429, 429, 429, 429])
    for (let n = 0; n < 4; n += 1) expect(await apart(n)).not.toBe(429)
  })
})
