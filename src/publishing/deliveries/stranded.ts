import { isNull, type SQL, sql } from 'drizzle-orm'
import { deliveries } from '../../../schema/deliveries.ts'
import { outbox } from '../../../schema/kernel.ts'
import { rowsOf } from '../../platform/db/client.ts'
import { at } from '../../platform/db/instant.ts'
import { select } from '../../platform/db/read-parts.ts'
import { countOf, ONE_ROW, statement } from '../../platform/db/statement.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { deliverJob } from '../jobs.ts'
import { isOpen } from './parts.ts'

/** Time past its due time for which an open delivery may be without work in the outbox, ms. */
const STRANDED_AFTER_MS = 5 * 60_000
const BATCH = sql.raw('200')

/** Asks for the work of open deliveries whose time is past and for which none waits. Reads `deliveries_open_unique` alone. */
const wakeStatement = (now: Date): SQL => {
  const due = new Date(now.getTime() - STRANDED_AFTER_MS)
  const work = sql`select 1 from ${outbox} where ${outbox.key} = ${deliverJob.keyOf(sql`${deliveries.id}`)}
    and ${isNull(outbox.doneAt)} and ${isNull(outbox.deadAt)}`
  const stranded = select(
    'stranded',
    { id: deliveries.id, accountId: deliveries.accountId },
    sql`from ${deliveries} where ${isOpen()} and ${isNull(deliveries.replayOf)}
      and coalesce(${deliveries.leaseUntil}, ${deliveries.nextAttemptAt}, ${deliveries.updatedAt}) <= ${at(due)}
      and not exists (${work}) limit ${BATCH}`,
    { materialized: true },
  )
  const queued = deliverJob.enqueue({
    from: stranded,
    account: stranded.c.accountId,
    payload: { delivery_id: stranded.c.id },
    runAt: now,
    open: 'keep',
  })
  return statement({
    unaudited: 'nothing changes but that work which was lost is asked for again',
    parts: [stranded, queued],
    answer: { woken: countOf(stranded) },
    answerFrom: ONE_ROW,
  })
}

/** Wakes deliveries that are open but that nothing would ever take up: their outbox row was lost. How many. */
export const wakeStranded = async (deps: Deps): Promise<number> => {
  const [row] = await rowsOf<{ woken: string }>(deps.db, wakeStatement(deps.now()))
  return Number(row?.woken ?? 0)
}
