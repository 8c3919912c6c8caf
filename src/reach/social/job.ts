import * as z from 'zod/mini'
import { declareJob } from '../../platform/jobs/declare.ts'
import { id } from '../../platform/lib/fields.ts'

/** Brings a post out: now, on its date, or again; and looks up one whose outcome is not known. */
export const postJob = declareJob({
  name: 'social.post',
  payload: z.object({ post_id: id() }),
  key: 'social_post',
  id: 'post_id',
})

/** Brings the rule that answers a post's commenters to what is asked for, and reads it back. */
export const guideJob = declareJob({
  name: 'social.guide',
  payload: z.object({ post_id: id() }),
  key: 'social_guide',
  id: 'post_id',
})

/** Drafts posts about an article that was published. */
export const draftJob = declareJob({
  name: 'social.draft',
  payload: z.object({ article_id: id() }),
  key: 'social_draft',
  id: 'article_id',
})
