import { and, eq, type SQL, sql } from 'drizzle-orm'
import { apiKeys } from '../../../schema/accounts.ts'
import type { Db } from '../db/client.ts'
import type { Statement } from '../db/steps.ts'
import { ApiError } from '../lib/errors.ts'
import { monthStart } from '../lib/time.ts'
import type { Account, Ctx } from '../runtime/ctx.ts'

/** Columns of the limit and the use of each unit. Dollars are stored as cents. */
const COLUMNS = {
  article_credits: { limit: 'budgetArticleCredits', used: 'usedArticleCredits' },
  scans: { limit: 'budgetScans', used: 'usedScans' },
  dollars: { limit: 'budgetCents', used: 'usedCents' },
} as const

/** Units that a person can limit per key and month. */
export type BudgetUnit = keyof typeof COLUMNS

/** Returns a key's use of a unit in this month. */
const usedOf = (unit: BudgetUnit, now: Date): SQL<number> =>
  sql`case when ${eq(apiKeys.usedMonth, monthStart(now))} then ${apiKeys[COLUMNS[unit].used]} else 0 end`

/** Statements and condition for spending from the budget of the call's key. */
export type Spending = {
  /** Locks the key's row, so that two calls cannot spend the same remainder. First in the batch. Undefined if there is no key. */
  lock: SQL | undefined
  /** True if the budget has room for the amount. After `lock`. */
  hasRoom: SQL
  /** Returns a statement that counts the amount under a condition. It comes after all uses of `hasRoom`. */
  chargeIf: (db: Db, condition: SQL) => Statement
}

/** Spending of work without a key: no lock, no limit, no count. */
export const NO_SPENDING: Spending = {
  lock: undefined,
  hasRoom: sql`true`,
  chargeIf: () => undefined,
}

/** Returns the spending of an amount from the key's budget, for the batch of the effect. Counts nothing if there is no key. */
export const spendOfKey = ({ keyId }: Account, now: Date, unit: BudgetUnit, amount: number): Spending => {
  if (keyId === undefined) return NO_SPENDING
  const limit = apiKeys[COLUMNS[unit].limit]
  const own = eq(apiKeys.id, keyId)
  const counted = (one: BudgetUnit): SQL =>
    one === unit ? sql`${usedOf(one, now)} + ${amount}::int` : usedOf(one, now)
  const lock = sql`select 1 from ${apiKeys} where ${own} for no key update`
  const counts = {
    usedMonth: monthStart(now),
    usedArticleCredits: counted('article_credits'),
    usedScans: counted('scans'),
    usedCents: counted('dollars'),
  }
  return {
    lock,
    hasRoom: sql`exists (select 1 from ${apiKeys} where ${own} and (${limit} is null or ${usedOf(unit, now)} + ${amount}::int <= ${limit}))`,
    chargeIf: (db, condition) => db.update(apiKeys).set(counts).where(and(own, condition)),
  }
}

/** Returns the columns of a key's budgets, and of its use of them this month. */
export const budgetColumns = (now: Date) => ({
  limits: { article_credits: apiKeys.budgetArticleCredits, scans: apiKeys.budgetScans, dollars: apiKeys.budgetCents },
  used: {
    article_credits: usedOf('article_credits', now),
    scans: usedOf('scans', now),
    dollars: usedOf('dollars', now),
  },
})

/** Returns a query for the budgets of a key, and its use of them this month. */
export const keyBudgets = (db: Db, key: SQL, now: Date) => db.select(budgetColumns(now)).from(apiKeys).where(key)

type BudgetRow = Awaited<ReturnType<typeof keyBudgets>>[number]

/** Returns a key's budgets as callers see them. `limit` is null if there is none. */
export const budgetsShown = ({ limits, used }: BudgetRow) => {
  const dollars = (cents: number | null) => (cents === null ? null : cents / 100)
  return {
    article_credits: { used: used.article_credits, limit: limits.article_credits },
    scans: { used: used.scans, limit: limits.scans },
    dollars: { used: used.dollars / 100, limit: dollars(limits.dollars) },
  }
}

const NONE = { used: 0, limit: null }

/** Budgets of a call without a key. */
export const NO_BUDGETS: ReturnType<typeof budgetsShown> = { article_credits: NONE, scans: NONE, dollars: NONE }

const WORDS: Readonly<Record<BudgetUnit, (amount: number) => string>> = {
  article_credits: (amount) => `${amount} article credit${amount === 1 ? '' : 's'}`,
  scans: (amount) => `${amount} scan${amount === 1 ? '' : 's'}`,
  dollars: (amount) => `$${amount.toFixed(2)} of crowdwork`,
}

/**
 * Returns the 402 if the key's budget has no room for the call; undefined if it has, or if there is no key.
 *
 * `amount`: as for `spendOfKey`.
 */
export const budgetRefusal = async (ctx: Ctx, unit: BudgetUnit, amount: number): Promise<ApiError | undefined> => {
  const { keyId } = await ctx.account()
  if (keyId === undefined) return undefined
  const now = ctx.now()
  const [row] = await ctx.read(() => keyBudgets(ctx.db, eq(apiKeys.id, keyId), now))
  if (!row) return undefined
  const { limit, used } = budgetsShown(row)[unit]
  const wanted = unit === 'dollars' ? amount / 100 : amount
  if (limit === null || used + wanted <= limit) return undefined
  const words = WORDS[unit]
  const page = `${ctx.settings.publicUrl}/settings/keys`
  return new ApiError(
    'key_budget_used',
    `This API key may use ${words(limit)} a month (UTC) and has used ${words(used)}. The call takes ${words(wanted)}. Nothing was started or billed.`,
    {
      unit,
      limit,
      used,
      resets_on: monthStart(now, 1).toISOString().slice(0, 10),
      instructions_for_agent: `Tell the user that the monthly budget of this key is used up. A person raises it at ${page}, or it begins again on the first of the month (UTC). Do not look for another key.`,
      next_calls: [{ method: 'GET', path: '/account', why: 'Shows what is used of the budgets of this key.' }],
    },
  )
}
