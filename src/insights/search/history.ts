import { readWithProject } from '../../accounts/projects/scope.ts'
import { pageKey, withScheme } from '../../platform/lib/urls.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { isOpen } from './access.ts'
import { connectOptions } from './link.ts'
import type { HistoryInput } from './operations.ts'
import type { SearchConsole } from './port.ts'
import { ctrOf, positionOf } from './present.ts'
import { connectionOf, type DayRow, dayRows, type HistoryState, historyState, pageDayRows } from './queries.ts'
import { notConnected, sandboxMark } from './refusals.ts'
import { addDays, lastFinalDay, MAX_HISTORY_DAYS, ZONE } from './rules.ts'

/** Returns the range of the stored days, and whether all of them have their pages. */
const historyOf = (state: HistoryState | undefined) => ({
  from: state?.from ?? null,
  to: state?.to ?? null,
  days: Number(state?.days ?? 0),
  complete: state ? !state.missing : false,
})

/** Returns the state of a project's connection to Search Console. One round trip. Throws 404, 403. */
export const readConnectionStatus = async (ctx: Ctx, google: SearchConsole, id: number) => {
  const {
    results: [connections, state],
  } = await readWithProject(ctx, id, [connectionOf(ctx.db, id), historyState(ctx.db, id)] as const)
  const [row] = connections.rows
  if (!row) throw new Error('a project without a row')
  const properties = row.properties ?? []
  if (!isOpen(row)) return { ...(await notConnected(ctx, google, row)), properties }
  return {
    connected: true as const,
    project_id: id,
    integration_id: row.connection_id,
    account: row.name ?? '',
    property: row.property,
    properties,
    error: row.failure,
    connect_url: (await connectOptions(ctx, { project: id, account: row.account_id })).url,
    history: historyOf(state.rows[0]),
    ...sandboxMark(google),
  }
}

const DEFAULT_DAYS = 90

const pointOf = ({ date, clicks, impressions, position }: DayRow) => ({
  date,
  clicks,
  impressions,
  ctr: ctrOf({ clicks, impressions }),
  position: position === null ? null : positionOf(Number(position)),
})

/** Returns the form in which the address of a page is compared. The scheme may be missing. */
const keyOfPage = (page: string): string => {
  const url = URL.parse(withScheme(page))
  return url ? pageKey(url) : page
}

/**
 * Returns clicks and impressions by day, from the stored days. Throws 404 and 403 for the project.
 *
 * A missing day was not fetched yet. Zeros for a page mean that it did not appear on that day.
 */
export const searchHistory = async (ctx: Ctx, google: SearchConsole, input: HistoryInput) => {
  const { project_id: id, page } = input
  const days = Math.min(input.days ?? DEFAULT_DAYS, MAX_HISTORY_DAYS)
  const from = addDays(lastFinalDay(ctx.now()), 1 - days)
  const rows = page === undefined ? dayRows(ctx.db, id, from) : pageDayRows(ctx.db, id, keyOfPage(page), from)
  const {
    results: [connections, found, state],
  } = await readWithProject(ctx, id, [connectionOf(ctx.db, id), rows, historyState(ctx.db, id)] as const)
  const [row] = connections.rows
  if (!row) throw new Error('a project without a row')
  if (!isOpen(row)) return await notConnected(ctx, google, row)
  return {
    connected: true as const,
    project_id: id,
    property: row.property,
    page: page ?? null,
    timezone: ZONE,
    days,
    points: found.rows.map(pointOf),
    history: historyOf(state.rows[0]),
    ...sandboxMark(google),
  }
}
