import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { getProject } from './read.ts'
import { articlesPerDay, INCLUDED_PLANS } from './rules.ts'
import type { ArticlePlan } from './schemas.ts'
import { setArticlePlan } from './statements.ts'

/** Chooses how many articles a month are planned. Never bills: a plan the account does not include is 402. Throws 402, 403, 404. */
export const chooseArticlePlan = async (ctx: Ctx, id: number, plan: ArticlePlan) => {
  await getProject(ctx, id)
  const account = await ctx.account()
  const included = INCLUDED_PLANS[account.plan]
  if (!included.includes(plan)) {
    const upgradeUrl = `${ctx.settings.publicUrl}/settings/billing`
    throw new ApiError(
      'plan_not_included',
      `The article plan ${plan} is not included in the account's plan. Nothing was changed or billed.`,
      {
        included_plans: included,
        upgrade_url: upgradeUrl,
        instructions_for_agent: `Tell the user that the article plan ${plan} needs a larger plan, which can be chosen at ${upgradeUrl}.`,
      },
    )
  }
  const answer = {
    project_id: id,
    plan,
    articles_per_month: plan,
    articles_per_day: articlesPerDay(plan),
    message: `The project is on the plan of ${plan} articles a month. Nothing was billed.`,
  }
  const [changed] = await ctx.write(setArticlePlan(ctx, account.id, id, plan, answer))
  if (!changed) throw new ApiError('not_found', 'The project does not exist.')
  return answer
}
