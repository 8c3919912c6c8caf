import { type SQL, sql } from 'drizzle-orm'
import type { Part } from '../../platform/db/part.ts'

/** Selects the erasures in an account's mirror, as a row source with the column `hash`. */
export const erasures = (account: number): SQL =>
  sql`(select hash from outreach_erasures where account_id = ${account}::int) as erased`

/** The hash of what was erased: `person:<id>` or `address:<address>`, salted for the account. Null for null. */
export const hashOf = (salt: Part<'salt'>, key: SQL): SQL =>
  sql`encode(sha256(convert_to((select ${salt.c.salt} from ${salt.rows}) || ${key}, 'UTF8')), 'hex')`

/** Held by what changes a mirror, so that a sync and an erasure at the same moment come one after the other. */
export const mirrorLocks = (account: number): SQL[] => [
  sql`select pg_advisory_xact_lock(hashtextextended('outreach', ${account}::int))`,
]
