import * as z from 'zod/mini'
import { declareJob } from '../../platform/jobs/declare.ts'
import { id } from '../../platform/lib/fields.ts'

/**
 * Brings a project's search history up to date. What is missing is read from the tables, so a run that was cut off goes on where
 * it was. `span`: how many days were last asked for at once.
 */
export const SyncProgress = z.object({
  project_id: id(),
  span: z.optional(z.int().check(z.gte(1), z.lte(60))),
  turn: z.optional(z.int()),
  /** There were no data before. */
  first: z.optional(z.boolean()),
})

export type SyncProgress = z.infer<typeof SyncProgress>

export const syncJob = declareJob({
  name: 'search.sync',
  payload: SyncProgress,
  key: 'search_sync',
  id: 'project_id',
})
