import * as z from 'zod/mini'
import { declareJob } from '../../platform/jobs/declare.ts'
import { id } from '../../platform/lib/fields.ts'

/** Makes the rewrite of an approved suggestion. */
export const rewriteJob = declareJob({
  name: 'suggestions.rewrite',
  payload: z.object({ suggestion_id: id() }),
  key: 'rewrite',
  id: 'suggestion_id',
})

/** Looks through a project's search data, as its weekly run. */
export const weeklyJob = declareJob({
  name: 'suggestions.weekly',
  payload: z.object({ project_id: id() }),
  key: 'suggest',
  id: 'project_id',
})
