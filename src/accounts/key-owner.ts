import { and, eq, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { accounts, apiKeys } from '../../schema/accounts.ts'
import type { Scope } from '../../schema/values/accounts.ts'
import type { Db } from '../db/client.ts'
import { msOf } from '../db/instant.ts'
import { keptQuery, type Place } from '../db/kept-query.ts'
import { ownerFrom } from '../db/owner.ts'
import type { KeyOwner } from './account.ts'

/** A key and its account as one value: ten columns would each be described in the answer to every single call. */
const OWNER = sql`jsonb_build_array(${accounts.id}, ${accounts.plan}, ${accounts.projectSlots}, ${msOf(accounts.suspendedAt)},
  ${apiKeys.id}, ${apiKeys.name}, ${apiKeys.scopes}, ${msOf(apiKeys.expiresAt)}, ${msOf(apiKeys.revokedAt)}, ${msOf(apiKeys.lastUsedAt)})`

type Packed = [
  id: number,
  plan: KeyOwner['plan'],
  projectSlots: number,
  suspendedAt: number | null,
  keyId: number,
  name: string,
  scopes: readonly Scope[],
  expiresAt: number | null,
  revokedAt: number | null,
  lastUsedAt: number | null,
]

const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

const unpack = ([
  id,
  plan,
  projectSlots,
  suspended,
  keyId,
  name,
  scopes,
  expires,
  revoked,
  used,
]: Packed): KeyOwner => ({
  id,
  plan,
  projectSlots,
  suspendedAt: dateOf(suspended),
  keyId,
  key: { name, scopes, expiresAt: dateOf(expires) },
  revokedAt: dateOf(revoked),
  lastUsedAt: dateOf(used),
})

/** The owner of a key by its hash: no row when it was never issued. */
export const keyOwner = (db: Db, keyHash: string) => ownerOfHash(db, { keyHash })

const ownerOfHash = keptQuery((db, { keyHash }: { keyHash: Place }) =>
  db
    .select({ owner: OWNER.mapWith(unpack) })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(eq(apiKeys.keyHash, keyHash)),
)

/** The id of the account a live key belongs to, as an expression: a query that compares with it yields nothing for a dead key. */
export const accountOfKey = (keyHash: string): SQL => ownerFrom({ text: 'key', value: keyHash, expression: liveKey })

const liveKey = (keyHash: unknown): SQL =>
  sql`(select account_id from api_keys where key_hash = ${keyHash} and revoked_at is null and (expires_at is null or expires_at > now()))`

/** How old the note of a key's last use may be: a key that reads once a minute is not written to with each read. */
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
