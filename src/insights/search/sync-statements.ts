import { and, type Column, eq, gt, lt, type SQL, sql } from 'drizzle-orm'
import { projects } from '../../../schema/projects.ts'
import {
  searchAnswers,
  searchConnections,
  searchDays,
  searchPageDays,
  searchPages,
  searchWindowRows,
  searchWindows,
} from '../../../schema/search.ts'
import { at } from '../../platform/db/instant.ts'
import { givenRows, query, read, readDue } from '../../platform/db/read-parts.ts'
import { countOf, ONE_ROW, statement } from '../../platform/db/statement.ts'
import { insert, overwritten, remove, update } from '../../platform/db/write-parts.ts'
import { DAY_MS } from '../../platform/lib/time.ts'
import { type SyncProgress, syncJob } from './jobs.ts'

const UNAUDITED = 'a copy of what Google says; the connection is audited'

type Numbers = { clicks: number; impressions: number; position: number }
export type DayNumbers = Numbers & { day: string }
export type PageNumbers = Numbers & { page: string; key: string; day: string }
export type WindowNumbers = Numbers & { page: string; key: string; query: string }

/** The columns of a table that hold numbers. */
const numbersIn = <T extends Record<keyof Numbers, Column>>({ clicks, impressions, position }: T) => ({
  clicks,
  impressions,
  position,
})

/**
 * Totals of days, those that are there again with what Google says now: where that changed, their pages are asked for again. Days
 * after the `final` one go: they were kept before Google had them.
 */
export const saveDays = (sourceId: number, days: readonly DayNumbers[], final: string): SQL => {
  const rows = givenRows(
    'given_days',
    {
      day: searchDays.day,
      ...numbersIn(searchDays),
    },
    days,
  )
  const { day, clicks, impressions, position } = rows.c
  const saved = insert(
    'saved',
    searchDays,
    { sourceId, day, clicks, impressions, position },
    {
      from: [rows],
      onConflict: {
        columns: [searchDays.sourceId, searchDays.day],
        set: {
          ...overwritten(numbersIn(searchDays)),
          pagesAt: sql`case when (${searchDays.clicks}, ${searchDays.impressions}) = (excluded.clicks, excluded.impressions) then ${searchDays.pagesAt} end`,
        },
      },
      returning: { day: searchDays.day },
    },
  )
  const late = remove('late', searchDays, {
    where: sql`${and(eq(searchDays.sourceId, sourceId), gt(searchDays.day, final))}`,
    returning: { day: searchDays.day },
  })
  return statement({
    unaudited: UNAUDITED,
    parts: [rows, saved, late],
    answer: { saved: countOf(saved) },
    answerFrom: ONE_ROW,
  })
}

/** Pages that were not seen before. Runs before the rows that refer to them, in the same transaction. */
export const addPages = (sourceId: number, pages: readonly { page: string; key: string }[]): SQL => {
  const rows = givenRows(
    'given_pages',
    {
      page: searchPages.page,
      key: searchPages.pageKey,
    },
    pages,
  )
  const fresh = query(
    'fresh',
    ['page', 'key'],
    sql`select distinct on (${rows.c.page}) ${rows.c.page}, ${rows.c.key} from ${rows.rows}
      where not exists (select 1 from search_pages p where p.source_id = ${sourceId}::int and p.page = ${rows.c.page}) order by ${rows.c.page}`,
  )
  const added = insert(
    'added',
    searchPages,
    { sourceId, page: fresh.c.page, pageKey: fresh.c.key },
    {
      from: [fresh],
      onConflict: { columns: [searchPages.sourceId, searchPages.page] },
      returning: { id: searchPages.id },
    },
  )
  return statement({
    unaudited: UNAUDITED,
    parts: [rows, fresh, added],
    answer: { added: countOf(added) },
    answerFrom: ONE_ROW,
  })
}

