import * as z from 'zod/mini'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'

/**
 * Ends the creation of a campaign whose request died or lost the provider's answer. Given up, the money stays set aside, and the
 * same call of the caller looks the campaign up first.
 */
export const settleJob = defineJob({
  name: 'crowdwork.settle',
  worker: 'background',
  payload: z.object({ row: id() }),
  key: 'crowdwork',
  id: 'row',
})
