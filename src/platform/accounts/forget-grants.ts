import { type SQL, sql } from 'drizzle-orm'
import { oauthGrants, oauthRecords } from '../../../schema/people.ts'
import type { Db } from '../db/client.ts'

/** Forgets the grants of applications whose keys a query selects, so that their refresh tokens give no new ones. */
export const forgetGrants = (db: Db, keyIds: SQL) =>
  db.delete(oauthRecords).where(
    sql`${oauthRecords.key} in (select 'grant:' || ${oauthGrants.personId} || ':' || ${oauthGrants.grantId}
      from ${oauthGrants} where ${oauthGrants.keyId} in (${keyIds}))`,
  )
