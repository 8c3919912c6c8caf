import { and, eq, isNull, SQL, sql } from 'drizzle-orm'
import { idempotencyRecords as records } from '../../../schema/kernel.ts'
import { accountOfKey } from '../accounts/key-owner.ts'
import { type Db, rowsOf, violatedUnique } from '../db/client.ts'
import type { Statement } from '../db/steps.ts'
import { type If, insertWhere } from '../db/writes.ts'
import { ApiError } from '../lib/errors.ts'
import { tagOf } from '../lib/etag.ts'
import { type Ctx, guardDatabase, ownerOfId, recordingFailures, sendBatch, sendReading } from '../runtime/ctx.ts'
import { currentDryRun } from '../runtime/dry-run.ts'
import { errorFields } from '../runtime/log.ts'
import { type Admission, type Entrance, openAdmission } from './admission.ts'
import type { HttpDeps } from './deps.ts'
import { type IdempotencyKey, judgeOrWait, keptUntil } from './idempotency.ts'
import { usualStatus } from './operation.ts'

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
type Recording = {
  /** Statements with which verbs store answers, in the batches that make the effects. */
  keeps: Pick<Ctx, 'keepAnswer' | 'keepRunning' | 'keepDone' | 'keepDropped'>
  /** Notes if one of these statements changed a row in a batch. */
  note: (statement: unknown, result: unknown) => void
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
const createRecording = (deps: HttpDeps, { owner, given }: Admission, usual: number): Recording => {
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
  const note: Recording['note'] = (one, result) => {
    const effect = (result as unknown[] | undefined)?.length ? effects.get(one) : undefined
    if (effect === 'keeps') kept = true
    if (effect === 'marks') isMarked = true
  }

  const keeps: Recording['keeps'] = {
    keepAnswer:
      (body, { status = usual } = {}) =>
      (isMet) =>
        statement('keeps', (key) => insertAnswer(key, answered(status, body), isMet)),
    keepRunning: (leaseUntil) => (isMet) => statement('marks', (key) => insertRunning(key, leaseUntil, isMet)),
    keepDone:
      (body, { status = usual } = {}) =>
      (isMet) =>
        statement('keeps', (key) => finishAnswer(deps.db, key, answered(status, body), isMet)),
    keepDropped: () => (isMet) => statement('frees', (key) => dropAnswer(deps.db, key, isMet)),
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

  return { keeps, note, keepAfter, replayWinner }
}

/** Context and admission of one request. Admission happens with the first read, or by itself if there is none. */
export type Gate = Pick<Admission, 'admit' | 'demand' | 'headers' | 'isTurnedAway' | 'isKnown'> &
  Pick<Recording, 'keepAfter'> & {
    ctx: Ctx
    isAdmitted: () => boolean
    /** Returns the ids of key and account for the log; nothing before the caller is admitted. */
    caller: () => { key_id?: number; account_id?: number }
    /** Runs the work of a request. Its errors are thrown only for an admitted caller; otherwise admission's refusal is thrown. */
    hold: <T>(work: () => Promise<T>) => Promise<T>
  }

/** True if the call conflicts with another one (409). A running call with the same Idempotency-Key was already waited for. */
const isConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 409 && error.code !== 'idempotency_in_progress'

/** Opens the gate for one request. */
export const openGate = (deps: HttpDeps, entrance: Entrance): Gate => {
  const { operation, keyHash } = entrance
  const admission = openAdmission(deps, entrance)
  const { keeps, note, keepAfter, replayWinner } = createRecording(deps, admission, usualStatus(operation))
  const { owner, admit, enter } = admission

  /**
   * Runs a write of the admitted caller.
   *
   * If it violates a unique index because the same call was made twice, the request ends with the first call's answer.
   */
  const writing = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!owner()) throw new Error('write before admission')
    try {
      return await work()
    } catch (error) {
      // Any unique index counts: the winner may have been the same call.
      if (violatedUnique(error) !== undefined) await replayWinner()
      throw error
    }
  }

  const ctx = recordingFailures({
    ...deps,
    ...keeps,
    actor: () => `key:${owner()?.keyId ?? 0}`,
    read: async (build) => {
      const account = owner()
      // A prepared query is sent separately and does not see the writes of a dry run.
      const hash = currentDryRun() ? undefined : keyHash
      if (account) return await sendReading(deps.db, build(ownerOfId(account.id), hash))
      return await sendReading(deps.db, build(accountOfKey(keyHash ?? ''), keyHash), enter)
    },
    account: admit,
    batch: (steps, options) =>
      writing(() => sendBatch(deps.db, steps, options, { note, pushes: () => ctx.defer(deps.wakeQueue()) })),
    defer: (work) =>
      entrance.defer(
        work.catch((error: unknown) =>
          deps.log('error', 'deferred.failed', { operation: operation.id, ...errorFields(error) }),
        ),
      ),
  })

  const hold: Gate['hold'] = async (work) => {
    try {
      return await work()
    } catch (error) {
      await admit()
      // A faster call may have been the same call: then its answer is also the answer to this one.
      if (isConflict(error)) await replayWinner()
      throw error
    }
  }

  const caller = () => {
    const known = owner()
    return known ? { key_id: known.keyId, account_id: known.id } : {}
  }

  const { demand, headers, isTurnedAway, isKnown } = admission
  return {
    ctx,
    admit,
    demand,
    hold,
    keepAfter,
    headers,
    isTurnedAway,
    isKnown,
    caller,
    isAdmitted: () => owner() !== undefined,
  }
}
