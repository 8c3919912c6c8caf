import type { ChangeKind } from '../../../schema/values/effects.ts'
import {
  type Making,
  SUGGESTION_STATES,
  type SuggestionState,
  type Trigger,
} from '../../../schema/values/suggestions.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { pageOf, pagingOf } from '../../platform/db/paging.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { pooled } from '../effects/estimate.ts'
import { connectOptions } from '../search/link.ts'
import type { ListEffectsInput, ListSuggestionsInput } from './operations.ts'
import { changeRows, comparedEffects, diffById, listRows, runStatus, suggestionById, verdictCounts } from './queries.ts'

/** Progress of a rewrite. */
type Progress = { step: number; of: number; percent: number; label: string }

const OF = 4

const at = (step: number, percent: number, label: string): Progress => ({ step, of: OF, percent, label })

/** Returns the progress of a rewrite, from the parts that are finished; null if none is being made. */
const progressOf = (status: SuggestionState, making: Making | null): Progress | null => {
  if (status === 'approved') return at(0, 0, 'Waiting for its turn')
  if (status !== 'rewriting') return null
  if (!making?.live) return at(1, 5, 'Reading the live page')
  const again = making.asked > 0
  if (making.html === undefined)
    return again
      ? at(2, 40, 'Rewriting the text again: the first result failed its checks')
      : at(2, 20, 'Rewriting the text')
  if (making.wording === undefined)
    return again
      ? at(3, 80, 'Writing title and description again: the first result failed its checks')
      : at(3, 70, 'Writing title and description')
  return at(OF, 90, 'Comparing with the article')
}

type Row = Omit<Awaited<ReturnType<typeof listRows>>[number], 'inPage'>
type Detail = Awaited<ReturnType<typeof suggestionById>>[number]

const time = (at: Date | null): string | null => at?.toISOString() ?? null

const triggerOf = (trigger: Trigger) => ({ ...trigger, last_year: trigger.last_year ?? null })

/** Returns a suggestion as lists show it. The trigger and the proposal are shown once the rewrite is ready. */
const suggestionRow = (s: Row) => ({
  id: s.id,
  project_id: s.projectId,
  article_id: s.articleId,
  status: s.status,
  opportunity_type: s.opportunityType,
  suggestion_type: 'content_rewrite' as const,
  source_type: s.opportunityType,
  article_title: s.articleTitle,
  article_url: s.articleUrl,
  priority: s.priority,
  reason: s.reason,
  trigger_snapshot: s.readyAt === null ? null : triggerOf(s.trigger),
  proposed_diff:
    s.before && s.after && s.stats
      ? { before: s.before, after: s.after, stats: s.stats, trigger_snapshot: triggerOf(s.trigger) }
      : null,
  notes: s.notes,
  error: s.error,
  feedback: s.feedback,
  awaiting_merge: s.status === 'ready' && s.proposedRevision !== null,
  effect: s.effect,
  created_at: s.createdAt.toISOString(),
  updated_at: s.updatedAt.toISOString(),
  ready_at: time(s.readyAt),
  published_at: time(s.publishedAt),
})

/** Returns a suggestion with the live page it was made from, and the progress of its rewrite. */
export const suggestionDetail = (s: Detail) => ({
  ...suggestionRow(s),
  live_page: s.livePage,
  progress: progressOf(s.status, s.making),
})

/** Returns whether the project has search data, under both names that clients know. If it has none, adds how to connect it. */
export const connection = async (ctx: Ctx, connected: boolean, project: number, account: number) => {
  if (connected) return { sc_connected: true, gsc_connected: true }
  const { open } = await connectOptions(ctx, { project, account })
  return {
    sc_connected: false,
    gsc_connected: false,
    instructions_for_agent: `The project has no search data. Ask the user to ${open} and connect Google Search Console; suggestions come with the first 28 days of data.`,
  }
}

const PAGE = { default: 100, max: 500 }

