import type { SQL } from 'drizzle-orm'
import * as z from 'zod/mini'
import { ENGINES } from '../../../schema/values/visibility.ts'
import type { Part } from '../../platform/db/part.ts'
import type { Parts } from '../../platform/db/statement.ts'
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

/** Parts that have every engine asked the questions of the scans of `scan`, unless that is being done. */
export const askEngines = (scan: Part<'id'>, account: SQL | number, now: Date): Parts =>
  ENGINES.map((engine) =>
    askJob.enqueue({
      from: scan,
      account,
      payload: { scan_id: scan.c.id, engine },
      runAt: now,
      open: 'keep',
      apart: engine,
      name: `queued_${engine}`,
    }),
  )

/** Starts the weekly scan of a project. */
export const weeklyJob = defineJob({
  name: 'visibility.weekly',
  worker: 'watch',
  payload: z.object({ project_id: id() }),
  key: 'visibility_weekly',
  id: 'project_id',
})
