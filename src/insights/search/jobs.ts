import * as z from 'zod/mini'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'

/** Progress of a sync. What is missing is read from the tables, so a run that was cut off continues where it stopped. */
const SyncProgress = z.object({
  project_id: id(),
  /** Days that were last requested at once. */
  span: z.optional(z.int().check(z.gte(1), z.lte(60))),
  turn: z.optional(z.int()),
  /** True if there were no data before. */
  first: z.optional(z.boolean()),
})
export type SyncProgress = z.infer<typeof SyncProgress>

/** Updates a project's search history. A run that is given up is queued again the next day. */
export const syncJob = defineJob({
  name: 'search.sync',
  worker: 'watch',
  payload: SyncProgress,
  key: 'search_sync',
  id: 'project_id',
})
