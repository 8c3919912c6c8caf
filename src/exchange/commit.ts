import type { Ctx } from '../runtime/ctx.ts'
import { insertCommitments, type NoteChosen } from './commit-statements.ts'
import { type CommittedPartner, committedPartners } from './committed-parts.ts'
import { commitLocks } from './locks.ts'

/**
 * The partners a planned article has to link to, chosen at the first call (at most two), with a credit of each set aside, and the
 * same for ever after. Call it
 * only for an article of the account whose `partners_committed_at` is null, with the part that sets it: after that
 * `committedPartners` (a query for the batch that reads the article) has them. Empty for a project that takes no part. One
 * round trip, two when another call won.
 */
export const commitPartners = async (
  ctx: Ctx,
  noteChosen: NoteChosen,
  articleId: number,
  keyword: string,
): Promise<CommittedPartner[]> => {
  const statement = insertCommitments(noteChosen, articleId, keyword, ctx.now())
  const chosen = await ctx.write<CommittedPartner>(statement, commitLocks(articleId))
  if (chosen.length > 0) return chosen
  const [kept] = await ctx.read(() => [committedPartners(ctx.db, articleId)])
  return kept
}
