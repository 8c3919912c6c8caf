import type { OpportunityType, Trigger, TriggerNumbers } from '../../../schema/values/suggestions.ts'
import type { SearchNumbers } from '../search/parts.ts'

/** A live article, with the data that detectors need. */
type SnapshotArticle = {
  id: number
  title: string
  url: string | null
  isThin: boolean
  words: number
  wanted: number
}

/** Data for all detectors, read once. */
export type Snapshot = {
  period: { starts_on: string; ends_on: string; days: number }
  hasBefore: boolean
  articles: ReadonlyMap<number, SnapshotArticle>
  /** Pages of the project, each with its numbers. */
  pages: readonly SearchNumbers[]
  /** Queries on all of these pages, including those that are no articles. */
  queries: readonly SearchNumbers[]
  /** Pages in the same weeks of the year before, by key. Empty if the history is too short. */
  lastYear: ReadonlyMap<string, { clicks: number; clicks_before: number }>
}

/**
 * Click-through rate at positions 1 to 10, from four million results (Backlinko, "Here's what we learned about organic click
 * through rate", 2022).
 */
const PUBLISHED = [0.276, 0.158, 0.11, 0.084, 0.063, 0.049, 0.039, 0.033, 0.027, 0.024] as const
const BEYOND = 0.01
const MAX_POSITION = 10
/** Impressions at a position from which the project's own rate is more reliable than the published one. */
const ENOUGH = 1_000

type Row = { impressions: number; clicks: number; position: number | null }

/** Click-through rate by position. */
type CtrCurve = (position: number) => number

const published: CtrCurve = (position) => PUBLISHED[Math.max(1, Math.round(position)) - 1] ?? BEYOND

/**
 * Returns the click-through rates of a project: its own for positions with a thousand impressions, else the published ones.
 *
 * A position never has a higher rate than the one above it.
 */
export const ctrCurve = (rows: readonly Row[]): CtrCurve => {
  const seen = new Map<number, { clicks: number; impressions: number }>()
  for (const { clicks, impressions, position } of rows) {
    if (position === null) continue
    const place = Math.max(1, Math.round(position))
    if (place > MAX_POSITION) continue
    const sum = seen.get(place) ?? { clicks: 0, impressions: 0 }
    seen.set(place, { clicks: sum.clicks + clicks, impressions: sum.impressions + impressions })
  }
  const own: number[] = []
  for (let place = 1; place <= MAX_POSITION; place += 1) {
    const sum = seen.get(place)
    const share = sum && sum.impressions >= ENOUGH ? sum.clicks / sum.impressions : published(place)
    own.push(Math.min(share, own.at(-1) ?? 1))
  }
  return (position) => own[Math.max(1, Math.round(position)) - 1] ?? Math.min(BEYOND, own.at(-1) ?? BEYOND)
}

/** Finding of a detector about one article. */
export type Opportunity = {
  articleId: number
  type: OpportunityType
  priority: number
  reason: string
  trigger: Trigger
}

/** Input of all detectors: the snapshot, and data computed from it. */
type Given = {
  snapshot: Snapshot
  ctr: CtrCurve
  pages: readonly ArticlePage[]
  queriesByPage: ReadonlyMap<string, SearchNumbers[]>
}

/** A page, and the article at its address. */
type ArticlePage = { page: SearchNumbers; articleId: number }

type Found = {
  page: SearchNumbers
  articleId: number
  gained: number
  reason: string
  queries?: readonly SearchNumbers[]
  otherPage?: string
}

const MIN_IMPRESSIONS = 10
/** Fewest impressions from which to judge the click-through rate of a page. */
const MIN_FOR_CTR = 100
const [NEAR, FAR] = [4, 20]
const MAX_SHOWN = 10
/** Position that a page near the top is expected to reach. */
const AIM = 3
/** Share of its clicks from which a page is falling. */
export const LOST_SHARE = 0.3
const MIN_CLICKS_BEFORE = 20
const SHARED = 0.3
const MAX_QUERIES = 10
/** Expected clicks at which the priority is 50. */
const HALF_CLICKS = 50

const now = (row: SearchNumbers): TriggerNumbers => ({
  clicks: row.clicks,
  impressions: row.impressions,
  position: row.position,
})

