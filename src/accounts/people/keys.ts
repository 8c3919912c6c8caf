import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { apiKeys } from '../../../schema/accounts.ts'
import { oauthGrants } from '../../../schema/people.ts'
import type { Scope } from '../../../schema/values/accounts.ts'
import { mintApiKey } from '../../platform/accounts/api-key.ts'
import { budgetColumns } from '../../platform/accounts/key-budget.ts'
import { holdAccount } from '../../platform/accounts/parts.ts'
import { audit } from '../../platform/db/audit.ts'
import type { Db } from '../../platform/db/client.ts'
import { statement } from '../../platform/db/statement.ts'
import { insert, update } from '../../platform/db/write-parts.ts'
import { sha256 } from '../../platform/lib/crypto.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { worksIn } from './works-in.ts'

export type NewKey = { name: string; scopes: readonly Scope[]; expiresAt: Date | null }

/** The most keys an account has at a time; those that were revoked do not count. */
const MAX_KEYS = 100

/** Condition: the key was handed out, and stands behind no application. */
const isHandedOut = (): SQL => sql`not exists (select 1 from ${oauthGrants} where ${oauthGrants.keyId} = ${apiKeys.id})`

/** The account's keys that were not revoked, newest first; those behind applications stand elsewhere. */
export const listKeys = async (ctx: Ctx) => {
  const [rows] = await ctx.read((owner) => [
    ctx.db
      .select({
        id: apiKeys.id,
        name: apiKeys.name,
        lastFour: apiKeys.lastFour,
        scopes: apiKeys.scopes,
        expiresAt: apiKeys.expiresAt,
        lastUsedAt: apiKeys.lastUsedAt,
        createdAt: apiKeys.createdAt,
        ...budgetColumns(ctx.now()),
      })
      .from(apiKeys)
      .where(and(eq(apiKeys.accountId, owner), isNull(apiKeys.revokedAt), isHandedOut()))
      .orderBy(desc(apiKeys.id))
      .limit(MAX_KEYS),
  ])
  return rows
}

/** Ceilings of a key a month; null: none. */
export type KeyLimits = { articleCredits: number | null; scans: number | null; cents: number | null }

/** Sets what a key of the account may spend a month. False if there is no such key. */
export const limitKey = async (ctx: Ctx, id: number, { articleCredits, scans, cents }: KeyLimits): Promise<boolean> => {
  const account = await ctx.account()
  const limited = update(
    'limited',
    apiKeys,
    { budgetArticleCredits: articleCredits, budgetScans: scans, budgetCents: cents },
    {
      where: sql`${and(eq(apiKeys.id, id), eq(apiKeys.accountId, account.id), isNull(apiKeys.revokedAt), isHandedOut())}`,
      returning: { id: apiKeys.id },
    },
  )
  const rows = await ctx.write(
    statement({
      parts: [limited],
      audit: audit(ctx, {
        of: limited,
        account: account.id,
        action: 'key.limit',
        on: ['key', limited.c.id],
        detail: { article_credits: articleCredits, scans, cents },
      }),
      answer: limited.c,
    }),
  )
  return rows.length > 0
}

export type MadeKey = { id: number; key: string; lastFour: string }

/** The next id of a key, as a query. */
export const nextKeyId = (db: Db) => db.execute<{ id: string }>(sql`select nextval('api_keys_id_seq') as id`)

/**
 * Makes a key for an owner or a member of the account, or for the operator (null). The key is in this answer only. `kept` makes the
 * answer that replays get, and has the key's id for it. Throws 400 if the account has too many keys, and 403.
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
  const standing = and(eq(apiKeys.accountId, account.id), isNull(apiKeys.revokedAt), isHandedOut())
  const made = insert('made', apiKeys, row, {
    where: sql`(select count(*) from ${apiKeys} where ${standing}) < ${MAX_KEYS}::int and ${worksIn(account.id, by, 'member')}`,
    returning: { id: apiKeys.id },
  })
  // Keys made at once come one after the other, so that each is counted before the next.
  const [stored] = await ctx.write<{ id: number }>(
    statement({
      parts: [made, kept && ctx.keep.answer([made], await kept.sealed({ id: kept.id, key, lastFour }))],
      audit: audit(ctx, {
        of: made,
        account: account.id,
        action: 'key.create',
        on: ['key', made.c.id],
        detail: { scopes },
      }),
      answer: made.c,
    }),
    [holdAccount(account.id)],
  )
  if (stored) return { id: Number(stored.id), key, lastFour }
  throw (await listKeys(ctx)).length < MAX_KEYS
    ? new ApiError('forbidden', 'You work in this account no more, or not in all its projects.')
    : new ApiError('invalid_input', `An account has at most ${MAX_KEYS} keys. Revoke one first.`)
}

/** A key that is not revoked, and whether it is the account's, as a query. */
export const keyById = (db: Db, owner: SQL, id: number) =>
  db
    .select({ mine: sql<boolean>`${apiKeys.accountId} = ${owner}` })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt), isHandedOut()))

/** Revokes a key of the account, at once and everywhere. False where there is no such key. */
export const revokeKey = async (ctx: Ctx, id: number): Promise<boolean> => {
  const account = await ctx.account()
  const revoked = update(
    'revoked',
    apiKeys,
    { revokedAt: ctx.now() },
    {
      where: sql`${and(eq(apiKeys.id, id), eq(apiKeys.accountId, account.id), isNull(apiKeys.revokedAt), isHandedOut())}`,
      returning: { id: apiKeys.id },
    },
  )
  const rows = await ctx.write(
    statement({
      parts: [revoked],
      audit: audit(ctx, { of: revoked, account: account.id, action: 'key.revoke', on: ['key', revoked.c.id] }),
      answer: revoked.c,
    }),
  )
  return rows.length > 0
}
