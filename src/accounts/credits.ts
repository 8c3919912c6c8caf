import { type SQL, sql } from 'drizzle-orm'
import { rowsOf } from '../db/client.ts'
import type { Deps } from '../runtime/ctx.ts'
import { PLAN_INCLUDES } from './plans.ts'

/** The article credits a plan includes a month and project, as an expression over a plan's column. */
export const includedCredits = (plan: SQL): SQL => {
  const cases = Object.entries(PLAN_INCLUDES).map(
    ([name, { articleCredits }]) => `when '${name}' then ${articleCredits}`,
  )
  return sql`(case ${plan} ${sql.raw(cases.join(' '))} else 0 end)`
}

/** The plans that include the writer, as a list for `in`. */
export const PLANS_WITH_WRITER: SQL = sql.raw(
  Object.entries(PLAN_INCLUDES)
    .filter(([, { writer }]) => writer)
    .map(([plan]) => `'${plan}'`)
    .join(', '),
)

const BATCH = sql.raw('500')

/** The first instant of the month (UTC). */
const monthOf = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))

/** Accounts whose credits were last filled before this month, each filled up to its plan's allowance; none loses any. */
const fillUp = (now: Date): SQL =>
  sql`with due as materialized (select id, article_credits from accounts where credits_filled_at < ${monthOf(now).toISOString()}::timestamptz
      order by id limit ${BATCH} for no key update skip locked),
    filled as (update accounts a set article_credits = greatest(a.article_credits, ${includedCredits(sql`a.plan`)} * a.active_projects),
        credits_filled_at = ${now.toISOString()}::timestamptz from due where a.id = due.id
      returning a.id, a.article_credits, due.article_credits as before),
    audited as (insert into audit_log (account_id, actor, action, subject, detail, at)
      select id, 'cron:minute', 'credits.filled_up', 'account:' || id, jsonb_build_object('before', before, 'after', article_credits),
        ${now.toISOString()}::timestamptz from filled where article_credits > before returning id)
    select count(*)::int as filled from filled`

/** Fills up the month's article credits of accounts that have not had them yet, a batch at a time; how many. */
export const fillUpCredits = async (deps: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const [row] = await rowsOf<{ filled: number }>(deps.db, fillUp(deps.now()))
  return Number(row?.filled ?? 0)
}
