import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { idempotencyRecords as records } from '../../../schema/kernel.ts'
import type { Db } from '../db/client.ts'
import { type If, insertWhere } from '../db/writes.ts'
import { type IdempotencyKey, keptUntil } from './idempotency.ts'

/** Owner of a kept answer: the account, and the Idempotency-Key with its request. */
export type KeptAnswer = { accountId: number; given: IdempotencyKey; now: Date }

/** Answer of a call: its status, its body as text, and the tag of the version that it shows. */
export type Answered = { status: number; body: SQL | string; etag: string | undefined }

type Kept = { status: number | null; body: SQL | string | null; etag?: string | undefined; leaseUntil: Date | null }

const rowOf = ({ accountId, given, now }: KeptAnswer, { status, body, etag, leaseUntil }: Kept) => ({
  accountId,
  operation: given.operation,
  key: given.key,
  fingerprint: given.fingerprint,
  status,
  body,
  etag: etag ?? null,
  leaseUntil,
  createdAt: now,
  expiresAt: keptUntil(now),
})

/**
 * Keeps an answer that changed nothing (a refusal, or a call that found its work done). The first one stays, and so does the
 * mark of a request that still runs.
 */
export const keepAfterwards = (answer: KeptAnswer, answered: Answered): SQL =>
  insertWhere(records, rowOf(answer, { ...answered, leaseUntil: null }), { if: 'always', onConflict: sql`do nothing` })

/** Keeps an answer. A second use of the key violates the primary key and undoes the whole batch. */
export const insertAnswer = (kept: KeptAnswer, { status, body, etag }: Answered, condition: If): SQL =>
  insertWhere(records, rowOf(kept, { status, body, etag, leaseUntil: null }), { if: condition })

/** Marks the key as running until a lease ends. */
export const insertRunning = (kept: KeptAnswer, leaseUntil: Date, condition: If): SQL =>
  insertWhere(records, rowOf(kept, { status: null, body: null, leaseUntil }), { if: condition })

const isRunningKey = ({ accountId, given }: KeptAnswer, condition: If): SQL =>
  sql`${and(
    eq(records.accountId, accountId),
    eq(records.operation, given.operation),
    eq(records.key, given.key),
    isNull(records.status),
    condition === 'always' ? undefined : condition,
  )}`

/** Gives a running key its answer. */
export const finishAnswer = (db: Db, kept: KeptAnswer, { status, body, etag }: Answered, condition: If) =>
  db
    .update(records)
    .set({ status, body, etag: etag ?? null, leaseUntil: null })
    .where(isRunningKey(kept, condition))
    .returning({ key: records.key })

/** Frees a running key: the same call is judged again. */
export const dropAnswer = (db: Db, kept: KeptAnswer, condition: If) =>
  db.delete(records).where(isRunningKey(kept, condition)).returning({ key: records.key })
