import type { Ctx } from '../../platform/runtime/ctx.ts'
import { eventRows } from './queries.ts'
import type { EventsInput } from './schemas.ts'

const KEPT_DAYS = 30
const DAY_MS = 86_400_000
const PAGE = { default: 50, max: 200 }

/** Lists what happened in the account since a cursor, oldest first. */
export const listEvents = async (ctx: Ctx, { after = 0, limit: asked = PAGE.default }: EventsInput) => {
  const limit = Math.min(asked, PAGE.max)
  const since = new Date(ctx.now().getTime() - KEPT_DAYS * DAY_MS)
  const [found] = await ctx.read((owner) => [eventRows(ctx.db, owner, since, { after, limit })])
  const shown = found.slice(0, limit)
  return {
    events: shown.map((row) => ({ ...row, at: row.at.toISOString() })),
    count: shown.length,
    limit,
    after: shown.at(-1)?.id ?? after,
    more: found.length > limit,
  }
}
