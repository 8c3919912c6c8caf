import { sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/client.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import { wallTime } from '../../platform/lib/time.ts'
import { pageKey } from '../../platform/lib/urls.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { type Asker, isLasting, isOpen, type Open, searchApiFor } from './access.ts'
import type { SyncProgress } from './jobs.ts'
import type { Dimension, Failure, SearchConsole, SearchRow } from './port.ts'
import { connectionOf } from './queries.ts'
import {
  addDays,
  daysBetween,
  finalDayIn,
  lastFinalDay,
  lastWindowEnd,
  MAX_HISTORY_DAYS,
  partOf,
  WINDOW_DAYS,
  ZONE,
} from './rules.ts'
import { moveSource } from './source.ts'
import {
  completeDays,
  completeWindow,
  continueSync,
  forgetBefore,
  saveDays,
  savePageDays,
  saveWindowRows,
  suggestNow,
} from './writes.ts'

/** Returns the last stored day, and the last stored day with impressions; null before the first. */
const keptDays = (db: Db, sourceId: number) =>
  db.execute<{ day: string | null; shown: string | null }>(sql`
    select to_char(max(day), 'YYYY-MM-DD') as day,
      (select to_char(day, 'YYYY-MM-DD') from search_days where source_id = ${sourceId}::int and impressions > 0
        order by day desc limit 1) as shown
    from search_days where source_id = ${sourceId}::int`)

/** Returns the newest days whose pages are missing. */
const daysWithoutPages = (db: Db, sourceId: number, limit: number) =>
  db.execute<{ day: string }>(
    sql`select to_char(day, 'YYYY-MM-DD') as day from search_days where source_id = ${sourceId}::int and pages_at is null
      order by day desc limit ${limit}::int`,
  )

/** Returns the end days of the complete periods. */
const completeWindows = (db: Db, sourceId: number) =>
  db.execute<{ ends_on: string }>(
    sql`select to_char(ends_on, 'YYYY-MM-DD') as ends_on from search_windows where source_id = ${sourceId}::int`,
  )

/** Time after which a run fetches no more pages, ms. */
const BUDGET_MS = 15_000
/** Most rows in one answer of Search Console. */
const MAX_ROWS = 25_000
const MAX_CALLS = 2
/** Rows per statement. */
const BATCH = 5_000
/** Most pages stored per day: those with most clicks. */
const PAGES_A_DAY = 10_000
const FIRST_SPAN = 30
/** Queries without clicks and with fewer impressions are not stored: they say little about a page. */
const MIN_IMPRESSIONS = 10
const [MAX_PAGE, MAX_QUERY] = [2_000, 400]

class Refused extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.kind)
    this.failure = failure
  }
}

type Sync = {
  ctx: Ctx
  google: SearchConsole
  ask: Asker
  sourceId: number
  property: string
  within: string
  hasTime: () => boolean
}

/** Returns the rows of a query, in at most `calls` calls. Throws Refused. */
const rowsOf = async (
  { google, ask, property, within }: Sync,
  [startDate, endDate]: readonly [string, string],
  dimensions: readonly Dimension[],
  calls = 1,
): Promise<SearchRow[]> => {
  const rows: SearchRow[] = []
  for (let call = 0; call < calls; call += 1) {
    const found = await ask((token) =>
      google.query(token, {
        property,
        within,
        startDate,
        endDate,
        dimensions,
        rowLimit: MAX_ROWS,
        startRow: call * MAX_ROWS,
      }),
    )
    if ('failure' in found) throw new Refused(found.failure)
    for (const row of found.ok) rows.push(row)
    if (found.ok.length < MAX_ROWS) break
  }
  return rows
}

const numbersOf = ({ clicks, impressions, position }: SearchRow) => ({
  clicks: Math.round(clicks),
  impressions: Math.round(impressions),
  position,
})

/** Returns the address of a page and its key; undefined if it is no address or too long to store. */
const pageOf = (address: string | undefined): { page: string; key: string } | undefined => {
  const url = address === undefined ? null : URL.parse(address)
  return url && address && address.length <= MAX_PAGE ? { page: address, key: pageKey(url) } : undefined
}

