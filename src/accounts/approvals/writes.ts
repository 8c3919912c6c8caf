import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { approvals } from '../../../schema/approvals.ts'
import type { ApprovalKind, ApprovalStatus } from '../../../schema/values/approvals.ts'
import { audit } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { Ctx, Statement } from '../../platform/runtime/ctx.ts'
import { approvedJob } from './jobs.ts'
import { isOpen } from './parts.ts'

/**
 * Notes in the audit log, and so in the feed of events, what becomes of approvals. It stands before the statement that changes them.
 * `which`: a condition on the rows of `approvals`.
 */
export const auditDecision = (
  ctx: Pick<Ctx, 'actor' | 'now'>,
  which: SQL,
  accountId: number,
  status: ApprovalStatus,
  comment?: string,
) =>
  audit(ctx, {
    account: accountId,
    action: `approval.${status}`,
    on: ['approval', sql`${approvals.id}`],
    detail: sql`jsonb_build_object('kind', ${approvals.kind}, 'article_id', ${approvals.articleId}${comment === undefined ? sql`` : sql`, 'comment', ${comment}::text`})`,
    from: sql`${approvals}`,
    if: which,
  })

/** Kinds of approvals that a change of an article's text makes void. */
const OF_TEXT = ['publish', 'sync', 'suggestion'] as const satisfies ApprovalKind[]

/**
 * Ends the open approvals of an article whose text changes or which goes out no more. `asksAgain`: those that waited are asked about
 * again as they are now.
 */
export const supersedeApprovals = (
  ctx: Pick<Ctx, 'actor' | 'now' | 'db'>,
  articleId: number,
  accountId: number,
  { if: condition, asksAgain }: { if: SQL; asksAgain: boolean },
): Statement[] => {
  const which = sql`${and(eq(approvals.articleId, articleId), isOpen(), inArray(approvals.kind, [...OF_TEXT]))} and ${condition}`
  return [
    ctx.db.select({ id: approvals.id }).from(approvals).where(which).for('no key update'),
    auditDecision(ctx, which, accountId, 'superseded'),
    asksAgain &&
      enqueue(
        approvedJob,
        { approval_id: sql`${approvals.id}` },
        {
          account: accountId,
          from: sql`${approvals}`,
          if: sql`${which} and ${eq(approvals.kind, 'publish')}`,
          runAt: ctx.now(),
          open: 'keep',
        },
      ),
    ctx.db.update(approvals).set({ status: 'superseded' }).where(which),
  ]
}
