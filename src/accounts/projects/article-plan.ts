import { and, eq, exists } from 'drizzle-orm'
import { projects } from '../../../schema/projects.ts'
import { audit } from '../../platform/db/writes.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { ArticlePlan } from './operations.ts'
import { getProject } from './read.ts'
import { articlesPerDay, INCLUDED_PLANS } from './rules.ts'

/** Sets how many articles a month are planned. Never bills. Throws 402 if the account does not include the plan, 403, 404. */
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
  const mine = and(eq(projects.id, id), eq(projects.accountId, account.id))
  const locked = ctx.db.select({ id: projects.id }).from(projects).where(mine).for('no key update')
  const isMine = exists(ctx.db.select({ id: projects.id }).from(projects).where(mine))
  const entry = { account: account.id, action: 'project.article_plan', on: ['project', id], detail: { plan } } as const
  const [held] = await ctx.batch([
    locked,
    audit(ctx, { ...entry, if: isMine }),
    ctx.keepAnswer(answer, { if: isMine }),
    ctx.db.update(projects).set({ articlePlan: plan, updatedAt: ctx.now() }).where(mine),
  ])
  if (held.length === 0) throw new ApiError('not_found', 'The project does not exist.')
  return answer
}
