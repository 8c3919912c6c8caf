import type { Plan } from '../../../schema/values/accounts.ts'
import { PLAN_INCLUDES } from '../../platform/accounts/plans.ts'
import type { CallableOperation } from '../../platform/http/operation.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { accountState } from './queries.ts'

/** The first day of the next month (UTC), when article credits are filled up, as `YYYY-MM-DD`; null on a plan without. */
const refillDate = (plan: Plan, now: Date): string | null =>
  PLAN_INCLUDES[plan].articleCredits === 0
    ? null
    : new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString().slice(0, 10)

/** What the caller's account has left, what its key may do, and where people do the rest. */
export const readAccount = async <Pages>(
  ctx: Ctx,
  { operations, pages }: { operations: readonly CallableOperation[]; pages: Pages },
) => {
  const [rows] = await ctx.read((owner) => [accountState(ctx.db, owner)])
  const { id, plan, key } = await ctx.account()
  const state = rows[0]
  return {
    account_id: id,
    plan,
    article_credits: state?.articleCredits ?? 0,
    credits_refill_on: refillDate(plan, ctx.now()),
    project_slots: { used: state?.used ?? 0, total: state?.total ?? 0 },
    key: {
      name: key?.name ?? '',
      scopes: key?.scopes ?? [],
      expires_at: key?.expiresAt?.toISOString() ?? null,
    },
    limits: operations.map(({ operation, perMinute }) => ({ operation, per_minute: perMinute })),
    costs: operations.flatMap(({ operation, costs }) => costs.map((cost) => ({ operation, ...cost }))),
    pages,
  }
}
