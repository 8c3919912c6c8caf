import { and, eq, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { oauthGrants, oauthRecords } from '../../../schema/people.ts'
import type { Plan } from '../../../schema/values/accounts.ts'
import type { Db } from '../db/client.ts'
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

/** Spends an article credit of an account that is locked before and has one left. */
export const spendCredit = (db: Db, accountId: number, condition: SQL) =>
  db
    .update(accounts)
    .set({ articleCredits: sql`${accounts.articleCredits} - 1` })
    .where(and(eq(accounts.id, accountId), condition))

/** Gives an article credit back to an account. */
export const returnCredit = (db: Db, accountId: number, condition: SQL) =>
  db
    .update(accounts)
    .set({ articleCredits: sql`${accounts.articleCredits} + 1` })
    .where(and(eq(accounts.id, accountId), condition))

/** Counts a publication of the account in a minute. The count begins again with every minute. */
export const countPublication = (db: Db, accountId: number, minute: Date, { if: condition }: { if: SQL }) =>
  db
    .update(accounts)
    .set({
      publishMinute: minute,
      publishedInMinute: sql`case when ${eq(accounts.publishMinute, minute)} then ${accounts.publishedInMinute} + 1 else 1 end`,
    })
    .where(and(eq(accounts.id, accountId), condition))

/** Forgets the grants of applications whose keys a query selects, so that their refresh tokens give no new ones. */
export const forgetGrants = (db: Db, keyIds: SQL) =>
  db.delete(oauthRecords).where(
    sql`${oauthRecords.key} in (select 'grant:' || ${oauthGrants.personId} || ':' || ${oauthGrants.grantId}
      from ${oauthGrants} where ${oauthGrants.keyId} in (${keyIds}))`,
  )

/** Selects an operator's settings of outreach for the account: the entitlement, and if the beta is open. One row. */
export const outreachAccess = (db: Db, owner: SQL) =>
  db
    .select({ entitled: accounts.outreachPro, isOpen: accounts.outreachBeta })
    .from(accounts)
    .where(eq(accounts.id, owner))
