import { and, isNull, sql } from 'drizzle-orm'
import { deliveries } from '../../../schema/deliveries.ts'
import { outbox } from '../../../schema/kernel.ts'
import { at } from '../../platform/db/instant.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { type Deps, sendBatch } from '../../platform/runtime/ctx.ts'
import { deliverJob } from '../jobs.ts'
import { isOpen } from './writes.ts'

/** Time past its due time for which an open delivery may be without work in the outbox, ms. */
const STRANDED_AFTER_MS = 5 * 60_000
const BATCH = sql.raw('200')

/**
 * Wakes deliveries that are open but that nothing would ever take up: their outbox row was lost. How many. Reads
 * `deliveries_open_unique` alone.
 */
export const wakeStranded = async (deps: Deps): Promise<number> => {
  const now = deps.now()
  const due = new Date(now.getTime() - STRANDED_AFTER_MS)
  const work = sql`select 1 from ${outbox} where ${outbox.key} = ${deliverJob.keyOf(sql`${deliveries.id}`)}
    and ${isNull(outbox.doneAt)} and ${isNull(outbox.deadAt)}`
  const stranded = sql`(select ${deliveries.id}, ${deliveries.accountId} from ${deliveries}
    where ${and(isOpen(), isNull(deliveries.replayOf))}
      and coalesce(${deliveries.leaseUntil}, ${deliveries.nextAttemptAt}, ${deliveries.updatedAt}) <= ${at(due)}
      and not exists (${work}) limit ${BATCH}) as stranded`
  const asked = enqueue(
    deliverJob,
    { delivery_id: sql`stranded.id` },
    { from: stranded, if: 'always', account: sql`stranded.account_id`, runAt: now, open: 'keep' },
  )
  const unaudited = 'nothing changes but that work which was lost is asked for again'
  const [woken] = await sendBatch(deps.db, [asked], { unaudited })
  return woken.length
}
