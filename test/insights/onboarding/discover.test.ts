import { describe, expect, it } from 'vitest'
import type { KeptKeyword } from '../../../schema/values/keywords.ts'
import type { ProviderFailure } from '../../../src/accounts/provider-keys/port.ts'
import type { KeywordsFound, MeasuringProvider } from '../../../src/insights/keywords/market.ts'
import { bestFirst, discoverKeywords, type KeywordInput, worthOf } from '../../../src/insights/onboarding/discover.ts'

const INPUT: KeywordInput = {
  tag: 'en',
  language: 'English (UK)',
  region: 'Ireland',
  businessName: 'Spaak Cycles',
  description: '',
  audience: [],
  topics: [],
  pillars: [],
  pages: [],
  competitors: ['quick-bike.example'],
  limit: 100,
}

const row = (keyword: string, searchVolume: number | null = 100, more: Partial<KeptKeyword> = {}): KeptKeyword => ({
  keyword,
  searchVolume,
  difficulty: 30,
  intent: 'informational',
  ...more,
})

const found = (rows: KeptKeyword[]): KeywordsFound => ({ kind: 'found', rows, country: 'IE', costUsd: 0 })
const refused = (code: ProviderFailure['code']): ProviderFailure => ({ kind: 'failed', code, reason: 'No.' })

type Answers = Partial<Record<string, KeptKeyword[]>>

/** Returns a provider that knows these; `near` by seed. */
const provider = (known: KeptKeyword[] | ProviderFailure, near: Answers | ProviderFailure = {}) => {
  const asked: unknown[] = []
  const made: MeasuringProvider = {
    measure: async (market, keywords) => {
      asked.push(['measure', market, [...keywords]])
      return Array.isArray(known) ? found(known) : known
    },
    search: async (market, seed, limit) => {
      asked.push(['search', market.country, seed, limit])
      return 'kind' in near ? (near as ProviderFailure) : found((near as Answers)[seed] ?? [])
    },
    probe: async () => ({ kind: 'accepted' }),
  }
  return { asked, made }
}

const WORDS = {
  seeds: () => ['city bikes', 'chain wear'],
  keywords: () => ['city bikes', 'best city bikes', 'chain wear explained'],
}

const discover = (service: MeasuringProvider | undefined, isSandbox = false) =>
  discoverKeywords({ words: WORDS, providers: { service, isSandbox: () => isSandbox } }, INPUT)

const keywordsIn = (answer: Awaited<ReturnType<typeof discover>>) =>
  answer.kind === 'found' ? answer.keywords.map(({ keyword }) => keyword) : answer

describe('keywords for a business', () => {
  it('are measured, and searched near the site’s topics', async () => {
    const { asked, made } = provider([row('city bikes', 5_000), row('chain wear explained', 20)], {
      'city bikes': [row('city bikes', 5_000), row('used city bikes', 900)],
      'chain wear': [row('chain wear', 40), row('chain wear tool', 300)],
    })
    const answer = await discover(made)
    expect(answer).toMatchObject({ kind: 'found', note: null })
    expect(keywordsIn(answer)).toEqual([
      'city bikes',
      'used city bikes',
      'chain wear tool',
      'chain wear',
      'chain wear explained',
    ])
    expect(asked).toEqual([
      [
        'measure',
        expect.objectContaining({ country: 'IE', language: 'en' }),
        ['city bikes', 'chain wear', 'best city bikes', 'chain wear explained'],
      ],
      ['search', 'IE', 'city bikes', 50],
      ['search', 'IE', 'chain wear', 50],
    ])
    expect(answer).toMatchObject({
      keywords: [{ searchVolume: 5_000, difficulty: 30, source: 'dataforseo' }, {}, {}, {}, {}],
    })
  })

  it('leave out keywords without searches, and searches for one business by name', async () => {
    const { made } = provider([], {
      'city bikes': [
        row('city bikes', null),
        row('city bikes xyz', 0),
        row('quick bike city bikes'),
        row('spaak cycles city bikes'),
        row('city bikes login', 800, { intent: 'navigational' }),
        row('small city bikes'),
      ],
    })
    expect(keywordsIn(await discover(made))).toEqual(['small city bikes'])
  })

  it('are the site’s own words if no provider is set, with a note', async () => {
    const answer = await discover(undefined)
    expect(keywordsIn(answer)).toEqual(['city bikes', 'best city bikes', 'chain wear explained'])
    expect(answer).toMatchObject({
      keywords: [{ searchVolume: null, difficulty: null, source: 'site' }, {}, {}],
      note: expect.stringContaining('not measured'),
    })
  })

  it('from a sandbox are marked as made up', async () => {
    const { made } = provider([row('city bikes')])
    expect(await discover(made, true)).toMatchObject({ note: expect.stringContaining('made up') })
  })

  it('are never replaced by the site’s own words because the provider fails', async () => {
    expect(await discover(provider(refused('transient')).made)).toMatchObject({ kind: 'failed', code: 'transient' })
    expect(await discover(provider([], refused('billing')).made)).toMatchObject({ kind: 'failed', code: 'billing' })
  })

  it('are the available ones if a part is missing', async () => {
    expect(keywordsIn(await discover(provider([row('city bikes')], refused('transient')).made))).toEqual(['city bikes'])
  })
})

describe('their order', () => {
  const better = (a: Partial<KeptKeyword>, b: Partial<KeptKeyword>) =>
    expect(worthOf({ ...row('a'), ...a })).toBeGreaterThan(worthOf({ ...row('b'), ...b }))

  it('is decided by volume, difficulty and intent', () => {
    better({ searchVolume: 1_000 }, { searchVolume: 100 })
    better({ difficulty: 10 }, { difficulty: 60 })
    better({ difficulty: 10 }, { difficulty: null })
    better({ difficulty: null }, { difficulty: 80 })
    better({ intent: 'commercial' }, { intent: 'transactional' })
    better({ intent: 'informational' }, { intent: 'transactional' })
    better({ searchVolume: 10 }, { searchVolume: 100_000, intent: 'navigational' })
    for (const searchVolume of [null, 0]) expect(worthOf(row('x', searchVolume))).toBe(0)
  })

  it('does not fill a month with one seed', () => {
    const many = Array.from({ length: 30 }, (_, n) => ({ ...row(`bike ${n}`, 1_000), seed: 'bike' }))
    const order = bestFirst([...many, { ...row('lock', 700), seed: 'lock' }]).map(({ keyword }) => keyword)
    expect(order.indexOf('lock')).toBeLessThan(5)
    expect(order).toHaveLength(31)
  })
})
