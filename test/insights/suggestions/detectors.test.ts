import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detect, type Snapshot } from '../../../src/insights/suggestions/detect.ts'

type Numbers = readonly [clicks: number, impressions: number, position: number | null]

/** A page of a snapshot: an article unless it says otherwise. */
type Page = {
  now?: Numbers
  before?: Numbers
  queries?: Record<string, Numbers>
  /** Clicks of the two periods a year earlier: the later one first. */
  year?: readonly [number, number]
  thin?: boolean
  foreign?: boolean
}

const NONE: Numbers = [0, 0, null]

const rowOf = (
  n: number,
  query: string,
  [clicks, impressions, position]: Numbers,
  before: Numbers,
  foreign = false,
) => ({
  page: `https://x.example/${n}`,
  page_key: `x.example/${n}`,
  article_id: foreign ? null : n,
  query,
  clicks,
  impressions,
  position,
  clicks_before: before[0],
  impressions_before: before[1],
  position_before: before[2],
})

const snapshotOf = (pages: readonly Page[], hasBefore = true): Snapshot => ({
  period: { starts_on: '2026-10-19', ends_on: '2026-11-15', days: 28 },
  hasBefore,
  articles: new Map(
    pages.flatMap(({ thin = false, foreign }, n) =>
      foreign
        ? []
        : [[n + 1, { id: n + 1, title: `Page ${n + 1}`, url: null, isThin: thin, words: 300, wanted: 1_000 }] as const],
    ),
  ),
  pages: pages.map(({ now = NONE, before = NONE, foreign }, n) => rowOf(n + 1, '', now, before, foreign)),
  queries: pages.flatMap(({ queries = {}, foreign }, n) =>
    Object.entries(queries).map(([query, numbers]) => rowOf(n + 1, query, numbers, NONE, foreign)),
  ),
  lastYear: new Map(
    pages.flatMap(({ year }, n) => (year ? [[`x.example/${n + 1}`, { clicks: year[0], clicks_before: year[1] }]] : [])),
  ),
})

const foundIn = (snapshot: Snapshot): string[] =>
  detect(snapshot)
    .map(({ type, articleId }) => `${type} ${articleId}`)
    .sort()

describe('thirty snapshots with known answers', () => {
  const cases: [string, Page[], string[]][] = [
    ['nothing', [], []],
    ['a page nobody saw', [{}], []],
    ['a page at the top', [{ now: [120, 400, 1], before: [120, 400, 1], queries: { shed: [120, 400, 1] } }], []],
    ['a query at 4.0', [{ now: [40, 500, 4], queries: { shed: [40, 500, 4] } }], ['striking_distance 1']],
    ['a query at 3.9', [{ now: [40, 500, 3.9], queries: { shed: [40, 500, 3.9] } }], []],
    ['a query at 20.0', [{ now: [3, 90, 20], queries: { shed: [3, 90, 20] } }], ['striking_distance 1']],
    ['a query at 20.1', [{ now: [3, 90, 20.1], queries: { shed: [3, 90, 20.1] } }], []],
    ['a query seen ten times', [{ now: [0, 10, 8], queries: { shed: [0, 10, 8] } }], ['striking_distance 1']],
    ['a query seen nine times', [{ now: [0, 9, 8], queries: { shed: [0, 9, 8] } }], []],
    ['a query that has its clicks already', [{ now: [60, 100, 5], queries: { shed: [60, 100, 5] } }], []],
    [
      'two near queries of a page, told once',
      [{ now: [5, 90, 9], queries: { a: [2, 50, 9], b: [3, 40, 9] } }],
      ['striking_distance 1'],
    ],
    ['few clicks at the top', [{ now: [5, 200, 1.2] }], ['ctr_underperform 1']],
    ['few clicks of too few impressions', [{ now: [0, 99, 1.2] }], []],
    ['half of the clicks a position earns', [{ now: [28, 200, 1] }], []],
    ['just under half of them', [{ now: [27, 200, 1] }], ['ctr_underperform 1']],
    ['few clicks beyond the second page', [{ now: [0, 900, 21] }], []],
    ['30 % fewer clicks', [{ now: [70, 300, 2], before: [100, 300, 2] }], ['declining_page 1']],
    ['29 % fewer clicks', [{ now: [71, 300, 2], before: [100, 300, 2] }], []],
    ['fewer clicks of 19', [{ now: [5, 30, 2], before: [19, 60, 2] }], []],
    ['fewer clicks of 20', [{ now: [5, 30, 2], before: [20, 60, 2] }], ['declining_page 1']],
    ['fewer clicks, as last year', [{ now: [50, 300, 2], before: [100, 500, 2], year: [60, 120] }], []],
    [
      'many fewer clicks than last year lost',
      [{ now: [30, 300, 3], before: [100, 500, 2], year: [60, 120] }],
      ['declining_page 1'],
    ],
    [
      'fewer clicks, more of them last year',
      [{ now: [60, 300, 3], before: [100, 500, 2], year: [150, 100] }],
      ['declining_page 1'],
    ],
    [
      'fewer clicks, hardly any last year',
      [{ now: [60, 300, 3], before: [100, 500, 2], year: [1, 19] }],
      ['declining_page 1'],
    ],
    ['no clicks any more', [{ now: [0, 40, 30], before: [1, 50, 25] }], ['dead_page 1']],
    ['no clicks, as every winter', [{ now: [0, 40, 30], before: [30, 90, 25], year: [0, 40] }], []],
    [
      'two pages for a query: the weaker one',
      [
        { now: [90, 600, 2], queries: { shed: [90, 600, 2] } },
        { now: [50, 400, 3], queries: { shed: [50, 400, 3] } },
      ],
      ['cannibalisation 2'],
    ],
    [
      'two pages for a query, one with 29 % of it',
      [
        { now: [100, 710, 2], queries: { shed: [100, 710, 2] } },
        { now: [35, 290, 3], queries: { shed: [35, 290, 3] } },
      ],
      [],
    ],
    [
      'an article that competes with a page that is none',
      [
        { now: [90, 600, 2], queries: { shed: [90, 600, 2] }, foreign: true },
        { now: [50, 400, 3], queries: { shed: [50, 400, 3] } },
      ],
      ['cannibalisation 2'],
    ],
    ['half of the usual words', [{ now: [12, 40, 1], thin: true }], ['thin_content 1']],
  ]
  it('are thirty', () => expect(cases).toHaveLength(30))
  it.each(cases)('%s', (_, pages, expected) => expect(foundIn(snapshotOf(pages))).toEqual(expected))

  it('claim no decline if there is no period before', () => {
    const pages = [{ now: [10, 40, 2] as Numbers, before: [100, 300, 2] as Numbers }, { before: [9, 90, 5] as Numbers }]
    expect(foundIn(snapshotOf(pages, false))).toEqual([])
  })
})

