import { accountOfKey } from '../accounts/key-owner.ts'
import { violatedUnique } from '../db/client.ts'
import { ApiError, ERROR_CODES } from '../lib/errors.ts'
import { type Ctx, ownerOfId, recordingFailures, sendBatch, sendQueries } from '../runtime/ctx.ts'
import { currentDryRun } from '../runtime/dry-run.ts'
import { errorFields } from '../runtime/log.ts'
import { type Admission, type Entrance, openAdmission } from './admission.ts'
import type { HttpDeps } from './deps.ts'
import { usualStatus } from './operation.ts'
import { createRecording, type Recording } from './recording.ts'

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
  error instanceof ApiError && ERROR_CODES[error.code].status === 409 && error.code !== 'idempotency_in_progress'

/** Opens the gate for one request. */
export const openGate = (deps: HttpDeps, entrance: Entrance): Gate => {
  const { operation, keyHash } = entrance
  const admission = openAdmission(deps, entrance)
  const { keeps, noteBatch, keepAfter, replayWinner } = createRecording(deps, admission, usualStatus(operation))
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
