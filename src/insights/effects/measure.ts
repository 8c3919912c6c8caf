import { and, eq, isNull } from 'drizzle-orm'
import { pageChanges } from '../../../schema/effects.ts'
import type { PageEffect } from '../../../schema/values/effects.ts'
import type { JobResult } from '../../platform/jobs/handler.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { isGivenUp } from './calendar.ts'
import { type Clicks, estimate } from './estimate.ts'
import { type ChangeRow, changeById, clicksOfChange } from './queries.ts'

/** The days before, those before them, and those after; the day of the change counts for neither side. */
const WANTED_DAYS = 3 * 28
const YOUNGEST_DAYS = 57

/** Returns the reason for which a change can never be measured; undefined if it can. */
const obstacle = (row: ChangeRow): string | undefined => {
  if (!row.live) return 'The article is not live any more.'
  if (row.taken_back) return 'The change was taken back within 28 days: readers saw an earlier version again.'
  if (row.changed_again)
    return 'The page was changed another time within 28 days, so the effect of each change cannot be measured.'
  if (row.published_on_day === null || row.published_on_day < YOUNGEST_DAYS)
    return 'The page was not yet 56 days old, so that there is nothing to compare with.'
  return undefined
}

const missing = (row: ChangeRow): string | undefined => {
  if (!row.connected) return 'The project has no search data.'
  if (row.known_days < WANTED_DAYS) return 'Search data of some of the days are missing.'
  return undefined
}

const NOTHING = { change: null, control_change: null, controls: 0, interval: null, verdict: null } as const

const effectOf = (own: Clicks, similar: readonly Clicks[], reason: string | undefined): PageEffect => {
  const clicks = { clicks_before: own.before, clicks_after: own.after }
  if (reason !== undefined) return { ...clicks, ...NOTHING, reason }
  const found = estimate(own, similar)
  return { ...clicks, ...(found.estimate ?? NOTHING), reason: found.reason }
}

const NO_CLICKS: Clicks = { prior: 0, before: 0, after: 0 }

/** Measures what a change of a live page did, once its data are there. Running it twice measures it once. */
export const measureChange = async (ctx: Ctx, id: number): Promise<JobResult> => {
  const [changes, clicks] = await ctx.read(() => [changeById(ctx.db, id), clicksOfChange(ctx.db, id)])
  const [row] = changes.rows
  if (!row || row.measured) return { kind: 'done' }
  const now = ctx.now()
  const absent = missing(row)
  const reason = obstacle(row) ?? absent
  if (reason === absent && reason !== undefined && !isGivenUp(new Date(row.changed_at), now)) return { kind: 'done' }
  const [own = NO_CLICKS, ...similar] = clicks.rows
  await ctx.batch(
    [
      ctx.db
        .update(pageChanges)
        .set({ effect: effectOf(own, similar, reason), measuredAt: now })
        .where(and(eq(pageChanges.id, id), isNull(pageChanges.measuredAt))),
    ],
    { unaudited: 'a measurement changes nothing' },
  )
  return { kind: 'done' }
}
