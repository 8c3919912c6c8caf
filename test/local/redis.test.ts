import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Ratelimit } from '@upstash/ratelimit'
import { Redis } from '@upstash/redis'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { FaultRule } from '../../local/faults.ts'
import type { RedisBackend } from '../../local/redis/backend.ts'
import { createRedisStore } from '../../local/redis/backend-redis.ts'
import { createMemoryStore } from '../../local/redis/memory.ts'
import { createReplyParser, encodeCommand } from '../../local/redis/resp.ts'
import { type RedisServer, startRedis } from '../../local/redis/server.ts'

const TOKEN = 'local-token'
const prefix = `galley-test-${randomUUID()}:`
const named = (name: string): string => prefix + name

const clientOf = (server: RedisServer, token = TOKEN): Redis =>
  new Redis({ url: server.url, token, retry: { retries: 0 }, enableTelemetry: false })

type Sent = { path?: string; body?: unknown; method?: string; token?: string; headers?: Record<string, string> }

const send = async (server: RedisServer, { path = '/', body, method, token = TOKEN, headers }: Sent) => {
  const response = await fetch(server.url + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...(token === '' ? {} : { authorization: `Bearer ${token}` }), ...headers },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, json: text === '' ? undefined : JSON.parse(text) }
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

/** Encodes as the server should for `Upstash-Encoding: base64`. */
const b64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')
const BASE64 = { 'upstash-encoding': 'base64' }

const WRONGTYPE = 'WRONGTYPE Operation against a key holding the wrong kind of value'

const stores: { name: string; open: () => RedisBackend }[] = [
  { name: 'memory', open: () => createMemoryStore({ now: () => Date.now() }) },
]
const { REDIS_URL } = process.env
if (REDIS_URL !== undefined) stores.push({ name: 'REDIS_URL', open: () => createRedisStore(REDIS_URL) })

