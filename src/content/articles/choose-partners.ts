import type { Ctx } from '../../platform/runtime/ctx.ts'
import { commitPartners } from '../exchange/commit.ts'
import type { CommittedPartner } from '../exchange/committed-parts.ts'
import { commitArticle } from './parts.ts'

/** Chooses the exchange partners of an article that waits for its words and has none yet; the kept ones when it has. */
export const choosePartners = async (ctx: Ctx, id: number, keyword: string): Promise<CommittedPartner[]> => {
  const account = await ctx.account()
  return await commitPartners(ctx, (after) => commitArticle(id, account.id, ctx.now(), after), id, keyword)
}
