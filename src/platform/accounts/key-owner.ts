import { and, eq, isNull, lt, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { accounts, apiKeys } from '../../../schema/accounts.ts'
import type { Scope } from '../../../schema/values/accounts.ts'
import { type Db, preparedOnce } from '../db/client.ts'
import { instantOf } from '../db/instant.ts'
import type { Account } from '../runtime/ctx.ts'

/** Owner of a presented key, with the state of the key and the account. */
export type KeyOwner = Account & {
  keyId: number
  key: { name: string; scopes: readonly Scope[]; expiresAt: Date | null }
  revokedAt: Date | null
  suspendedAt: Date | null
  lastUsedAt: Date | null
}

/** True if the key opens anything at this moment. */
export const isKeyLive = (owner: KeyOwner, now: Date): boolean =>
  owner.revokedAt === null && (owner.key.expiresAt === null || owner.key.expiresAt > now)

/** A key's hash, or the place for one in a prepared query. */
type Hash = string | Placeholder

/** Returns the owner of a key by its hash: no row if it was never issued. */
export const keyOwner = (db: Db, keyHash: Hash) =>
  db
    .select({
      id: accounts.id,
      plan: accounts.plan,
      projectSlots: accounts.projectSlots,
      suspendedAt: instantOf(accounts.suspendedAt),
      keyId: apiKeys.id,
      key: { name: apiKeys.name, scopes: apiKeys.scopes, expiresAt: instantOf(apiKeys.expiresAt) },
      revokedAt: instantOf(apiKeys.revokedAt),
      lastUsedAt: instantOf(apiKeys.lastUsedAt),
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(eq(apiKeys.keyHash, keyHash))

/** Does the same as `keyOwner`, prepared: with `keyHash`. */
export const preparedKeyOwner = preparedOnce((db) => keyOwner(db, sql.placeholder('keyHash')).prepare('key_owner'))

/** Returns the id of the account a live key belongs to, as an expression: a query that compares with it yields nothing for a dead key. */
export const accountOfKey = (keyHash: Hash): SQL =>
  sql`(select account_id from api_keys where key_hash = ${keyHash} and revoked_at is null and (expires_at is null or expires_at > now()))`

/** Age at which the note of a key's last use is written again, so that a key that reads often is not written to with each read. */
export const TOUCH_EVERY_MS = 5 * 60_000

/** Notes that a key was used, where the note is older than it may be. */
export const touchKey = (db: Db, keyId: number, now: Date) =>
  db
    .update(apiKeys)
    .set({ lastUsedAt: now })
    .where(
      and(
        eq(apiKeys.id, keyId),
        or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, new Date(now.getTime() - TOUCH_EVERY_MS))),
      ),
    )
