/** @module-tag services */
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Ratelimit } from '@upstash/ratelimit'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { FaultRule } from '../../local/faults.ts'
import { isError, type RedisBackend } from '../../local/redis/backend.ts'
import { createRedisStore } from '../../local/redis/backend-redis.ts'
import { SCRIPT_SHA } from '../../local/redis/commands.ts'
import { createMemoryStore } from '../../local/redis/memory.ts'
import { type RedisServer, startRedis } from '../../local/redis/server.ts'
import { freePort } from '../../local/start/ports.ts'
import { createRedis } from '../../src/platform/runtime/redis.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const TOKEN = 'local-token'
const prefix = `galley-test-${randomUUID()}:`
const named = (name: string): string => prefix + name

type Sent = { path?: string; body?: unknown; method?: string; token?: string }

const send = async (server: RedisServer, { path = '/', body, method, token = TOKEN }: Sent) => {
  const response = await fetch(server.url + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: token === '' ? {} : { authorization: `Bearer ${token}` },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, json: text.startsWith('{') ? JSON.parse(text) : text }
}

const setFaults = (server: RedisServer, rules: FaultRule[]) =>
  send(server, { path: '/_faults', body: rules, token: '' })
const usesOfFaults = async (server: RedisServer): Promise<number[]> =>
  (await send(server, { path: '/_faults', token: '' })).json.rules.map((rule: { used: number }) => rule.used)

const serve = async (store: RedisBackend): Promise<RedisServer> => {
  const server = await startRedis({ token: TOKEN, store })
  onTestFinished(() => server.close())
  return server
}

/** Returns the text of the script the installed limiter sends, as it sends it. */
const limiterScript = async (): Promise<string> => {
  let script = ''
  const redis = {
    evalsha: () => Promise.reject(new Error('NOSCRIPT')),
    eval: async (source: string) => {
      script = source
      return [1, 5]
    },
  } as unknown as ConstructorParameters<typeof Ratelimit>[0]['redis']
  const limiter = new Ratelimit({ redis, limiter: Ratelimit.slidingWindow(5, '60 s'), ephemeralCache: false })
  await limiter.limit('caller')
  return script
}

const stores: { name: string; open: () => RedisBackend }[] = [
  { name: 'memory', open: () => createMemoryStore({ now: () => Date.now() }) },
]
const { REDIS_URL } = process.env
if (REDIS_URL !== undefined) stores.push({ name: 'REDIS_URL', open: () => createRedisStore(REDIS_URL) })

