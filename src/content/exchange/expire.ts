import { and, asc, eq, inArray, lt } from 'drizzle-orm'
import { exchangeCommitments as commitments } from '../../../schema/exchange.ts'
import { projects } from '../../../schema/projects.ts'
import { type Deps, sendBatch } from '../../platform/runtime/ctx.ts'
import { endReservations } from './writes.ts'

const RESERVED_DAYS = 90
const BATCH = 200
const MAX_BATCHES = 20

/** Ends reservations whose articles were not published in 90 days, so many at a time. Their projects are held first, in the usual order. */
const endOldReservations = async ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const before = new Date(now().getTime() - RESERVED_DAYS * 86_400_000)
  const old = await db
    .select({ id: commitments.id, toProjectId: commitments.toProjectId })
    .from(commitments)
    .where(and(eq(commitments.reserved, true), lt(commitments.createdAt, before)))
    .orderBy(asc(commitments.createdAt))
    .limit(BATCH)
  if (old.length === 0) return 0
  const partners = inArray(
    projects.id,
    old.map(({ toProjectId }) => toProjectId),
  )
  const ids = inArray(
    commitments.id,
    old.map(({ id }) => id),
  )
  await sendBatch(
    db,
    [
      db.select({ id: projects.id }).from(projects).where(partners).orderBy(asc(projects.id)).for('no key update'),
      endReservations(ids, now()),
    ],
    { unaudited: 'the service’s own; the ledger says what it changed' },
  )
  return old.length
}

/** Gives partners the credits back that stand reserved for articles which were not published in 90 days; how many. */
export const expireReservations = async (deps: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  let ended = 0
  for (let n = 0; n < MAX_BATCHES; n += 1) {
    const gone = await endOldReservations(deps)
    ended += gone
    if (gone < BATCH) break
  }
  return ended
}
