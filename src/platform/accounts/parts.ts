import { eq, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import type { Plan } from '../../../schema/values/accounts.ts'
import { includedCredits } from './credits.ts'

/** Holds an account's row before a statement, so that two changes of what follows from it come one after the other. */
export const holdAccount = (accountId: number): SQL =>
  sql`select 1 from ${accounts} where ${eq(accounts.id, accountId)} for no key update`

/**
 * Returns the changed credits of an account that changes its plan: they are filled up to what the new plan includes for its
 * projects.
 *
 * Not if they were filled up to as much since the month began, unless `isPaidAnew`.
 */
export const creditsOnPlan = (plan: Plan, isPaidAnew: SQL = sql`false`) => {
  const each = includedCredits(sql`${plan}::text`)
  const fills = sql`${accounts.plan} <> ${plan} and (${each} > ${accounts.creditsFilledTo} or ${isPaidAnew})`
  const filled = sql`greatest(${accounts.articleCredits}, ${each} * ${accounts.activeProjects})`
  return {
    articleCredits: sql`case when ${fills} then ${filled} else ${accounts.articleCredits} end`,
    creditsFilledTo: sql`greatest(${accounts.creditsFilledTo}, ${each})`,
  }
}