const before = (row: SearchNumbers): TriggerNumbers => ({
  clicks: row.clicks_before,
  impressions: row.impressions_before,
  position: row.position_before,
})

/** Returns the priority, 0 to 100, for expected clicks in 28 days: 50 for 50 clicks, 80 for 200. */
export const priorityOf = (clicks: number): number =>
  clicks <= 0 ? 0 : Math.min(100, Math.max(1, Math.round((100 * clicks) / (clicks + HALF_CLICKS))))

const articlePages = (snapshot: Snapshot): ArticlePage[] =>
  snapshot.pages.flatMap((page) =>
    page.article_id !== null && snapshot.articles.has(page.article_id) ? [{ page, articleId: page.article_id }] : [],
  )

const queriesOn = ({ queriesByPage }: Given, { page_key: key }: SearchNumbers): SearchNumbers[] =>
  queriesByPage.get(key) ?? []

const shown = (position: number | null): string => (position ?? 0).toFixed(1)

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

/**
 * Finds pages at position 4 to 20 for queries with ten impressions or more. A slightly better position brings many more clicks.
 */
const strikingDistance = (given: Given): Found[] =>
  given.pages.flatMap(({ page, articleId }) => {
    const near = queriesOn(given, page).filter(
      (row) =>
        row.impressions >= MIN_IMPRESSIONS && row.position !== null && row.position >= NEAR && row.position <= FAR,
    )
    const gained = near.reduce((sum, row) => sum + Math.max(0, row.impressions * given.ctr(AIM) - row.clicks), 0)
    const [first] = near
    if (!first || gained <= 0) return []
    const others = near.length > 1 ? ` and ${near.length - 1} more` : ''
    const reason = `“${first.query}”${others}: seen ${first.impressions} times at position ${shown(first.position)}, within reach of the first three.`
    return [{ page, articleId, gained, reason, queries: near }]
  })

/** Finds pages that are clicked less than half as often as is usual at their position. */
const ctrUnderperform = (given: Given): Found[] =>
  given.pages.flatMap(({ page, articleId }) => {
    if (page.impressions < MIN_FOR_CTR || page.position === null || page.position > FAR) return []
    const [ctr, earned] = [page.clicks / page.impressions, given.ctr(page.position)]
    if (ctr >= earned / 2) return []
    const reason = `At position ${shown(page.position)}, ${percent(earned)} of searchers usually click. Of the ${page.impressions} who saw this page, ${percent(ctr)} did: its title and description do not attract them.`
    return [{ page, articleId, gained: page.impressions * (earned - ctr), reason }]
  })

/**
 * Returns the clicks a page would have if it had changed from one period to the next as it did a year before.
 *
 * It returns the clicks of the period before if last year is not known, or if the page did not lose clicks then.
 */
const seasonal = ({ snapshot }: Given, page: SearchNumbers): { expected: number; season?: string } => {
  const year = snapshot.lastYear.get(page.page_key)
  if (!year || year.clicks_before < MIN_CLICKS_BEFORE || year.clicks >= year.clicks_before)
    return { expected: page.clicks_before }
  const kept = year.clicks / year.clicks_before
  return {
    expected: page.clicks_before * kept,
    season: ` The same weeks last year lost ${percent(1 - kept)}: the season explains that part, but not the rest.`,
  }
}

/**
 * Finds pages that lost 30 % of their clicks or more, and more than the season explains. The period before must have 20 clicks.
 */
const decliningPage = (given: Given): Found[] =>
  given.pages.flatMap(({ page, articleId }) => {
    const { clicks, clicks_before: before } = page
    if (!given.snapshot.hasBefore || clicks === 0 || before < MIN_CLICKS_BEFORE) return []
    const { expected, season = '' } = seasonal(given, page)
    if (before - clicks < LOST_SHARE * before || expected - clicks < LOST_SHARE * expected) return []
    const reason = `${clicks} clicks in 28 days, ${before} in the 28 before: ${percent((before - clicks) / before)} fewer.${season}`
    return [{ page, articleId, gained: expected - clicks, reason }]
  })

