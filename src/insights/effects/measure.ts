import { and, asc, eq, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { pageChanges } from '../../../schema/effects.ts'
import type { PageEffect } from '../../../schema/values/effects.ts'
import { statusAllows } from '../../content/articles/parts.ts'
import type { Db } from '../../platform/db/client.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'
import { type Ctx, type Deps, sendBatch } from '../../platform/runtime/ctx.ts'
import { clicksOfPage, clicksOfPages, knownDaysAround } from '../search/parts.ts'
import { type Clicks, estimate } from './estimate.ts'
import { isGivenUp, nextTry } from './writes.ts'

/** Measures the effect of a change of a live page. A job that is given up is queued again the next day. */
export const measureJob = defineJob({
  name: 'effects.measure',
  whenClosed: { runs: 'it only compares stored search data' },
  payload: z.object({ change_id: id() }),
  key: 'effect',
  id: 'change_id',
})

const BATCH = 200

/**
 * Queues a batch of the measurements that are due; returns how many. Reads one index if none is due.
 *
 * Each measurement is due again a day later until it is done.
 */
export const enqueueDueEffects = async ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const runAt = now()
  const { id, accountId, measureAt, measuredAt } = pageChanges
  const isDue = and(isNull(measuredAt), lte(measureAt, runAt))
  const due = await db.select({ id }).from(pageChanges).where(isDue).orderBy(asc(measureAt)).limit(BATCH)
  if (due.length === 0) return 0
  const ids = due.map((change) => change.id)
  const isTaken = sql`${and(inArray(id, ids), isDue)}`
  const work = { from: sql`${pageChanges}`, if: isTaken, account: sql`${accountId}`, runAt, open: 'keep' } as const
  const { queued } = await sendBatch(
    db,
    {
      queued: enqueue(measureJob, { change_id: sql`${id}` }, work),
      changedPageChanges: db
        .update(pageChanges)
        .set({ measureAt: nextTry(runAt) })
        .where(isTaken),
    },
    { unaudited: 'the service’s own clock' },
  )
  return queued.length
}

/** Changes of a page that are closer together than this cannot be measured separately. */
const APART = sql.raw("interval '29 days'")
/** Most pages a changed page is compared with: those with the most similar clicks. */
const MAX_CONTROLS = 100

/** Day of a change in the time zone of Search Console. */
const day = sql.raw("(c.changed_at at time zone 'America/Los_Angeles')::date")

type ChangeRow = {
  changed_at: string
  measured: boolean
  live: boolean
  published_on_day: number | null
  taken_back: boolean
  changed_again: boolean
  connected: boolean
  known_days: number
}

/**
 * Returns a change and the facts that decide if it can be measured.
 *
 * `published_on_day` is the age of the article at the change, in days.
 */
const changeById = (db: Db, id: number) =>
  db.execute<ChangeRow>(sql`
    select to_char(c.changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as changed_at,
      c.measured_at is not null as measured, coalesce(${statusAllows('sync', 'a')}, false) as live,
      extract(day from c.changed_at - a.published_at)::int as published_on_day,
      exists (select 1 from page_changes o where o.article_id = c.article_id and o.id > c.id and o.kind = 'rollback'
        and o.changed_at < c.changed_at + ${APART}) as taken_back,
      exists (select 1 from page_changes o where o.article_id = c.article_id and o.id <> c.id
        and o.changed_at > c.changed_at - ${APART} and o.changed_at < c.changed_at + ${APART}) as changed_again,
      s.source_id is not null as connected,
      (select count(*)::int from (${knownDaysAround(sql.raw('s.source_id'), day)}) k) as known_days
    from page_changes c left join articles a on a.id = c.article_id
      left join search_connections s on s.project_id = c.project_id
    where c.id = ${id}::int`)

export type ClicksRow = { own: boolean; prior: number; before: number; after: number }

/**
 * Selects the clicks of the changed page, then those of similar pages that were not changed from 56 days before to 28 after.
 *
 * Articles that were published in that time are left out. The clicks of the 28 days before are summed for every page, the
 * others only for the pages that are used.
 */
