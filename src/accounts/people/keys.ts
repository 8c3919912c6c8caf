import { and, desc, eq, exists, isNull, type SQL, sql } from 'drizzle-orm'
import { apiKeys } from '../../../schema/accounts.ts'
import { oauthGrants } from '../../../schema/people.ts'
import type { Scope } from '../../../schema/values/accounts.ts'
import type { AuditAction } from '../../../schema/values/audit.ts'
import { mintApiKey } from '../../platform/accounts/api-key.ts'
import { budgetColumns } from '../../platform/accounts/key-budget.ts'
import { holdAccount } from '../../platform/accounts/parts.ts'
import { widestOf } from '../../platform/accounts/scopes.ts'
import type { Db } from '../../platform/db/client.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { sha256 } from '../../platform/lib/crypto.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { isMemberOf } from './roles.ts'

/** Names of the scopes on pages. */
const SCOPE_LABELS: Readonly<Record<Scope, string>> = {
  draft: 'read and draft',
  write: 'read and change',
  read: 'only read',
  admin: 'read, change and administer',
}

/** Returns the label of a key's scopes on pages. */
export const scopeLabel = (scopes: readonly Scope[]): string => SCOPE_LABELS[widestOf(scopes)]

type NewKey = { name: string; scopes: readonly Scope[]; expiresAt: Date | null }

/** Largest number of keys of an account, not counting revoked keys. */
const MAX_KEYS = 100

/** Condition: the key was made for direct use, and is not behind an application. */
const isHandedOut = (): SQL => sql`not exists (select 1 from ${oauthGrants} where ${oauthGrants.keyId} = ${apiKeys.id})`

/** Returns the account's keys that are not revoked, newest first, without those behind applications. */
export const listKeys = async (ctx: Ctx) => {
  const rows = await ctx.read((owner) =>
    ctx.db
      .select({
        id: apiKeys.id,
        name: apiKeys.name,
        lastFour: apiKeys.lastFour,
        scopes: apiKeys.scopes,
        expiresAt: apiKeys.expiresAt,
        lastUsedAt: apiKeys.lastUsedAt,
        createdAt: apiKeys.createdAt,
        heldAt: apiKeys.heldAt,
        ...budgetColumns(ctx.now()),
      })
      .from(apiKeys)
      .where(and(eq(apiKeys.accountId, owner), isNull(apiKeys.revokedAt), isHandedOut()))
      .orderBy(desc(apiKeys.id))
      .limit(MAX_KEYS),
  )
  return rows
}

type KeyChange = {
  changes: Partial<typeof apiKeys.$inferInsert>
  entry: { action: AuditAction; detail?: Record<string, unknown> }
}

/** Changes a key of the account, unless it is revoked or behind an application. Returns false if there is no such key. */
const changeKey = async (ctx: Ctx, accountId: number, id: number, { changes, entry }: KeyChange): Promise<boolean> => {
  const isKey = and(eq(apiKeys.id, id), eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt), isHandedOut())
  const found = ctx.db.select({ id: apiKeys.id }).from(apiKeys).where(isKey)
  const { changed } = await ctx.batch({
    key: ctx.db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.id, id)).for('no key update'),
    audit: audit(ctx, { account: accountId, on: ['key', id], ...entry, if: exists(found) }),
    changed: ctx.db.update(apiKeys).set(changes).where(isKey).returning({ id: apiKeys.id }),
  })
  return changed.length > 0
}

/** Monthly limits of a key; null means no limit. */
export type KeyLimits = { articleCredits: number | null; scans: number | null; cents: number | null }

/** Sets the monthly limits of a key of the account. Returns false if there is no such key. */
export const limitKey = async (ctx: Ctx, id: number, { articleCredits, scans, cents }: KeyLimits): Promise<boolean> => {
  const account = await ctx.account()
  const detail = { article_credits: articleCredits, scans, cents }
  return await changeKey(ctx, account.id, id, {
    changes: { budgetArticleCredits: articleCredits, budgetScans: scans, budgetCents: cents },
    entry: { action: 'key.limit', detail },
  })
}

export type MadeKey = { id: number; key: string; lastFour: string }

/** Returns the next id of a key, as a query. */
export const nextKeyId = (db: Db) => db.execute<{ id: string }>(sql`select nextval('api_keys_id_seq') as id`)

/**
 * Makes a key for an owner or a member of the account, or for an operator (null). The key is only in this result. Throws 400 if the
 * account has too many keys, and 403.
 *
 * `kept` has the id for the key, and makes the sealed answer that is kept for replays.
 */
export const createKey = async (
  ctx: Ctx,
  by: string | null,
  { name, scopes, expiresAt }: NewKey,
  kept?: { id: number; sealed: (made: MadeKey) => Promise<string> },
): Promise<MadeKey> => {
  const account = await ctx.account()
  const key = mintApiKey('live', (bytes) => crypto.getRandomValues(bytes))
  const lastFour = key.slice(-4)
  const row = {
    ...(kept ? { id: kept.id } : {}),
    accountId: account.id,
    name,
    keyHash: await sha256(key),
    lastFour,
    scopes: [...scopes],
    expiresAt,
    madeBy: by,
  }
  const isCounted = and(eq(apiKeys.accountId, account.id), isNull(apiKeys.revokedAt), isHandedOut())
  const isNew = eq(apiKeys.keyHash, row.keyHash)
  // The lock on the account makes concurrent calls take turns, so that each key is counted before the next is made.
  const {
    apiKeys: [stored],
  } = await ctx.batch({
    account: holdAccount(account.id),
    apiKeys: insertWhere(apiKeys, row, {
      if: sql`(select count(*) from ${apiKeys} where ${isCounted}) < ${MAX_KEYS}::int and ${isMemberOf(account.id, by, 'member')}`,
      returning: { id: apiKeys.id },
    }),
    kept:
      kept &&
      ctx.keepAnswer(await kept.sealed({ id: kept.id, key, lastFour }))(
        exists(ctx.db.select({ id: apiKeys.id }).from(apiKeys).where(isNew)),
      ),
    audit: audit(ctx, {
      account: account.id,
      action: 'key.create',
      on: ['key', sql`${apiKeys.id}`],
      detail: { scopes },
      from: sql`${apiKeys}`,
      if: isNew,
    }),
  })
  if (stored) return { id: Number(stored.id), key, lastFour }
  throw (await listKeys(ctx)).length < MAX_KEYS
    ? new ApiError('forbidden', 'You no longer work in this account, or not in all its projects. No key was created.')
    : new ApiError('invalid_input', `An account has at most ${MAX_KEYS} keys. Revoke one first.`)
}

/** Returns a query for a key that is not revoked. `mine` is true if it is the account's. */
export const keyById = (db: Db, owner: SQL, id: number) =>
  db
    .select({ mine: sql<boolean>`${apiKeys.accountId} = ${owner}` })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt), isHandedOut()))

/** Revokes a key of the account, at once and everywhere. Returns false if there is no such key. */
export const revokeKey = async (ctx: Ctx, id: number): Promise<boolean> => {
  const account = await ctx.account()
  return await changeKey(ctx, account.id, id, { changes: { revokedAt: ctx.now() }, entry: { action: 'key.revoke' } })
}

/** Confirms a key that a restore of the database put on hold, so that it works again. Returns false if there is no such key. */
export const confirmKey = async (ctx: Ctx, id: number): Promise<boolean> => {
  const account = await ctx.account()
  return await changeKey(ctx, account.id, id, { changes: { heldAt: null }, entry: { action: 'key.confirm' } })
}
