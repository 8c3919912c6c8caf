import * as z from 'zod/mini'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'

/** Tells search engines about the changed pages of a project, by IndexNow. If it gives up, the next change starts it again. */
export const tellJob = defineJob({
  name: 'publishing.tell_engines',
  whenClosed: 'ends',
  payload: z.object({ project_id: id() }),
  key: 'tell_engines',
  id: 'project_id',
})
