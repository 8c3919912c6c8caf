import { and, between, type Column, eq, gt, inArray, lt, notExists, type SQL, sql } from 'drizzle-orm'
import {
  searchConnections,
  searchDays,
  searchPageDays,
  searchPages,
  searchWindowRows,
  searchWindows,
} from '../../../schema/search.ts'
import type { Db } from '../../platform/db/client.ts'
import { insertWhere, listed } from '../../platform/db/writes.ts'
import { moveJob } from '../../platform/jobs/enqueue.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { type SyncProgress, syncJob } from './jobs.ts'

const UNAUDITED = { unaudited: 'a copy of what Google says; the connection is audited' }

type Numbers = { clicks: number; impressions: number; position: number }
type Page = { page: string; key: string }
type DayNumbers = Numbers & { day: string }
type PageNumbers = Numbers & Page & { day: string }
type WindowNumbers = Numbers & Page & { query: string }

/** Returns the columns of a table that have numbers. */
const numbersIn = <T extends Record<keyof Numbers, Column>>({ clicks, impressions, position }: T) => ({
  clicks,
  impressions,
  position,
})

const LISTED = sql.raw('listed.clicks, listed.impressions, listed.position')
const GIVEN = { clicks: sql`excluded.clicks`, impressions: sql`excluded.impressions`, position: sql`excluded.position` }

/**
 * Stores totals of days, and updates days that are stored already. If the totals changed, the pages of the day are fetched
 * again.
 *
 * Days after `final` are deleted: they were stored before Google had finished them.
 */
export const saveDays = (ctx: Ctx, sourceId: number, days: readonly DayNumbers[], final: string) => {
  const given = listed({ day: searchDays.day, ...numbersIn(searchDays) }, days)
  const pagesAt = sql`case when (${searchDays.clicks}, ${searchDays.impressions}) = (excluded.clicks, excluded.impressions) then ${searchDays.pagesAt} end`
  return ctx.batch(
    {
      searchDays: ctx.db
        .insert(searchDays)
        .select(sql`select ${sourceId}::int, listed.day, ${LISTED}, null::timestamptz from ${given}`)
        .onConflictDoUpdate({ target: [searchDays.sourceId, searchDays.day], set: { ...GIVEN, pagesAt } }),
      deletedSearchDays: ctx.db
        .delete(searchDays)
        .where(and(eq(searchDays.sourceId, sourceId), gt(searchDays.day, final))),
    },
    UNAUDITED,
  )
}

/** Adds pages that are not stored yet, for rows that refer to them. */
const addPages = ({ db }: Ctx, sourceId: number, pages: readonly Page[]) => {
  const once = [...new Map(pages.map((page) => [page.page, page])).values()]
  const isSame = and(eq(searchPages.sourceId, sourceId), eq(searchPages.page, sql`listed.page`))
  return insertWhere(
    searchPages,
    { sourceId, page: sql`listed.page`, pageKey: sql`listed.key` },
    {
      from: listed({ page: searchPages.page, key: searchPages.pageKey }, once),
      if: notExists(db.select({ id: searchPages.id }).from(searchPages).where(isSame)),
      orderBy: sql`listed.page`,
      onConflict: sql`(source_id, page) do nothing`,
    },
  )
}

const pagesIn = (given: SQL, sourceId: number): SQL =>
  sql`${given} join search_pages p on p.source_id = ${sourceId}::int and p.page = listed.page`

/** Stores numbers of pages by day. */
export const savePageDays = (ctx: Ctx, sourceId: number, pages: readonly PageNumbers[]) => {
  const given = listed({ page: searchPages.page, day: searchPageDays.day, ...numbersIn(searchPageDays) }, pages)
  return ctx.batch(
    {
      addPages: addPages(ctx, sourceId, pages),
      searchPageDays: ctx.db
        .insert(searchPageDays)
        .select(sql`select p.id, listed.day, ${LISTED} from ${pagesIn(given, sourceId)}`)
        .onConflictDoUpdate({ target: [searchPageDays.pageId, searchPageDays.day], set: GIVEN }),
    },
    UNAUDITED,
  )
}

