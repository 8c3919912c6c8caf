import * as z from 'zod/mini'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'

/** Takes the picture of a page. */
export const screenshotJob = defineJob({
  name: 'screenshots.take',
  worker: 'background',
  payload: z.object({ screenshot_id: id() }),
  key: 'screenshot',
  id: 'screenshot_id',
})
