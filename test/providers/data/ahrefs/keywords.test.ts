import { describe, expect, it } from 'vitest'
import type { Outbound } from '../../../../src/platform/runtime/outbound.ts'
import { ahrefs, callAhrefs, keywordRows, reasonIn } from '../../../../src/providers/data/ahrefs/index.ts'

const ACCOUNT = { baseUrl: 'https://ahrefs.example/v3', apiKey: 'a-key' }
const NOW = new Date('2026-11-22T08:00:00Z')
const DE = { country: 'DE', language: 'de' }

type Given = { status?: number; body: unknown; headers?: Record<string, string> }

/** Returns a provider that answers by the end of the path. */
const answering = (byPath: Record<string, Given>) => {
  const sent: URL[] = []
  const keys: (string | undefined)[] = []
  const outbound: Outbound = async ({ url, headers }) => {
    const address = new URL(url)
    sent.push(address)
    keys.push(headers?.Authorization)
    const { status = 200, body, headers: told = {} } = byPath[address.pathname.split('/').at(-1) ?? ''] ?? { body: '' }
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return {
      kind: 'answered',
      status,
      headers: new Headers(told),
      body: text,
      bytes: new Uint8Array(0),
      truncated: false,
      incomplete: false,
    }
  }
  return { sent, keys, deps: { outbound, now: () => NOW } }
}

const names = (found: unknown) => (found as { rows: { keyword: string }[] }).rows.map(({ keyword }) => keyword)
const rows = (...keywords: string[]) => ({
  keywords: keywords.map((keyword) => ({ keyword, volume: 100, difficulty: 20 })),
})

describe('a search', () => {
  it('asks one country for terms that match, with only the fields it needs', async () => {
    const { sent, keys, deps } = answering({
      'matching-terms': { body: rows('fahrrad kaufen', 'Fahrrad', 'e fahrrad') },
    })
    const found = await ahrefs(deps, ACCOUNT).search(DE, 'fahrrad', 4)
    expect(found).toMatchObject({ kind: 'found', country: 'DE' })
    expect(names(found)).toEqual(['fahrrad', 'fahrrad kaufen', 'e fahrrad'])
    expect(sent.map(String)).toEqual([
      'https://ahrefs.example/v3/keywords-explorer/matching-terms?country=de&keywords=fahrrad&order_by=volume%3Adesc&limit=4&select=keyword%2Cvolume%2Cdifficulty',
    ])
    expect(keys).toEqual(['Bearer a-key'])
  })

  it('requests the seed itself and related terms if they are missing', async () => {
    const { sent, deps } = answering({
      'matching-terms': { body: rows() },
      overview: { body: { keywords: [{ keyword: 'a, b', volume: null, difficulty: null }] } },
      'related-terms': { body: rows('c') },
    })
    const found = await ahrefs(deps, ACCOUNT).search(DE, 'a, b', 10)
    expect(names(found)).toEqual(['a b', 'a, b', 'c'])
    expect(sent.map((url) => [url.pathname.split('/').at(-1), url.searchParams.get('keywords')])).toEqual([
      ['matching-terms', 'a b'],
      ['overview', 'a b'],
      ['related-terms', 'a b'],
    ])
    expect(sent.every((url) => !url.searchParams.has('offset'))).toBe(true)
  })

  it('goes without what only adds to it', async () => {
    const { deps } = answering({
      'matching-terms': { body: rows('ab x') },
      overview: { status: 500, body: '' },
      'related-terms': { status: 429, body: '' },
    })
    expect(names(await ahrefs(deps, ACCOUNT).search(DE, 'ab', 10))).toEqual(['ab', 'ab x'])
  })
})

describe('a refusal', () => {
  const call = (given: Given) =>
    callAhrefs(answering({ x: given }).deps, ACCOUNT, { path: '/x', query: {}, until: NOW.getTime() + 5_000 })

  it.each([
    [400, { error: 'bad country' }, 'invalid_input', 'bad country'],
    [401, ['Error', 'Unauthorized'], 'auth', 'Unauthorized'],
    [403, ['Error', 'Forbidden'], 'auth', 'Forbidden'],
    [403, { error: 'API units limit reached' }, 'billing', 'units limit'],
    [403, { message: 'Your plan does not include this endpoint' }, 'billing', 'Your plan'],
    [404, 'Not found', 'permanent', 'Not found'],
    [429, '', 'rate_limited', '429'],
    [500, { message: 'Internal' }, 'transient', 'Internal'],
    [503, '<html><b>Away</b></html>', 'transient', 'Away'],
    [200, 'not json', 'transient', 'not its API'],
  ])('HTTP %i with %j is %s', async (status, body, code, words) => {
    expect(await call({ status, body })).toMatchObject({ kind: 'failed', code, reason: expect.stringContaining(words) })
  })

  it('for too many calls says how long to wait', async () => {
    expect(await call({ status: 429, body: '' })).toMatchObject({ retryAfterS: 60 })
    expect(await call({ status: 429, body: '', headers: { 'retry-after': '7' } })).toMatchObject({ retryAfterS: 7 })
  })

  it.each([
    ['["Error","Unauthorized"]', 'Unauthorized'],
    ['{"error":"a"}', 'a'],
    ['{"message":"b"}', 'b'],
    ['{"error":{"x":1},"message":"c"}', 'c'],
    ['{}', ''],
    ['plain <b>text</b>', 'plain text'],
  ])('%s says %s', (body, said) => expect(reasonIn(body)).toBe(said))
})

it('rows have null for unmeasured numbers, and leave out invalid keywords', () => {
  expect(
    keywordRows({
      keywords: [
        { keyword: 'a', volume: 10, difficulty: 0 },
        { keyword: 'b', volume: null, difficulty: null },
        { keyword: 'c' },
        { keyword: 'd', volume: 'many', difficulty: -1 },
        { volume: 5 },
        null,
      ],
    }),
  ).toEqual([
    { keyword: 'a', searchVolume: 10, difficulty: 0, intent: null },
    { keyword: 'b', searchVolume: null, difficulty: null, intent: null },
    { keyword: 'c', searchVolume: null, difficulty: null, intent: null },
    { keyword: 'd', searchVolume: null, difficulty: null, intent: null },
  ])
  for (const none of [null, [], {}, { keywords: null }, 'text']) expect(keywordRows(none)).toBeUndefined()
})

it.each([
  [{ units_limit_workspace: 100, units_usage_workspace: 99, units_limit_api_key: null }, false],
  [{ units_limit_workspace: 100, units_usage_workspace: 100, units_limit_api_key: null }, true],
  [{ units_limit_workspace: null, units_limit_api_key: 10, units_usage_api_key: 12 }, true],
])('a probe with %j', async (usage, isUsedUp) => {
  const { deps } = answering({
    'limits-and-usage': { body: { limits_and_usage: { subscription: 'Standard', ...usage } } },
  })
  expect(await ahrefs(deps, ACCOUNT).probe()).toEqual({
    kind: 'accepted',
    ...(isUsedUp ? { note: expect.stringContaining('used up') } : {}),
  })
})
