import * as z from 'zod/mini'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'

/** Measures the effect of a change of a live page. One that is given up is queued again the next day. */
export const measureJob = defineJob({
  name: 'effects.measure',
  worker: 'watch',
  payload: z.object({ change_id: id() }),
  key: 'effect',
  id: 'change_id',
})
