import { and, eq, isNull, SQL, sql } from 'drizzle-orm'
import { idempotencyRecords as records } from '../../../schema/kernel.ts'
import { type Db, rowsOf } from '../db/client.ts'
import { type If, insertWhere } from '../db/writes.ts'
import { tagOf } from '../lib/etag.ts'
import { type Ctx, guardDatabase, type Statement } from '../runtime/ctx.ts'
import type { Admission } from './admission.ts'
import type { HttpDeps } from './deps.ts'
import { type IdempotencyKey, judgeInTurn, keptUntil } from './idempotency.ts'

/** Owner of a kept answer: the account, and the Idempotency-Key with its request. */
type KeptAnswer = { accountId: number; given: IdempotencyKey; now: Date }

/** Answer of a call: its status, its body as text, and the tag of the version that it shows. */
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
 * Keeps an answer that changed nothing (a refusal, or a call that found its work done). The first one stays, and so does the
 * mark of a request that still runs.
 */
const keepAfterwards = (answer: KeptAnswer, answered: Answered): SQL =>
  insertWhere(records, rowOf(answer, { ...answered, leaseUntil: null }), { if: 'always', onConflict: sql`do nothing` })

/** Keeps an answer. A second use of the key violates the primary key and undoes the whole batch. */
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

/** Gives a running key its answer. */
const finishAnswer = (db: Db, kept: KeptAnswer, { status, body, etag }: Answered, condition: If) =>
  db
    .update(records)
    .set({ status, body, etag: etag ?? null, leaseUntil: null })
    .where(isRunningKey(kept, condition))
    .returning({ key: records.key })

/** Frees a running key: the same call is judged again. */
const dropAnswer = (db: Db, kept: KeptAnswer, condition: If) =>
  db.delete(records).where(isRunningKey(kept, condition)).returning({ key: records.key })

/** Recorder of a request's answer under its Idempotency-Key. */
export type Recording = {
  /** Statements with which verbs keep answers, in the batches that make the effects. */
  keeps: Pick<Ctx, 'keepAnswer' | 'keepRunning' | 'keepDone' | 'keepDropped'>
  /** Notes which of the statements above had an effect in a batch: whether they changed a row, by the statement. */
  noteBatch: (statements: readonly unknown[], results: readonly unknown[]) => void
  /** Keeps an answer unless the effect's own statement already did. Ends with the answer that another call with the key had first. */
  keepAfter: (status: number, body: () => object) => Promise<void>
  /** Another request with the same key won the race: ends with its answer, or with 409 while it has none. */
  replayWinner: () => Promise<void>
}

/** Returns an answer as it is kept: one that is text already as it is, any other as JSON, with its tag. */
const answered = (status: number, body: unknown): Answered =>
  typeof body === 'string' || body instanceof SQL
    ? { status, body, etag: undefined }
    : { status, body: JSON.stringify(body), etag: tagOf(body as object) }

/** Keeps the answers of one request; does nothing without an Idempotency-Key. `usual` is the operation's status. */
export const createRecording = (deps: HttpDeps, { owner, given }: Admission, usual: number): Recording => {
  let kept = false
  let isMarked = false
  const keeping = (key: IdempotencyKey) => ({ accountId: owner()?.id ?? 0, given: key, now: deps.now() })

  /** Effects of the statements that were handed out, if they change a row. */
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
    if (key) await judgeInTurn(deps, owner()?.id ?? 0, key)
  }

  const keepAfter: Recording['keepAfter'] = async (status, body) => {
    const key = given()
    if (!key || kept) return
    const [made] = await guardDatabase(rowsOf(deps.db, keepAfterwards(keeping(key), answered(status, body()))))
    // The mark of a request that still runs is its own; any other answer that is there is that of a call that was first.
    if (!made && !isMarked) await replayWinner()
  }

  return { keeps, noteBatch, keepAfter, replayWinner }
}
