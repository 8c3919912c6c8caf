import * as z from 'zod/mini'
import { declareJob } from '../../platform/jobs/declare.ts'
import { id } from '../../platform/lib/fields.ts'

/** Brings a campaign to an end whose request died or lost the provider's answer. */
export const settleJob = declareJob({
  name: 'crowdwork.settle',
  payload: z.object({ row: id() }),
  key: 'crowdwork',
  id: 'row',
})

export type SettleJob = { row: number }
