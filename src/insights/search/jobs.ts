import { and, asc, eq, exists, lte, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { projects } from '../../../schema/projects.ts'
import { searchAnswers as answers, searchConnections as connected } from '../../../schema/search.ts'
import { dropInBatches } from '../../platform/db/writes.ts'
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

/** Most projects queued in a minute. Each is due again a day later, so the syncs stay spread over the day. */
const BATCH = 50

/**
 * Queues the daily syncs that are due; returns how many. Reads one index if none is due.
 *
 * Inactive projects, and connections without a property or with a revoked grant, are skipped until their next day.
 */
export const enqueueDueSyncs = async ({ db, now }: SyncDeps): Promise<number> => {
  const at = now()
  const due = db
    .select({ id: connected.projectId })
    .from(connected)
    .where(lte(connected.nextSyncAt, at))
    .orderBy(asc(connected.nextSyncAt))
    .limit(BATCH)
    .for('no key update', { skipLocked: true })
  const taken = db
    .update(connected)
    .set({ nextSyncAt: new Date(at.getTime() + DAY_MS) })
    .where(sql`${connected.projectId} = any(array${due})`)
    .returning({
      projectId: connected.projectId,
      accountId: connected.accountId,
      source: connected.sourceId,
      failure: connected.failure,
    })
  const isActive = and(eq(projects.id, sql`taken.project_id`), eq(projects.status, 'Active'))
  const queued = enqueue(
    syncJob,
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

/** Deletes expired answers in batches; returns how many. */
export const forgetSearchAnswers = ({ db, now }: SyncDeps): Promise<number> =>
  dropInBatches(async (most) => {
    const old = db
      .select({ sourceId: answers.sourceId, key: answers.key })
      .from(answers)
      .where(lte(answers.expiresAt, now()))
      .orderBy(asc(answers.expiresAt))
      .limit(most)
    const isOld = sql`(${answers.sourceId}, ${answers.key}) in ${old}`
    const gone = db.delete(answers).where(isOld).returning({ key: answers.key })
    const { rows } = await sendBatch(db, { rows: gone }, { unaudited: 'copies that are past their hour' })
    return rows.length
  })