describe.each(stores)('REST API over $name', ({ open }) => {
  let server: RedisServer

  beforeAll(async () => {
    server = await startRedis({ token: TOKEN, store: open() })
  })
  afterEach(async () => {
    vi.useRealTimers()
    await send(server, { path: '/_faults', method: 'DELETE', token: '' })
  })
  afterAll(() => server.close())

  const command = (...body: (string | number | null)[]) => send(server, { body })

  it('refuses a missing or wrong token with 401', async () => {
    const refusal = { status: 401, json: { error: 'WRONGPASS invalid or missing auth token' } }
    expect(await send(server, { body: ['PING'], token: '' })).toMatchObject(refusal)
    expect(await send(server, { body: ['PING'], token: 'wrong' })).toMatchObject(refusal)
  })

  it.each([
    ['{"a":', 'invalid JSON'],
    ['{}', 'expected JSON array'],
    ['[]', 'empty command'],
    ['', 'invalid JSON'],
    ['["GET",{}]', 'unsupported arg type'],
    ['["SET","k",null]', 'null args are not supported'],
  ])('answers 400 to %s', async (body, reason) => {
    const answer = await send(server, { body, method: 'POST' })
    expect(answer.status).toBe(400)
    expect(answer.json.error).toContain(reason)
  })

  it('answers 405 to other methods, 404 to other paths and 413 to a huge body', async () => {
    expect((await send(server, { method: 'DELETE' })).status).toBe(405)
    expect((await send(server, { path: '/multi-exec', body: [['PING']] })).status).toBe(404)
    expect((await send(server, { body: ['GET', 'x'.repeat(11 * 1024 * 1024)] })).status).toBe(413)
  })

  it('stores values with and without expiry', async () => {
    const key = named('value')
    expect((await command('PING')).json).toEqual({ result: 'PONG' })
    expect((await command('GET', key)).json).toEqual({ result: null })
    expect((await command('SET', key, 'Grüße 日本 🎉')).json).toEqual({ result: 'OK' })
    expect((await command('get', key)).json).toEqual({ result: 'Grüße 日本 🎉' })
    expect((await command('PTTL', key)).json).toEqual({ result: -1 })
    expect((await command('EXPIRE', key, 10_000)).json).toEqual({ result: 1 })
    expect((await command('PTTL', key)).json.result).toBeGreaterThan(9_900_000)
    expect((await command('SET', key, 'second', 'nx')).json).toEqual({ result: null })
    expect((await command('SET', key, 'second', 'EX', 5_000)).json).toEqual({ result: 'OK' })
    const left = (await command('PTTL', key)).json.result
    expect(left).toBeGreaterThan(4_900_000)
    expect(left).toBeLessThanOrEqual(5_000_000)
    expect((await command('SET', key, 'third')).json).toEqual({ result: 'OK' })
    expect((await command('PTTL', key)).json).toEqual({ result: -1 })
    expect((await command('DEL', key, named('none'))).json).toEqual({ result: 1 })
    expect((await command('SET', key, 'again', 'PX', 5_000_000, 'NX')).json).toEqual({ result: 'OK' })
    expect((await command('EXPIRE', key, -1)).json).toEqual({ result: 1 })
    expect((await command('PTTL', key)).json).toEqual({ result: -2 })
    expect((await command('EXPIRE', key, 5)).json).toEqual({ result: 0 })
  })

  it('counts in the fields of a hash, up to five counts of ten bits in one', async () => {
    const key = named('hash')
    expect((await command('HGET', key, 'a')).json).toEqual({ result: null })
    expect((await command('HINCRBY', key, 'a', 1024 ** 4)).json).toEqual({ result: 1024 ** 4 })
    expect((await command('HINCRBY', key, 'a', 1023 * 1024 ** 4)).json).toEqual({ result: 1024 ** 5 })
    expect((await command('HINCRBY', key, 'a', -1)).json).toEqual({ result: 1024 ** 5 - 1 })
    expect((await command('HGET', key, 'a')).json).toEqual({ result: String(1024 ** 5 - 1) })
    expect((await command('HINCRBY', key, 'b', 2)).json).toEqual({ result: 2 })
    expect((await command('EXPIRE', key, 10_000)).json).toEqual({ result: 1 })
    expect((await command('HINCRBY', key, 'b', 2)).json).toEqual({ result: 4 })
    expect((await command('PTTL', key)).json.result).toBeGreaterThan(9_900_000)
    expect((await command('DEL', key)).json).toEqual({ result: 1 })
    expect((await command('HGET', key, 'b')).json).toEqual({ result: null })
  })

  it('runs the commands of a pipeline in their order; one that is refused stops no other', async () => {
    const key = named('pipeline')
    const body = [['SET', key, 'text'], ['HINCRBY', key, 'a', 1], ['GET', key], ['NOPE']]
    const answer = await send(server, { path: '/pipeline', body })
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.json)).toEqual([
      { result: 'OK' },
      { error: expect.stringContaining('WRONGTYPE') },
      { result: 'text' },
      { error: expect.stringContaining('unknown command') },
    ])
    expect((await send(server, { path: '/pipeline', body: {} })).json.error).toContain('expected JSON array')
  })

  it.each<[(string | number)[], string]>([
    [['HINCRBY', 'k', 'f', 'x'], 'ERR value is not an integer or out of range'],
    [['GET'], "ERR wrong number of arguments for 'get' command"],
    [['SET', 'k', 'v', 'EX', 0], "ERR invalid expire time in 'set' command"],
    [['SET', 'k', 'v', 'EX', 1, 'PX', 1], 'ERR syntax error'],
    [['SET', 'k', 'v', 'EX'], 'ERR syntax error'],
    [['SET', 'k', 'v', 'PX', 'soon'], 'ERR value is not an integer or out of range'],
    [['EXPIRE', 'k', '1.5'], 'ERR value is not an integer or out of range'],
    [['NOPE', 'a'], "ERR unknown command 'NOPE', with args beginning with: 'a'"],
    [['EVAL', 'x'], "ERR wrong number of arguments for 'eval' command"],
  ])('answers %j with 400 and the words of Redis', async (words, reason) => {
    const answer = await command(...words)
    expect(answer.status).toBe(400)
    expect(answer.json.error).toContain(reason)
  })

  it('runs only the limiter’s script, and by SHA-1 after EVAL', async () => {
    const { json } = await command('EVAL', 'return 1', 0)
    expect(json.error).toMatch(/^ERR this local Redis runs one script only/)
    const fresh = await serve(open())
    const bySha = (sha: string) =>
      send(fresh, { body: ['EVALSHA', sha, 2, named('a'), named('b'), 5, 60_000, 60_000, 1] })
    const missing = { status: 400, json: { error: 'NOSCRIPT No matching script. Please use EVAL.' } }
    expect(await bySha(SCRIPT_SHA)).toEqual(missing)
    const script = await limiterScript()
    const brought = await send(fresh, { body: ['EVAL', script, 2, named('a'), named('b'), 5, 60_000, 60_000, 1] })
    expect(brought.json).toEqual({ result: [4, 5] })
    expect((await bySha(SCRIPT_SHA.toUpperCase())).json).toEqual({ result: [3, 5] })
    expect(await bySha('0'.repeat(40))).toEqual(missing)
    expect((await send(fresh, { body: ['EVAL', script, 3, 'k'] })).json.error).toContain('Number of keys')
    expect((await send(fresh, { body: ['EVAL', script, 2, 'a', 'b', 'many', 1, 1, 1] })).json.error).toMatch(/^ERR /)
  })

  describe('rate limits', () => {
    const MINUTE = 60_000
    /** The Date the limiter sees; windows are counted from the epoch. */
    const at = (ms: number): void => {
      vi.useFakeTimers({ toFake: ['Date'], now: ms })
    }
    const start = Math.ceil(Date.now() / MINUTE) * MINUTE
    const limiterOf = () =>
      new Ratelimit({
        redis: createRedis(server.url, TOKEN, PATIENCE_MS),
        limiter: Ratelimit.slidingWindow(5, '60 s'),
        prefix: named(`limit:${randomUUID()}`),
        ephemeralCache: false,
      })
    const fire = (limiter: Ratelimit, count: number) =>
      Promise.all(Array.from({ length: count }, () => limiter.limit('caller')))
    const remainders = (results: { success: boolean; remaining: number }[]): number[] =>
      results
        .filter(({ success }) => success)
        .map(({ remaining }) => remaining)
        .sort((a, b) => b - a)

    it('let exactly N of N+k concurrent calls through; the window before counts by its share', async () => {
      at(start + 1000)
      const limiter = limiterOf()
      expect(remainders(await fire(limiter, 9))).toEqual([4, 3, 2, 1, 0])
      at(start + MINUTE + MINUTE / 2)
      const results = await fire(limiter, 9)
      expect(remainders(results)).toEqual([2, 1, 0])
      expect(new Set(results.map(({ reset }) => reset))).toEqual(new Set([start + 2 * MINUTE]))
    })
  })
})

