import { describe, expect, it } from 'vitest'
import { type CmsCall, callCms } from '../../src/providers/cms/http.ts'

const now = new Date('2026-11-26T10:00:00Z')

type Answer = {
  status: number
  body: unknown
  headers?: Record<string, string>
  truncated?: boolean
  incomplete?: boolean
}

/** Makes one call that gets this answer. */
const told = async (
  { status, body, headers, truncated = false, incomplete = false }: Answer,
  more: Partial<CmsCall> = {},
  isProbe = false,
) =>
  await callCms(
    {
      outbound: async () => ({
        kind: 'answered',
        status,
        headers: new Headers(headers),
        body: typeof body === 'string' ? body : JSON.stringify(body),
        bytes: new Uint8Array(0),
        truncated,
        incomplete,
      }),
      now: () => now,
      sleep: async () => {},
      serviceName: 'Galley',
      publicUrl: '',
      watch: { isProbe, hasWritten: false, hasChanged: false, printed: new Set() },
    },
    { name: 'The blog', method: 'GET', url: 'https://blog.example/api', writes: false, ...more },
  )
const write = { method: 'POST', writes: true } as const
const away = { kind: 'refused', code: 'unavailable', retryable: true }

describe('a site that is away', () => {
  it.each<[string, Answer, object]>([
    [
      'Ghost while it starts',
      {
        status: 503,
        headers: { 'retry-after': '30' },
        body: { errors: [{ message: 'Site is starting up, please wait then try again.', context: null, code: null }] },
      },
      { reason: 'The blog answered HTTP 503 (Site is starting up, please wait then try again.).', retryAfterS: 30 },
    ],
    [
      'WordPress during an update',
      {
        status: 503,
        headers: { 'retry-after': '600' },
        body: {
          code: 'wp_die',
          message: '<p>Briefly unavailable for scheduled maintenance.</p>',
          data: { status: 503 },
        },
      },
      { reason: 'The blog answered HTTP 503 (Briefly unavailable for scheduled maintenance.).', retryAfterS: 600 },
    ],
    [
      'a page with 503',
      { status: 503, headers: { 'retry-after': '120' }, body: '<title>Back soon</title><p>We will be back soon.</p>' },
      { reason: expect.stringContaining('We will be back soon'), retryAfterS: 120 },
    ],
    [
      'a page of maintenance with 200',
      { status: 200, body: '<h1>Wartungsarbeiten</h1><p>Wir sind gleich zurück.</p>' },
      { reason: expect.stringContaining('Wartungsarbeiten'), httpStatus: 200 },
    ],
  ])('is tried again for: %s', async (_, answer, expected) => {
    expect(await told(answer)).toMatchObject({ ...away, ...expected })
    expect(await told(answer, write)).toMatchObject({ kind: 'unknown', httpStatus: answer.status })
  })

  it.each([200, 202, 404, 410, 415])('shows a page with the status %i, whatever it says', async (status) => {
    expect(await told({ status, body: '<h1>My shop</h1>' })).toMatchObject({ ...away, isPage: true })
  })

  it('may turn out to be no API only if its address is new', async () => {
    const page = { status: 200, body: '<h1>My shop</h1>' }
    expect(await told(page, {}, true)).toMatchObject({ code: 'unexpected_answer', retryable: false })
    expect(await told({ ...page, status: 404 }, {}, true)).toMatchObject({ code: 'site_not_found', retryable: false })
  })
})

describe('a read that a cache answered', () => {
  const CACHED: Record<string, string>[] = [
    { age: '1' },
    { age: '86400', 'x-cache': 'MISS' },
    { 'x-cache': 'HIT' },
    { 'x-cache': 'MISS, HIT' },
    { 'x-cache': 'TCP_HIT from proxy' },
    { 'cf-cache-status': 'HIT' },
    { 'cf-cache-status': 'STALE' },
    { 'x-litespeed-cache': 'hit' },
    { 'x-proxy-cache': 'UPDATING' },
    { 'cache-status': 'Edge; hit' },
  ]
  it.each(CACHED)('proves nothing and is tried again: %j', async (headers) => {
    const failure = { kind: 'refused', code: 'cached', retryable: true, reason: expect.stringContaining('cache') }
    expect(await told({ status: 200, body: {}, headers })).toMatchObject(failure)
    expect(await told({ status: 404, body: { code: 'none' }, headers })).toMatchObject(failure)
    expect(await told({ status: 200, body: {}, headers }, write)).toMatchObject({ kind: 'answered' })
    expect(await told({ status: 200, body: {}, headers }, { mayBeOld: true })).toMatchObject({ kind: 'answered' })
  })

  const ASKED: Record<string, string>[] = [
    {},
    { age: '0' },
    { 'x-cache': 'Miss from cloudfront' },
    { 'x-cache': 'RefreshHit from cloudfront' },
    { 'cf-cache-status': 'DYNAMIC' },
    { 'cache-status': 'Edge; fwd=miss; stored' },
    { 'x-white': 'hit' },
  ]
  it.each(ASKED)('is one that the site answered with: %j', async (headers) => {
    expect(await told({ status: 200, body: {}, headers })).toMatchObject({ kind: 'answered' })
  })
})