/** Marks the rows by page of these days as complete. */
export const completeDays = (ctx: Ctx, sourceId: number, from: string, to: string) => {
  const isBetween = and(eq(searchDays.sourceId, sourceId), between(searchDays.day, from, to))
  return ctx.batch(
    { changedSearchDays: ctx.db.update(searchDays).set({ pagesAt: ctx.now() }).where(isBetween) },
    UNAUDITED,
  )
}

/** Stores numbers of a period by page and query; the query '' is the page itself. The first of duplicates wins. */
export const saveWindowRows = (ctx: Ctx, sourceId: number, endsOn: string, rows: readonly WindowNumbers[]) => {
  const { sourceId: source, endsOn: end, pageId, query } = searchWindowRows
  const given = listed({ page: searchPages.page, query, ...numbersIn(searchWindowRows) }, rows)
  return ctx.batch(
    {
      addPages: addPages(ctx, sourceId, rows),
      searchWindowRows: ctx.db
        .insert(searchWindowRows)
        .select(
          sql`select distinct on (p.id, listed.query) ${sourceId}::int, ${endsOn}::date, p.id, listed.query, ${LISTED}
            from ${pagesIn(given, sourceId)} order by p.id, listed.query, listed.n`,
        )
        .onConflictDoUpdate({
          target: [source, end, pageId, query],
          set: GIVEN,
        }),
    },
    UNAUDITED,
  )
}

/** Marks the rows of a period as complete. */
export const completeWindow = (ctx: Ctx, sourceId: number, endsOn: string) => {
  const completedAt = ctx.now()
  const done = ctx.db
    .insert(searchWindows)
    .values({ sourceId, endsOn, completedAt })
    .onConflictDoUpdate({ target: [searchWindows.sourceId, searchWindows.endsOn], set: { completedAt } })
  return ctx.batch({ done }, UNAUDITED)
}

/** Deletes days before `day`, and periods that ended before `endsOn`, which are no longer compared. */
export const forgetBefore = (ctx: Ctx, sourceId: number, day: string, endsOn: string) => {
  const pages = ctx.db.select({ id: searchPages.id }).from(searchPages).where(eq(searchPages.sourceId, sourceId))
  return ctx.batch(
    {
      deletedSearchPageDays: ctx.db
        .delete(searchPageDays)
        .where(and(inArray(searchPageDays.pageId, pages), lt(searchPageDays.day, day))),
      deletedSearchDays: ctx.db
        .delete(searchDays)
        .where(and(eq(searchDays.sourceId, sourceId), lt(searchDays.day, day))),
      deletedSearchWindowRows: ctx.db
        .delete(searchWindowRows)
        .where(and(eq(searchWindowRows.sourceId, sourceId), lt(searchWindowRows.endsOn, endsOn))),
      deletedSearchWindows: ctx.db
        .delete(searchWindows)
        .where(and(eq(searchWindows.sourceId, sourceId), lt(searchWindows.endsOn, endsOn))),
    },
    { unaudited: 'data older than sixteen months' },
  )
}

/** Makes the suggestion run of a project due now, because its first data are complete. */
export const suggestNow = (ctx: Ctx, projectId: number) => {
  const isOf = eq(searchConnections.projectId, projectId)
  const due = ctx.db.update(searchConnections).set({ nextSuggestionsAt: ctx.now() }).where(isOf)
  return ctx.batch({ due }, { unaudited: 'the service’s own clock' })
}

/** Schedules the next run of the sync for now, with its progress. */
export const continueSync = (ctx: Ctx, progress: SyncProgress) => {
  const moved = moveJob(ctx.db, syncJob, progress.project_id, { if: 'always', runAt: ctx.now(), payload: progress })
  return ctx.batch({ moved }, UNAUDITED)
}

/** Sets the time of the next suggestion run of connected projects. `where`: a condition on their connections. */
export const suggestNext = (db: Db, nextSuggestionsAt: Date, where: SQL | undefined) =>
  db.update(searchConnections).set({ nextSuggestionsAt }).where(where)
