import { type SQL, sql } from 'drizzle-orm'
import { eventEndpoints } from '../../../schema/events.ts'
import { auditLog, outbox } from '../../../schema/kernel.ts'
import { requestIdNow } from '../lib/request-scope.ts'
import { insertWhere } from './writes.ts'

/** Names of the job that sends events to an endpoint. */
export const PUSH = { name: 'events.push', key: 'event_endpoint', id: 'endpoint_id' } as const

/**
 * Queues the job of each endpoint that wants an audit entry of the current transaction. It is the last statement of a batch.
 *
 * A job that waits stays as it is. A run that has begun is followed by another, because it may have read before the entry was there.
 * An endpoint that fails waits for its next attempt. The minute's work finds what this statement cannot see, such as an entry of a
 * transaction that was not over when the job ran.
 */
export const wakePushes = (): SQL => {
  const first = sql`split_part(entry.action, '.', 1)`
  // Ordered, so that two transactions lock the rows of the outbox in the same order.
  const due = sql`(select endpoint.id, endpoint.account_id from ${auditLog} entry
    join ${eventEndpoints} endpoint on endpoint.account_id = entry.account_id and endpoint.status = 'active'
      and endpoint.failing_since is null
      and (endpoint.kinds = '{}' or entry.action = any(endpoint.kinds) or ${first} = any(endpoint.kinds))
    where entry.tx = pg_current_xact_id() group by endpoint.id order by endpoint.id) due`
  return insertWhere(
    outbox,
    {
      accountId: sql`due.account_id`,
      job: PUSH.name,
      key: sql`${`${PUSH.key}:`}::text || due.id`,
      payload: sql`jsonb_build_object(${PUSH.id}::text, due.id)`,
      runAt: sql`now()`,
      requestId: requestIdNow() ?? null,
    },
    {
      if: 'always',
      from: due,
      onConflict: sql`(key) where done_at is null and dead_at is null
        do update set offered_at = null where ${outbox.leaseUntil} is not null`,
    },
  )
}
