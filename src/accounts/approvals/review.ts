import { and, eq, type SQL, sql } from 'drizzle-orm'
import { approvals } from '../../../schema/approvals.ts'
import { audit } from '../../platform/db/writes.ts'
import { base64Url, sha256 } from '../../platform/lib/crypto.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx, Deps } from '../../platform/runtime/ctx.ts'
import { type ApprovalDetail, approvalByToken } from './queries.ts'
import { isInTime } from './writes.ts'

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
  const [held] = await ctx.batch([
    ctx.db.select({ id: approvals.id }).from(approvals).where(which).for('no key update'),
    audit(ctx, {
      account: accountId,
      action: tokenHash === null ? 'approval.link_revoked' : 'approval.link_made',
      on: ['approval', id],
      detail: sql`jsonb_build_object('kind', ${approvals.kind}, 'article_id', ${approvals.articleId})`,
      from: sql`${approvals}`,
      if: which,
    }),
    ctx.db
      .update(approvals)
      .set({ reviewTokenHash: tokenHash, reviewExpiresAt: tokenHash === null ? null : sql`${approvals.expiresAt}` })
      .where(which),
  ])
  if (held.length === 0)
    throw new ApiError('invalid_transition', 'It was decided before, or its time is over. No link was made.')
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
