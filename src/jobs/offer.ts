import { rowsOf } from '../db/client.ts'
import type { Deps } from '../runtime/ctx.ts'
import { errorFields } from '../runtime/log.ts'
import { dropDone, type OfferedRow, returnOffers, takeOffers } from './outbox.ts'
import type { Queue } from './queue.ts'

const BATCH = 100

/**
 * Hands outbox rows that nobody has taken to the queue: after every commit, and once a minute for those that were lost.
 * Rows the queue refuses stay for the next sweep. Returns how many were offered.
 */
export const offerRows = async (deps: Deps, queue: Queue): Promise<number> => {
  const rows = await rowsOf<OfferedRow>(deps.db, takeOffers(deps.now(), BATCH))
  if (rows.length === 0) return 0
  const wakes = rows.map((row) => ({
    id: Number(row.id),
    offers: Number(row.offers),
    notBefore: new Date(Math.ceil(Number(row.run_at)) * 1000),
  }))
  try {
    await queue.offer(wakes)
    return wakes.length
  } catch (error) {
    deps.log('error', 'queue.offer_failed', { rows: wakes.length, ...errorFields(error) })
    await deps.db.execute(returnOffers(wakes.map((wake) => wake.id)))
    return 0
  }
}

/** Forgets rows that were done a week ago. */
export const forgetDone = async (deps: Deps): Promise<void> => {
  await deps.db.execute(dropDone(deps.now()))
}
