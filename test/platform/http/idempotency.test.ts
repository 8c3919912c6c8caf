import { describe, expect, it } from 'vitest'
import {
  fingerprintOf,
  judgeOrWait,
  judgeRecord,
  keptUntil,
  parseIdempotencyKey,
} from '../../../src/platform/http/idempotency.ts'
import type { ApiError } from '../../../src/platform/lib/errors.ts'

const errorOf = (work: () => unknown): ApiError => {
  try {
    work()
  } catch (error) {
    return error as ApiError
  }
  throw new Error('nothing was thrown')
}

const print = (value: unknown, more: { method?: string; path?: string; text?: string } = {}) =>
  fingerprintOf(more.method ?? 'POST', more.path ?? '/articles', { text: more.text ?? JSON.stringify(value), value })

describe('a request is known again', () => {
  it('by its values, in whatever order and however they are written', async () => {
    const first = await print({ b: 1, a: { d: [1, { y: 2, x: 1 }], c: null } })
    expect(await print({ a: { c: null, d: [1, { x: 1, y: 2 }] }, b: 1 })).toBe(first)
    expect(await print({ b: 1, a: { d: [1, { y: 2, x: 1 }], c: null } }, { text: ' {\n}' })).toBe(first)
    expect(first).toMatch(/^[0-9a-f]{64}$/)
  })

  it('by the query it asks with, in whatever order', async () => {
    const asked = (query: Record<string, string>) => fingerprintOf('POST', '/scan', { text: '' }, query)
    expect(await asked({ a: '1', b: '2' })).toBe(await asked({ b: '2', a: '1' }))
    expect(await asked({})).toBe(await fingerprintOf('POST', '/scan', { text: '' }))
  })

  it('as another by any difference of value, method, path or query', async () => {
    const prints = await Promise.all([
      print({ a: [1, 2] }),
      print({ a: [2, 1] }),
      print({ a: { 0: 1, 1: 2 } }),
      print({ a: ['1', 2] }),
      print({ a: null }),
      print({}),
      print([]),
      print(null),
      print({ a: [1, 2] }, { method: 'PUT' }),
      print({ a: [1, 2] }, { path: '/projects' }),
      fingerprintOf('POST', '/articles', { text: '' }),
      fingerprintOf('POST', '/articles', { text: 'not JSON' }),
      fingerprintOf('POST', '/articles', { text: '' }, { a: '1' }),
      fingerprintOf('POST', '/articles', { text: '' }, { a: '1', b: '2' }),
    ])
    expect(new Set(prints).size).toBe(prints.length)
  })

  it('by its text if it is nested too deeply', async () => {
    let deep: unknown = 1
    for (let n = 0; n < 100_000; n += 1) deep = [deep]
    const one = await fingerprintOf('POST', '/articles', { text: '[[1]]', value: deep })
    expect(await fingerprintOf('POST', '/articles', { text: '[[1]]', value: deep })).toBe(one)
    expect(await fingerprintOf('POST', '/articles', { text: '[[2]]', value: deep })).not.toBe(one)
  })
})

describe('a malformed Idempotency-Key', () => {
  it.each(['', 'x'.repeat(256), 'a\u0007', 'aé', 'é a'])('%j is refused, and the header named', (header) => {
    const error = errorOf(() => parseIdempotencyKey(header))
    expect(error.code).toBe('invalid_input')
    expect(error.message).toBe('Idempotency-Key: must be 1 to 255 printable ASCII characters.')
    expect(error.extras.details).toEqual([
      { field: 'Idempotency-Key', message: 'must be 1 to 255 printable ASCII characters' },
    ])
  })

  it.each([
    ['"a b"', 'a b'],
    ['"\\\\"', '\\'],
    ['"a\\x"', '"a\\x"'],
    [' "a" ', 'a'],
    ['a"b"', 'a"b"'],
    ['"a"b', '"a"b'],
    ['"\\""', '"'],
  ])('%j is the key %j', (header, key) => expect(parseIdempotencyKey(header)).toBe(key))
})

describe('an answer', () => {
  const now = new Date('2027-01-01T00:00:00Z')
  const later = new Date('2027-01-01T00:00:01Z')
  const given = { key: 'k', operation: 'o', fingerprint: 'f' }
  const none = {
    accountId: 7,
    fingerprint: 'f',
    status: null,
    body: null,
    etag: null,
    leaseUntil: null,
    expiresAt: later,
  }

  it('is kept for a day', () => {
    expect(keptUntil(now).toISOString()).toBe('2027-01-02T00:00:00.000Z')
  })

  it('without status, body or lease has no effect', () => {
    expect(judgeRecord(none, given, now)).toBe('stale')
    expect(judgeRecord({ ...none, status: 201 }, given, now)).toBe('stale')
    expect(judgeRecord({ ...none, body: '{}' }, given, now)).toBe('stale')
    expect(judgeRecord({ ...none, leaseUntil: now }, given, now)).toBe('stale')
  })

  it('is awaited for at most ten seconds', async () => {
    const running = { ...none, leaseUntil: later }
    const db = { select: () => ({ from: () => ({ where: async () => [running] }) }) } as never
    let waited = 0
    const wait = async (ms: number) => {
      waited += ms
    }
    await expect(judgeOrWait({ db, now: () => now, wait }, 7, given)).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    })
    expect(waited).toBe(10_000)
  })

  it('that is awaited, or belongs to another body, says what to do', () => {
    const awaited = errorOf(() => judgeRecord({ ...none, leaseUntil: later }, given, now))
    expect(awaited.extras.retry_after).toBe(2)
    expect(awaited.message).toMatch(/still running. Repeat it shortly/)
    const other = errorOf(() => judgeRecord({ ...none, status: 201, body: '{}', fingerprint: 'g' }, given, now))
    expect(other.message).toMatch(/already used for another request: another body, path or query. Use a new key/)
  })
})