export const clicksOfChange = (db: Db, id: number) => {
  const project = sql`(select project_id from c)`
  const date = sql`(select day from c)`
  const clicks = (key: SQL, from: SQL, to: SQL) => clicksOfPage(project, key, sql`${date} ${from}`, sql`${date} ${to}`)
  const prior = (key: SQL) => clicks(key, sql`- 56`, sql`- 29`)
  const before = (key: SQL) => clicks(key, sql`- 28`, sql`- 1`)
  const after = (key: SQL) => clicks(key, sql`+ 1`, sql`+ 28`)
  const own = sql`m.url_key`
  return db.execute<ClicksRow>(sql`
    with c as materialized (select project_id, article_id, ${day} as day from page_changes c where id = ${id}::int),
    sums as materialized (${clicksOfPages(project, sql`${date} - 28`, sql`${date} - 1`)}),
    mine as materialized (
      select coalesce(sum(${prior(own)}), 0)::int as prior, coalesce(sum(${before(own)}), 0)::int as before,
        coalesce(sum(${after(own)}), 0)::int as after
      from c join site_pages m on m.project_id = c.project_id and m.article_id = c.article_id)
    (select true as own, prior, before, after from mine)
    union all
    (select false, t.prior, k.before, t.after
      from (select s.page_key, p.article_id, s.clicks as before, abs(ln(s.clicks + 1) - ln((select before from mine) + 1)) as away
          from c cross join sums s left join site_pages p on p.project_id = c.project_id and p.url_key = s.page_key
          where s.clicks > 0 and (p.article_id = c.article_id) is not true order by away, s.page_key offset 0) k
        cross join lateral (select ${prior(sql`k.page_key`)} as prior, ${after(sql`k.page_key`)} as after offset 0) t
      where t.prior > 0
        and not exists (select 1 from articles a where a.id = k.article_id and a.published_at >= ${date} - 56)
        and not exists (select 1 from page_changes o where o.article_id = k.article_id
          and o.changed_at > ${date} - 57 and o.changed_at < ${date} + 30)
      order by k.away, k.page_key limit ${MAX_CONTROLS}::int)`)
}

/** Days of search data that a measurement needs: 28 after the change and 56 before it. The day of the change is not counted. */
const WANTED_DAYS = 3 * 28
const YOUNGEST_DAYS = 57

/** Returns the reason why a change can never be measured; undefined if it can. */
const obstacle = (row: ChangeRow): string | undefined => {
  if (!row.live) return 'The article is no longer live.'
  if (row.taken_back) return 'The change was undone within 28 days: readers saw an earlier version again.'
  if (row.changed_again)
    return 'The page was changed again within 28 days, so the effect of each change cannot be measured.'
  if (row.published_on_day === null || row.published_on_day < YOUNGEST_DAYS)
    return 'The page was less than 56 days old, so there is nothing to compare with.'
  return undefined
}

const missing = (row: ChangeRow): string | undefined => {
  if (!row.connected) return 'The project has no search data.'
  if (row.known_days < WANTED_DAYS) return 'Search data of some days is missing.'
  return undefined
}

const NOTHING = { change: null, control_change: null, controls: 0, interval: null, verdict: null } as const

const effectOf = (own: Clicks, similar: readonly Clicks[], reason: string | undefined): PageEffect => {
  const clicks = { clicks_before: own.before, clicks_after: own.after }
  if (reason !== undefined) return { ...clicks, ...NOTHING, reason }
  const found = estimate(own, similar)
  return { ...clicks, ...(found.estimate ?? NOTHING), reason: found.reason }
}

const NO_CLICKS: Clicks = { prior: 0, before: 0, after: 0 }

/** Measures the effect of a change of a live page, once its data are complete. Running it twice measures it once. */
export const measureChange = async (ctx: Ctx, id: number): Promise<JobResult> => {
  const { changes, clicks } = await ctx.read(() => ({
    changes: changeById(ctx.db, id),
    clicks: clicksOfChange(ctx.db, id),
  }))
  const [row] = changes.rows
  if (!row || row.measured) return { kind: 'done' }
  const now = ctx.now()
  const absent = missing(row)
  const reason = obstacle(row) ?? absent
  if (reason === absent && reason !== undefined && !isGivenUp(new Date(row.changed_at), now)) return { kind: 'done' }
  const [own = NO_CLICKS, ...similar] = clicks.rows
  await ctx.batch(
    {
      changedPageChanges: ctx.db
        .update(pageChanges)
        .set({ effect: effectOf(own, similar, reason), measuredAt: now })
        .where(and(eq(pageChanges.id, id), isNull(pageChanges.measuredAt))),
    },
    { unaudited: 'a measurement changes nothing' },
  )
  return { kind: 'done' }
}
