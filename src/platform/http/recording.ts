import { and, eq, isNull, SQL, sql } from 'drizzle-orm'
import { idempotencyRecords as records } from '../../../schema/kernel.ts'
import { type Db, rowsOf } from '../db/client.ts'
import { type If, insertWhere } from '../db/writes.ts'
import { tagOf } from '../lib/etag.ts'
import { type Ctx, guardDatabase, type Statement } from '../runtime/ctx.ts'
import type { Admission } from './admission.ts'
import type { HttpDeps } from './deps.ts'
import { type IdempotencyKey, judgeOrWait, keptUntil } from './idempotency.ts'

/** Owner of a stored answer: the account, and the Idempotency-Key with its request. */
type KeptAnswer = { accountId: number; given: IdempotencyKey; now: Date }

/** Answer to a call: its status, its body as text, and the ETag of the version that it shows. */
type Answered = { status: number; body: SQL | string; etag: string | undefined }

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
 * Stores an answer without an effect of its own: a refusal, or a call that found its work done.
 *
 * An existing record stays, whether it has an answer or marks a running request.
 */
const keepAfterwards = (answer: KeptAnswer, answered: Answered): SQL =>
  insertWhere(records, rowOf(answer, { ...answered, leaseUntil: null }), { if: 'always', onConflict: sql`do nothing` })

/** Stores an answer. A second use of the key violates the primary key and rolls the whole batch back. */
const insertAnswer = (kept: KeptAnswer, { status, body, etag }: Answered, condition: If): SQL =>
  insertWhere(records, rowOf(kept, { status, body, etag, leaseUntil: null }), { if: condition })

/** Marks the key as running until a lease ends. */
const insertRunning = (kept: KeptAnswer, leaseUntil: Date, condition: If): SQL =>
  insertWhere(records, rowOf(kept, { status: null, body: null, leaseUntil }), { if: condition })

const isRunningKey = ({ accountId, given }: KeptAnswer, condition: If): SQL =>
  sql`${and(
    eq(records.accountId, accountId),
    eq(records.operation, given.operation),
    eq(records.key, given.key),
    isNull(records.status),
    condition === 'always' ? undefined : condition,
  )}`

/** Stores the answer of a running key. */
const finishAnswer = (db: Db, kept: KeptAnswer, { status, body, etag }: Answered, condition: If) =>
  db
    .update(records)
    .set({ status, body, etag: etag ?? null, leaseUntil: null })
    .where(isRunningKey(kept, condition))
    .returning({ key: records.key })

/** Frees a running key, so that the same call is judged again. */
const dropAnswer = (db: Db, kept: KeptAnswer, condition: If) =>
  db.delete(records).where(isRunningKey(kept, condition)).returning({ key: records.key })

/** Recorder of a request's answer under its Idempotency-Key. */
export type Recording = {
  /** Statements with which verbs store answers, in the batches that make the effects. */
  keeps: Pick<Ctx, 'keepAnswer' | 'keepRunning' | 'keepDone' | 'keepDropped'>
  /** Notes which of these statements changed a row in a batch. */
  noteBatch: (statements: readonly unknown[], results: readonly unknown[]) => void
  /** Stores an answer unless a statement of the effect's batch already did. If another call stored one first, throws that one. */
  keepAfter: (status: number, body: () => object) => Promise<void>
  /** Waits for the request that used the key first, and throws its answer; throws 409 if it is still running. */
  replayWinner: () => Promise<void>
}

/** Returns an answer as it is stored: text unchanged, anything else as JSON with its ETag. */
const answered = (status: number, body: unknown): Answered =>
  typeof body === 'string' || body instanceof SQL
    ? { status, body, etag: undefined }
    : { status, body: JSON.stringify(body), etag: tagOf(body as object) }

/** Creates the recorder of one request; it does nothing without an Idempotency-Key. `usual`: the operation's usual status. */
export const createRecording = (deps: HttpDeps, { owner, given }: Admission, usual: number): Recording => {
  let kept = false
  let isMarked = false
  const keeping = (key: IdempotencyKey) => ({ accountId: owner()?.id ?? 0, given: key, now: deps.now() })

  /** Effect of each statement handed out, if it changes a row. */
  const effects = new Map<unknown, 'keeps' | 'marks'>()
  const statement = (effect: 'keeps' | 'marks' | 'frees', make: (key: ReturnType<typeof keeping>) => Statement) => {
    const key = given()
    const made = key && make(keeping(key))
    if (made && effect !== 'frees') effects.set(made, effect)
    return made
  }
  const noteBatch: Recording['noteBatch'] = (statements, results) => {
    for (const [index, one] of statements.entries()) {
      const isMade = ((results[index] as unknown[] | undefined)?.length ?? 0) > 0
      const effect = effects.get(one)
      if (isMade && effect === 'keeps') kept = true
      if (isMade && effect === 'marks') isMarked = true
    }
  }

  const keeps: Recording['keeps'] = {
    keepAnswer: (body, { if: condition, status = usual }) =>
      statement('keeps', (key) => insertAnswer(key, answered(status, body), condition)),
    keepRunning: (leaseUntil, { if: condition }) =>
      statement('marks', (key) => insertRunning(key, leaseUntil, condition)),
    keepDone: (body, { if: condition, status = usual }) =>
      statement('keeps', (key) => finishAnswer(deps.db, key, answered(status, body), condition)),
    keepDropped: ({ if: condition }) => statement('frees', (key) => dropAnswer(deps.db, key, condition)),
  }

  const replayWinner: Recording['replayWinner'] = async () => {
    const key = given()
    if (key) await judgeOrWait(deps, owner()?.id ?? 0, key)
  }

  const keepAfter: Recording['keepAfter'] = async (status, body) => {
    const key = given()
    if (!key || kept) return
    const [made] = await guardDatabase(rowsOf(deps.db, keepAfterwards(keeping(key), answered(status, body()))))
    // If this request marked the key as running, the existing record is its own. Otherwise it is that of an earlier call.
    if (!made && !isMarked) await replayWinner()
  }

  return { keeps, noteBatch, keepAfter, replayWinner }
}
