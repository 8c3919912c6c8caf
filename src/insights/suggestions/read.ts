import { SUGGESTION_STATES } from '../../../schema/values/suggestions.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { pageOf, pagingOf } from '../../platform/db/paging.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { wayToConnect } from '../search/link.ts'
import type { ListSuggestionsInput } from './operations.ts'
import { suggestionDetail, suggestionRow } from './present.ts'
import { diffById, listRows, standingOf, suggestionById } from './queries.ts'

/** True if the project has search data, under both names clients know; if it has none, what to do. */
export const connection = async (ctx: Ctx, connected: boolean, project: number, account: number) => {
  if (connected) return { sc_connected: true, gsc_connected: true }
  const { open } = await wayToConnect(ctx, { project, account })
  return {
    sc_connected: false,
    gsc_connected: false,
    instructions_for_agent: `The project has no search data. Ask the user to ${open} and connect Google Search Console; suggestions come with the first 28 days of data.`,
  }
}

const PAGE = { default: 100, max: 500 }

/** Returns a project's suggestions, newest first, with how many are in each state. Throws 404, 403. */
export const listSuggestions = async (ctx: Ctx, input: ListSuggestionsInput) => {
  const { project_id: id } = input
  const paging = pagingOf(input, PAGE)
  const {
    results: [found, standing],
  } = await readWithProject(ctx, id, [listRows(ctx.db, id, input, paging), standingOf(ctx.db, id, ctx.now())] as const)
  // Fewer than were asked for, where the proposed changes are long: that many is the limit of this page.
  const isCut = found.length < (found[0]?.inPage ?? 0)
  const { rows, page } = pageOf(found, isCut ? { ...paging, limit: found.length } : paging, isCut || undefined)
  const { counts, connected = false, weekly = false, next_run_at: next = null } = standing.rows[0] ?? {}
  const account = await ctx.account()
  return {
    project_id: id,
    suggestions: rows.map(suggestionRow),
    ...page,
    counts: Object.fromEntries(SUGGESTION_STATES.map((state) => [state, counts?.[state] ?? 0])),
    settings: {
      enabled: connected,
      weekly,
      next_run_at: connected && weekly ? next : null,
    },
    ...(await connection(ctx, connected, id, account.id)),
  }
}

/** Returns a suggestion of the account with its article as it is now. Throws 404, 403. */
export const loadSuggestion = async (ctx: Ctx, id: number) => {
  const [rows] = await ctx.read((owner) => [suggestionById(ctx.db, owner, id)])
  return owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'suggestion')
}

export type SuggestionDetail = Awaited<ReturnType<typeof loadSuggestion>>

/** Returns one suggestion with its proposed change. Throws 404, 403. */
export const getSuggestion = async (ctx: Ctx, id: number) => ({
  suggestion: suggestionDetail(await loadSuggestion(ctx, id)),
})

/** Returns the article before and after, and the difference. All null until the rewrite is ready. Throws 404, 403. */
export const suggestionDiff = async (ctx: Ctx, id: number) => {
  const [rows, diffs] = await ctx.read((owner) => [suggestionById(ctx.db, owner, id), diffById(ctx.db, id)])
  const found = owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'suggestion')
  const { trigger_snapshot } = suggestionRow(found)
  return {
    id,
    status: found.status,
    before: found.before,
    after: found.after,
    html: diffs[0]?.html ?? null,
    stats: found.stats,
    live_page: found.livePage,
    trigger_snapshot,
  }
}
