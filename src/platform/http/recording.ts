import { SQL } from 'drizzle-orm'
import { rowsOf } from '../db/client.ts'
import { tagOf } from '../lib/etag.ts'
import type { Ctx, Statement } from '../runtime/ctx.ts'
import { guardDatabase } from '../runtime/ctx.ts'
import type { Admission } from './admission.ts'
import type { HttpDeps } from './deps.ts'
import { type IdempotencyKey, judgeInTurn } from './idempotency.ts'
import { type Answered, dropAnswer, finishAnswer, insertAnswer, insertRunning, keepAfterwards } from './kept-answer.ts'

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
