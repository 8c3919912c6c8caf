import * as z from 'zod/mini'
import { declareJob } from '../../platform/jobs/declare.ts'
import { id } from '../../platform/lib/fields.ts'

/** Takes the picture of a page. */
export const screenshotJob = declareJob({
  name: 'screenshots.take',
  payload: z.object({ screenshot_id: id() }),
  key: 'screenshot',
  id: 'screenshot_id',
})
