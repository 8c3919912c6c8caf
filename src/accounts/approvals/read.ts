import { and, eq, type SQL, sql } from 'drizzle-orm'
import { approvals } from '../../../schema/approvals.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { audit } from '../../platform/db/writes.ts'
import { base64Url, sha256 } from '../../platform/lib/crypto.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx, Deps } from '../../platform/runtime/ctx.ts'
import { readPage } from '../projects/scope.ts'
import type { ListApprovalsInput } from './operations.ts'
import {
  type ApprovalDetail,
  approvalById,
  approvalByToken,
  approvalForJob,
  approvalsByIds,
  articleOwner,
  listApprovalRows,
} from './queries.ts'
import { isInTime } from './writes.ts'

const PAGE = { default: 50, max: 200 }

/** Returns the account's approvals, newest first. Throws 404 and 403 for a project or an article that is not the account's. */
export const listApprovals = (ctx: Ctx, input: ListApprovalsInput) => {
  const { article_id: articleId } = input
  return readPage(
    ctx,
    input,
    PAGE,
    (owner, paging) => listApprovalRows(ctx.db, owner, input, paging),
    articleId === undefined ? undefined : { what: 'article', owner: (owner) => articleOwner(ctx.db, owner, articleId) },
  )
}

/** Returns one approval of the account. Throws 404 and 403. */
export const getApproval = async (ctx: Ctx, id: number): Promise<ApprovalDetail> => {
  const [row] = await ctx.read((owner) => approvalById(ctx.db, owner, id))
  return owned(row && { row, mine: row.mine }, 'approval')
}

/** Returns those of some approvals that are of the account's project, in any state, with what each would send. */
export const readApprovals = (ctx: Ctx, projectId: number, ids: readonly number[]) =>
  ctx.read((owner) => approvalsByIds(ctx.db, owner, projectId, ids))

/** Returns an approval for its job. Without a call, it must be approved or superseded, and its article must still wait. */
export const approvalToSend = async (ctx: Ctx, id: number) => {
  const [row] = await ctx.read((owner) => approvalForJob(ctx.db, owner, id))
  if (!row || row.call) return row
  const isDecided = row.status === 'approved' || row.status === 'superseded'
  return isDecided && (row.waits || row.kind === 'suggestion') ? row : undefined
}

/** Path of the review pages; the token follows. */
export const REVIEW_PATH = '/review'

const change = async (ctx: Ctx, id: number, tokenHash: string | null): Promise<void> => {
  const { id: accountId } = await ctx.account()
  const isAwaiting = and(eq(approvals.status, 'awaiting'), isInTime(ctx.now()))
  const which = and(
    eq(approvals.id, id),
    eq(approvals.accountId, accountId),
    tokenHash === null ? undefined : isAwaiting,
  ) as SQL
  const { held } = await ctx.batch({
    held: ctx.db.select({ id: approvals.id }).from(approvals).where(which).for('no key update'),
    audit: audit(ctx, {
      account: accountId,
      action: tokenHash === null ? 'approval.link_revoked' : 'approval.link_made',
      on: ['approval', id],
      detail: sql`jsonb_build_object('kind', ${approvals.kind}, 'article_id', ${approvals.articleId})`,
      from: sql`${approvals}`,
      if: which,
    }),
    changedApprovals: ctx.db
      .update(approvals)
      .set({ reviewTokenHash: tokenHash, reviewExpiresAt: tokenHash === null ? null : sql`${approvals.expiresAt}` })
      .where(which),
  })
  if (held.length === 0)
    throw new ApiError('invalid_transition', 'The approval was already decided or has expired. No link was created.')
}

/** Makes a link with which a person without an account can read and decide one question. An earlier link to it ends. */
export const makeReviewLink = async (ctx: Ctx, id: number): Promise<string> => {
  const token = base64Url(crypto.getRandomValues(new Uint8Array(32)))
  await change(ctx, id, await sha256(token))
  return `${ctx.settings.publicUrl}${REVIEW_PATH}/${token}`
}

/** Ends the review link of a question. */
export const revokeReviewLink = (ctx: Ctx, id: number): Promise<void> => change(ctx, id, null)

/** Returns the question of a review link; undefined if the link is unknown, expired or revoked. */
export const readByLink = async (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  token: string,
): Promise<{ row: ApprovalDetail; tokenHash: string } | undefined> => {
  const tokenHash = await sha256(token)
  const [row] = await approvalByToken(db, tokenHash)
  return row && row.reviewExpiresAt !== null && row.reviewExpiresAt > now() ? { row, tokenHash } : undefined
}
