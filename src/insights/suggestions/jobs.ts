import { and, asc, eq, exists, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { accounts } from '../../../schema/accounts.ts'
import { projects } from '../../../schema/projects.ts'
import { searchConnections } from '../../../schema/search.ts'
import { at } from '../../platform/db/instant.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'
import { DAY_MS } from '../../platform/lib/time.ts'
import { type Deps, sendBatch } from '../../platform/runtime/ctx.ts'
import { suggestNext } from '../search/writes.ts'

/** Makes the rewrite of an approved suggestion. */
export const rewriteJob = defineJob({
  name: 'suggestions.rewrite',
  whenClosed: 'ends',
  payload: z.object({ suggestion_id: id() }),
  key: 'rewrite',
  id: 'suggestion_id',
})

/** Searches the data of a project for suggestions, as its weekly run. */
export const weeklyJob = defineJob({
  name: 'suggestions.weekly',
  whenClosed: 'ends',
  payload: z.object({ project_id: id() }),
  key: 'suggest',
  id: 'project_id',
})

const MONDAY = 1
const HOUR = 6

/** Returns the last Monday 06:00 UTC at or before an instant. */
const lastRunBefore = (now: Date): Date => {
  const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), HOUR))
  const days = (start.getUTCDay() - MONDAY + 7) % 7
  const monday = new Date(start.getTime() - days * DAY_MS)
  return monday > now ? new Date(monday.getTime() - 7 * DAY_MS) : monday
}

/** Returns the next Monday 06:00 UTC after an instant. */
export const nextRunAfter = (now: Date): Date => new Date(lastRunBefore(now).getTime() + 7 * DAY_MS)

/** Projects queued per minute: ten thousand take five minutes. */
const BATCH = 2_000
/** Seconds over which the runs of one minute are spread. */
const SPREAD_S = 3_300

/**
 * Queues the weekly runs that are due, one batch per call, and returns how many. Reads one index if none is due.
 *
 * Each runs at a second of its own, within the hour after it is due.
 *
 * Projects with weekly runs off, archived projects and suspended accounts wait for the next week.
 */
export const enqueueWeeklyRuns = async ({ db, now: clock }: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const now = clock()
  const { projectId, accountId, nextSuggestionsAt: dueAt, sourceId } = searchConnections
  const isDue = lte(dueAt, now)
  const due = await db.select({ projectId }).from(searchConnections).where(isDue).orderBy(asc(dueAt)).limit(BATCH)
  if (due.length === 0) return 0
  const isTaken = and(sql`${projectId} = any(${sql.param(due.map((one) => one.projectId))}::int[])`, isDue)
  const isWished = exists(
    db
      .select({ id: projects.id })
      .from(projects)
      .innerJoin(accounts, and(eq(accounts.id, projects.accountId), isNull(accounts.suspendedAt)))
      .where(and(eq(projects.id, projectId), eq(projects.status, 'Active'), eq(projects.weeklySuggestions, true))),
  )
  const place = sql`(${projectId}::bigint * 2654435761 % ${sql.raw(String(SPREAD_S))}) * interval '1 second'`
  const work = {
    from: sql`${searchConnections}`,
    if: sql`${and(isTaken, isNotNull(sourceId), isWished)}`,
    account: sql`${accountId}`,
    runAt: sql`greatest(${dueAt} + ${place}, ${at(now)})`,
    open: 'keep',
  } as const
  const { queued } = await sendBatch(
    db,
    {
      queued: enqueue(weeklyJob, { project_id: sql`${projectId}` }, work),
      suggestNext: suggestNext(db, nextRunAfter(now), isTaken),
    },
    { unaudited: 'the runs themselves are told' },
  )
  return queued.length
}
