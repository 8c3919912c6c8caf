import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { approvals } from '../../../schema/approvals.ts'
import { socialAccounts, socialPosts, socialProfiles } from '../../../schema/social.ts'
import type { Db } from '../../platform/db/client.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'

/** Creates, changes or stops the rule that answers a post's commenters, and reads it back. */
export const guideJob = defineJob({
  name: 'social.guide',
  whenClosed: 'ends',
  payload: z.object({ post_id: id() }),
  key: 'social_guide',
  id: 'post_id',
})

/** Drafts posts about a published article. No caller waits for them. */
export const draftJob = defineJob({
  name: 'social.draft',
  whenClosed: 'ends',
  payload: z.object({ article_id: id() }),
  key: 'social_draft',
  id: 'article_id',
})

/** Queues the drafting of posts about an article that went live, if its project has accounts of social networks. */
export const draftAbout = (
  { articleId, accountId, projectId }: { articleId: number; accountId: number; projectId: number },
  { if: condition, now }: { if: SQL; now: Date },
) => {
  const hasProfile = sql`exists (select 1 from ${socialProfiles} where ${eq(socialProfiles.projectId, projectId)})`
  const isActive = and(eq(socialAccounts.projectId, projectId), eq(socialAccounts.status, 'Active'))
  const hasAccount = sql`exists (select 1 from ${socialAccounts} where ${isActive})`
  return enqueue(
    draftJob,
    { article_id: articleId },
    { if: sql`${condition} and (${hasProfile} or ${hasAccount})`, account: accountId, runAt: now, open: 'keep' },
  )
}

/** Records that posts which waited for one of these questions do not go out, and why. `which`: a condition on `approvals`. */
export const postLeft = (db: Db, which: SQL, error: string, now: Date) => {
  const asked = sql`(select substring(${approvals.subject} from '^social_post:([0-9]{1,9})$')::int from ${approvals} where ${which})`
  return db
    .update(socialPosts)
    .set({ status: 'failed', error, updatedAt: now })
    .where(and(sql`${socialPosts.id} in ${asked}`, eq(socialPosts.status, 'draft'), isNotNull(socialPosts.approvalId)))
}
