import { accountOfKey } from '../accounts/key-owner.ts'
import { violatedUnique } from '../db/client.ts'
import { ApiError, ERROR_CODES } from '../lib/errors.ts'
import { type Ctx, noting, ownerOfId, sendBatch, sendQueries } from '../runtime/ctx.ts'
import { dryRunNow } from '../runtime/dry-run.ts'
import { errorFields } from '../runtime/log.ts'
import { type Admission, type Entrance, openAdmission } from './admission.ts'
import type { HttpDeps } from './deps.ts'
import { usualStatus } from './operation.ts'
import { createRecording, type Recording } from './recording.ts'

/** One request's way in: admission happens with the first read, or by itself when there is none. */
export type Gate = Pick<Admission, 'admit' | 'demand' | 'headers' | 'isTurnedAway' | 'isKnown'> &
  Pick<Recording, 'keepAfter'> & {
    ctx: Ctx
    isAdmitted: () => boolean
    /** Returns the caller, for the log; nothing of a caller who was not admitted. */
    caller: () => { key_id?: number; account_id?: number }
    /** Runs the work of a request. What it throws is told only when the caller is admitted, else what admission refuses. */
    hold: <T>(work: () => Promise<T>) => Promise<T>
  }

/** True if another call was in the way; one with the same Idempotency-Key was waited for already. */
const isConflict = (error: unknown): boolean =>
  error instanceof ApiError && ERROR_CODES[error.code].status === 409 && error.code !== 'idempotency_in_progress'

/** Opens the gate for one request. */
export const openGate = (deps: HttpDeps, entrance: Entrance): Gate => {
  const { operation, keyHash } = entrance
  const admission = openAdmission(deps, entrance)
  const { keeps, noteBatch, keepAfter, replayWinner } = createRecording(deps, admission, usualStatus(operation))
  const { owner, admit, enter } = admission

  /** Runs a write of the admitted caller. One that met another call in a unique index ends with that call's answer, if both are the same. */
  const writing = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!owner()) throw new Error('write before admission')
    try {
      return await work()
    } catch (error) {
      // Whichever index they met at: the winner may have been the same call.
      if (violatedUnique(error) !== undefined) await replayWinner()
      throw error
    }
  }

  const ctx = noting({
    ...deps,
    ...keeps,
    actor: () => `key:${owner()?.keyId ?? 0}`,
    read: async (build) => {
      const account = owner()
      // A prepared query is sent by itself, where it would not see what a dry run wrote.
      const hash = dryRunNow() ? undefined : keyHash
      if (account) return await sendQueries(deps.db, build(ownerOfId(account.id), hash))
      return (await enter(build(accountOfKey(keyHash ?? ''), keyHash))) as never
    },
    account: admit,
    batch: (statements, options) =>
      writing(async () => {
        const results = await sendBatch(deps.db, statements, options)
        noteBatch(statements, results)
        return results
      }),
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
      // A faster call may have been the same one: its answer is this one's, too.
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
