import * as z from 'zod/mini'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'

/** Makes the rewrite of an approved suggestion. */
export const rewriteJob = defineJob({
  name: 'suggestions.rewrite',
  worker: 'watch',
  payload: z.object({ suggestion_id: id() }),
  key: 'rewrite',
  id: 'suggestion_id',
})

/** Looks through a project's search data, as its weekly run. */
export const weeklyJob = defineJob({
  name: 'suggestions.weekly',
  worker: 'watch',
  payload: z.object({ project_id: id() }),
  key: 'suggest',
  id: 'project_id',
})