/** Numbers of pages by day. */
export const savePageDays = (sourceId: number, pages: readonly PageNumbers[]): SQL => {
  const rows = givenRows(
    'given_rows',
    {
      page: searchPages.page,
      day: searchPageDays.day,
      ...numbersIn(searchDays),
    },
    pages,
  )
  const known = query(
    'known',
    ['id', 'day', 'clicks', 'impressions', 'position'],
    sql`select p.id, ${rows.c.day}, ${rows.c.clicks}, ${rows.c.impressions}, ${rows.c.position} from ${rows.rows}
      join search_pages p on p.source_id = ${sourceId}::int and p.page = ${rows.c.page}`,
  )
  const { id: pageId, day, clicks, impressions, position } = known.c
  const saved = insert(
    'saved',
    searchPageDays,
    { pageId, day, clicks, impressions, position },
    {
      from: [known],
      onConflict: {
        columns: [searchPageDays.pageId, searchPageDays.day],
        set: overwritten(numbersIn(searchPageDays)),
      },
      returning: { day: searchPageDays.day },
    },
  )
  return statement({
    unaudited: UNAUDITED,
    parts: [rows, known, saved],
    answer: { saved: countOf(saved) },
    answerFrom: ONE_ROW,
  })
}

/** Notes that the rows by page of these days are complete. */
export const completeDays = (sourceId: number, from: string, to: string, now: Date): SQL => {
  const done = update(
    'done',
    searchDays,
    { pagesAt: now },
    {
      where: sql`${and(eq(searchDays.sourceId, sourceId), sql`${searchDays.day} between ${from}::date and ${to}::date`)}`,
      returning: { day: searchDays.day },
    },
  )
  return statement({ unaudited: UNAUDITED, parts: [done], answer: { done: countOf(done) }, answerFrom: ONE_ROW })
}

/** Numbers of a period by page and query; the query '' is the page itself. */
export const saveWindowRows = (sourceId: number, endsOn: string, window: readonly WindowNumbers[]): SQL => {
  const rows = givenRows(
    'given_rows',
    {
      page: searchPages.page,
      query: searchWindowRows.query,
      ...numbersIn(searchDays),
    },
    window,
  )
  const known = query(
    'known',
    ['id', 'query', 'clicks', 'impressions', 'position'],
    sql`select distinct on (p.id, ${rows.c.query}) p.id, ${rows.c.query}, ${rows.c.clicks}, ${rows.c.impressions}, ${rows.c.position}
      from ${rows.rows} join search_pages p on p.source_id = ${sourceId}::int and p.page = ${rows.c.page} order by p.id, ${rows.c.query}, ${rows.c.n}`,
  )
  const { id: pageId, query: text, clicks, impressions, position } = known.c
  const saved = insert(
    'saved',
    searchWindowRows,
    { sourceId, endsOn, pageId, query: text, clicks, impressions, position },
    {
      from: [known],
      onConflict: {
        columns: [searchWindowRows.sourceId, searchWindowRows.endsOn, searchWindowRows.pageId, searchWindowRows.query],
        set: overwritten(numbersIn(searchWindowRows)),
      },
      returning: { id: searchWindowRows.pageId },
    },
  )
  return statement({
    unaudited: UNAUDITED,
    parts: [rows, known, saved],
    answer: { saved: countOf(saved) },
    answerFrom: ONE_ROW,
  })
}

/** Notes that a period's rows are complete. */
export const completeWindow = (sourceId: number, endsOn: string, now: Date): SQL => {
  const done = insert(
    'done',
    searchWindows,
    { sourceId, endsOn, completedAt: now },
    {
      onConflict: {
        columns: [searchWindows.sourceId, searchWindows.endsOn],
        set: overwritten({ completedAt: searchWindows.completedAt }),
      },
      returning: { endsOn: searchWindows.endsOn },
    },
  )
  return statement({ unaudited: UNAUDITED, parts: [done], answer: { ends_on: done.c.endsOn } })
}

