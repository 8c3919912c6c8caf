import { crc32 as zlibCrc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isApiKey, isTestKey, mintApiKey, presentedKey } from '../../../src/platform/accounts/api-key.ts'
import { MAX_JSON_BYTES, readBody } from '../../../src/platform/http/body.ts'
import { judgeRecord, parseIdempotencyKey, Replay } from '../../../src/platform/http/idempotency.ts'
import { crc32 } from '../../../src/platform/lib/bytes.ts'
import { base64 } from '../../../src/platform/lib/crypto.ts'
import { ApiError } from '../../../src/platform/lib/errors.ts'
import { requestIdOf } from '../../../src/platform/lib/request-scope.ts'
import { parseQueueSettings, parseSettings } from '../../../src/platform/runtime/env.ts'

const mint = (kind: 'live' | 'test' = 'live') => mintApiKey(kind, (bytes) => crypto.getRandomValues(bytes))

describe('API keys', () => {
  it('have the form of the contract and a checksum as zlib counts it', () => {
    expect(mint('live')).toMatch(/^gly_live_[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/)
    expect(mint('test')).toMatch(/^gly_test_/)
    expect(crc32('123456789')).toBe(0xcbf43926)
    fc.assert(fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => crc32(text) === zlibCrc32(text)))
  })

  it('made before stay valid: their arithmetic never changes (CRC-32 of zlib, base62, computed elsewhere)', () => {
    for (const key of [
      'gly_live_000000000000000000000000000000000h4A4K',
      'gly_test_0123456789ABCDEFGHIJKLMNOPQRSTUV1vjmni',
      'gly_live_zyxwvutsrqponmlkjihgfedcbaZYXWVU484WG9',
      'gly_test_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz3aXLVj',
    ]) {
      expect(isApiKey(key), key).toBe(true)
      const body = key.slice(9, 41)
      const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
      const kind = key.startsWith('gly_live_') ? 'live' : 'test'
      const made = mintApiKey(kind, (into) => into.map((_, n) => alphabet.indexOf(body[n % 32] ?? '')))
      expect(made).toBe(key)
    }
  })

  it('are refused after any single change, and any swap of neighbours', () => {
    const key = mint()
    expect(isApiKey(key)).toBe(true)
    for (let at = 9; at < key.length; at += 1) {
      const other = key[at] === 'A' ? 'B' : 'A'
      expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1)), `changed at ${at}`).toBe(false)
      const swapped = key.slice(0, at - 1) + key[at] + key[at - 1] + key.slice(at + 1)
      if (swapped !== key) expect(isApiKey(swapped), `swapped at ${at}`).toBe(false)
    }
    for (const wrong of [
      '',
      key.slice(0, -1),
      `${key}0`,
      key.replace('live', 'test'),
      key.replace('live', 'LIVE'),
      ` ${key}`,
    ])
      expect(isApiKey(wrong)).toBe(false)
  })

  it('are of one shape, whatever check digits say', () => {
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    const checked = (stem: string): string => {
      let [digits, rest] = ['', zlibCrc32(stem)]
      for (; digits.length < 6; rest = Math.floor(rest / 62)) digits = `${alphabet[rest % 62]}${digits}`
      return stem + digits
    }
    const stem = `gly_live_${'k'.repeat(32)}`
    expect(isApiKey(checked(stem))).toBe(true)
    for (const other of [
      `x${stem}`,
      `${stem}k`,
      stem.slice(0, -1),
      stem.replace('live', 'demo'),
      stem.replace('k', '-'),
    ])
      expect(isApiKey(checked(other)), other).toBe(false)
  })

  it('show if they are test keys', () => {
    expect([isTestKey(mint('test')), isTestKey(mint('live'))]).toEqual([true, false])
  })

  it('draw each character alike: bytes that would favour some are passed over', () => {
    const bytes = [255, 254, 253, 252, 251, 250, 249, 248, 247, 0]
    const key = mintApiKey(
      'live',
      (into) => into.map((_, i) => bytes[i % bytes.length] ?? 0) as Uint8Array<ArrayBuffer>,
    )
    expect(key.slice(9, 41)).toBe('z0'.repeat(16))
  })

  it('are read from the header after Bearer, in any case', () => {
    const key = mint()
    for (const header of [`Bearer ${key}`, `bearer   ${key}`, ` BEARER ${key} `]) expect(presentedKey(header)).toBe(key)
    for (const header of [
      undefined,
      '',
      key,
      `Basic ${key}`,
      `Bearer${key}`,
      `Bearer ${key} x`,
      `Bearer ${key}, Bearer ${key}`,
    ])
      expect(presentedKey(header)).toBeUndefined()
  })
})

