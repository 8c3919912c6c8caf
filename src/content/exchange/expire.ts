import { and, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { exchangeCommitments as commitments } from '../../../schema/exchange.ts'
import { projects } from '../../../schema/projects.ts'
import { read } from '../../platform/db/read-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { book } from './booking.ts'
import { endReservations } from './parts.ts'

const RESERVED_DAYS = 90

/**
 * Ends reservations whose articles were not published in 90 days, so many at a time. The projects are held first, in the order
 * in which everyone holds them.
 */
const endOldReservations = (now: Date, limit: number): SQL => {
  const before = new Date(now.getTime() - RESERVED_DAYS * 86_400_000)
  const old = read(
    'old',
    commitments,
    { id: commitments.id, toProjectId: commitments.toProjectId },
    {
      where: sql`${commitments.reserved} and ${lt(commitments.createdAt, before)}`,
      orderBy: sql`${commitments.createdAt}`,
      limit,
    },
  )
  const held = read(
    'held',
    projects,
    { id: projects.id },
    {
      where: inArray(projects.id, sql`(select ${old.c.toProjectId} from ${old.rows})`),
      orderBy: sql`${projects.id}`,
      lock: 'no key update',
    },
  )
  const ended = endReservations(sql`${and(eq(commitments.id, old.c.id), eq(commitments.toProjectId, held.c.id))}`, [
    old,
    held,
  ])
  return statement({
    unaudited: 'the service’s own; the ledger says what it changed',
    parts: [old, held, ended, book({ ended }, now)],
    answer: { id: ended.c.id },
  })
}

const BATCH = 200
const MAX_BATCHES = 20

/** Gives partners the credits back that stand reserved for articles which were not published in 90 days; how many. */
export const expireReservations = async (deps: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  let ended = 0
  for (let n = 0; n < MAX_BATCHES; n += 1) {
    const gone = (await deps.db.execute(endOldReservations(deps.now(), BATCH))).rows.length
    ended += gone
    if (gone < BATCH) break
  }
  return ended
}
