import { SQL } from 'drizzle-orm'
import { rowsOf } from '../db/client.ts'
import { tagOf } from '../lib/etag.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { guardDatabase } from '../runtime/ctx.ts'
import type { Admission } from './admission.ts'
import type { HttpDeps } from './deps.ts'
import { type IdempotencyKey, judgeInTurn } from './idempotency.ts'
import {
  type Answered,
  droppedAnswer,
  finishedAnswer,
  keepAfterwards,
  keptAnswer,
  runningAnswer,
} from './kept-answer.ts'

/** Recorder of a request's answer under its Idempotency-Key. */
export type Recording = {
  /** Parts with which verbs keep answers, in the statements that make the effects. */
  parts: Pick<Ctx, 'keep'>
  /** Keeps an answer unless the effect's own statement already did. Ends with the answer that another call with the key had first. */
  keepAfter: (status: number, body: () => object) => Promise<void>
  /** Another request with the same key won the race: ends with its answer, or with 409 while it has none. */
  replayWinner: () => Promise<void>
}

/** An answer as it is kept: one that is text already as it is, any other as JSON, with its tag. */
const answered = (status: number, body: unknown): Answered =>
  typeof body === 'string' || body instanceof SQL
    ? { status, body, etag: undefined }
    : { status, body: JSON.stringify(body), etag: tagOf(body as object) }

/** Keeps the answers of one request; does nothing without an Idempotency-Key. `usual` is the operation's status. */
export const createRecording = (deps: HttpDeps, { owner, given }: Admission, usual: number): Recording => {
  let kept = false
  let isMarked = false
  const keeping = (key: IdempotencyKey) => ({ accountId: owner()?.id ?? 0, given: key, now: deps.now() })

  /** Runs `make` with the request's key where there is one. `isAnswer`: the answer is kept by it, and not again afterwards. */
  const withKey = <T>(isAnswer: boolean, make: (key: ReturnType<typeof keeping>) => T): T | undefined => {
    const key = given()
    if (!key) return undefined
    kept ||= isAnswer
    return make(keeping(key))
  }

  const parts: Recording['parts'] = {
    keep: {
      isAsked: () => given() !== undefined,
      answer: (of, body, status = usual) => withKey(true, (key) => keptAnswer(key, of, answered(status, body))),
      running: (of, leaseUntil) => {
        isMarked = true
        return withKey(false, (key) => runningAnswer(key, of, leaseUntil))
      },
      done: (of, body, status = usual) => withKey(true, (key) => finishedAnswer(key, of, answered(status, body))),
      dropped: (of) => withKey(false, (key) => droppedAnswer(key, of)),
      missed: () => {
        if (!isMarked) kept = false
      },
    },
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

  return { parts, keepAfter, replayWinner }
}
