import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { approvals } from '../../../schema/approvals.ts'
import { socialPosts } from '../../../schema/social.ts'
import type { Db } from '../../platform/db/client.ts'

/** Notes on posts that waited for one of these questions that they do not go out, and why. `which`: a condition on `approvals`. */
export const postLeft = (db: Db, which: SQL, error: string, now: Date) => {
  const asked = sql`(select substring(${approvals.subject} from '^social_post:([0-9]{1,9})$')::int from ${approvals} where ${which})`
  return db
    .update(socialPosts)
    .set({ status: 'failed', error, updatedAt: now })
    .where(and(sql`${socialPosts.id} in ${asked}`, eq(socialPosts.status, 'draft'), isNotNull(socialPosts.approvalId)))
}
