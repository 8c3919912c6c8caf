import { and, eq, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import type { Db } from '../db/client.ts'
import { ApiError } from '../lib/errors.ts'
import { monthStart } from '../lib/time.ts'
import type { Ctx, Deps } from '../runtime/ctx.ts'
import { PLAN_INCLUDES } from './plans.ts'

/** Returns what the service's own providers charged for an account in this month (UTC), in dollars. */
const usedIn = (now: Date): SQL<number> =>
  sql`case when ${eq(accounts.providerMonth, monthStart(now))} then ${accounts.providerUsd} else 0 end`

const cases = Object.entries(PLAN_INCLUDES).map(
  ([plan, { providerDollars }]) => `when '${plan}' then ${providerDollars}`,
)

/** Ceiling of an account in dollars a month: that of its plan, for each slot. */
const CEILING: SQL<number> = sql`(case ${accounts.plan} ${sql.raw(cases.join(' '))} else 0 end) * greatest(1, ${accounts.projectSlots})`

/** Returns a query for the dollars that providers charged for an account this month, and its ceiling. */
export const providerDollars = (db: Db, account: SQL | number, now: Date) =>
  db
    .select({ used: usedIn(now).mapWith(Number), limit: CEILING.mapWith(Number) })
    .from(accounts)
    .where(sql`${accounts.id} = ${account}`)

/** Locks an account, so that two calls cannot spend the same remainder. First in a batch. */
export const lockDollars = (db: Db, accountId: number) =>
  db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for('no key update')

/** Condition: the ceiling of the account has room for an amount. After the lock. */
export const hasDollars = (accountId: number, now: Date, usd: number): SQL =>
  sql`exists (select 1 from ${accounts} where ${eq(accounts.id, accountId)} and ${usedIn(now)} + ${usd}::float8 <= ${CEILING})`

/** Returns a statement that adds dollars to what providers charged this month. A negative amount corrects an expected one. */
export const chargeDollars = (db: Db, accountId: number, now: Date, usd: number, condition?: SQL) =>
  db
    .update(accounts)
    .set({ providerMonth: monthStart(now), providerUsd: sql`greatest(0, ${usedIn(now)} + ${usd}::float8)` })
    .where(and(eq(accounts.id, accountId), condition))

type Dollars = { used: number; limit: number }

/** Returns an amount of dollars to the cent. */
export const toCents = (usd: number): number => Math.round(usd * 100) / 100

/** Returns the dollars of an account as callers see them. */
export const dollarsShown = ({ used, limit }: Dollars, now: Date) => ({
  used: toCents(used),
  limit,
  resets_on: monthStart(now, 1).toISOString().slice(0, 10),
})

/** Returns true if the ceiling has no room for an amount, and logs it for the alarm. */
export const isBeyond = (
  { log }: Pick<Deps, 'log'>,
  accountId: number,
  dollars: Dollars | undefined,
  usd: number,
): boolean => {
  if (!dollars || dollars.used + usd <= dollars.limit) return false
  log('warn', 'account.dollars_used', { account: accountId, used: toCents(dollars.used), limit: dollars.limit })
  return true
}

/** Returns the 402 for a call that costs more than the rest of the account's ceiling. */
export const dollarsRefusal = (ctx: Ctx, { used, limit }: Dollars, usd: number): ApiError => {
  const { resets_on } = dollarsShown({ used, limit }, ctx.now())
  const page = `${ctx.settings.publicUrl}/settings/billing`
  return new ApiError(
    'provider_budget_used',
    `The providers of this service may charge $${limit} a month (UTC) for the account, and have charged $${used.toFixed(2)}. The call may cost $${usd.toFixed(2)}. Nothing was started or billed.`,
    {
      limit,
      used: toCents(used),
      cost_usd: toCents(usd),
      resets_on,
      upgrade_url: page,
      instructions_for_agent: `Tell the user that the account has used what its plan includes at providers this month. It begins again on ${resets_on} (UTC); a larger plan or more sites, at ${page}, raise it. A smaller call may still fit.`,
      next_calls: [{ method: 'GET', path: '/account', why: 'Shows `provider_dollars`: what is used, and the limit.' }],
    },
  )
}

/** Throws 402 if the account's ceiling has no room for an amount. */
export const requireDollars = async (ctx: Ctx, usd: number): Promise<void> => {
  const { id } = await ctx.account()
  const [dollars] = await ctx.read(() => providerDollars(ctx.db, id, ctx.now()))
  if (dollars && isBeyond(ctx, id, dollars, usd)) throw dollarsRefusal(ctx, dollars, usd)
}
