import { and, asc, eq, isNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { accounts } from '../../../schema/accounts.ts'
import { projects } from '../../../schema/projects.ts'
import { ENGINES } from '../../../schema/values/visibility.ts'
import {
  visibilityScans as scans,
  visibilitySchedules as schedules,
  visibilityAnswers,
} from '../../../schema/visibility.ts'
import { at } from '../../platform/db/instant.ts'
import { type If, listed } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'
import { type Deps, sendBatch } from '../../platform/runtime/ctx.ts'

const Asking = z.object({ scan_id: id(), engine: z.enum(ENGINES) })
export type Asking = z.infer<typeof Asking>

/** Asks one engine all questions of a scan. */
export const askJob = defineJob({
  name: 'visibility.ask',
  pace: 'slow',
  whenClosed: 'ends',
  payload: Asking,
  key: 'visibility_ask',
  id: 'scan_id',
})

/** Returns the engines as a row source: `listed.engine`, in the order of `listed.n`. */
export const listedEngines = () =>
  listed(
    { engine: visibilityAnswers.engine },
    ENGINES.map((engine) => ({ engine })),
  )

type Scans = { from: SQL; id: SQL; account: SQL; if: If }

/** Queues a job for each engine, which asks it the questions of the scans in `from`. Jobs that are queued already stay. */
export const askEngines = ({ from, id: scanId, account, if: condition }: Scans, now: Date) =>
  enqueue(
    askJob,
    { scan_id: scanId, engine: sql`listed.engine` },
    {
      from: sql`${from}, ${listedEngines()}`,
      if: condition,
      account,
      runAt: now,
      open: 'keep',
      apart: sql`listed.engine`,
    },
  )

/** Starts the weekly scan of a project. */
export const weeklyJob = defineJob({
  name: 'visibility.weekly',
  whenClosed: 'ends',
  payload: z.object({ project_id: id() }),
  key: 'visibility_weekly',
  id: 'project_id',
})

/** Most projects queued in a minute. Scans are spread over the week, because each project keeps the day it began on. */
const DUE_BATCH = 50
const WEEK = sql`interval '7 days'`

/**
 * Queues the scans of projects whose week is over, the longest overdue first, and sets their next day; returns how many.
 *
 * Missed weeks are not made up for. Archived projects and suspended accounts are skipped.
 */
export const enqueueDueScans = async ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const runAt = now()
  const due = db
    .select({ id: schedules.projectId })
    .from(schedules)
    .where(lte(schedules.nextScanAt, runAt))
    .orderBy(asc(schedules.nextScanAt))
    .limit(DUE_BATCH)
    .for('no key update', { skipLocked: true })
  const overdue = sql`extract(epoch from ${at(runAt)} - ${schedules.nextScanAt})`
  const weeks = sql`(floor(${overdue} / extract(epoch from ${WEEK})) + 1)`
  const taken = db
    .update(schedules)
    .set({ nextScanAt: sql`${schedules.nextScanAt} + ${weeks} * ${WEEK}` })
    .where(sql`${schedules.projectId} = any(array${due})`)
    .returning({ projectId: schedules.projectId })
  const queued = enqueue(
    weeklyJob,
    { project_id: sql`${projects.id}` },
    {
      from: sql`taken join ${projects} on ${projects.id} = taken.project_id join ${accounts} on ${accounts.id} = ${projects.accountId}`,
      if: sql`${and(eq(projects.status, 'Active'), isNull(accounts.suspendedAt))}`,
      account: sql`${projects.accountId}`,
      runAt,
      open: 'keep',
    },
  )
  const { rows } = await sendBatch(
    db,
    { rows: sql`with taken as ${taken} ${queued}` },
    {
      unaudited: 'the week’s turn; the scan it starts is audited',
    },
  )
  return rows.length
}

/** Longer than any scan takes, even with 25 prompts and five samples. */
const LONG_MS = 3 * 3_600_000
const STRANDED_BATCH = 20

/**
 * Queues the jobs of scans that are still running after hours; returns how many scans.
 *
 * A scan whose jobs were lost would block all later scans.
 */
export const wakeStrandedScans = async ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const at = now()
  const isOld = and(eq(scans.state, 'running'), lt(scans.startedAt, new Date(at.getTime() - LONG_MS)))
  const old = db.select({ id: scans.id, accountId: scans.accountId }).from(scans).where(isOld).limit(STRANDED_BATCH)
  const account = sql`old.account_id`
  const asked = askEngines({ from: sql`${old} as old`, id: sql`old.id`, account, if: 'always' }, at)
  const { rows } = await sendBatch(db, { rows: asked }, { unaudited: 'work that was asked for when the scan began' })
  return new Set(rows.map(({ payload }) => payload.scan_id)).size
}
