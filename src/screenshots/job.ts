import * as z from 'zod/mini'
import { declareJob } from '../jobs/declare.ts'
import { id } from '../lib/fields.ts'

/** Takes the picture of a page. */
export const screenshotJob = declareJob({
  name: 'screenshots.take',
  payload: z.object({ screenshot_id: id() }),
  key: 'screenshot',
  id: 'screenshot_id',
})