const batches = function* <T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += BATCH) yield rows.slice(from, from + BATCH)
}

/** Number of stored days that are fetched again, because Google corrects its numbers for some days. */
const AGAIN_DAYS = 7

/**
 * Stores totals by day since the last stored day, and the last days again. Returns the last stored day; undefined if there is
 * none.
 *
 * Days without impressions are stored as zeros, from the first day that has some to the last final day.
 */
const syncDays = async ({ ctx, google, ask, sourceId, property, within }: Sync): Promise<string | undefined> => {
  const last = lastFinalDay(ctx.now())
  const found = await ctx.read(() => keptDays(ctx.db, sourceId))
  const { day: kept = null, shown = null } = found.rows[0] ?? {}
  const isFirst = kept === null
  // Days that are stored as zeros may have been late, so they are fetched again.
  const again = isFirst ? null : addDays(shown !== null && shown < kept ? shown : kept, 1 - AGAIN_DAYS)
  const from = again ?? addDays(last, 1 - MAX_HISTORY_DAYS)
  const today = wallTime(ctx.now(), ZONE).slice(0, 10)
  const asked = await ask((token) => google.days(token, { property, within, startDate: from, endDate: today }))
  if ('failure' in asked) throw new Refused(asked.failure)
  const known = new Map(asked.ok.rows.map((row) => [row.keys[0] ?? '', numbersOf(row)]))
  const final = finalDayIn(asked.ok, last)
  const first = isFirst ? [...known.keys()].sort()[0] : from
  if (final === undefined || first === undefined || final < first) return kept ?? undefined
  const days = Array.from({ length: daysBetween(first, final) }, (_, n) => addDays(first, n))
  const numbers = days.map((day) => ({ day, ...(known.get(day) ?? { clicks: 0, impressions: 0, position: 0 }) }))
  await saveDays(ctx, sourceId, numbers, final)
  return final
}

/** Fetches and stores the rows by page and query of one period of 28 days. */
const syncWindow = async (sync: Sync, endsOn: string): Promise<void> => {
  const { ctx, sourceId } = sync
  const range = [addDays(endsOn, 1 - WINDOW_DAYS), endsOn] as const
  const pages = await rowsOf(sync, range, ['page'])
  const queries = await rowsOf(sync, range, ['page', 'query'], MAX_CALLS)
  const relevant = queries.filter(({ clicks, impressions }) => clicks > 0 || impressions >= MIN_IMPRESSIONS)
  const rows = [...pages, ...relevant].flatMap((row) => {
    const page = pageOf(row.keys[0])
    const query = row.keys[1] ?? ''
    return page && query.length <= MAX_QUERY ? [{ ...page, query, ...numbersOf(row) }] : []
  })
  for (const batch of batches(rows)) await saveWindowRows(ctx, sourceId, endsOn, batch)
  await completeWindow(ctx, sourceId, endsOn)
}

/** Fetches and stores the missing periods. Returns true if none was complete before. */
const syncWindows = async (sync: Sync, final: string): Promise<boolean> => {
  const { ctx, sourceId } = sync
  const end = lastWindowEnd(final)
  const found = await ctx.read(() => completeWindows(ctx.db, sourceId))
  const complete = new Set(found.rows.map((row) => row.ends_on))
  for (const endsOn of [end, addDays(end, -WINDOW_DAYS)]) if (!complete.has(endsOn)) await syncWindow(sync, endsOn)
  return complete.size === 0
}

/** Returns the pages of each day with most clicks, at most `PAGES_A_DAY`. */
const mostOfEachDay = (rows: readonly SearchRow[]) => {
  const counts = new Map<string, number>()
  const sorted = [...rows].sort((a, b) => b.clicks - a.clicks || b.impressions - a.impressions)
  return sorted.flatMap((row) => {
    const [day = '', address] = row.keys
    const page = pageOf(address)
    const count = counts.get(day) ?? 0
    if (!page || count >= PAGES_A_DAY) return []
    counts.set(day, count + 1)
    return [{ ...page, day, ...numbersOf(row) }]
  })
}

