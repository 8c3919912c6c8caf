import { and, eq, lt, type SQL, sql } from 'drizzle-orm'
import { idempotencyRecords } from '../../schema/kernel.ts'
import type { Db } from '../db/client.ts'
import { sha256 } from '../lib/crypto.ts'
import { ApiError } from '../lib/errors.ts'

const KEPT_HOURS = 24

/** An Idempotency-Key as it came, and what the answer will be kept under. */
export type IdempotencyKey = { key: string; operation: string; fingerprint: string }

/** A kept answer, thrown to end the request with it. */
export class Replay extends Error {
  override readonly name = 'Replay'
  readonly status: number
  readonly body: string

  constructor(status: number, body: string) {
    super('replay')
    this.status = status
    this.body = body
  }
}

/**
 * Reads the header (draft-ietf-httpapi-idempotency-key-header): 1 to 255 printable ASCII characters, with or without the
 * double quotes of a structured-field string. Throws 400.
 */
export const parseIdempotencyKey = (header: string): string => {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header.trim())
  const key = quoted ? (quoted[1] ?? '').replace(/\\(.)/g, '$1') : header.trim()
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key
  const message = 'must be 1 to 255 printable ASCII characters'
  throw new ApiError('invalid_input', `Idempotency-Key: ${message}.`, {
    details: [{ field: 'Idempotency-Key', message }],
  })
}

export const fingerprintOf = (method: string, path: string, body: string): Promise<string> =>
  sha256(`${method} ${path}\n${body}`)

/** The record of a key, if it was used before. */
export const recordOf = (db: Db, owner: SQL, operation: string, key: string) =>
  db
    .select({
      fingerprint: idempotencyRecords.fingerprint,
      status: idempotencyRecords.status,
      body: idempotencyRecords.body,
      leaseUntil: idempotencyRecords.leaseUntil,
      expiresAt: idempotencyRecords.expiresAt,
    })
    .from(idempotencyRecords)
    .where(
      and(
        eq(idempotencyRecords.accountId, owner),
        eq(idempotencyRecords.operation, operation),
        eq(idempotencyRecords.key, key),
      ),
    )

type StoredRecord = Awaited<ReturnType<typeof recordOf>>[number]

/** Decides by the stored record: throws the replay, 422 for another body, 409 while running; returns when the request may go on. */
export const judgeRecord = (record: StoredRecord | undefined, given: IdempotencyKey, now: Date): 'fresh' | 'stale' => {
  if (!record) return 'fresh'
  if (record.expiresAt <= now) return 'stale'
  if (record.fingerprint !== given.fingerprint)
    throw new ApiError(
      'idempotency_key_reused',
      'This Idempotency-Key was already used with another body. Use a new key for a new request.',
    )
  if (record.status !== null && record.body !== null) throw new Replay(record.status, record.body)
  if (record.leaseUntil !== null && record.leaseUntil > now)
    throw new ApiError(
      'idempotency_in_progress',
      'The first request with this Idempotency-Key is still running. Repeat it shortly to get its answer.',
      {
        retry_after: 2,
      },
    )
  return 'stale'
}

/** Removes a record that no longer binds, so that its key can be used anew. */
export const dropStale = (db: Db, accountId: number, given: IdempotencyKey, now: Date) =>
  db
    .delete(idempotencyRecords)
    .where(
      and(
        eq(idempotencyRecords.accountId, accountId),
        eq(idempotencyRecords.operation, given.operation),
        eq(idempotencyRecords.key, given.key),
        sql`(${idempotencyRecords.expiresAt} <= ${now.toISOString()}::timestamptz or (${idempotencyRecords.status} is null and ${idempotencyRecords.leaseUntil} <= ${now.toISOString()}::timestamptz))`,
      ),
    )

/** Removes what has expired; called by the hourly clean-up. */
export const forgetExpired = async (db: Db, now: Date): Promise<void> => {
  await db.delete(idempotencyRecords).where(lt(idempotencyRecords.expiresAt, now))
}

const expiry = (now: Date): string => new Date(now.getTime() + KEPT_HOURS * 3_600_000).toISOString()

type Insert = { accountId: number; given: IdempotencyKey; now: Date; from: SQL }

const columns = sql.raw('(account_id, operation, key, fingerprint, status, body, lease_until, created_at, expires_at)')

const values = ({ accountId, given, now, from }: Insert, status: SQL, body: SQL, lease: SQL): SQL =>
  sql`select ${accountId}::int, ${given.operation}, ${given.key}, ${given.fingerprint}, ${status}, ${body}, ${lease},
    ${now.toISOString()}::timestamptz, ${expiry(now)}::timestamptz from ${from} limit 1`

/** CTE: keeps an answer with the effect. A second use of the key violates the primary key and undoes the whole statement. */
export const recordCte = (insert: Insert, status: number, body: string | SQL): SQL =>
  sql`, recorded as (insert into idempotency_records ${columns}
    ${values(insert, sql`${status}::int`, sql`${body}`, sql`null::timestamptz`)} returning key)`

/** CTE: marks the key as running until a lease ends. */
export const runningCte = (insert: Insert, leaseUntil: Date): SQL =>
  sql`, recorded as (insert into idempotency_records ${columns}
    ${values(insert, sql`null::int`, sql`null`, sql`${leaseUntil.toISOString()}::timestamptz`)} returning key)`

/** CTE: gives a running key its answer. */
export const doneCte = ({ accountId, given, from }: Insert, status: number, body: string): SQL =>
  sql`, recorded as (update idempotency_records set status = ${status}::int, body = ${body}, lease_until = null
    where account_id = ${accountId}::int and operation = ${given.operation} and key = ${given.key} and status is null
      and exists (select 1 from ${from}) returning key)`

/** CTE: forgets a running key whose work failed in a way that may be repeated. */
export const forgetCte = ({ accountId, given, from }: Insert): SQL =>
  sql`, recorded as (delete from idempotency_records
    where account_id = ${accountId}::int and operation = ${given.operation} and key = ${given.key} and status is null
      and exists (select 1 from ${from}) returning key)`

/** Keeps an answer that changed nothing (a refusal, or a call that found its work done). The first one stays, and so does the mark of a request that still runs. */
export const recordAnswer = (insert: Omit<Insert, 'from'>, status: number, body: string): SQL =>
  sql`insert into idempotency_records ${columns}
    ${values({ ...insert, from: sql`(select 1) as once` }, sql`${status}::int`, sql`${body}`, sql`null::timestamptz`)}
    on conflict (account_id, operation, key) do nothing`
