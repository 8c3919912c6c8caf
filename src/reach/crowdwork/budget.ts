import { readWithProject } from '../../accounts/projects/scope.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { CrowdworkSpendInput } from './operations.ts'
import { spendOf } from './queries.ts'
import { monthAt, monthOf } from './rules.ts'

const inDollars = (cents: number): number => cents / 100

/** Returns the cost of a project's campaigns in a month, and what is left of its budget, without the provider's fees. Throws 404, 403. */
export const readSpend = async (ctx: Ctx, { project_id: id, month: asked }: CrowdworkSpendInput) => {
  const month = asked ?? monthAt(ctx.now())
  const { start, end } = monthOf(month)
  const { results } = await readWithProject(ctx, id, [spendOf(ctx.db, id, start, end)] as const)
  const { budget = null, committed = 0, campaigns = 0 } = results[0].rows[0] ?? {}
  return {
    project_id: id,
    month,
    currency: 'USD',
    budget: budget === null ? null : inDollars(budget),
    committed: inDollars(committed),
    remaining: budget === null ? null : inDollars(Math.max(0, budget - committed)),
    campaigns,
  }
}

/** Returns the refusal of a campaign that this month's budget has no room for. */
export const budgetReached = async (ctx: Ctx, projectId: number, cents: number): Promise<ApiError> => {
  const { budget, committed, month } = await readSpend(ctx, { project_id: projectId })
  const cost = inDollars(cents)
  return new ApiError(
    'budget_reached',
    `This campaign costs $${cost.toFixed(2)}. The project's crowdwork budget of ${month} is $${(budget ?? 0).toFixed(2)}, of which $${committed.toFixed(2)} is taken.`,
    {
      budget,
      committed,
      cost,
      month,
      instructions_for_agent:
        'Ask the user whether to raise crowdwork_budget, to make the campaign smaller, or to wait for the next month. Do not raise it on your own.',
      next_calls: [
        {
          method: 'PUT',
          path: `/projects/${projectId}`,
          body: { crowdwork_budget: Math.round((committed + cost) * 100) / 100 },
          why: 'Sets crowdwork_budget to what the month then costs, once the user agrees.',
        },
      ],
    },
  )
}
