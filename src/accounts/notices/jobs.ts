import * as z from 'zod/mini'
import { defineJob } from '../../platform/jobs/job.ts'

/** Mails the notices that are due. It belongs to no account, and there is one row at a time. */
export const noticesJob = defineJob({
  name: 'people.notices',
  worker: 'background',
  payload: z.object({ run: z.int() }),
  key: 'notices',
  id: 'run',
})