it('knows the script of the installed limiter', async () => {
  expect(
    createHash('sha1')
      .update(await limiterScript())
      .digest('hex'),
  ).toBe(SCRIPT_SHA)
})

if (REDIS_URL !== undefined) {
  it('the sliding window in memory changes keys as the script does in Redis', async () => {
    const script = await limiterScript()
    const real = createRedisStore(REDIS_URL)
    onTestFinished(() => real.close())
    const held = fc.option(fc.oneof(fc.integer({ min: -3, max: 12 }).map(String), fc.constant('abc')))
    type Call = { window: number; into: number; tokens: number; by: number }
    const call: fc.Arbitrary<Call> = fc.record({
      window: fc.constantFrom(30_000, 60_000, 61_000),
      into: fc.nat(200_000),
      tokens: fc.integer({ min: 0, max: 12 }),
      by: fc.integer({ min: -2, max: 4 }),
    })
    const run = async (first: string | null, second: string | null, calls: Call[]) => {
      const memory = createMemoryStore()
      const begun = performance.now()
      const [a, b] = [named(randomUUID()), named(randomUUID())]
      const both = async (words: (string | number)[]) => [await memory.run(words), await real.run(words)]
      for (const [key, value] of [
        [a, first],
        [b, second],
      ] as const)
        if (value !== null) await both(['SET', key, value])
      for (const { window, into, tokens, by } of calls) {
        const [mine, theirs] = await both(['EVAL', script, 2, a, b, tokens, 1_795_000_000_000 + into, window, by])
        if (mine === undefined || theirs === undefined || isError(theirs)) expect(isError(mine ?? null)).toBe(true)
        else expect(mine).toEqual(theirs)
        const [value, realValue] = await both(['GET', a])
        expect(value).toEqual(realValue)
        const [left, realLeft] = (await both(['PTTL', a])).map(Number)
        // The stores are called one after the other, so their times may differ by the time in between.
        const between = performance.now() - begun
        expect(Math.abs((left ?? 0) - (realLeft ?? 0))).toBeLessThan(100 + between)
      }
    }
    await fc.assert(fc.asyncProperty(held, held, fc.array(call, { minLength: 1, maxLength: 8 }), run), { numRuns: 300 })
  })
}

it('answers 500 when the store cannot be reached', async () => {
  const server = await serve(createRedisStore('redis://127.0.0.1:1'))
  const answer = await send(server, { body: ['PING'] })
  expect(answer.status).toBe(500)
  expect(answer.json.error).toContain('ECONNREFUSED')
})

describe('memory store', () => {
  it('deletes keys by its clock, also unused ones', async () => {
    let now = 1_000_000
    const store = createMemoryStore({ now: () => now })
    await store.run(['SET', 'k', 'v', 'PX', 1500])
    now += 1499
    expect(await store.run(['PTTL', 'k'])).toBe(1)
    now += 1
    expect(await store.run(['GET', 'k'])).toBeNull()
    expect(await store.run(['SET', 'k', 'again', 'NX'])).toEqual({ status: 'OK' })
  })

  it('closes with connections open, and frees its port', async () => {
    const server = await startRedis({ port: await freePort(), token: TOKEN, store: createMemoryStore() })
    await setFaults(server, [{ delay_ms: 60_000 }])
    const hanging = send(server, { body: ['PING'] })
    const refused = expect(hanging).rejects.toThrow('fetch failed')
    while ((await usesOfFaults(server))[0] === 0) await sleep(1)
    await server.close()
    await refused
    const again = await startRedis({ port: server.port, token: TOKEN, store: createMemoryStore() })
    await expect(startRedis({ port: server.port, token: TOKEN, store: createMemoryStore() })).rejects.toThrow(
      'EADDRINUSE',
    )
    await again.close()
  })
})
