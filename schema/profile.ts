import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { identity, instant } from './columns.ts'
import { accountId, projectId } from './owners.ts'

/** Leases for posting or deleting a public reply to a review, one at a time per review. The audit log has the texts. */
export const reviewReplies = pgTable(
  'review_replies',
  {
    id: identity(),
    accountId: accountId(),
    projectId: projectId(),
    reviewId: text('review_id').notNull(),
    leaseUntil: instant('lease_until').notNull(),
  },
  (t) => [
    uniqueIndex('review_replies_unique').on(t.projectId, t.reviewId),
    index('review_replies_account').on(t.accountId),
  ],
)
