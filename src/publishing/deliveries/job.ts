import * as z from 'zod/mini'
import { declareJob } from '../../platform/jobs/declare.ts'
import { id } from '../../platform/lib/fields.ts'

/** Takes up a delivery that waits: at its next attempt, or when the lease of an attempt that died has ended. */
export const deliverJob = declareJob({
  name: 'publishing.deliver',
  payload: z.object({ delivery_id: id() }),
  key: 'deliver',
  id: 'delivery_id',
})
