import { and, eq, sql } from 'drizzle-orm'
import { approvals } from '../../../schema/approvals.ts'
import { audit } from '../../platform/db/audit.ts'
import { statement } from '../../platform/db/statement.ts'
import { update } from '../../platform/db/write-parts.ts'
import { base64Url, sha256 } from '../../platform/lib/crypto.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx, Deps } from '../../platform/runtime/ctx.ts'
import { DECIDED, isInTime } from './parts.ts'
import { type ApprovalDetail, approvalByToken } from './queries.ts'

/** Path of the review pages; the token follows. */
export const REVIEW_PATH = '/review'

const change = async (ctx: Ctx, id: number, tokenHash: string | null): Promise<void> => {
  const account = await ctx.account()
  const changed = update(
    'changed',
    approvals,
    { reviewTokenHash: tokenHash, reviewExpiresAt: tokenHash === null ? null : sql`${approvals.expiresAt}` },
    {
      where: sql`${and(
        eq(approvals.id, id),
        eq(approvals.accountId, account.id),
        tokenHash === null ? undefined : and(eq(approvals.status, 'awaiting'), isInTime(ctx.now())),
      )}`,
      returning: DECIDED,
    },
  )
  const made = statement({
    parts: [changed],
    audit: audit(ctx, {
      of: changed,
      account: account.id,
      action: tokenHash === null ? 'approval.link_revoked' : 'approval.link_made',
      on: ['approval', changed.c.id],
      detail: sql`jsonb_build_object('kind', ${changed.c.kind}, 'article_id', ${changed.c.articleId})`,
    }),
    answer: { id: changed.c.id },
  })
  const [row] = await ctx.write(made)
  if (!row) throw new ApiError('invalid_transition', 'It was decided before, or its time is over. No link was made.')
}

/** Makes the link by which somebody without an account reads and decides one question; an older link of it ends. */
export const makeReviewLink = async (ctx: Ctx, id: number): Promise<string> => {
  const token = base64Url(crypto.getRandomValues(new Uint8Array(32)))
  await change(ctx, id, await sha256(token))
  return `${ctx.settings.publicUrl}${REVIEW_PATH}/${token}`
}

/** Ends the review link of a question. */
export const revokeReviewLink = (ctx: Ctx, id: number): Promise<void> => change(ctx, id, null)

/** Returns the question that a review link leads to; undefined for a link that never was, ended or was revoked. */
export const readByLink = async (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  token: string,
): Promise<{ row: ApprovalDetail; tokenHash: string } | undefined> => {
  const tokenHash = await sha256(token)
  const [row] = await approvalByToken(db, tokenHash)
  return row && row.reviewExpiresAt !== null && row.reviewExpiresAt > now() ? { row, tokenHash } : undefined
}
