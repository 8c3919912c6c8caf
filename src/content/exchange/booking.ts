import { eq, sql } from 'drizzle-orm'
import { exchangeLedger } from '../../../schema/exchange.ts'
import { projects } from '../../../schema/projects.ts'
import { addBacklinkCredits } from '../../accounts/projects/parts.ts'
import type { Part } from '../../platform/db/part.ts'
import { select } from '../../platform/db/read-parts.ts'
import type { Parts } from '../../platform/db/statement.ts'
import { insert } from '../../platform/db/write-parts.ts'

/** Links that begin to count (`sign` 1) or no longer do (-1), for the how manieth time. */
export type LinkMoves = Part<'linkId' | 'fromProjectId' | 'toProjectId' | 'round' | 'sign'>

/** Reservations that end: the partner has its credit back. */
export type EndedReservations = Part<'id' | 'toProjectId'>

/**
 * Parts that book what changes credits in the ledger and on the projects. Of a link that begins to count the giver gains what
 * the receiver pays. An entry's key makes it impossible to book it twice. The projects are locked before.
 */
export const book = (what: { moves?: LinkMoves; ended?: EndedReservations }, now: Date): Parts => {
  const entries = []
  if (what.moves) {
    const { linkId, fromProjectId, toProjectId, round, sign } = what.moves.c
    entries.push(sql`select side.project_id, ${linkId} as link_id, side.delta::int as delta,
        side.reason || case when ${sign} > 0 then '' else '_taken_back' end as reason,
        concat_ws(':', 'link', ${linkId}, ${round}, side.reason, case when ${sign} > 0 then 'in' else 'back' end) as key
      from ${what.moves.rows}
      cross join lateral (values (${fromProjectId}, ${sign}, 'link_given'), (${toProjectId}, -${sign}, 'link_received')) as side (project_id, delta, reason)`)
  }
  if (what.ended) {
    const { id, toProjectId } = what.ended.c
    entries.push(
      sql`select ${toProjectId}, null::int, 1, 'reservation_ended', 'reservation_ended:' || ${id} from ${what.ended.rows}`,
    )
  }
  const bookings = select(
    'bookings',
    {
      accountId: projects.accountId,
      projectId: projects.id,
      linkId: sql`entry.link_id`,
      delta: sql`entry.delta`,
      reason: sql`entry.reason`,
      key: sql`entry.key`,
    },
    sql`from (${sql.join(entries, sql` union all `)}) as entry (project_id, link_id, delta, reason, key)
      join ${projects} on ${eq(projects.id, sql`entry.project_id`)}`,
  )
  const { accountId, projectId, linkId, delta, reason, key } = bookings.c
  const booked = insert(
    'booked',
    exchangeLedger,
    { accountId, projectId, linkId, delta, reason, key, at: now },
    { from: [bookings], returning: { projectId: exchangeLedger.projectId, delta: exchangeLedger.delta } },
  )
  const credits = select(
    'credit_changes',
    { projectId: booked.c.projectId, delta: sql`sum(${booked.c.delta})::int` },
    sql`from ${booked.rows} group by ${booked.c.projectId}`,
  )
  return [bookings, booked, credits, addBacklinkCredits(credits)]
}