describe('request ids', () => {
  it.each(['abcdefgh', 'A-b_1234', 'x'.repeat(64)])('%s is kept', (id) => expect(requestIdOf(id, () => 'new')).toBe(id))
  it.each([undefined, null, '', 'short', 'x'.repeat(65), 'has blanks', 'a;b;c;d;e', 'line\nbreak'])(
    '%j is replaced',
    (id) => expect(requestIdOf(id, () => 'new')).toBe('new'),
  )
})

describe('the Idempotency-Key header', () => {
  it.each([
    ['abc', 'abc'],
    ['  abc ', 'abc'],
    ['"abc"', 'abc'],
    ['"a \\"b\\" \\\\c"', 'a "b" \\c'],
    ['"unfinished', '"unfinished'],
    ['"a"b"', '"a"b"'],
    ['~'.repeat(255), '~'.repeat(255)],
  ])('%j is the key %j', (header, key) => expect(parseIdempotencyKey(header)).toBe(key))

  it.each(['', '   ', '""', 'x'.repeat(256), 'é', 'a\u0000b', 'a\tb'])('%j is not valid', (header) =>
    expect(() => parseIdempotencyKey(header)).toThrow(ApiError),
  )
})

describe('a stored answer', () => {
  const now = new Date('2027-01-01T00:00:00Z')
  const at = (ms: number) => new Date(now.getTime() + ms)
  const given = { key: 'k', operation: 'o', fingerprint: 'f' }
  const running = {
    accountId: 7,
    fingerprint: 'f',
    status: null,
    body: null,
    etag: null,
    leaseUntil: at(1),
    expiresAt: at(1_000),
  }
  const done = { ...running, status: 201, body: '{}', etag: '"1-a"', leaseUntil: null }

  it('that is unknown, has expired, or whose first call crashed lets the request continue', () => {
    expect(judgeRecord(undefined, given, now)).toBe('fresh')
    expect(judgeRecord({ ...done, expiresAt: now }, given, now)).toBe('stale')
    expect(judgeRecord({ ...done, fingerprint: 'other', expiresAt: now }, given, now)).toBe('stale')
    expect(judgeRecord({ ...running, leaseUntil: now }, given, now)).toBe('stale')
  })

  const thrown = (work: () => unknown): unknown => {
    try {
      work()
    } catch (error) {
      return error
    }
    throw new Error('nothing was thrown')
  }

  it('is replayed, refused for another body, or waited for', () => {
    expect(thrown(() => judgeRecord(done, given, now))).toMatchObject({
      name: 'Replay',
      status: 201,
      body: '{}',
      etag: '"1-a"',
      accountId: 7,
    })
    expect(thrown(() => judgeRecord(done, given, now))).toBeInstanceOf(Replay)
    for (const record of [done, running])
      expect(thrown(() => judgeRecord({ ...record, fingerprint: 'g' }, given, now))).toMatchObject({
        code: 'idempotency_key_reused',
      })
    expect(thrown(() => judgeRecord(running, given, now))).toMatchObject({ code: 'idempotency_in_progress' })
  })
})

