import { readWithProject } from '../../accounts/projects/scope.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { isOpen } from './access.ts'
import { wayToConnect } from './link.ts'
import type { SearchConsole } from './port.ts'
import { connectionOf, type HistoryState, historyState } from './queries.ts'
import { notConnected, sandboxMark } from './refusals.ts'

/** Returns the oldest day of the history, and if nothing is missing between. */
export const historyOf = (state: HistoryState | undefined) => ({
  from: state?.from ?? null,
  to: state?.to ?? null,
  days: Number(state?.days ?? 0),
  complete: state ? !state.missing : false,
})

/** Returns the state of a project's connection to Search Console. One round trip. Throws 404, 403. */
export const searchStanding = async (ctx: Ctx, google: SearchConsole, id: number) => {
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
    connect_url: (await wayToConnect(ctx, { project: id, account: row.account_id })).url,
    history: historyOf(state.rows[0]),
    ...sandboxMark(google),
  }
}
