import { and, asc, eq, exists, lte, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { projects } from '../../../schema/projects.ts'
import { searchConnections as connected } from '../../../schema/search.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'
import { DAY_MS } from '../../platform/lib/time.ts'
import { type Deps, sendBatch } from '../../platform/runtime/ctx.ts'

/** State of a sync. Missing days are read from the tables, so a run that was cut off continues at the same point. */
const SyncProgress = z.object({
  project_id: id(),
  /** Number of days in the last request for rows by page. */
  span: z.optional(z.int().check(z.gte(1), z.lte(60))),
  turn: z.optional(z.int()),
  /** True if the project had no data before this sync. */
  first: z.optional(z.boolean()),
})
export type SyncProgress = z.infer<typeof SyncProgress>

/** Updates a project's search history. A run that is given up is queued again the next day. */
export const syncJob = defineJob({
  name: 'search.sync',
  whenClosed: 'ends',
  payload: SyncProgress,
  key: 'search_sync',
  id: 'project_id',
})

type SyncDeps = Pick<Deps, 'db' | 'now'>

/** Asks Google which articles of a project it lists. A run that is given up is queued again some hours later. */
export const inspectJob = defineJob({
  name: 'search.inspect',
  whenClosed: 'ends',
  payload: z.object({ project_id: id() }),
  key: 'search_inspect',
  id: 'project_id',
})

/** Most projects queued in a minute. Each is due again after its own time, so the work stays spread over the day. */
const BATCH = 50

/** Hours after which a project's articles are looked through again, if none is due sooner. */
export const INSPECT_HOURS = 6

/** Recurring work of connected projects: its job, the column of its next time, and the time after which it recurs. */
const RECURRING = {
  sync: { job: syncJob, next: 'nextSyncAt', everyMs: DAY_MS },
  inspect: { job: inspectJob, next: 'nextInspectionsAt', everyMs: INSPECT_HOURS * 3_600_000 },
} as const

/**
 * Queues the recurring work that is due; returns how much. Reads one index if none is due.
 *
 * Inactive projects, and connections without a property or with a revoked grant, are skipped until their next time.
 */
const enqueueDue = async ({ db, now }: SyncDeps, which: keyof typeof RECURRING): Promise<number> => {
  const { job, next, everyMs } = RECURRING[which]
  const at = now()
  const due = db
    .select({ id: connected.projectId })
    .from(connected)
    .where(lte(connected[next], at))
    .orderBy(asc(connected[next]))
    .limit(BATCH)
    .for('no key update', { skipLocked: true })
  const taken = db
    .update(connected)
    .set({ [next]: new Date(at.getTime() + everyMs) })
    .where(sql`${connected.projectId} = any(array${due})`)
    .returning({
      projectId: connected.projectId,
      accountId: connected.accountId,
      source: connected.sourceId,
      failure: connected.failure,
    })
  const isActive = and(eq(projects.id, sql`taken.project_id`), eq(projects.status, 'Active'))
  const queued = enqueue(
    job,
    { project_id: sql`taken.project_id` },
    {
      if: sql`taken.source_id is not null and taken.failure is distinct from 'revoked'
        and ${exists(db.select({ id: projects.id }).from(projects).where(isActive))}`,
      from: sql`taken`,
      account: sql`taken.account_id`,
      runAt: at,
      open: 'keep',
    },
  )
  const { rows } = await sendBatch(
    db,
    { rows: sql`with taken as ${taken} ${queued}` },
    { unaudited: 'the service’s own clock' },
  )
  return rows.length
}

/** Queues the daily syncs that are due; returns how many. */
export const enqueueDueSyncs = (deps: SyncDeps): Promise<number> => enqueueDue(deps, 'sync')

/** Queues the questions to Google about articles that are due; returns of how many projects. */
export const enqueueDueInspections = (deps: SyncDeps): Promise<number> => enqueueDue(deps, 'inspect')
