import { and, eq, type SQL, sql } from 'drizzle-orm'
import { idempotencyRecords } from '../../../schema/kernel.ts'
import type { Db } from '../db/client.ts'
import { sha256 } from '../lib/crypto.ts'
import { ApiError } from '../lib/errors.ts'
import { type Deps, guardDatabase } from '../runtime/ctx.ts'

const KEPT_HOURS = 24

/** An Idempotency-Key, with the operation and fingerprint that its answer is stored with. */
export type IdempotencyKey = { key: string; operation: string; fingerprint: string }

/** A stored answer, thrown to end the request with it. */
export class Replay extends Error {
  override readonly name = 'Replay'
  readonly status: number
  readonly body: string
  readonly etag: string | null
  /** Account that owns the answer. If the answer has a secret, it can be opened only for this account. */
  readonly accountId: number

  constructor({ status, body, etag, accountId }: Pick<Replay, 'status' | 'body' | 'etag' | 'accountId'>) {
    super('replay')
    this.accountId = accountId
    this.status = status
    this.body = body
    this.etag = etag
  }
}

/**
 * Reads the header (draft-ietf-httpapi-idempotency-key-header). Throws 400.
 *
 * The key has 1 to 255 printable ASCII characters, with or without the double quotes of a structured-field string.
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

/** Returns the value with the fields of objects sorted by name, as a replacer of `JSON.stringify`. */
const inOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

const canonical = (value: unknown, text: string): string => {
  try {
    return JSON.stringify(value, inOrder)
  } catch {
    // Nested too deeply for the stack: then only the same text is the same request.
    return text
  }
}

/** Returns the fingerprint of a request: of method, path, the query parameters that the operation reads, and the body's values. */
export const fingerprintOf = (
  method: string,
  path: string,
  body: { text: string; value?: unknown },
  query: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const asked = Object.keys(query).length === 0 ? '' : `?${JSON.stringify(query, inOrder)}`
  return sha256(`${method} ${path}${asked}\n${body.value === undefined ? body.text : canonical(body.value, body.text)}`)
}

/** Returns a query for the record of an Idempotency-Key; no row if the key is new. */
export const recordOf = (db: Db, owner: SQL, operation: string, key: string) =>
  db
    .select({
      accountId: idempotencyRecords.accountId,
      fingerprint: idempotencyRecords.fingerprint,
      status: idempotencyRecords.status,
      body: idempotencyRecords.body,
      etag: idempotencyRecords.etag,
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

/** Stored record of an Idempotency-Key. Status and body are null while its first request runs. */
export type StoredRecord = Awaited<ReturnType<typeof recordOf>>[number]

/**
 * Returns `fresh` or `stale` if the request may run. `stale`: an old record of the key has to be deleted first.
 *
 * Throws the stored answer as a `Replay`, 422 if the key was used for another request, or 409 while the first one runs.
 */
export const judgeRecord = (record: StoredRecord | undefined, given: IdempotencyKey, now: Date): 'fresh' | 'stale' => {
  if (!record) return 'fresh'
  if (record.expiresAt <= now) return 'stale'
  if (record.fingerprint !== given.fingerprint)
    throw new ApiError(
      'idempotency_key_reused',
      'This Idempotency-Key was already used for another request: another body, path or query. Use a new key for a new request.',
    )
  const { status, body, etag, accountId } = record
  if (status !== null && body !== null) throw new Replay({ status, body, etag, accountId })
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

/** Delays between reads while a call waits for the first one with its key, ms. 10 s in all. */
const WAITS_MS = [200, 300, 500, 1_000, 2_000, 3_000, 3_000]

const isRunning = (error: unknown): boolean => error instanceof ApiError && error.code === 'idempotency_in_progress'

/**
 * Decides like `judgeRecord`, but waits up to 10 s for a first call that is still running, to replay its answer.
 *
 * `found`: the record, if it was already read.
 */
export const judgeOrWait = async (
  { db, now, wait }: Pick<Deps, 'db' | 'now' | 'wait'>,
  accountId: number,
  given: IdempotencyKey,
  found?: { record: StoredRecord | undefined },
): Promise<'fresh' | 'stale'> => {
  const read = async () =>
    (await guardDatabase(Promise.resolve(recordOf(db, sql`${accountId}::int`, given.operation, given.key))))[0]
  let record = found ? found.record : await read()
  for (const waitMs of WAITS_MS) {
    try {
      return judgeRecord(record, given, now())
    } catch (error) {
      if (!isRunning(error)) throw error
    }
    await wait(waitMs)
    record = await read()
  }
  return judgeRecord(record, given, now())
}

/** Deletes a stale record, so that its key can be used again. */
export const deleteStale = (db: Db, accountId: number, given: IdempotencyKey, now: Date) =>
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

/** Returns when an answer stored now expires. */
export const keptUntil = (now: Date): Date => new Date(now.getTime() + KEPT_HOURS * 3_600_000)
