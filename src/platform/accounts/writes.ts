import { and, eq, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import type { Db } from '../db/client.ts'

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
