import * as z from 'zod/mini'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'

/**
 * Settles a campaign whose request crashed or lost the provider's answer.
 *
 * If the job is given up, the money stays set aside. The same call then looks the campaign up first.
 */
export const settleJob = defineJob({
  name: 'crowdwork.settle',
  worker: 'background',
  payload: z.object({ row: id() }),
  key: 'crowdwork',
  id: 'row',
})
