import { eq, sql } from 'drizzle-orm'
import { exchangeLedger } from '../../schema/exchange.ts'
import { projects } from '../../schema/projects.ts'
import type { Part } from '../db/part.ts'
import { select } from '../db/read-parts.ts'
import type { Parts } from '../db/statement.ts'
import { insert } from '../db/write-parts.ts'
import { addBacklinkCredits } from '../projects/parts.ts'

/** Links that begin to count (`sign` 1) or no longer do (-1). */
export type LinkMoves = Part<'linkId' | 'fromProjectId' | 'toProjectId' | 'sign'>

/** Parts that book link moves in the ledger and on the projects: the giver gains what the receiver pays. */
export const bookMoves = (moves: LinkMoves, now: Date): Parts => {
  const { linkId, fromProjectId, toProjectId, sign } = moves.c
  const bookings = select(
    'link_bookings',
    {
      accountId: projects.accountId,
      projectId: projects.id,
      linkId,
      delta: sql`side.delta`,
      reason: sql`side.reason || case when ${sign} > 0 then '' else '_taken_back' end`,
    },
    sql`from ${moves.rows}
      cross join lateral (values (${fromProjectId}, ${sign}, 'link_given'), (${toProjectId}, -${sign}, 'link_received')) as side (project_id, delta, reason)
      join ${projects} on ${eq(projects.id, sql`side.project_id`)}`,
  )
  const booked = insert(
    'booked_moves',
    exchangeLedger,
    {
      accountId: bookings.c.accountId,
      projectId: bookings.c.projectId,
      linkId: bookings.c.linkId,
      delta: bookings.c.delta,
      reason: bookings.c.reason,
      at: now,
    },
    { from: [bookings], returning: { projectId: exchangeLedger.projectId, delta: exchangeLedger.delta } },
  )
  const credits = select(
    'credit_changes',
    { projectId: booked.c.projectId, delta: sql`sum(${booked.c.delta})::int` },
    sql`from ${booked.rows} group by ${booked.c.projectId}`,
  )
  return [bookings, booked, credits, addBacklinkCredits(credits)]
}
