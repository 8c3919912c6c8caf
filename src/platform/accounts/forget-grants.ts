import { type SQL, sql } from 'drizzle-orm'
import { oauthGrants, oauthRecords } from '../../../schema/people.ts'
import type { Db } from '../db/client.ts'
import type { Part } from '../db/part.ts'
import { remove } from '../db/write-parts.ts'

/** A part that forgets the grants of applications whose keys were revoked, so that their refresh tokens give no new ones. */
export const forgetGrants = (revoked: Part<'id'>): Part =>
  remove('forgotten', oauthRecords, {
    from: [revoked],
    where: sql`${oauthRecords.key} in (select 'grant:' || ${oauthGrants.personId} || ':' || ${oauthGrants.grantId}
      from ${oauthGrants} where ${oauthGrants.keyId} = ${revoked.c.id})`,
  })

/** Forgets the grants of applications whose keys a query selects, so that their refresh tokens give no new ones. */
export const forgetGrantsOf = (db: Db, keyIds: SQL) =>
  db.delete(oauthRecords).where(
    sql`${oauthRecords.key} in (select 'grant:' || ${oauthGrants.personId} || ':' || ${oauthGrants.grantId}
      from ${oauthGrants} where ${oauthGrants.keyId} in (${keyIds}))`,
  )
