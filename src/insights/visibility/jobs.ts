import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { ENGINES } from '../../../schema/values/visibility.ts'
import { visibilityAnswers } from '../../../schema/visibility.ts'
import { type If, listed } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'

const Asking = z.object({ scan_id: id(), engine: z.enum(ENGINES) })
export type Asking = z.infer<typeof Asking>

/** Asks one engine all questions of a scan. */
export const askJob = defineJob({
  name: 'visibility.ask',
  worker: 'watch',
  pace: 'slow',
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

/** Has every engine asked the questions of the scans of `from`, unless that is being done. */
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
  worker: 'watch',
  payload: z.object({ project_id: id() }),
  key: 'visibility_weekly',
  id: 'project_id',
})
