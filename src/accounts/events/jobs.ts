import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { eventEndpoints } from '../../../schema/events.ts'
import { isServed } from '../../platform/accounts/parts.ts'
import { isBehind, isSettled } from '../../platform/db/feed.ts'
import { PUSH } from '../../platform/db/push.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'
import { type Deps, sendBatch } from '../../platform/runtime/ctx.ts'

/** Sends the events behind an endpoint's cursor, in their order. */
export const pushJob = defineJob({
  name: PUSH.name,
  whenClosed: 'ends',
  payload: z.object({ endpoint_id: id() }),
  key: PUSH.key,
  id: PUSH.id,
})

/** Queues the job of each active endpoint behind whose cursor there are entries. Returns how many. */
export const enqueueDuePushes = async ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const [id, account, cursor] = [sql`endpoint.id`, sql`endpoint.account_id`, sql`endpoint.cursor_id`]
  // The limit keeps the planner from joining the tables, so that each endpoint costs one look into the index of the feed.
  const due = sql`(select ${id}, ${account} from ${eventEndpoints} endpoint
    where endpoint.status = 'active' and ${isServed(account)}
      and (select true from audit_log where audit_log.account_id = ${account} and ${isBehind(cursor, account)} and ${isSettled} limit 1)) due`
  const work = {
    account: sql`due.account_id`,
    runAt: now(),
    from: due,
    open: 'keep',
    if: 'always',
    isByClock: true,
  } as const
  const { queued } = await sendBatch(
    db,
    { queued: enqueue(pushJob, { endpoint_id: sql`due.id` }, work) },
    { unaudited: 'it sends what the audit log has' },
  )
  return queued.length
}
