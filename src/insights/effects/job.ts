import * as z from 'zod/mini'
import { declareJob } from '../../platform/jobs/declare.ts'
import { id } from '../../platform/lib/fields.ts'

/** Measures what a change of a live page did. */
export const measureJob = declareJob({
  name: 'effects.measure',
  payload: z.object({ change_id: id() }),
  key: 'effect',
  id: 'change_id',
})
