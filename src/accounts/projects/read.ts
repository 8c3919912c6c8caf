import { eq } from 'drizzle-orm'
import { apiKeys } from '../../../schema/accounts.ts'
import type { Plan } from '../../../schema/values/accounts.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { budgetsShown, keyBudgets, NO_BUDGETS } from '../../platform/accounts/key-budget.ts'
import { PLAN_INCLUDES } from '../../platform/accounts/plans.ts'
import { dollarsShown, providerDollars } from '../../platform/accounts/provider-dollars.ts'
import { type PagingInput, pageOf, pagingOf } from '../../platform/db/paging.ts'
import type { Reading } from '../../platform/db/steps.ts'
import type { CallableOperation } from '../../platform/http/operation.ts'
import { monthStart } from '../../platform/lib/time.ts'
import type { Account, Ctx } from '../../platform/runtime/ctx.ts'
import type { ProjectRow } from './present.ts'
import { accountState, listActive, projectById } from './queries.ts'

const PAGE = { default: 200, max: 1_000 }

/** Returns the account's active projects, newest first. */
export const listProjects = async (ctx: Ctx, input: PagingInput) => {
  const paging = pagingOf(input, PAGE)
  const rows = await ctx.read((owner) => listActive(ctx.db, owner, paging))
  return pageOf(rows, paging)
}

/** Returns one project of the account, and the results of other queries from the same round trip. Throws 404, 403. */
export const getProjectWith = async <const S extends Reading>(ctx: Ctx, id: number, also: S) => {
  const {
    found: [found],
    results,
  } = await ctx.read((owner) => ({ found: projectById(ctx.db, owner, id), results: also }))
  const project: ProjectRow = owned(found && { row: found.project, mine: found.mine }, 'project')
  return { project, results }
}

/** Returns one project of the account. Throws 404, 403. */
export const getProject = async (ctx: Ctx, id: number): Promise<ProjectRow> =>
  (await getProjectWith(ctx, id, undefined)).project

/** Returns the day of the next refill of article credits (UTC), the first of the next month; null if the plan includes none. */
export const refillDate = (plan: Plan, now: Date): string | null =>
  PLAN_INCLUDES[plan].articleCredits === 0 ? null : monthStart(now, 1).toISOString().slice(0, 10)

type Budgets = ReturnType<typeof budgetsShown>

const keyShown = ({ key, keyId }: Account, budgets: Budgets) => ({
  id: keyId ?? null,
  name: key?.name ?? '',
  scopes: key?.scopes ?? [],
  expires_at: key?.expiresAt?.toISOString() ?? null,
  budgets,
})

/** Returns the calling key, or this month's use of it, without the rest of the account. */
export const readOwnKey = async (ctx: Ctx, include: readonly string[]) => {
  const [budget] = await ctx.read((_owner, keyHash = '') => keyBudgets(ctx.db, eq(apiKeys.keyHash, keyHash), ctx.now()))
  const budgets = budget ? budgetsShown(budget) : NO_BUDGETS
  const month = monthStart(ctx.now()).toISOString().slice(0, 'YYYY-MM'.length)
  return {
    ...(include.includes('key') ? { key: keyShown(await ctx.account(), budgets) } : {}),
    ...(include.includes('usage') ? { usage: { month, ...budgets } } : {}),
  }
}

/** Returns the account's remaining limits, the rights of the calling key, and the pages for everything only people can do. */
export const readAccount = async <Pages>(
  ctx: Ctx,
  { operations, pages }: { operations: readonly CallableOperation[]; pages: Pages },
) => {
  const {
    rows,
    budgets,
    dollars: [dollars],
  } = await ctx.read((owner, keyHash = '') => ({
    rows: accountState(ctx.db, owner),
    budgets: keyBudgets(ctx.db, eq(apiKeys.keyHash, keyHash), ctx.now()),
    dollars: providerDollars(ctx.db, owner, ctx.now()),
  }))
  const account = await ctx.account()
  const { id, plan } = account
  const state = rows[0]
  const [budget] = budgets
  return {
    account_id: id,
    plan,
    article_credits: state?.articleCredits ?? 0,
    credits_refill_on: refillDate(plan, ctx.now()),
    project_slots: { used: state?.used ?? 0, total: state?.total ?? 0 },
    provider_dollars: dollarsShown(dollars ?? { used: 0, limit: 0 }, ctx.now()),
    key: keyShown(account, budget ? budgetsShown(budget) : NO_BUDGETS),
    limits: operations.map(({ operation, perMinute }) => ({ operation, per_minute: perMinute })),
    costs: operations.flatMap(({ operation, costs }) => costs.map((cost) => ({ operation, ...cost }))),
    pages,
  }
}