/** Returns a simple version of the rules: every page against every query against every other page. */
const bruteForce = (snapshot: Snapshot): string[] => {
  const usual = [0.276, 0.158, 0.11, 0.084, 0.063, 0.049, 0.039, 0.033, 0.027, 0.024]
  const shares: number[] = []
  for (let place = 1; place <= 10; place += 1) {
    const there = snapshot.queries.filter((q) => q.position !== null && Math.max(1, Math.round(q.position)) === place)
    const impressions = there.reduce((sum, q) => sum + q.impressions, 0)
    const clicks = there.reduce((sum, q) => sum + q.clicks, 0)
    const share = impressions >= 1_000 ? clicks / impressions : (usual[place - 1] ?? 0)
    shares.push(Math.min(share, ...shares, 1))
  }
  const earns = (position: number): number => {
    const place = Math.max(1, Math.round(position))
    return place <= 10 ? (shares[place - 1] ?? 0) : Math.min(0.01, shares[9] ?? 0)
  }
  const found = new Set<string>()
  for (const page of snapshot.pages) {
    const id = page.article_id
    const article = id === null ? undefined : snapshot.articles.get(id)
    if (id === null || !article) continue
    const own = snapshot.queries.filter((q) => q.page_key === page.page_key)
    const near = own.filter((q) => q.impressions >= 10 && q.position !== null && q.position >= 4 && q.position <= 20)
    if (near.some((q) => q.impressions * earns(3) > q.clicks)) found.add(`striking_distance ${id}`)
    const isJudged = page.impressions >= 100 && page.position !== null && page.position <= 20
    if (isJudged && page.clicks / page.impressions < earns(page.position ?? 0) / 2) found.add(`ctr_underperform ${id}`)
    const year = snapshot.lastYear.get(page.page_key)
    const kept = year && year.clicks_before >= 20 ? Math.min(1, year.clicks / year.clicks_before) : 1
    const expected = page.clicks_before * kept
    if (snapshot.hasBefore && page.clicks > 0 && page.clicks_before >= 20)
      if (page.clicks_before - page.clicks >= 0.3 * page.clicks_before && expected - page.clicks >= 0.3 * expected)
        found.add(`declining_page ${id}`)
    if (snapshot.hasBefore && page.clicks === 0 && expected > 0) found.add(`dead_page ${id}`)
    if (article.isThin && page.impressions >= 10 && page.position !== null) found.add(`thin_content ${id}`)
    for (const mine of own) {
      const rivals = snapshot.queries.filter((q) => q.query === mine.query)
      const all = rivals.reduce((sum, q) => sum + q.impressions, 0)
      const isBetter = (q: (typeof rivals)[number]) =>
        q.clicks > mine.clicks ||
        (q.clicks === mine.clicks && (q.position ?? 99) < (mine.position ?? 99)) ||
        (q.clicks === mine.clicks && (q.position ?? 99) === (mine.position ?? 99) && q.page < mine.page)
      if (all < 10 || mine.impressions < 0.3 * all) continue
      if (rivals.some((q) => q !== mine && q.impressions >= 0.3 * all && isBetter(q)))
        found.add(`cannibalisation ${id}`)
    }
  }
  return [...found].sort()
}

describe('random snapshots', () => {
  const numbers = fc
    .tuple(fc.nat(60), fc.nat(400), fc.constantFrom(1, 1.4, 2, 3.9, 4, 6.5, 11, 20, 20.1, 40))
    .map(([clicks, more, position]): Numbers => (clicks + more === 0 ? NONE : [clicks, clicks + more, position]))
  const pages = fc.array(
    fc.record(
      {
        now: numbers,
        before: numbers,
        queries: fc.dictionary(fc.constantFrom('oak', 'elm', 'ash', 'yew'), numbers, { maxKeys: 4 }),
        year: fc.tuple(fc.nat(60), fc.nat(60)),
        thin: fc.boolean(),
        foreign: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    { maxLength: 6 },
  )

  it('match a simple version of the rules, each once, most clicks first', () => {
    fc.assert(
      fc.property(pages, fc.boolean(), (given, hasBefore) => {
        const snapshot = snapshotOf(given as Page[], hasBefore)
        expect(foundIn(snapshot)).toEqual(bruteForce(snapshot))
        const found = detect(snapshot)
        const gains = found.map(({ trigger }) => trigger.expected_clicks)
        expect(gains).toEqual([...gains].sort((a, b) => b - a))
        for (const { priority } of found) expect(priority >= 0 && priority <= 100).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})
