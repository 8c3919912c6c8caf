import { Ratelimit } from '@upstash/ratelimit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCounter, packedWindow } from '../../../src/platform/http/windows.ts'
import { createRedis } from '../../../src/platform/runtime/redis.ts'

/** A minute that begins a hash, and so a field of five minutes: 30 of them share a hash. */
const START = 30 * 960_000
const MINUTE = 60_000

type Command = [name: string, key: string, ...rest: unknown[]]

let hashes: Map<string, Map<string, number>>
let sent: Command[]
let answer: ((command: Command) => unknown) | undefined
let now: number

const perform = (command: Command): unknown => {
  const [given, key, field, more] = command
  const name = given.toUpperCase()
  if (answer) return answer(command)
  if (name === 'EXPIRE') return 1
  const hash = hashes.get(key) ?? new Map<string, number>()
  hashes.set(key, hash)
  // Upstash answers a stored value as text.
  if (name === 'HGET') return hash.get(String(field))?.toString() ?? null
  hash.set(String(field), (hash.get(String(field)) ?? 0) + Number(more))
  return hash.get(String(field))
}

beforeEach(() => {
  hashes = new Map()
  sent = []
  answer = undefined
  now = START * MINUTE
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const body = JSON.parse(String(init.body)) as Command | Command[]
    expect(new Headers(init.headers).get('authorization')).toBe('Bearer token')
    const commands = (url === 'https://redis.example/pipeline' ? body : [body]) as Command[]
    sent.push(...commands)
    const answers = commands.map((command) => ({ result: perform(command) }))
    return Response.json(url.endsWith('/pipeline') ? answers : answers[0])
  })
})

afterEach(() => vi.unstubAllGlobals())

/** Returns the window as one isolate has it, with a memory of its own. */
const isolate = (limit: number) => {
  const limiter = new Ratelimit({
    redis: createRedis('https://redis.example', 'token', 1_000),
    limiter: packedWindow(createCounter(), limit, () => new Date(now)),
    prefix: 'p',
    ephemeralCache: false,
    enableTelemetry: false,
  })
  return {
    call: async (id = 'a') => {
      const { pending, ...verdict } = await limiter.limit(id)
      await pending
      return verdict
    },
    left: (id = 'a') => limiter.getRemaining(id),
    empty: (id = 'a') => limiter.resetUsedTokens(id),
  }
}

const times = async <T>(count: number, call: () => Promise<T>): Promise<T[]> => {
  const all: T[] = []
  for (let n = 0; n < count; n += 1) all.push(await call())
  return all
}

describe('a caller', () => {
  it('has its calls per minute with the remaining number, and is refused beyond them until the minute ends', async () => {
    const { call } = isolate(3)
    now += 20_000
    const reset = (START + 1) * MINUTE
    expect(await times(4, () => call())).toEqual([
      { success: true, limit: 3, remaining: 2, reset },
      { success: true, limit: 3, remaining: 1, reset },
      { success: true, limit: 3, remaining: 0, reset },
      { success: false, limit: 3, remaining: 0, reset },
    ])
  })

  it('who keeps calling is admitted as soon as one who waits, because refused calls are not counted', async () => {
    const { call } = isolate(4)
    await times(40, () => call())
    now += MINUTE + 30_000
    // Half of the four of the minute before still counts.
    expect(await times(3, async () => (await call()).success)).toEqual([true, true, false])
  })

  it('shares the counts of other isolates, and not those of other callers', async () => {
    const [one, other] = [isolate(2), isolate(2)]
    expect((await one.call()).remaining).toBe(1)
    expect((await other.call()).remaining).toBe(0)
    expect((await one.call()).success).toBe(false)
    expect((await one.call('b')).remaining).toBe(1)
  })

  it('can be read without counting, and reset', async () => {
    const { call, left, empty } = isolate(5)
    await times(2, () => call())
    expect(await times(2, () => left())).toEqual(
      Array.from({ length: 2 }, () => ({ remaining: 3, limit: 5, reset: (START + 1) * MINUTE })),
    )
    await empty()
    expect((await left()).remaining).toBe(5)
  })

  it('is refused even if subtracting the refused call fails', async () => {
    const { call } = isolate(1)
    await call()
    answer = ([, , , more]) => {
      if (Number(more) < 0) throw new Error('away')
      return 2
    }
    expect((await call()).success).toBe(false)
  })
})

describe('the minute before', () => {
  /** Within a field of five minutes, at the first of one, and at the first of a hash. */
  it.each([0, 1, 3, 4, 9, 29, 30])(
    'counts for the share the last 60 s reach into it, %i minutes on',
    async (minutes) => {
      now += minutes * MINUTE
      const { call, left } = isolate(100)
      await times(40, () => call())
      now += MINUTE
      expect((await left()).remaining).toBe(60)
      now += 15_000
      expect((await left()).remaining).toBe(70)
      now += 15_001
      expect((await left()).remaining).toBe(81)
      expect((await call()).remaining).toBe(80)
      now += 29_999
      expect((await left()).remaining).toBe(99)
      now += MINUTE
      expect((await left()).remaining).toBe(100)
    },
  )

  it('is read once by each isolate', async () => {
    now += 4 * MINUTE
    await times(3, () => isolate(10).call())
    now += MINUTE
    const later = isolate(10)
    await times(3, () => later.call())
    expect((await later.left()).remaining).toBe(4)
    expect(sent.filter(([name]) => name === 'hget')).toHaveLength(1)
    await later.call('b')
    expect(sent.filter(([name]) => name === 'hget')).toHaveLength(2)
  })
})

describe('Redis', () => {
  it('takes one command per call, and expires after 35 minutes', async () => {
    const { call } = isolate(10)
    now += MINUTE
    await times(3, () => call())
    expect(sent.map(([name]) => name)).toEqual(['hincrby', 'expire', 'hincrby', 'hincrby'])
    expect(sent[1]).toEqual(['expire', sent[0]?.[1], 2_100])
    now += 29 * MINUTE
    await call()
    const [, key] = sent.at(-1) ?? []
    expect(sent.at(-1)).toEqual(['expire', key, 2_100])
    expect(key).not.toBe(sent[0]?.[1])
  })

  it('keeps the counts of five minutes in a number that JSON carries exactly', async () => {
    const { call } = isolate(1_000)
    for (let minute = 0; minute < 5; minute += 1) {
      await times(3, () => call())
      now += MINUTE
    }
    const [[field, count] = []] = [...(hashes.values().next().value ?? [])]
    expect(field).toBe(`${START / 5}:p:a`)
    expect(count).toBe(3 + 3 * 2 ** 10 + 3 * 2 ** 20 + 3 * 2 ** 30 + 3 * 2 ** 40)
  })

  it('that answers with no count, or with an error, is no count of zero', async () => {
    const { call } = isolate(10)
    for (const wrong of ['12', null, 2 ** 60, {}]) {
      answer = () => wrong
      await expect(call()).rejects.toThrow(/which is no count/)
    }
  })
})
