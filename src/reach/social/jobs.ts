import * as z from 'zod/mini'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'

/** Creates, changes or stops the rule that answers a post's commenters, and reads it back. */
export const guideJob = defineJob({
  name: 'social.guide',
  worker: 'background',
  payload: z.object({ post_id: id() }),
  key: 'social_guide',
  id: 'post_id',
})

/** Drafts posts about a published article. No caller waits for them. */
export const draftJob = defineJob({
  name: 'social.draft',
  worker: 'background',
  payload: z.object({ article_id: id() }),
  key: 'social_draft',
  id: 'article_id',
})
