import { and, isNotNull, isNull, like, or, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/neon-http'
import { apiKeys } from '../../../schema/accounts.ts'
import { approvals } from '../../../schema/approvals.ts'
import {
  invitations,
  oauthGrants,
  oauthRecords,
  personCredentials,
  personPasskeys,
  personSessions,
  personVerifications,
} from '../../../schema/people.ts'
import { monthlyReports } from '../../../schema/reports.ts'
import type { SqlRunner } from '../../platform/db/client.ts'

/** Only builds statements; the operator's runner sends them. */
const db = drizzle.mock()

/** Numbers of what ended, and of the keys that wait for an owner. */
export type Ended = {
  sessions: number
  passwords: number
  passkeys: number
  grants: number
  invitations: number
  review_links: number
  report_links: number
  held_keys: number
}

/**
 * Ends everything that signs in, if the replaced database is lost: what ended since the restored moment cannot be known.
 *
 * People sign in with a mailed link and choose a new password. Keys wait until an owner confirms them.
 */
export const endEverything = async (run: SqlRunner): Promise<Ended> => {
  const count = async (statement: { getSQL: () => ReturnType<typeof sql> }) => (await run(statement.getSQL())).length
  const one = { one: sql<number>`1` }
  const { key } = oauthRecords
  const behind = sql`${apiKeys.id} in (select ${oauthGrants.keyId} from ${oauthGrants})`
  await run(db.delete(personVerifications).getSQL())
  await run(
    db
      .delete(oauthRecords)
      .where(or(like(key, 'grant:%'), like(key, 'token:%')))
      .getSQL(),
  )
  return {
    sessions: await count(db.delete(personSessions).returning(one)),
    passwords: await count(db.delete(personCredentials).returning(one)),
    passkeys: await count(db.delete(personPasskeys).returning(one)),
    grants: await count(
      db
        .update(apiKeys)
        .set({ revokedAt: sql`now()` })
        .where(and(isNull(apiKeys.revokedAt), behind))
        .returning(one),
    ),
    invitations: await count(db.delete(invitations).returning(one)),
    review_links: await count(
      db
        .update(approvals)
        .set({ reviewTokenHash: null, reviewExpiresAt: null })
        .where(isNotNull(approvals.reviewTokenHash))
        .returning(one),
    ),
    report_links: await count(
      db.update(monthlyReports).set({ tokenHash: null }).where(isNotNull(monthlyReports.tokenHash)).returning(one),
    ),
    held_keys: await count(
      db
        .update(apiKeys)
        .set({ heldAt: sql`now()` })
        .where(and(isNull(apiKeys.revokedAt), isNull(apiKeys.heldAt)))
        .returning(one),
    ),
  }
}
