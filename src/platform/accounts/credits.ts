import { eq, gt, lt, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { audit } from '../db/audit.ts'
import { type Db, rowsOf } from '../db/client.ts'
import { read } from '../db/read-parts.ts'
import { countOf, ONE_ROW, statement } from '../db/statement.ts'
import { update } from '../db/write-parts.ts'
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

const BATCH = 500

/** The first instant of the month (UTC). */
const monthOf = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))

/** Accounts whose credits were last filled before this month, each filled up to its plan's allowance; none loses any. */
const fillUp = (now: Date): SQL => {
  const due = read(
    'due',
    accounts,
    { id: accounts.id, before: accounts.articleCredits },
    {
      where: lt(accounts.creditsFilledAt, monthOf(now)),
      orderBy: sql`${accounts.id}`,
      limit: BATCH,
      lock: 'no key update',
      skipLocked: true,
    },
  )
  const each = includedCredits(sql`${accounts.plan}`)
  const included = sql`${each} * ${accounts.activeProjects}`
  const filled = update(
    'filled',
    accounts,
    {
      articleCredits: sql`greatest(${accounts.articleCredits}, ${included})`,
      creditsFilledAt: now,
      creditsFilledTo: each,
    },
    {
      from: [due],
      where: eq(accounts.id, due.c.id),
      returning: { id: accounts.id, credits: accounts.articleCredits, before: due.c.before },
    },
  )
  const { id, credits, before } = filled.c
  const cron = { actor: () => 'cron:minute', now: () => now }
  return statement({
    parts: [due, filled],
    audit: audit(cron, {
      of: filled,
      account: id,
      action: 'credits.filled_up',
      on: ['account', id],
      detail: sql`jsonb_build_object('before', ${before}, 'after', ${credits})`,
      where: gt(credits, before),
    }),
    answer: { filled: countOf(filled) },
    answerFrom: ONE_ROW,
  })
}

/** Fills up the month's article credits of accounts that have not had them yet, a batch at a time; how many. */
export const fillUpCredits = async (deps: { db: Db; now: () => Date }): Promise<number> => {
  const [row] = await rowsOf<{ filled: number }>(deps.db, fillUp(deps.now()))
  return Number(row?.filled ?? 0)
}
