import { rowsOf } from '../../src/db/client.ts'
import { dropExpired } from '../../src/http/idempotency.ts'
import { offerRows } from '../../src/jobs/offer.ts'
import { dropDone } from '../../src/jobs/outbox.ts'
import type { Queue } from '../../src/jobs/queue.ts'
import { takeDue } from '../../src/publishing/statements.ts'
import type { Deps } from '../../src/runtime/ctx.ts'

const CLEAN_UP_MINUTE = 17

/**
 * The minute's work: take articles whose date has come, then offer every outbox row nobody has in hand. Once an hour also
 * forgets what has expired.
 */
export const everyMinute = async (
  deps: Deps,
  queue: Queue,
  at: Date,
): Promise<{ taken: number; drafted: number; offered: number }> => {
  const [due] = await rowsOf<{ taken: string; drafted: string }>(deps.db, takeDue(deps.now()))
  const offered = await offerRows(deps, queue)
  if (at.getUTCMinutes() === CLEAN_UP_MINUTE) {
    await deps.db.execute(dropDone(deps.now()))
    await dropExpired(deps.db, deps.now())
  }
  const result = { taken: Number(due?.taken ?? 0), drafted: Number(due?.drafted ?? 0), offered }
  deps.log('info', 'cron.minute', result)
  return result
}
