import { and, type Column, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { oauthGrants, oauthRecords } from '../../../schema/people.ts'
import type { Plan } from '../../../schema/values/accounts.ts'
import type { Db } from '../db/client.ts'
import { includedCredits } from './plans.ts'

/** Owner of rows: an account, or one of its projects, active or archived. */
export type Owner = { account: number; project?: number }

/** Locks an account's row, so that two changes that depend on it run one after the other. */
export const holdAccount = (accountId: number): SQL =>
  sql`select 1 from ${accounts} where ${eq(accounts.id, accountId)} for no key update`

/**
 * Condition: the account is not suspended; a deleted one is suspended until it is erased. True for null, work of no account.
 *
 * Statements that send something outside claim their work with it.
 */
export const isServed = (accountId: SQL | Column | number): SQL =>
  sql`not exists (select 1 from ${accounts} where ${and(eq(accounts.id, accountId), isNotNull(accounts.suspendedAt))})`

/**
 * Returns the credits of an account after a change of plan: filled up to what the new plan includes for its projects.
 *
 * Not if they were already filled up to as much this month, unless `isPaidAnew`.
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

/** Spends an article credit. The account must be locked and have one left. */
export const spendCredit = (db: Db, accountId: number, condition: SQL) =>
  db
    .update(accounts)
    .set({ articleCredits: sql`${accounts.articleCredits} - 1` })
    .where(and(eq(accounts.id, accountId), condition))

/** Returns an article credit to an account. */
export const returnCredit = (db: Db, accountId: number, condition: SQL) =>
  db
    .update(accounts)
    .set({ articleCredits: sql`${accounts.articleCredits} + 1` })
    .where(and(eq(accounts.id, accountId), condition))

/** Counts a publication of the account in a minute. The count starts again each minute. */
export const countPublication = (db: Db, accountId: number, minute: Date) => (isMet: SQL) =>
  db
    .update(accounts)
    .set({
      publishMinute: minute,
      publishedInMinute: sql`case when ${eq(accounts.publishMinute, minute)} then ${accounts.publishedInMinute} + 1 else 1 end`,
    })
    .where(and(eq(accounts.id, accountId), isMet))

/** Condition: the record is a grant (`person:grant`), one of its tokens, or a use of its code or of its refresh tokens. */
export const isOfGrant = (grant: SQL): SQL => {
  const { key } = oauthRecords
  // These operators compare by bytes, as the index does. The semicolon is the character after the colon.
  return sql`(${key} = 'grant:' || ${grant}
    or (${key} ~>=~ ('token:' || ${grant} || ':') and ${key} ~<~ ('token:' || ${grant} || ';'))
    or (${key} ~>=~ ('used:' || ${grant} || ':') and ${key} ~<~ ('used:' || ${grant} || ';')))`
}

/** Deletes the OAuth grants of the selected keys with their tokens, so that their refresh tokens give no new keys. */
export const forgetGrants = (db: Db, keyIds: SQL) => {
  const grant = sql`${oauthGrants.personId} || ':' || ${oauthGrants.grantId}`
  // With an array PostgreSQL reads the records by their key, and not the whole table.
  return db.delete(oauthRecords).where(
    sql`${oauthRecords.key} = any(array(select ${oauthRecords.key} from ${oauthGrants} join ${oauthRecords} on ${isOfGrant(grant)}
      where ${oauthGrants.keyId} in (${keyIds})))`,
  )
}

/** Selects the operator's outreach settings of the account: the entitlement, and whether the beta is open. One row. */
export const outreachAccess = (db: Db, owner: SQL) =>
  db
    .select({ entitled: accounts.outreachPro, isOpen: accounts.outreachBeta })
    .from(accounts)
    .where(eq(accounts.id, owner))
