import { and, eq, type SQL, sql } from 'drizzle-orm'
import { memberships } from '../../../schema/people.ts'

/**
 * Condition: a person works in an account at this moment, as its owner if `as` says so. Null stands for an operator: always true.
 *
 * Their page was read a moment ago, and who was taken out since may hand out nothing. The account's row is held: changes of its
 * people take it first.
 */
export const worksIn = (accountId: number, personId: string | null, as?: 'owner'): SQL =>
  personId === null
    ? sql`true`
    : sql`exists (select 1 from ${memberships} where ${and(
        eq(memberships.accountId, accountId),
        eq(memberships.personId, personId),
        as ? eq(memberships.role, as) : undefined,
      )})`
