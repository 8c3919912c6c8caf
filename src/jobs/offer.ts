import { dropInBatches } from '../db/batches.ts'
import { rowsOf } from '../db/client.ts'
import type { Deps } from '../runtime/ctx.ts'
import { errorFields } from '../runtime/log.ts'
import { dropDone, type OfferedRow, returnOffers, takeOffers } from './outbox.ts'
import { type Queue, queueFault, type Wake } from './queue.ts'

const BATCH = 100
/** From so many offers without a run on, the queue's calls do not arrive: an alarm. */
const ALARM_OFFERS = 5

/** The message for a row. One whose time has come, or comes within the second, is sent at once: the queue counts in seconds. */
const wakeOf = (row: OfferedRow, now: Date): Wake => {
  const runAt = new Date(Number(row.run_at) * 1000)
  const isNear = runAt.getTime() - now.getTime() < 1_000
  return { id: Number(row.id), offers: Number(row.offers), notBefore: isNear ? undefined : runAt }
}

const refuse = async (deps: Deps, refused: readonly { id: number; reason: string }[], rows: number): Promise<void> => {
  if (refused.length === 0) return
  deps.log('error', 'queue.refused', { rows, refused: refused.length, reason: refused[0]?.reason })
  await deps.db.execute(returnOffers(refused.map(({ id }) => id)))
}

/**
 * Hands outbox rows that nobody has taken to the queue: after every commit, and once a minute for those that were lost.
 * Rows the queue refuses stay for the next sweep. Returns how many were offered.
 */
export const offerRows = async (deps: Deps, queue: Queue): Promise<number> => {
  const now = deps.now()
  const rows = await rowsOf<OfferedRow>(deps.db, takeOffers(now, BATCH))
  if (rows.length === 0) return 0
  const unheard = rows.filter((row) => Number(row.unanswered) > ALARM_OFFERS)
  if (unheard.length > 0) deps.log('error', 'queue.not_arriving', { rows: unheard.length, outbox_id: unheard[0]?.id })
  const wakes = rows.map((row) => wakeOf(row, now))
  try {
    const refused = await queue.offer(wakes)
    await refuse(deps, refused, wakes.length)
    return wakes.length - refused.length
  } catch (error) {
    deps.log('error', 'queue.offer_failed', { rows: wakes.length, ...errorFields(error), ...queueFault(error) })
    await deps.db.execute(returnOffers(wakes.map((wake) => wake.id)))
    return 0
  }
}

/** Forgets rows that were done a week ago, in batches; how many. */
export const forgetDone = (deps: Deps): Promise<number> =>
  dropInBatches(async (most) => (await deps.db.execute(dropDone(deps.now(), most))).rowCount ?? 0)
