import { and, eq, type SQL, sql } from 'drizzle-orm'
import { oneOf } from '../../../schema/columns.ts'
import { memberships } from '../../../schema/people.ts'

/**
 * Condition: a person works in an account at this moment, as `as` says: as its owner, or in all its projects. Null stands for an
 * operator: always true.
 *
 * Their page was read a moment ago, and who was taken out since may hand out nothing. The account's row is held: changes of its
 * people take it first.
 */
export const worksIn = (accountId: number, personId: string | null, as: 'owner' | 'member'): SQL =>
  personId === null
    ? sql`true`
    : sql`exists (select 1 from ${memberships} where ${and(
        eq(memberships.accountId, accountId),
        eq(memberships.personId, personId),
        as === 'owner' ? eq(memberships.role, as) : oneOf(memberships.role, ['owner', 'member']),
      )})`
