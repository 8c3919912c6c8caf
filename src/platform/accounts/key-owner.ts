import { and, eq, isNull, lt, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { accounts, apiKeys } from '../../../schema/accounts.ts'
import type { Scope } from '../../../schema/values/accounts.ts'
import { type Db, preparedOnce } from '../db/client.ts'
import { instantOf } from '../db/instant.ts'
import type { Account } from '../runtime/ctx.ts'

/** Owner of a request's key, with the state of the key and the account. */
export type KeyOwner = Account & {
  keyId: number
  key: { name: string; scopes: readonly Scope[]; expiresAt: Date | null }
  revokedAt: Date | null
  /** Time at which a restore put the key on hold. */
  heldAt: Date | null
  suspendedAt: Date | null
  lastUsedAt: Date | null
}

/** True if the key is neither revoked nor expired. */
export const isKeyLive = (owner: KeyOwner, now: Date): boolean =>
  owner.revokedAt === null && (owner.key.expiresAt === null || owner.key.expiresAt > now)

/** A key's hash, or its placeholder in a prepared query. */
type Hash = string | Placeholder

/** Returns a query for the owner of a key, by its hash. No row: the key was never created. */
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
      heldAt: instantOf(apiKeys.heldAt),
      lastUsedAt: instantOf(apiKeys.lastUsedAt),
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(eq(apiKeys.keyHash, keyHash))

/** Returns `keyOwner` as a prepared query with the value `keyHash`. */
export const preparedKeyOwner = preparedOnce((db) => keyOwner(db, sql.placeholder('keyHash')).prepare('key_owner'))

/** Returns the account id of a live key, as an expression. A query that compares with it finds nothing for a dead key. */
export const accountOfKey = (keyHash: Hash): SQL =>
  sql`(select account_id from api_keys where key_hash = ${keyHash} and revoked_at is null and held_at is null and (expires_at is null or expires_at > now()))`

/** Age at which a key's last use is stored again. So a key with many reads is not written to at each of them. */
export const TOUCH_EVERY_MS = 5 * 60_000

/** Stores that a key was used, unless a use was stored in the last five minutes. */
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
