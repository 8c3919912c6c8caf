import { and, asc, eq, gt, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { apiKeys } from '../../../schema/accounts.ts'
import { oauthGrants, oauthRecords } from '../../../schema/people.ts'
import { isOfGrant } from '../../platform/accounts/parts.ts'
import type { Db } from '../../platform/db/client.ts'
import { audit, dropInBatches } from '../../platform/db/writes.ts'
import { type Deps, sendBatch } from '../../platform/runtime/ctx.ts'

/** Returns the statements that revoke the open keys behind grants that meet a condition, with an audit entry for each key. */
const revokeKeys = (db: Db, grants: SQL, now: Date) => {
  const { id, accountId, revokedAt } = apiKeys
  const behind = db.select({ keyId: oauthGrants.keyId }).from(oauthGrants).where(grants)
  const isOpen = sql`${and(isNull(revokedAt), inArray(id, behind))}`
  const entry = { account: sql`${accountId}`, action: 'application.end', on: ['key', sql`${id}`] } as const
  return [
    db.select({ id }).from(apiKeys).where(isOpen).orderBy(id).for('no key update'),
    audit({ actor: () => 'oauth', now: () => now }, { ...entry, from: sql`${apiKeys}`, if: isOpen }),
    db.update(apiKeys).set({ revokedAt: now }).where(isOpen),
  ] as const
}

type PutOptions = { expirationTtl?: number; expiration?: number; metadata?: unknown }
type ListOptions = { prefix?: string; limit?: number; cursor?: string }
type Listed = { keys: { name: string; metadata?: unknown }[]; list_complete: boolean; cursor?: string }

const PAGE = 1000

/** Condition: the record has not expired. */
const isLive = (now: Date): SQL => sql`${or(isNull(oauthRecords.expiresAt), gt(oauthRecords.expiresAt, now))}`

/** Writes a record, and replaces an earlier one under the same key. */
export const putRecord = (db: Db, key: string, value: string, expiresAt: Date | null, metadata: unknown = null) =>
  db
    .insert(oauthRecords)
    .values({ key, value, metadata, expiresAt })
    .onConflictDoUpdate({ target: oauthRecords.key, set: { value, metadata, expiresAt } })

/**
 * Makes an empty record unless one exists. Replaces an expired record, and one that has been empty since before `lostBefore`.
 * Returns a row if the record was made.
 */
export const claimRecord = (db: Db, key: string, expiresAt: Date, now: Date, lostBefore: Date) =>
  db
    .insert(oauthRecords)
    .values({ key, value: '', expiresAt, createdAt: now })
    .onConflictDoUpdate({
      target: oauthRecords.key,
      set: { value: '', expiresAt, createdAt: now },
      setWhere: sql`${or(
        lte(oauthRecords.expiresAt, now),
        and(eq(oauthRecords.value, ''), lte(oauthRecords.createdAt, lostBefore)),
      )}`,
    })
    .returning({ key: oauthRecords.key })

/** Deletes a record. Returns its value; `live` is true if it had not expired. */
export const consumeRecord = (db: Db, key: string, now: Date) =>
  db
    .delete(oauthRecords)
    .where(eq(oauthRecords.key, key))
    .returning({ value: oauthRecords.value, live: sql<boolean>`${isLive(now)}` })

/** Ends a grant: deletes its records, and revokes the API key behind it. */
const endGrant = (db: Db, { personId, grantId }: { personId: string; grantId: string }, now: Date) =>
  sendBatch(db, {
    records: db.delete(oauthRecords).where(isOfGrant(sql`${`${personId}:${grantId}`}`)),
    keys: revokeKeys(db, eq(oauthGrants.grantId, grantId), now),
  })

/** True if a key contains NUL, which PostgreSQL text cannot store. Parts of keys are sent by callers. */
const isNone = (key: string): boolean => key.includes('\0')

/** Returns the record under a key; undefined if it does not exist or has expired. */
export const readRecord = async (db: Db, key: string, now: Date) => {
  if (isNone(key)) return undefined
  const { value, metadata, createdAt } = oauthRecords
  const rows = await db
    .select({ value, metadata, createdAt })
    .from(oauthRecords)
    .where(and(sql`${oauthRecords.key} = ${key}`, isLive(now)))
  return rows[0]
}

/** True if the grant of an access token exists, whether or not the token is still valid. */
export const hasGrant = async (db: Db, token: string, now: Date): Promise<boolean> => {
  const [, grant] = /^([\w-]+:[\w-]+):[\w-]+$/.exec(token) ?? []
  return grant !== undefined && (await readRecord(db, `grant:${grant}`, now)) !== undefined
}

/**
 * Store of the OAuth server: the five methods of a Workers KV namespace over PostgreSQL.
 *
 * Unlike KV it always reads the latest write, so that a revocation is effective at once. Deleting a grant revokes the API key
 * behind it. So does deleting an access token, which the library does if a client revokes one. RFC 7009, 2.1, allows ending the
 * grant with the token. The endpoints check the key on each call, while the MCP server remembers tokens for a minute.
 */
export const oauthStore = (db: Db, now: () => Date) => {
  const expiry = ({ expirationTtl, expiration }: PutOptions): Date | null => {
    if (expiration !== undefined) return new Date(expiration * 1000)
    return expirationTtl === undefined ? null : new Date(now().getTime() + expirationTtl * 1000)
  }
  const read = (key: string) => readRecord(db, key, now())
  const shaped = (value: string | undefined, options?: { type?: string } | string): unknown => {
    if (value === undefined) return null
    return (typeof options === 'string' ? options : options?.type) === 'json' ? JSON.parse(value) : value
  }
  return {
    get: async (key: string, options?: { type?: string } | string) => shaped((await read(key))?.value, options),
    getWithMetadata: async (key: string, options?: { type?: string } | string) => {
      const row = await read(key)
      return { value: shaped(row?.value, options), metadata: row?.metadata ?? null }
    },
    put: async (key: string, value: string, options: PutOptions = {}): Promise<void> => {
      await putRecord(db, key, value, expiry(options), options.metadata)
    },
    delete: async (key: string): Promise<void> => {
      if (isNone(key)) return
      const [, personId, grantId] = /^(?:grant|token):([^:]+):([^:]+)/.exec(key) ?? []
      if (personId !== undefined && grantId !== undefined) await endGrant(db, { personId, grantId }, now())
      else await consumeRecord(db, key, now())
    },
    list: async ({ prefix = '', limit = PAGE, cursor }: ListOptions = {}): Promise<Listed> => {
      if (isNone(prefix)) return { keys: [], list_complete: true }
      const rows = await db
        .select({ name: oauthRecords.key, metadata: oauthRecords.metadata })
        .from(oauthRecords)
        .where(
          and(
            // These operators compare by bytes, as the index does (text_pattern_ops).
            sql`${oauthRecords.key} ~>=~ ${prefix} and ${oauthRecords.key} ~<~ ${`${prefix}\u{10ffff}`}`,
            cursor === undefined ? undefined : sql`${oauthRecords.key} ~>~ ${cursor}`,
            isLive(now()),
          ),
        )
        .orderBy(sql`${oauthRecords.key} using ~<~`)
        .limit(limit + 1)
      const keys = rows.slice(0, limit)
      const last = keys.at(-1)?.name
      return rows.length > limit && last !== undefined
        ? { keys, list_complete: false, cursor: last }
        : { keys, list_complete: true }
    },
  }
}

/** Deletes a batch of expired records, and returns their number. With an expired grant, the key behind it is revoked. */
const dropExpired = async (db: Db, now: Date, limit: number): Promise<number> => {
  const { key, expiresAt } = oauthRecords
  const found = await db
    .select({ key })
    .from(oauthRecords)
    .where(lte(expiresAt, now))
    .orderBy(asc(expiresAt))
    .limit(limit)
  // The records are locked before the keys: a grant that was refreshed after the read has not expired, and keeps its key.
  const isExpired = and(sql`${key} = any(${sql.param(found.map((record) => record.key))}::text[])`, lte(expiresAt, now))
  const grants = db
    .select({ id: sql`split_part(${key}, ':', 3)` })
    .from(oauthRecords)
    .where(and(sql`${key} like 'grant:%'`, isExpired))
  const { records } = await sendBatch(db, {
    locked: db.select({ key }).from(oauthRecords).where(isExpired).orderBy(key).for('update'),
    revokeKeys: revokeKeys(db, inArray(oauthGrants.grantId, grants), now),
    records: db.delete(oauthRecords).where(isExpired),
  })
  return records.rowCount
}

/** Deletes expired records of the OAuth server in batches. Returns how many. */
export const forgetGrants = ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> =>
  dropInBatches((most) => dropExpired(db, now(), most))
