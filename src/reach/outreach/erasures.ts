import { type SQL, sql } from 'drizzle-orm'
import { outreachErasures as erasures, outreachMirrors as mirrors } from '../../../schema/outreach.ts'

/** Locks an account's mirror, so that a sync and an erasure at the same moment come one after the other. */
export const lockMirror = (account: number): SQL =>
  sql`select pg_advisory_xact_lock(hashtextextended('outreach', ${account}::int))`

/** Returns the hash of what was erased: `person:<id>` or `address:<address>`, salted for the account. Null for null. */
export const hashOf = (account: number, key: SQL): SQL =>
  sql`encode(sha256(convert_to((select ${mirrors.salt} from ${mirrors} where ${mirrors.accountId} = ${account}::int) || ${key}, 'UTF8')), 'hex')`

/** Condition: none of these keys was erased. Hashes are made only if anything was. */
export const isNotErased = (account: number, keys: readonly SQL[]): SQL => {
  const ofAccount = sql`select 1 from ${erasures} where ${erasures.accountId} = ${account}::int`
  const hashes = sql.join(
    keys.map((key) => hashOf(account, key)),
    sql`, `,
  )
  return sql`(not exists (${ofAccount}) or not exists (${ofAccount} and ${erasures.hash} in (${hashes})))`
}
