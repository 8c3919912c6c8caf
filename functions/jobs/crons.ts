import { fillUpCredits } from '../../src/accounts/credits.ts'
import { forgetExpired } from '../../src/http/idempotency.ts'
import { forgetDone, offerRows } from '../../src/jobs/offer.ts'
import type { Queue } from '../../src/jobs/queue.ts'
import { takeDueArticles } from '../../src/publishing/due.ts'
import type { Deps } from '../../src/runtime/ctx.ts'
import { takeArticlesToWrite } from '../../src/writing/take.ts'

const CLEAN_UP_MINUTE = 17
const MAX_BATCHES = 10

/**
 * The minute's work: take articles whose date has come, hand those whose date is near to the writer, fill up the month's credits, then offer every outbox row nobody has in hand. Once an hour also
 * forgets what has expired.
 */
export const everyMinute = async (deps: Deps, queue: Queue, at: Date): Promise<void> => {
  const due = await takeDueArticles(deps)
  const writing = await takeArticlesToWrite(deps)
  const filled = await fillUpCredits(deps)
  let offered = 0
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const rows = await offerRows(deps, queue)
    offered += rows
    if (rows === 0) break
  }
  if (at.getUTCMinutes() === CLEAN_UP_MINUTE) {
    await forgetDone(deps)
    await forgetExpired(deps.db, deps.now())
  }
  deps.log('info', 'cron.minute', { ...due, to_write: writing.taken, without_credit: writing.unpaid, filled, offered })
}