/**
 * Stores rows by page for the newest days without them, as many days at once as fit into one answer.
 *
 * If an answer was cut off, fewer days are requested next; one day alone is stored as far as the answer goes.
 *
 * Returns the number of days to request next; undefined if no day is missing.
 */
const syncPages = async (sync: Sync, span: number): Promise<number | undefined> => {
  const { ctx, sourceId } = sync
  const found = await ctx.read(() => daysWithoutPages(ctx.db, sourceId, span))
  const missing = found.rows.map(({ day }) => day)
  const [to] = missing
  if (to === undefined) return undefined
  const from = missing.findLast((day) => daysBetween(day, to) <= span) ?? to
  const rows = await rowsOf(sync, [from, to], ['date', 'page'])
  if (rows.length >= MAX_ROWS && from !== to) return Math.max(1, Math.floor(daysBetween(from, to) / 4))
  for (const batch of batches(mostOfEachDay(rows))) await savePageDays(ctx, sourceId, batch)
  await ctx.step('search:pages')
  await completeDays(ctx, sourceId, from, to)
  return span
}

/** Switches a project to another part of its property, which has its own history. Returns the id of its source. */
const readPart = async (ctx: Ctx, row: Open, within: string): Promise<number> => {
  const { project_id: projectId, connection_id: connectionId, property } = row
  return (await moveSource(ctx, { projectId, connectionId, property, filteredTo: within })) ?? row.source_id
}

const PAUSE_S = 900

/**
 * Ends a run that Google refused.
 *
 * After a lasting failure the next attempt is tomorrow, and the connection shows what a person has to do. Other failures are
 * retried sooner.
 */
export const endRefused = (ctx: Ctx, failure: Failure): JobResult => {
  if (isLasting(failure)) return { kind: 'done' }
  if (failure.kind === 'away' || failure.kind === 'unauthorized') return { kind: 'again', reason: failure.kind }
  const pauseMs = ((failure.retryAfter ?? PAUSE_S) * 1_000) / ctx.settings.retryTimeScale
  return { kind: 'later', at: new Date(ctx.now().getTime() + pauseMs) }
}

/**
 * Updates a project's search history: totals by day, the last two periods by page and query, then pages by day.
 *
 * Pages are fetched newest first, back to sixteen months. A run lasts some seconds and leaves the rest to the next one. Each
 * step may be repeated.
 */
export const syncSearch = async (ctx: Ctx, google: SearchConsole, progress: SyncProgress): Promise<JobResult> => {
  const { project_id: projectId, turn = 0 } = progress
  const connections = await ctx.read(() => connectionOf(ctx.db, projectId))
  const [row] = connections.rows
  if (!isOpen(row) || row.failure === 'revoked') return { kind: 'done' }
  const startedAt = ctx.now().getTime()
  const within = partOf(row)
  const sourceId = within === row.filtered_to ? row.source_id : await readPart(ctx, row, within)
  const sync: Sync = {
    ctx,
    google,
    ask: searchApiFor(ctx, google, row),
    sourceId,
    property: row.property,
    within,
    hasTime: () => ctx.now().getTime() - startedAt < BUDGET_MS,
  }
  let isFirst = progress.first === true
  let final: string | undefined
  try {
    final = await syncDays(sync)
    if (final !== undefined) isFirst = (await syncWindows(sync, final)) || isFirst
    let span: number | undefined = progress.span ?? FIRST_SPAN
    while (span !== undefined && sync.hasTime()) span = await syncPages(sync, span)
    if (span !== undefined) {
      await continueSync(ctx, { project_id: projectId, span, turn: turn + 1, first: isFirst })
      return { kind: 'settled' }
    }
  } catch (error) {
    if (error instanceof Refused) return endRefused(ctx, error.failure)
    throw error
  }
  if (final !== undefined) {
    const first = addDays(lastFinalDay(ctx.now()), 1 - MAX_HISTORY_DAYS)
    await forgetBefore(ctx, sourceId, first, addDays(lastWindowEnd(final), -WINDOW_DAYS))
  }
  if (isFirst) await suggestNow(ctx, projectId)
  return { kind: 'done' }
}
