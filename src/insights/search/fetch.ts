import type { Asker } from './access.ts'
import type { Dimension, Result, SearchConsole, SearchRow } from './port.ts'
import { filterFor, lastFinalDay, propertiesFor, type Range, rangeBefore, rangeOf, WINDOW_DAYS } from './rules.ts'

export type Totals = { clicks: number; impressions: number; ctr: number; position: number }

/** Numbers of a query or page. `before` is set if periods are compared; null if the row did not appear in the period before. */
export type Row = Totals & { key: string; before?: { clicks: number; impressions: number; position: number } | null }

export type Performance = {
  range: Range
  totals: Totals
  before?: Totals
  queries: Row[]
  pages: Row[]
  hasMore: boolean
  fetched_at: string
}

export type Asked = {
  property: string
  within: string
  range: Range
  limit: number
  startRow: number
  compare: boolean
}

const NOTHING: Totals = { clicks: 0, impressions: 0, ctr: 0, position: 0 }

/** Rows to request in each call for the period before, until all wanted rows were found. */
const BEFORE_STEPS = [5_000, 25_000, 25_000]

type FetchDeps = { google: SearchConsole; ask: Asker; asked: Asked }

const totalsIn = async ({ google, ask, asked }: FetchDeps, range: Range): Promise<Result<Totals>> => {
  const rows = await ask((token) =>
    google.query(token, {
      property: asked.property,
      within: asked.within,
      startDate: range.start_date,
      endDate: range.end_date,
      dimensions: [],
    }),
  )
  if ('failure' in rows) return rows
  const [row = NOTHING] = rows.ok
  const { clicks, impressions, ctr, position } = row
  return { ok: { clicks, impressions, ctr, position } }
}

const rowsBefore = async (
  { google, ask, asked }: FetchDeps,
  dimension: Dimension,
  keys: readonly string[],
): Promise<Result<Map<string, SearchRow>>> => {
  const { start_date: startDate, end_date: endDate } = rangeBefore(asked.range)
  const wanted = new Set(keys)
  const found = new Map<string, SearchRow>()
  let startRow = 0
  for (const rowLimit of BEFORE_STEPS) {
    if (found.size === wanted.size) break
    const rows = await ask((token) =>
      google.query(token, {
        property: asked.property,
        within: asked.within,
        startDate,
        endDate,
        dimensions: [dimension],
        rowLimit,
        startRow,
      }),
    )
    if ('failure' in rows) return rows
    for (const row of rows.ok) if (wanted.has(row.keys[0] ?? '')) found.set(row.keys[0] ?? '', row)
    if (rows.ok.length < rowLimit) break
    startRow += rowLimit
  }
  return { ok: found }
}

/** Returns one page of rows by a dimension, and whether there are more. */
const rowsBy = async (deps: FetchDeps, dimension: Dimension): Promise<Result<{ rows: Row[]; hasMore: boolean }>> => {
  const { google, ask, asked } = deps
  const { property, within, range, limit, startRow, compare } = asked
  const found = await ask((token) =>
    google.query(token, {
      property,
      within,
      startDate: range.start_date,
      endDate: range.end_date,
      dimensions: [dimension],
      rowLimit: limit + 1,
      startRow,
    }),
  )
  if ('failure' in found) return found
  const shown = found.ok.slice(0, limit)
  const rows = shown.map(({ keys: [key = ''], clicks, impressions, ctr, position }) => ({
    key,
    clicks,
    impressions,
    ctr,
    position,
  }))
  const hasMore = found.ok.length > limit
  if (!compare) return { ok: { rows, hasMore } }
  const before = await rowsBefore(
    deps,
    dimension,
    rows.map(({ key }) => key),
  )
  if ('failure' in before) return before
  const withBefore = rows.map((row) => ({ ...row, before: before.ok.get(row.key) ?? null }))
  return { ok: { rows: withBefore, hasMore } }
}

/**
 * Fetches totals, and one page of rows by query and by page. Returns the first failure if there is one.
 *
 * Totals come from queries without dimensions, because these also count searches that Google does not list.
 */
export const fetchPerformance = async (
  google: SearchConsole,
  ask: Asker,
  asked: Asked,
  now: Date,
): Promise<Result<Performance>> => {
  const deps = { google, ask, asked }
  const [totals, before, queries, pages] = await Promise.all([
    totalsIn(deps, asked.range),
    asked.compare ? totalsIn(deps, rangeBefore(asked.range)) : undefined,
    rowsBy(deps, 'query'),
    rowsBy(deps, 'page'),
  ])
  if ('failure' in totals) return totals
  if (before && 'failure' in before) return before
  if ('failure' in queries) return queries
  if ('failure' in pages) return pages
  return {
    ok: {
      range: asked.range,
      totals: totals.ok,
      ...(before ? { before: before.ok } : {}),
      queries: queries.ok.rows,
      pages: pages.ok.rows,
      hasMore: queries.ok.hasMore || pages.ok.hasMore,
      fetched_at: now.toISOString(),
    },
  }
}

/** Most properties that are asked for their data: a Worker has six connections. */
const MAX_ASKED = 6

/**
 * Returns the property to read for a website: the best fit among those with data; undefined if no property covers it.
 *
 * Google counts a page in one of the properties with and without `www.`, and with http or https; the others stay empty. So each
 * is asked for 28 days, and one with less than half of the most impressions is not chosen.
 */
export const propertyWithData = async (
  google: Pick<SearchConsole, 'days'>,
  token: string,
  { properties, website, now }: { properties: readonly string[]; website: string; now: Date },
): Promise<string | undefined> => {
  const candidates = propertiesFor(properties, website).slice(0, MAX_ASKED)
  if (candidates.length < 2) return candidates[0]
  const { start_date: startDate, end_date: endDate } = rangeOf(lastFinalDay(now), WINDOW_DAYS)
  const asked = candidates.map((property) =>
    google.days(token, { property, within: filterFor(property, website), startDate, endDate }),
  )
  const shown = (await Promise.all(asked)).map((found) =>
    'failure' in found ? 0 : found.ok.rows.reduce((sum, { impressions }) => sum + impressions, 0),
  )
  const most = Math.max(...shown)
  return candidates.find((_, n) => (shown[n] ?? 0) * 2 >= most)
}
