import { and, gt, isNull, or, type SQL, sql } from 'drizzle-orm'
import { apiKeys } from '../../../schema/accounts.ts'
import { oauthGrants, oauthRecords } from '../../../schema/people.ts'
import { audit } from '../../platform/db/audit.ts'
import { type Db, rowsOf } from '../../platform/db/client.ts'
import { statement } from '../../platform/db/statement.ts'
import { insert, overwritten, remove, update } from '../../platform/db/write-parts.ts'

type PutOptions = { expirationTtl?: number; expiration?: number; metadata?: unknown }
type ListOptions = { prefix?: string; limit?: number; cursor?: string }
type Listed = { keys: { name: string; metadata?: unknown }[]; list_complete: boolean; cursor?: string }

const PAGE = 1000
const UNAUDITED = 'records of the protocol; what they open is audited with the key behind the grant'

/** Condition: the record has not expired. */
const isLive = (now: Date): SQL => sql`${or(isNull(oauthRecords.expiresAt), gt(oauthRecords.expiresAt, now))}`

/** A record in place of the one there was. */
export const putRecord = (key: string, value: string, expiresAt: Date | null, metadata: unknown = null): SQL => {
  const { key: name, value: text, metadata: extra, expiresAt: end } = oauthRecords
  const made = insert(
    'made',
    oauthRecords,
    { key, value, metadata, expiresAt },
    { onConflict: { columns: [name], set: overwritten({ value: text, metadata: extra, expiresAt: end }) } },
  )
  return statement({ unaudited: UNAUDITED, parts: [made], answer: made.c })
}

/** An empty record, unless there is one: an expired one, and one left empty since before `lostBefore`, are taken over. A row where it was made. */
export const claimRecord = (key: string, expiresAt: Date, now: Date, lostBefore: Date): SQL => {
  const { value, expiresAt: end, createdAt } = oauthRecords
  const made = insert(
    'made',
    oauthRecords,
    { key, value: '', expiresAt, createdAt: now },
    {
      onConflict: {
        columns: [oauthRecords.key],
        set: { value: '', expiresAt, createdAt: now },
        setWhere: sql`${end} <= ${now} or (${value} = '' and ${createdAt} <= ${lostBefore})`,
      },
    },
  )
  return statement({ unaudited: UNAUDITED, parts: [made], answer: made.c })
}

/** Deletes a record; returns its value if it had not expired. */
export const consumeRecord = (key: string, now: Date): SQL => {
  const taken = remove('taken', oauthRecords, {
    where: sql`${oauthRecords.key} = ${key}`,
    returning: { value: oauthRecords.value, live: isLive(now) },
  })
  return statement({ unaudited: UNAUDITED, parts: [taken], answer: taken.c })
}

/** Ends a grant: its record goes, with another of it, and the key behind it is revoked in the same moment. */
const endGrant = ({ personId, grantId }: { personId: string; grantId: string }, key: string, now: Date): SQL => {
  const gone = remove('gone', oauthRecords, {
    where: sql`${oauthRecords.key} in (${key}, ${`grant:${personId}:${grantId}`})`,
  })
  const revoked = update(
    'revoked',
    apiKeys,
    { revokedAt: now },
    {
      where: sql`${apiKeys.id} = (select ${oauthGrants.keyId} from ${oauthGrants} where ${oauthGrants.grantId} = ${grantId}) and ${apiKeys.revokedAt} is null`,
      returning: { id: apiKeys.id, account_id: apiKeys.accountId },
    },
  )
  const acting = { actor: () => 'oauth', now: () => now }
  return statement({
    parts: [gone, revoked],
    audit: audit(acting, {
      of: revoked,
      account: revoked.c.account_id,
      action: 'application.end',
      on: ['key', revoked.c.id],
    }),
    answer: revoked.c,
  })
}

/** True if nothing can stand under a key, since PostgreSQL's text takes no NUL: keys have parts that callers sent. */
const isNone = (key: string): boolean => key.includes('\0')

/** The record under a key; undefined where there is none that has not expired. */
export const readRecord = async (db: Db, key: string, now: Date) => {
  if (isNone(key)) return undefined
  const { value, metadata, createdAt } = oauthRecords
  const rows = await db
    .select({ value, metadata, createdAt })
    .from(oauthRecords)
    .where(and(sql`${oauthRecords.key} = ${key}`, isLive(now)))
  return rows[0]
}

/**
 * Store of the OAuth server: the five methods of a Workers KV namespace over PostgreSQL.
 *
 * Unlike KV it reads what was written, so that a revocation is effective at once. Deleting a grant revokes the API key behind
 * it. So does deleting an access token, which the library does if a client revokes one (RFC 7009, 2.1, lets the grant end with
 * it). The endpoints judge the key on each call, while the MCP server remembers tokens for a minute.
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
      await rowsOf(db, putRecord(key, value, expiry(options), options.metadata))
    },
    delete: async (key: string): Promise<void> => {
      if (isNone(key)) return
      const [, personId, grantId] = /^(?:grant|token):([^:]+):([^:]+)/.exec(key) ?? []
      const ending = personId !== undefined && grantId !== undefined ? { personId, grantId } : undefined
      await rowsOf(db, ending ? endGrant(ending, key, now()) : consumeRecord(key, now()))
    },
    list: async ({ prefix = '', limit = PAGE, cursor }: ListOptions = {}): Promise<Listed> => {
      if (isNone(prefix)) return { keys: [], list_complete: true }
      const rows = await db
        .select({ name: oauthRecords.key, metadata: oauthRecords.metadata })
        .from(oauthRecords)
        .where(
          and(
            // text_pattern_ops: compared by bytes, as the index is.
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
