import type { Ctx } from '../../platform/runtime/ctx.ts'
import { insertCommitments, type NoteChosen } from './commit-statements.ts'
import { type CommittedPartner, committedPartners } from './committed-parts.ts'
import { commitLocks } from './locks.ts'

/**
 * Chooses the partners a planned article has to link to, at most two, and reserves a credit for each. The choice is final. Empty for
 * a project that takes no part.
 */
// Call it only while `partners_committed_at` is null, with the part that sets it; afterwards `committedPartners` reads the choice.
// One round trip, two when another call was faster.
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