/** Forgets days before one, and periods that nothing is compared with any more. */
export const forgetBefore = (sourceId: number, day: string, endsOn: string): SQL => {
  const pageDays = remove('page_days', searchPageDays, {
    where: sql`${searchPageDays.pageId} in (select id from search_pages where source_id = ${sourceId}::int) and ${searchPageDays.day} < ${day}::date`,
  })
  const days = remove('days', searchDays, {
    where: sql`${and(eq(searchDays.sourceId, sourceId), lt(searchDays.day, day))}`,
  })
  const rows = remove('window_rows', searchWindowRows, {
    where: sql`${and(eq(searchWindowRows.sourceId, sourceId), lt(searchWindowRows.endsOn, endsOn))}`,
  })
  const windows = remove('windows', searchWindows, {
    where: sql`${and(eq(searchWindows.sourceId, sourceId), lt(searchWindows.endsOn, endsOn))}`,
  })
  return statement({
    unaudited: 'data older than sixteen months',
    parts: [pageDays, days, rows, windows],
    answer: { days: countOf(days) },
    answerFrom: ONE_ROW,
  })
}

/** Queues a suggestion run of a project now: its first data are complete. */
export const suggestNow = (projectId: number, now: Date): SQL => {
  const due = update(
    'due',
    searchConnections,
    { nextSuggestionsAt: now },
    { where: eq(searchConnections.projectId, projectId), returning: { id: searchConnections.projectId } },
  )
  return statement({ unaudited: 'the service’s own clock', parts: [due], answer: { id: due.c.id } })
}

/** Makes the job's next run go on at once. */
export const continueSync = (progress: SyncProgress, now: Date): SQL => {
  const moved = syncJob.move(progress.project_id, now, { payload: progress })
  return statement({ unaudited: UNAUDITED, parts: [moved], answer: { id: moved.c.id } })
}

/** Projects a minute. The day's order keeps them apart. */
const BATCH = 50
/** Queues the daily sync of connections that are due, each once a day. Those that Google no longer serves wait for a person. */
export const enqueueDue = (now: Date): SQL => {
  const due = readDue(
    searchConnections,
    searchConnections.nextSyncAt,
    { projectId: searchConnections.projectId },
    { now, limit: BATCH },
  )
  const taken = update(
    'taken',
    searchConnections,
    { nextSyncAt: new Date(now.getTime() + DAY_MS) },
    {
      from: [due],
      where: sql`${searchConnections.projectId} = ${due.c.projectId}`,
      returning: {
        id: searchConnections.projectId,
        accountId: searchConnections.accountId,
        isServed: sql`${searchConnections.failure} is distinct from 'revoked' and ${searchConnections.sourceId} is not null`,
      },
    },
  )
  const isActive = sql`exists (select 1 from ${projects} where ${projects.id} = ${taken.c.id} and ${projects.status} = 'Active')`
  const queued = syncJob.enqueue({
    from: taken,
    account: taken.c.accountId,
    payload: { project_id: taken.c.id },
    runAt: now,
    open: 'keep',
    where: sql`${taken.c.isServed} and ${isActive}`,
  })
  return statement({
    unaudited: 'the service’s own clock',
    parts: [due, taken, queued],
    answer: { queued: countOf(queued) },
    answerFrom: ONE_ROW,
  })
}

/** Forgets answers that are past their hour, at most so many. */
export const forgetAnswers = (now: Date, limit: number): SQL => {
  const old = read(
    'old',
    searchAnswers,
    { sourceId: searchAnswers.sourceId, key: searchAnswers.key },
    { where: sql`${searchAnswers.expiresAt} <= ${at(now)}`, orderBy: sql`${searchAnswers.expiresAt}`, limit },
  )
  const gone = remove('gone', searchAnswers, {
    from: [old],
    where: sql`${searchAnswers.sourceId} = ${old.c.sourceId} and ${searchAnswers.key} = ${old.c.key}`,
  })
  return statement({
    unaudited: 'copies that are past their hour',
    parts: [old, gone],
    answer: { gone: countOf(gone) },
    answerFrom: ONE_ROW,
  })
}