/** Finds pages that had clicks and have none now. Pages that lost all clicks in the same weeks last year too are left out. */
const deadPage = (given: Given): Found[] =>
  given.pages.flatMap(({ page, articleId }) => {
    if (!given.snapshot.hasBefore || page.clicks > 0 || page.clicks_before === 0) return []
    const { expected } = seasonal(given, page)
    if (expected === 0) return []
    const reason = `No click in 28 days, ${page.clicks_before} in the 28 before.`
    return [{ page, articleId, gained: expected, reason }]
  })

/** Finds queries for which two pages have 30 % or more of the impressions each. The weaker page is suggested. */
const cannibalisation = (given: Given): Found[] => {
  const byQuery = Map.groupBy(given.snapshot.queries, (row) => row.query)
  const byKey = new Map(given.pages.map((page) => [page.page.page_key, page]))
  const worst = new Map<number, Found>()
  for (const [query, rows] of byQuery) {
    const all = rows.reduce((sum, { impressions }) => sum + impressions, 0)
    if (all < MIN_IMPRESSIONS) continue
    const strong = rows
      .filter(({ impressions }) => impressions >= SHARED * all)
      .sort((a, b) => b.clicks - a.clicks || (a.position ?? 99) - (b.position ?? 99) || a.page.localeCompare(b.page))
    const [best, ...weaker] = strong
    for (const row of best ? weaker : []) {
      const page = byKey.get(row.page_key)
      if (!page || !best) continue
      const gained = row.impressions * given.ctr(best.position ?? MAX_SHOWN)
      const reason = `“${query}” leads searchers to this page and to ${best.page}: ${percent(row.impressions / all)} and ${percent(best.impressions / all)} of ${all} impressions. They compete with each other.`
      const found = { ...page, gained, reason, queries: [row], otherPage: best.page }
      if ((worst.get(page.articleId)?.gained ?? -1) < gained) worst.set(page.articleId, found)
    }
  }
  return [...worst.values()]
}

/** Finds pages that appear in search and have less than half the words that are usual for their kind. */
const thinContent = (given: Given): Found[] =>
  given.pages.flatMap(({ page, articleId }) => {
    const article = given.snapshot.articles.get(articleId)
    if (!article?.isThin || page.impressions < MIN_IMPRESSIONS || page.position === null) return []
    const gained = Math.max(
      1,
      page.impressions * (given.ctr(Math.max(1, page.position / 2)) - given.ctr(page.position)),
    )
    const reason = `${article.words} words; about ${article.wanted} are usual. It was seen ${page.impressions} times in 28 days.`
    return [{ page, articleId, gained, reason }]
  })

const DETECTORS = {
  striking_distance: strikingDistance,
  ctr_underperform: ctrUnderperform,
  declining_page: decliningPage,
  cannibalisation,
  dead_page: deadPage,
  thin_content: thinContent,
} satisfies Partial<Record<OpportunityType, (given: Given) => Found[]>>

const queriesOf = (given: Given, { page, queries }: Found): Trigger['queries'] =>
  (queries ?? queriesOn(given, page)).slice(0, MAX_QUERIES).map((row) => ({ query: row.query, ...now(row) }))

/** Returns all findings of the detectors, most clicks to be gained first. */
export const detect = (snapshot: Snapshot): Opportunity[] => {
  const given: Given = {
    snapshot,
    ctr: ctrCurve(snapshot.queries),
    pages: articlePages(snapshot),
    queriesByPage: Map.groupBy(snapshot.queries, (row) => row.page_key),
  }
  const found = (Object.entries(DETECTORS) as [keyof typeof DETECTORS, (given: Given) => Found[]][]).flatMap(
    ([type, detector]) => detector(given).map((one) => ({ type, one })),
  )
  return found
    .map(({ type, one }) => ({
      articleId: one.articleId,
      type,
      priority: priorityOf(one.gained),
      reason: one.reason,
      trigger: {
        page: one.page.page,
        period: snapshot.period,
        now: now(one.page),
        before: snapshot.hasBefore ? before(one.page) : null,
        queries: queriesOf(given, one),
        other_page: one.otherPage ?? null,
        last_year: snapshot.lastYear.get(one.page.page_key) ?? null,
        expected_clicks: Math.round(one.gained),
      },
    }))
    .sort((a, b) => b.trigger.expected_clicks - a.trigger.expected_clicks || a.articleId - b.articleId)
}
