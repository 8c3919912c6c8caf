import type { Ctx } from '../runtime/ctx.ts'
import { type CommittedPartner, commitLocks, committedPartners, insertCommitments } from './committed-queries.ts'

/**
 * The partners a planned article has to link to, chosen at the first call (at most two) and the same for ever after. Call it
 * only for an article of the account whose `partners_committed_at` is null: after that `committedPartners` (a query for the
 * batch that reads the article) has them. Empty for a project that takes no part. One round trip, two when another call won.
 */
export const commitPartners = async (ctx: Ctx, articleId: number, keyword: string): Promise<CommittedPartner[]> => {
  const { id: accountId } = await ctx.account()
  const chosen = await ctx.write<CommittedPartner>(
    insertCommitments(ctx, accountId, articleId, keyword),
    commitLocks(articleId),
  )
  if (chosen.length > 0) return chosen
  const [kept] = await ctx.read(() => [committedPartners(ctx.db, articleId)])
  return kept.rows
}