describe('reading a body', () => {
  const request = (
    body: string | Uint8Array<ArrayBuffer> | ReadableStream,
    type = 'application/json',
    headers: Record<string, string> = {},
  ) =>
    new Request('https://x.example', {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'content-type': type, ...headers },
    })
  const chunked = (...chunks: Uint8Array<ArrayBuffer>[]) =>
    new ReadableStream({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      },
    })

  const readJson = (request: Request) =>
    readBody(request).then(
      (body) => body.parsed(),
      (failure: ApiError) => ({ text: '', value: undefined, failure }),
    )

  it('accepts JSON, also split inside a character, and an empty body', async () => {
    const bytes = new TextEncoder().encode('{"a":"é🦊"}')
    const cut = Array.from(bytes, (byte) => Uint8Array.of(byte))
    expect(await readJson(request(chunked(...cut)))).toEqual({ text: '{"a":"é🦊"}', value: { a: 'é🦊' } })
    for (const empty of ['', ' \n']) expect((await readJson(request(empty, 'text/plain'))).failure).toBeUndefined()
  })

  it('takes exactly a mebibyte and not a byte more, announced or not', async () => {
    const fill = (length: number) => new TextEncoder().encode(`"${'x'.repeat(length - 2)}"`)
    expect((await readJson(request(fill(MAX_JSON_BYTES)))).failure).toBeUndefined()
    expect((await readJson(request(chunked(fill(MAX_JSON_BYTES))))).failure).toBeUndefined()
    const tooMuch = [request(fill(MAX_JSON_BYTES + 1)), request(chunked(fill(MAX_JSON_BYTES), Uint8Array.of(32)))]
    const announced = request('{}', 'application/json', { 'content-length': String(MAX_JSON_BYTES + 1) })
    for (const each of [...tooMuch, announced]) expect((await readJson(each)).failure?.code).toBe('body_too_large')
  })

  it.each([
    ['text/plain', 'unsupported_media_type'],
    ['application/jsonx', 'unsupported_media_type'],
    ['multipart/form-data; boundary=x', 'unsupported_media_type'],
    ['application/json;charset=utf-8', undefined],
    ['application/problem+json', undefined],
  ])('judges the type %s: %s', async (type, code) =>
    expect((await readJson(request('{}', type))).failure?.code).toBe(code),
  )

  it('refuses invalid UTF-8 and JSON, with the place', async () => {
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0x22, 0xc3],
      [0xff, 0xfe, 0x22, 0],
    ])
      expect((await readJson(request(chunked(Uint8Array.from(bytes))))).failure?.code).toBe('invalid_json')
    for (const [text, place] of [
      ['{"a": }', 'position 6'],
      ['nonsense', 'position 0'],
      ['[1', 'end of JSON|position 2'],
    ] as const)
      expect((await readJson(request(text))).failure?.message).toMatch(new RegExp(place))
  })
})

describe('the environment', () => {
  const WORKER = { name: 'publishing', seals: true }
  const env = {
    DATABASE_URL: 'postgresql://a@b/c',
    UPSTASH_REDIS_REST_URL: 'https://redis.example',
    UPSTASH_REDIS_REST_TOKEN: 'secret-token',
    PUBLIC_URL: 'https://api.example//',
    SECRETS_KEYS: `k1:${base64(new Uint8Array(32))}`,
  }

  it('is read with its defaults', () => {
    expect(parseSettings(env, WORKER)).toMatchObject({
      publicUrl: 'https://api.example',
      serviceName: 'Galley',
      allowPrivateHosts: false,
      retryTimeScale: 1,
      logOneReadIn: 20,
      databaseWaitMs: 10_000,
      limiterWaitMs: 300,
      accountRateFactor: 3,
      stepHookUrl: '',
    })
    for (const value of ['1', 'yes', 'TRUE', ''])
      expect(parseSettings({ ...env, ALLOW_PRIVATE_HOSTS: value }, WORKER).allowPrivateHosts).toBe(false)
    expect(parseSettings({ ...env, ALLOW_PRIVATE_HOSTS: 'true' }, WORKER).allowPrivateHosts).toBe(true)
  })

  it.each([
    ['DATABASE_URL', ''],
    ['UPSTASH_REDIS_REST_TOKEN', undefined],
    ['PUBLIC_URL', 'nonsense'],
    ['SERVICE_NAME', 'two words'],
    ['RETRY_TIME_SCALE', '0'],
    ['RETRY_TIME_SCALE', 'fast'],
  ])('names %s when it is %j, and no value', (name, value) => {
    expect(() => parseSettings({ ...env, [name]: value }, WORKER)).toThrow(name)
    expect(() => parseSettings({ ...env, [name]: value }, WORKER)).not.toThrow(/secret-token|postgresql/)
  })

  it('of the queue is needed whole', () => {
    const queue = { QSTASH_URL: 'u', QSTASH_TOKEN: 't', QSTASH_CURRENT_SIGNING_KEY: 'c', QSTASH_NEXT_SIGNING_KEY: 'n' }
    expect(parseQueueSettings({ ...queue, other: 1 })).toEqual(queue)
    for (const name of Object.keys(queue)) expect(() => parseQueueSettings({ ...queue, [name]: '' })).toThrow(name)
  })
})