describe('JSON of another server in front of the CMS', () => {
  const own = { isOwnError: (json: unknown) => typeof (json as { code?: unknown }).code === 'string' }

  it.each([
    [403, { message: 'Access denied by Imunify360 bot-protection.' }, 'Access denied by Imunify360'],
    [404, { error: 'no such upstream' }, 'no such upstream'],
    [415, { code: 415, message: 'Blocked.' }, 'Blocked.'],
  ])('is no answer of the CMS, and is shown and tried again: %i %j', async (status, body, words) => {
    const blocked = { kind: 'refused', code: 'blocked', retryable: true, reason: expect.stringContaining(words) }
    expect(await told({ status, body }, own)).toMatchObject(blocked)
    expect(await told({ status, body }, { ...own, ...write })).toMatchObject(blocked)
  })

  it('is told from the CMS’s own errors, and from empty ones', async () => {
    expect(await told({ status: 403, body: { code: 'rest_forbidden' } }, own)).toMatchObject({ kind: 'answered' })
    expect(await told({ status: 403, body: '' }, own)).toMatchObject({ kind: 'answered' })
  })
})

describe('the provider’s own words', () => {
  it.each<[unknown, string]>([
    [{ message: 'Daily limit of 200000 requests is used up' }, ' (Daily limit of 200000 requests is used up)'],
    [{ errors: [{ code: 1015, message: 'You are being rate limited' }] }, ' (You are being rate limited)'],
    [{ error: 'rate_limited', error_description: 'Wait a minute' }, ' (Wait a minute)'],
    [{ status: 429 }, ' ({"status":429})'],
    ['', ''],
    ['<h1>Too many</h1>', ''],
  ])('are returned with a rate limit: %j', async (body, words) => {
    expect(await told({ status: 429, body, headers: { 'retry-after': '9' } })).toMatchObject({
      code: 'rate_limited',
      retryable: true,
      retryAfterS: 9,
      reason: `The blog answers that there were too many requests${words}.`,
    })
  })

  it('are read from nested errors to a limited depth, in one line', async () => {
    const nested = Array.from({ length: 20_000 }).reduce<string>((inner) => `[${inner}]`, '"deep"')
    expect(await told({ status: 500, body: nested })).toMatchObject({ ...away, reason: 'The blog answered HTTP 500.' })
    const { reason } = (await told({ status: 500, body: { errors: ['a\n<b>b</b>', 'a\n<b>b</b>', 'c'] } })) as {
      reason: string
    }
    expect(reason).toBe('The blog answered HTTP 500 (a b; c).')
  })
})

describe('a server in front of the CMS', () => {
  it.each(['<h1>413 Request Entity Too Large</h1>', ''])('refuses the size of the request: %j', async (body) => {
    expect(await told({ status: 413, body }, write)).toMatchObject({
      kind: 'refused',
      code: 'validation',
      retryable: false,
      reason: expect.stringContaining('smaller image'),
    })
  })

  it('requires its own password, not the CMS’s', async () => {
    expect(await told({ status: 401, body: '<h1>Authorization Required</h1>' })).toMatchObject({
      kind: 'refused',
      code: 'blocked',
      retryable: false,
      reason: expect.stringContaining('password of its own'),
    })
    expect(await told({ status: 401, body: { message: 'No.' } })).toMatchObject({ kind: 'answered', status: 401 })
  })
})

describe('an answer that is not whole', () => {
  const inner = '{"post":{"author":{"id":3},"id":17'
  it.each<[string, Partial<CmsCall>, Answer, object]>([
    [
      'a write that broke off',
      write,
      { status: 201, body: inner, incomplete: true },
      { kind: 'unknown', httpStatus: 201 },
    ],
    [
      'a write that is too long',
      write,
      { status: 200, body: inner, truncated: true },
      { kind: 'unknown', httpStatus: 200 },
    ],
    [
      'a write that broke off after its JSON',
      write,
      { status: 200, body: '{"id":17}', incomplete: true },
      { kind: 'unknown' },
    ],
    ['a read that broke off', {}, { status: 200, body: inner, incomplete: true }, away],
    ['a read that is too long', {}, { status: 200, body: inner, truncated: true }, away],
    [
      'a failure of the server that broke off',
      write,
      { status: 502, body: inner, incomplete: true },
      { kind: 'unknown' },
    ],
    [
      'a refusal that broke off',
      write,
      { status: 422, body: inner, incomplete: true },
      { kind: 'answered', status: 422, json: null },
    ],
    [
      'a redirect that broke off',
      {},
      { status: 301, body: inner, incomplete: true, headers: { location: '/b' } },
      { kind: 'refused', location: '/b' },
    ],
  ])('is no answer to a call, and no object within it is read: %s', async (_, call, answer, outcome) => {
    expect(await told(answer, call)).toMatchObject(outcome)
  })
})
