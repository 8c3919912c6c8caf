import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { articles } from './articles.ts'
import { createdAt, identity, instant, literals, oneOf } from './columns.ts'
import { accountId, projectId } from './owners.ts'
import {
  APPROVAL_KINDS,
  APPROVAL_STATUSES,
  type ApprovedCall,
  type CallResult,
  OPEN_APPROVAL_STATUSES,
  type Proposed,
} from './values/approvals.ts'

/** Requests for a person's approval to send exactly this content to exactly this target. */
export const approvals = pgTable(
  'approvals',
  {
    id: identity(),
    accountId: accountId(),
    projectId: projectId(),
    kind: text('kind', { enum: APPROVAL_KINDS }).notNull(),
    /** The thing that goes out: `article:7`, `suggestion:3`, `social_post:9`. */
    subject: text('subject').notNull(),
    articleId: integer('article_id').references(() => articles.id, { onDelete: 'set null' }),
    /** SHA-256 of content and target, hex. */
    contentHash: text('content_hash').notNull(),
    /** Revision of the article to approve. */
    revision: integer('revision'),
    proposed: jsonb('proposed').$type<Proposed>().notNull(),
    /** Call to carry out after the approval. Null if the request is stored elsewhere. */
    call: jsonb('call').$type<ApprovedCall>(),
    /** Answer of that call; null until it has ended. */
    result: jsonb('result').$type<CallResult>(),
    /** Target of the publication, for people. */
    target: text('target').notNull(),
    status: text('status', { enum: APPROVAL_STATUSES }).notNull().default('awaiting'),
    comment: text('comment'),
    /** Actor of the request: `key:12`, `job:publishing.publish_due`. */
    requestedBy: text('requested_by').notNull(),
    /** Address of the person who decided, or the name given on a review page. */
    decidedBy: text('decided_by'),
    decidedAt: instant('decided_at'),
    /** Times at which people were notified, a second owner was reminded, and people were warned of the end. */
    toldAt: instant('told_at'),
    remindedAt: instant('reminded_at'),
    warnedAt: instant('warned_at'),
    expiresAt: instant('expires_at').notNull(),
    /** SHA-256 of the token in the review link, hex; null: there is no link, or it was revoked. */
    reviewTokenHash: text('review_token_hash'),
    reviewExpiresAt: instant('review_expires_at'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('approvals_open_unique')
      .on(t.subject)
      .where(sql`${t.status} in ${literals(OPEN_APPROVAL_STATUSES)}`),
    uniqueIndex('approvals_review_token_unique').on(t.reviewTokenHash),
    index('approvals_account').on(t.accountId, t.id),
    index('approvals_account_status').on(t.accountId, t.status, t.id),
    index('approvals_project').on(t.projectId, t.id),
    index('approvals_project_status').on(t.projectId, t.status, t.id),
    index('approvals_article').on(t.articleId, t.id),
    check('approvals_kind_check', oneOf(t.kind, APPROVAL_KINDS)),
    check('approvals_status_check', oneOf(t.status, APPROVAL_STATUSES)),
  ],
)
