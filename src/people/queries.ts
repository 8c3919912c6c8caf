import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../schema/accounts.ts'
import { people } from '../../schema/people.ts'
import type { Db } from '../db/client.ts'

/** A person and the account they work in. */
export const personQuery = (db: Db, personId: string) =>
  db
    .select({
      id: people.id,
      email: people.email,
      emailVerified: people.emailVerified,
      role: people.role,
      accountId: accounts.id,
      plan: accounts.plan,
      projectSlots: accounts.projectSlots,
      suspendedAt: accounts.suspendedAt,
    })
    .from(people)
    .leftJoin(accounts, eq(accounts.id, people.accountId))
    .where(eq(people.id, personId))

/** Condition: the person may be given an account now. */
export const hasNoAccount = (personId: string): SQL =>
  sql`${and(eq(people.id, personId), eq(people.emailVerified, true), isNull(people.accountId))}`