describe.each(stores)('REST API over $name', ({ open }) => {
  let server: RedisServer
  let redis: Redis

  beforeAll(async () => {
    server = await startRedis({ token: TOKEN, store: open() })
    redis = clientOf(server)
  })

  afterEach(async () => {
    vi.useRealTimers()
    await send(server, { path: '/_faults', method: 'DELETE', token: '' })
  })

  afterAll(async () => {
    let cursor = '0'
    do {
      const [next, keys] = await redis.scan(cursor, { match: `${prefix}*`, count: 1000 })
      if (keys.length > 0) await redis.del(...keys)
      cursor = next
    } while (cursor !== '0')
    await server.close()
  })

  const command = (...body: (string | number | null)[]) => send(server, { body })

  describe('protocol', () => {
    it('refuses a missing or wrong token with 401 and takes ?_token=', async () => {
      const refusal = { error: 'WRONGPASS invalid or missing auth token' }
      expect(await send(server, { body: ['PING'], token: '' })).toMatchObject({ status: 401, json: refusal })
      expect(await send(server, { body: ['PING'], token: 'wrong' })).toMatchObject({ status: 401, json: refusal })
      const byQuery = await send(server, { path: `/ping?_token=${TOKEN}`, token: '' })
      expect(byQuery).toMatchObject({ status: 200, json: { result: 'PONG' } })
      await expect(clientOf(server, 'wrong').ping()).rejects.toThrow('WRONGPASS')
    })

    it('encodes every string in base64 but the status OK', async () => {
      const key = named('encoding')
      const post = (body: unknown, path = '/') => send(server, { path, body, headers: BASE64 })
      expect((await post(['SET', key, 'Grüße 日本 🎉'])).json).toEqual({ result: 'OK' })
      expect((await post(['GET', key])).json).toEqual({ result: b64('Grüße 日本 🎉') })
      expect((await command('GET', key)).json).toEqual({ result: 'Grüße 日本 🎉' })
      expect((await post(['PING'])).json).toEqual({ result: b64('PONG') })
      expect((await post(['STRLEN', key])).json).toEqual({ result: Buffer.byteLength('Grüße 日本 🎉') })
      expect((await post(['MGET', key, named('none')])).json).toEqual({ result: [b64('Grüße 日本 🎉'), null] })
      const nested = await post(['EVAL', "return {'a', {'é', 1}, false}", 0])
      expect(nested.json).toEqual({ result: [b64('a'), [b64('é'), 1], null] })
      const batch = await post(
        [
          ['SET', key, 'OK'],
          ['GET', key],
          ['INCR', key],
        ],
        '/pipeline',
      )
      expect(batch.json).toEqual([
        { result: 'OK' },
        { result: b64('OK') },
        { error: 'ERR value is not an integer or out of range' },
      ])
    })

    it('gives the client back what it stored', async () => {
      const key = named('client')
      await redis.set(key, { title: 'Grüße', list: [1, null] })
      expect(await redis.get(key)).toEqual({ title: 'Grüße', list: [1, null] })
      await redis.mset({ [named('ok')]: 'OK', [named('lead')]: '0123' })
      expect(await redis.mget(named('ok'), named('lead'), named('none'))).toEqual(['OK', '0123', null])
      const raw = new Redis({ url: server.url, token: TOKEN, responseEncoding: false, automaticDeserialization: false })
      await raw.set(key, '日本')
      expect(await raw.get(key)).toBe('日本')
    })

    it('takes the path form: arguments, a binary body, options as parameters', async () => {
      const key = named('path')
      const put = await fetch(`${server.url}/set/${encodeURIComponent(key)}?EX=100`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${TOKEN}` },
        body: new Uint8Array([0xff, 0x00, 0xfe]),
      })
      expect(await put.json()).toEqual({ result: 'OK' })
      const got = await send(server, { path: `/get/${encodeURIComponent(key)}`, headers: BASE64 })
      expect(got.json).toEqual({ result: Buffer.from([0xff, 0x00, 0xfe]).toString('base64') })
      expect((await command('TTL', key)).json).toEqual({ result: 100 })
      expect((await send(server, { path: `/set/${key}/v?NX&_token=${TOKEN}`, token: '' })).json).toEqual({
        result: null,
      })
      expect((await send(server, { path: '/get/%zz' })).status).toBe(400)
    })

    it.each([
      ['/', '{"a":', 'invalid JSON'],
      ['/', '{}', 'expected JSON array'],
      ['/', '[]', 'empty command'],
      ['/', '', 'invalid JSON'],
      ['/', '["GET",{}]', 'unsupported arg type'],
      ['/', '["SET","k",null]', 'null args are not supported'],
      ['/pipeline', '["GET","k"]', 'expected JSON array'],
      ['/pipeline', '[["GET","k"],[]]', 'empty command'],
      ['/multi-exec', '{}', 'expected JSON array'],
    ])('answers 400 to %s %s', async (path, body, reason) => {
      const answer = await send(server, { path, body, method: 'POST' })
      expect(answer.status).toBe(400)
      expect(answer.json.error).toContain(reason)
    })

    it('answers 405 to other methods, 413 to a huge body, and content-length always', async () => {
      expect((await send(server, { method: 'DELETE' })).status).toBe(405)
      expect((await send(server, { body: ['ECHO', 'x'.repeat(11 * 1024 * 1024)] })).status).toBe(413)
      const answer = await command('ECHO', 'é')
      expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength('{"result":"é"}')))
    })

    it('answers refused commands with 400 and the text of Redis', async () => {
      const key = named('refused')
      await command('LPUSH', key, 'x')
      expect(await command('GET', key)).toMatchObject({ status: 400, json: { error: WRONGTYPE } })
      expect(await command('GET')).toMatchObject({
        status: 400,
        json: { error: "ERR wrong number of arguments for 'get' command" },
      })
      expect((await command('NOPE', 'a')).json.error).toMatch(
        /^ERR unknown command 'NOPE', with args beginning with: 'a'/,
      )
      expect((await command('SUBSCRIBE', 'a')).status).toBe(400)
      await expect(redis.incr(key)).rejects.toThrow(WRONGTYPE)
    })

    it('runs a transaction whole, and discards a malformed one whole', async () => {
      const key = named('transaction')
      expect(await redis.multi().set(key, 1).incr(key).get(key).exec()).toEqual(['OK', 2, 2])
      const post = (body: unknown) => send(server, { path: '/multi-exec', body })
      const failing = await post([
        ['INCR', key],
        ['LPUSH', key, 'x'],
        ['INCR', key],
      ])
      expect(failing).toMatchObject({ status: 200, json: [{ result: 3 }, { error: WRONGTYPE }, { result: 4 }] })
      const discarded = await post([['INCR', key], ['GET']])
      expect(discarded.status).toBe(400)
      expect(discarded.json.error).toContain('wrong number of arguments')
      expect((await command('GET', key)).json).toEqual({ result: '4' })
    })

    it('meets the automatic pipelining of the client: one POST for writes, one for reads', async () => {
      const key = named('auto')
      await setFaults(server, [{ path: '/pipeline', delay_ms: 0 }, { delay_ms: 0 }])
      const written = await Promise.all([redis.set(key, 1), redis.incr(key), redis.incrby(key, 5)])
      expect(written).toEqual(['OK', 2, 7])
      expect(await usesOfFaults(server)).toEqual([1, 0])
      const mixed = await Promise.all([redis.incr(key), redis.ttl(key), redis.exists(key)])
      expect(mixed).toEqual([8, -1, 1])
      expect(await usesOfFaults(server)).toEqual([3, 0])
    })
  })

  describe('commands', () => {
    it('honours every SET option, in either case', async () => {
      const key = named('set')
      const set = async (...options: (string | number)[]) => (await command('SET', key, 'v', ...options)).json
      expect(await set('nx', 'px', 5000)).toEqual({ result: 'OK' })
      expect(await set('NX')).toEqual({ result: null })
      expect((await command('PTTL', key)).json.result).toBeGreaterThan(4000)
      expect(await set('XX', 'GET', 'KEEPTTL')).toEqual({ result: 'v' })
      expect((await command('TTL', key)).json.result).toBe(5)
      expect(await set()).toEqual({ result: 'OK' })
      expect((await command('TTL', key)).json.result).toBe(-1)
      expect(await set('EX', 0)).toEqual({ error: "ERR invalid expire time in 'set' command" })
      expect(await set('EX', 1, 'PX', 1)).toEqual({ error: 'ERR syntax error' })
      expect(await set('EXAT', 1)).toEqual({ result: 'OK' })
      expect((await command('GET', key)).json).toEqual({ result: null })
      expect(await set('XX')).toEqual({ result: null })
      expect(await redis.set(key, 'one', { nx: true, ex: 10 })).toBe('OK')
      expect(await redis.set(key, 'two', { nx: true, get: true })).toBe('one')
      expect(await redis.getdel(key)).toBe('one')
    })

    it('keeps counters exact and within 64 bits', async () => {
      const key = named('counter')
      expect(await redis.incrby(key, 41)).toBe(41)
      expect(await redis.incr(key)).toBe(42)
      expect(await redis.decrby(key, 2)).toBe(40)
      expect(await redis.incrbyfloat(named('float'), 0.1)).toBe(0.1)
      expect(await redis.incrbyfloat(named('float'), 0.2)).toBe(0.3)
      await command('SET', key, '9223372036854775806')
      await command('INCR', key)
      expect((await command('GET', key)).json).toEqual({ result: '9223372036854775807' })
      expect((await command('INCR', key)).json).toEqual({ error: 'ERR increment or decrement would overflow' })
    })

    it('keeps hashes, sets, lists and sorted sets', async () => {
      expect(await redis.hset(named('h'), { a: 1, b: 'zwei' })).toBe(2)
      expect(await redis.hincrby(named('h'), 'a', 4)).toBe(5)
      expect(await redis.hgetall(named('h'))).toEqual({ a: 5, b: 'zwei' })
      expect(await redis.hmget(named('h'), 'b', 'none')).toEqual({ b: 'zwei', none: null })
      expect(await redis.hdel(named('h'), 'a', 'b')).toBe(2)
      expect(await redis.exists(named('h'))).toBe(0)
      expect(await redis.sadd(named('s'), 'x', 'y', 'x')).toBe(2)
      expect(await redis.smismember(named('s'), ['x', 'none'])).toEqual([1, 0])
      expect((await redis.smembers(named('s'))).sort()).toEqual(['x', 'y'])
      expect(await redis.rpush(named('l'), 'b', 'c')).toBe(2)
      expect(await redis.lpush(named('l'), 'a')).toBe(3)
      expect(await redis.lrange(named('l'), 0, -1)).toEqual(['a', 'b', 'c'])
      expect(await redis.lpop(named('l'), 2)).toEqual(['a', 'b'])
      await redis.zadd(named('z'), { score: 2, member: 'b' }, { score: 1, member: 'a' }, { score: 3, member: 'c' })
      expect(await redis.zincrby(named('z'), 5, 'a')).toBe(6)
      expect(await redis.zrange(named('z'), 0, -1, { withScores: true })).toEqual(['b', 2, 'c', 3, 'a', 6])
      expect(await redis.zrange(named('z'), '(2', '+inf', { byScore: true })).toEqual(['c', 'a'])
      expect(await redis.zremrangebyscore(named('z'), 0, 3)).toBe(2)
      expect(await redis.zcard(named('z'))).toBe(1)
      expect(await redis.type(named('z'))).toBe('zset')
    })

    it('scans every key once started, even while keys are deleted', async () => {
      const keys = Array.from({ length: 120 }, (_, i) => named(`scan:${i}`))
      await redis.mset(Object.fromEntries(keys.map((key) => [key, 1])))
      const seen = new Set<string>()
      let cursor = '0'
      do {
        const [next, found] = await redis.scan(cursor, { match: `${prefix}scan:*`, count: 10 })
        for (const key of found) seen.add(key)
        if (found.length > 0) await redis.del(...found)
        cursor = next
      } while (cursor !== '0')
      expect(seen).toEqual(new Set(keys))
      expect(await redis.keys(`${prefix}scan:*`)).toEqual([])
    })
  })

  describe('scripts', () => {
    it.each<[string, unknown]>([
      ['return 3.99', 3],
      ['return {1, 2, nil, 4}', [1, 2]],
      ['return {true, false}', [1, null]],
      ['return nil', null],
      ["return {ok = 'FINE'}", 'FINE'],
      ["return redis.call('GET', KEYS[1]) == false", 1],
      ["return redis.call('SET', KEYS[1], 1700000000123).ok", 'OK'],
      ["return redis.call('INCRBY', KEYS[1], 1000 * 60 * 60 * 24 * 365)", 31_536_000_000],
      ["return 'at:' .. math.floor(1700000000123 / 60000)", 'at:28333333'],
      ["return string.format('%d|%5.2f', 1700000000123, 1.5)", '1700000000123| 1.50'],
      ["return cjson.decode(cjson.encode({a = {1, 'é'}})).a[2]", 'é'],
      ["return #'é'", 2],
    ])('%s', async (script, result) => {
      const key = named(`script:${script}`)
      expect((await command('EVAL', script, 1, key)).json).toEqual({ result })
    })

    it('reports errors of scripts with their line', async () => {
      const key = named('script-error')
      await command('LPUSH', key, 'x')
      const failed = await command('EVAL', "\nreturn redis.call('INCR', KEYS[1])", 1, key)
      expect(failed.json.error).toMatch(new RegExp(`^${WRONGTYPE} script: [0-9a-f]{40}, on @user_script:2\\.$`))
      expect((await command('EVAL', "return redis.error_reply('MY words')", 0)).json).toEqual({ error: 'MY words' })
      expect((await command('EVAL', 'return nonsense', 0)).json.error).toContain(
        "nonexistent global variable 'nonsense'",
      )
      for (const change of [
        'leak = 1',
        'redis.call = nil',
        "rawset(_G, 'leak', 1)",
        'setmetatable(_G, nil)',
        'next = nil',
      ]) {
        expect(await command('EVAL', change, 0)).toMatchObject({ status: 400 })
      }
      expect((await command('EVAL', "return redis.call('EXISTS', KEYS[1])", 1, key)).json).toEqual({ result: 1 })
      expect((await command('EVAL', 'return 1 +', 0)).json.error).toContain('Error compiling script')
      const caught = await command('EVAL', "local e = redis.pcall('INCR', KEYS[1]) return e.err", 1, key)
      expect(caught.json).toEqual({ result: WRONGTYPE })
    })

    it('knows a script by the SHA-1 of its whole text, the shebang line included', async () => {
      const source = `#!lua flags=allow-key-locking\nreturn '${randomUUID()}'`
      const sha = createHash('sha1').update(source).digest('hex')
      const missing = await command('EVALSHA', sha, 0)
      expect(missing).toMatchObject({ status: 400, json: { error: 'NOSCRIPT No matching script. Please use EVAL.' } })
      expect((await command('SCRIPT', 'EXISTS', sha)).json).toEqual({ result: [0] })
      expect((await command('SCRIPT', 'LOAD', source)).json).toEqual({ result: sha })
      expect((await command('SCRIPT', 'EXISTS', sha)).json).toEqual({ result: [1] })
      expect((await command('EVALSHA', sha.toUpperCase(), 0)).json.result).toBe(source.slice(-37, -1))
    })
  })

  describe('rate limits', () => {
    const MINUTE = 60_000
    /** The Date the limiter sees; windows are counted from the epoch. */
    const at = (ms: number): void => {
      vi.useFakeTimers({ toFake: ['Date'], now: ms })
    }
    const start = Math.ceil(Date.now() / MINUTE) * MINUTE
    const limiterOf = (limiter: ReturnType<typeof Ratelimit.fixedWindow>) =>
      new Ratelimit({ redis, limiter, prefix: named(`limit:${randomUUID()}`), ephemeralCache: false })
    const fire = (limiter: Ratelimit, count: number) =>
      Promise.all(Array.from({ length: count }, () => limiter.limit('caller')))
    const remainders = (results: { success: boolean; remaining: number }[]): number[] =>
      results
        .filter(({ success }) => success)
        .map(({ remaining }) => remaining)
        .sort((a, b) => b - a)

    it('fixed window: exactly N of N+k concurrent calls, then a fresh window', async () => {
      at(start + 1000)
      const limiter = limiterOf(Ratelimit.fixedWindow(5, '60 s'))
      const results = await fire(limiter, 12)
      expect(remainders(results)).toEqual([4, 3, 2, 1, 0])
      expect(results.filter(({ success }) => !success)).toHaveLength(7)
      expect(new Set(results.map(({ reset, limit }) => `${reset} ${limit}`))).toEqual(new Set([`${start + MINUTE} 5`]))
      at(start + MINUTE)
      expect(await limiter.limit('caller')).toMatchObject({ success: true, remaining: 4, reset: start + 2 * MINUTE })
    })

    it('sliding window: the previous window counts by its share', async () => {
      at(start + 1000)
      const limiter = limiterOf(Ratelimit.slidingWindow(5, '60 s'))
      expect(remainders(await fire(limiter, 9))).toEqual([4, 3, 2, 1, 0])
      at(start + MINUTE + MINUTE / 2)
      const results = await fire(limiter, 9)
      expect(remainders(results)).toEqual([2, 1, 0])
      expect(new Set(results.map(({ reset }) => reset))).toEqual(new Set([start + 2 * MINUTE]))
      expect(await limiter.getRemaining('caller')).toMatchObject({ remaining: 0, reset: start + 2 * MINUTE })
    })

    it('token bucket: spends tokens, refills them, takes all or nothing', async () => {
      at(start)
      const limiter = limiterOf(Ratelimit.tokenBucket(2, '10 s', 5))
      const results = await fire(limiter, 9)
      expect(remainders(results)).toEqual([4, 3, 2, 1, 0])
      expect(results.map(({ reset }) => reset)).toEqual(results.map(() => start + 10_000))
      at(start + 10_000)
      expect(await limiter.limit('caller', { rate: 3 })).toMatchObject({ success: false, limit: 5 })
      expect(remainders(await fire(limiter, 4))).toEqual([1, 0])
    })

    it('resets what a caller used', async () => {
      at(start)
      const limiter = limiterOf(Ratelimit.fixedWindow(3, '60 s'))
      expect(remainders(await fire(limiter, 4))).toEqual([2, 1, 0])
      await limiter.resetUsedTokens('caller')
      expect(await limiter.limit('caller')).toMatchObject({ success: true, remaining: 2 })
    })
  })
})

describe('fault injection', () => {
  const start = async () => {
    const server = await serve(createMemoryStore())
    return { server, redis: clientOf(server) }
  }

  it('answers the given status without doing the work, as often as told', async () => {
    const { server, redis } = await start()
    await setFaults(server, [{ status: 500, times: 2 }])
    await expect(redis.incr('n')).rejects.toThrow('injected fault')
    expect((await send(server, { body: ['INCR', 'n'] })).status).toBe(500)
    expect(await redis.incr('n')).toBe(1)
    await setFaults(server, [{ body: 'INCR', status: 502, answer: '<html>', times: 1 }])
    expect(await redis.ping()).toBe('PONG')
    await expect(redis.exec(['INCR', 'n'])).rejects.toThrow('<html>')
  })

  it('delays every answer by exactly delay_ms from arrival, the work included', async () => {
    const slow: RedisBackend = {
      run: () => sleep(100, { status: 'OK' }),
      multi: async () => [],
      close: async () => undefined,
    }
    const server = await serve(slow)
    await send(server, { body: ['PING'] })
    await setFaults(server, [{ delay_ms: 160 }])
    const took = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const sentAt = performance.now()
        await send(server, { body: ['PING'] })
        return performance.now() - sentAt
      }),
    )
    expect(Math.min(...took)).toBeGreaterThanOrEqual(160)
    expect(Math.max(...took)).toBeLessThan(240)
  })

  it('drops the connection before or after the work, or repeats the work', async () => {
    const { server, redis } = await start()
    await setFaults(server, [{ drop: 'before', times: 1 }])
    await expect(redis.incr('n')).rejects.toThrow('fetch failed')
    expect(await redis.get('n')).toBeNull()
    await setFaults(server, [{ drop: 'after', times: 1 }])
    await expect(redis.incr('n')).rejects.toThrow('fetch failed')
    expect(await redis.get('n')).toBe(1)
    await setFaults(server, [{ repeat: 3, times: 1 }])
    expect(await redis.incr('n')).toBe(4)
  })

  it('survives a control request that is no rule', async () => {
    const { server, redis } = await start()
    expect((await send(server, { path: '/_faults', body: 'nonsense', token: '' })).status).toBe(400)
    expect(await redis.ping()).toBe('PONG')
  })

  it('answers 500 when the store cannot be reached', async () => {
    const server = await serve(createRedisStore('redis://127.0.0.1:1'))
    const answer = await send(server, { body: ['PING'] })
    expect(answer.status).toBe(500)
    expect(answer.json.error).toContain('Redis connection lost')
  })
})