/** Returns a project's suggestions, newest first, and how many are in each state. Throws 404, 403. */
export const listSuggestions = async (ctx: Ctx, input: ListSuggestionsInput) => {
  const { project_id: id } = input
  const paging = pagingOf(input, PAGE)
  const {
    results: { found, state },
  } = await readWithProject(ctx, id, {
    found: listRows(ctx.db, id, input, paging),
    state: runStatus(ctx.db, id, ctx.now()),
  })
  // Fewer than requested if the proposals are long. Their number is then the limit of this page.
  const isCut = found.length < (found[0]?.inPage ?? 0)
  const { rows, page } = pageOf(found, isCut ? { ...paging, limit: found.length } : paging, isCut || undefined)
  const { counts, connected = false, weekly = false, next_run_at: next = null } = state.rows[0] ?? {}
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
  const rows = await ctx.read((owner) => suggestionById(ctx.db, owner, id))
  return owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'suggestion')
}

export type SuggestionDetail = Awaited<ReturnType<typeof loadSuggestion>>

/** Returns one suggestion with its proposed change. Throws 404, 403. */
export const getSuggestion = async (ctx: Ctx, id: number) => ({
  suggestion: suggestionDetail(await loadSuggestion(ctx, id)),
})

/** Returns the article before and after the rewrite, and the difference; all null until it is ready. Throws 404, 403. */
export const suggestionDiff = async (ctx: Ctx, id: number) => {
  const { rows, diffs } = await ctx.read((owner) => ({
    rows: suggestionById(ctx.db, owner, id),
    diffs: diffById(ctx.db, id),
  }))
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

/** Most effects in an average: the newest ones. */
const MAX_AVERAGED = 1_000

type Counts = Awaited<ReturnType<typeof verdictCounts>>['rows']
type Compared = Awaited<ReturnType<typeof comparedEffects>>['rows']

const summaryOf = (counts: Counts, compared: Compared, ...kinds: ChangeKind[]) => {
  const mine = counts.filter(({ kind }) => kinds.includes(kind))
  const sum = (fits: (row: Counts[number]) => boolean) => mine.filter(fits).reduce((n, row) => n + Number(row.n), 0)
  const effects = compared.filter(({ kind }) => kinds.includes(kind))
  return {
    n: sum(() => true),
    waiting: sum(({ measured }) => !measured),
    up: sum(({ verdict }) => verdict === 'up'),
    down: sum(({ verdict }) => verdict === 'down'),
    within_noise: sum(({ verdict }) => verdict === 'within_noise'),
    without_verdict: sum(({ measured, verdict }) => measured && verdict === null),
    average: pooled(effects.map(({ low, high, controls }) => ({ interval: { low, high }, controls }))) ?? null,
  }
}

/** Returns the effects of a project's rewrites and syncs on the clicks of their pages, summed up and newest first. Throws 404, 403. */
export const listEffects = async (ctx: Ctx, input: ListEffectsInput) => {
  const { project_id: id, kind } = input
  const paging = pagingOf(input, PAGE)
  const {
    results: {
      found,
      counts: { rows: counts },
      compared: { rows: compared },
    },
  } = await readWithProject(ctx, id, {
    found: changeRows(ctx.db, id, kind, paging),
    counts: verdictCounts(ctx.db, id),
    compared: comparedEffects(ctx.db, id, MAX_AVERAGED),
  })
  const { rows, page } = pageOf(found, paging)
  return {
    project_id: id,
    summary: {
      all: summaryOf(counts, compared, 'rewrite', 'sync'),
      rewrite: summaryOf(counts, compared, 'rewrite'),
      sync: summaryOf(counts, compared, 'sync'),
      rollback: summaryOf(counts, compared, 'rollback'),
    },
    effects: rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      suggestion_id: row.suggestionId,
      article_id: row.articleId,
      article_title: row.articleTitle,
      article_url: row.articleUrl,
      changed_at: row.changedAt.toISOString(),
      measure_at: row.measureAt.toISOString(),
      measured_at: row.measuredAt?.toISOString() ?? null,
      effect: row.effect,
      visits: row.visits,
    })),
    ...page,
  }
}