describe('memory store', () => {
  it('expires keys by its clock', async () => {
    let now = 1_000_000
    const store = createMemoryStore({ now: () => now })
    await store.run(['SET', 'k', 'v', 'PX', 1500])
    await store.run(['HSET', 'h', 'f', 'v'])
    expect(await store.run(['EXPIRE', 'h', 2])).toBe(1)
    expect(await store.run(['TTL', 'k'])).toBe(2)
    now += 1499
    expect(await store.run(['PTTL', 'k'])).toBe(1)
    now += 1
    expect(await store.run(['GET', 'k'])).toBeNull()
    expect(await store.run(['SET', 'k', 'again', 'NX'])).toEqual({ status: 'OK' })
    now += 500
    expect(await store.run(['KEYS', '*'])).toEqual(['k'])
    expect(await store.run(['TIME'])).toEqual(['1002', '0'])
    await store.close()
  })

  it('finds its state again in the directory it was given', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'galley-redis-'))
    onTestFinished(() => rm(dir, { recursive: true }))
    let now = 1_000_000
    const first = createMemoryStore({ dir, now: () => now })
    const dump = [
      ['GET', 's'],
      ['HGETALL', 'h'],
      ['SMEMBERS', 'set'],
      ['ZRANGE', 'z', 0, -1, 'WITHSCORES'],
      ['LRANGE', 'l', 0, -1],
      ['PTTL', 's'],
      ['EXISTS', 'gone'],
    ]
    await first.run(['SET', 's', '\xff\x00é', 'PX', 5000])
    await first.run(['HSET', 'h', 'a', '1', 'b', '2'])
    await first.run(['SADD', 'set', 'x', 'y'])
    await first.run(['ZADD', 'z', 1.5, 'm', 'inf', 'n'])
    await first.run(['RPUSH', 'l', 'a', 'b'])
    await first.run(['SET', 'gone', 'v', 'PX', 10])
    await first.close()
    now += 1000
    const second = createMemoryStore({ dir, now: () => now })
    expect(await Promise.all(dump.map(second.run))).toEqual([
      '\xff\x00é',
      ['a', '1', 'b', '2'],
      ['x', 'y'],
      ['m', '1.5', 'n', 'inf'],
      ['a', 'b'],
      4000,
      0,
    ])
    await second.run(['FLUSHALL'])
    await second.close()
    const third = createMemoryStore({ dir, now: () => now })
    expect(await third.run(['DBSIZE'])).toBe(0)
    await third.close()
  })

  it('closes with connections open, and frees its port', async () => {
    const server = await startRedis({ token: TOKEN, store: createMemoryStore() })
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

describe('RESP client', () => {
  const WIRE = '+OK\r\n-ERR no\r\n:-7\r\n$5\r\n\xe9\r\n\x00z\r\n$-1\r\n*3\r\n$0\r\n\r\n*1\r\n:1\r\n*-1\r\n'
  const REPLIES = [{ status: 'OK' }, { error: 'ERR no' }, -7, '\xe9\r\n\x00z', null, ['', [1], null]]

  it('parses replies however they are cut', () => {
    const bytes = Buffer.from(WIRE, 'latin1')
    for (let size = 1; size <= bytes.length; size += 1) {
      const parse = createReplyParser()
      const replies = []
      for (let i = 0; i < bytes.length; i += size) replies.push(...parse(bytes.subarray(i, i + size)))
      expect(replies).toEqual(REPLIES)
    }
  })

  it('encodes byte strings by their length in bytes', () => {
    expect(encodeCommand(['SET', '\xc3\xa9', 12])).toBe('*3\r\n$3\r\nSET\r\n$2\r\n\xc3\xa9\r\n$2\r\n12\r\n')
  })

  it('writes the commands of one tick at once, rejects them when the connection is lost, and connects again', async () => {
    const received: string[] = []
    const fake = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (chunk) => {
        const text = chunk.toString('latin1')
        received.push(text)
        if (text.includes('DIE')) socket.destroy()
        else socket.write('+OK\r\n'.repeat(text.split('*').length - 1))
      })
    })
    await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void fake.close())
    const store = createRedisStore(`redis://:secret@127.0.0.1:${(fake.address() as AddressInfo).port}/2`)
    await store.run(['FIRST'])
    const opening = [['AUTH', 'secret'], ['SELECT', '2'], ['FIRST']]
    expect(received).toEqual([opening.map(encodeCommand).join('')])
    await Promise.all(Array.from({ length: 100 }, () => store.run(['BATCHED'])))
    expect(received).toHaveLength(2)
    const lost = await Promise.allSettled([store.run(['DIE']), store.run(['AFTER'])])
    expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await store.run(['AGAIN'])).toEqual({ status: 'OK' })
    expect(received.at(-1)).toContain('AGAIN')
    await store.close()
    await expect(store.run(['LATE'])).rejects.toThrow('closed')
  })
})
