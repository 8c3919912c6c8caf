import { readWithProject } from '../../../accounts/projects/scope.ts'
import { PLAN_INCLUDES } from '../../../platform/accounts/plans.ts'
import { pageOf, pagingOf } from '../../../platform/db/paging.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { marketOf } from '../../keywords/market.ts'
import type { ListAnswersInput, ListScansInput, ReportInput } from '../operations.ts'
import { fraction, shareOf, wilson } from '../rules.ts'
import { hasQuestions } from '../scan/start.ts'
import { answerRow, engineRows, numbersOf, placeName, sandboxed, scanRow } from './present.ts'
import { answerRows, newestScans, newestViews, pastScans, promptsOf, scanRows, scanStatus } from './queries.ts'

const PER_PAGE = { default: 10, max: 50 }
/** Most points of the history: two years of weekly scans. */
const MAX_POINTS = 104

/** Returns the last scan and its comparison with the one before, in one round trip. */
const summary = async (ctx: Ctx, id: number) => {
  const {
    results: [standings, [scan, before]],
  } = await readWithProject(ctx, id, [scanStatus(ctx.db, id, ctx.now()), newestScans(ctx.db, id, 2)] as const)
  const [standing] = standings.rows
  if (!standing) throw new ApiError('not_found', 'The project does not exist.')
  const { plan } = await ctx.account()
  const limit = PLAN_INCLUDES[plan].manualScans
  const mayScan = !standing.scanning && standing.used < limit
  // Without a completed scan, a failed one shows why there are no data.
  const engines = engineRows(scan ?? { engines: standing.failed_engines ?? [], models: {} }, before)
  return {
    project_id: id,
    has_data: scan !== undefined,
    scanning: standing.scanning,
    ...numbersOf(scan, before),
    engines,
    engines_citing: engines.filter(({ cited }) => cited).length,
    engines_total: engines.length,
    prompts_tracked: standing.prompts,
    last_scan: scan?.finishedAt?.toISOString() ?? null,
    last_scan_id: scan?.id ?? null,
    last_scan_cost_usd: scan?.costUsd ?? null,
    last_scan_error: standing.failure,
    scan_location: placeName(scan?.location ?? marketOf(standing.language, standing.keyword_region).country),
    manual_scans_used: standing.used,
    manual_scans_limit: limit,
    can_scan: mayScan && (await hasQuestions(ctx, id, standing)),
    ...sandboxed(scan),
  }
}

/** Returns each prompt with its counts by engine in the last scan. */
const promptsView = async (ctx: Ctx, { project_id: id, page = 1, per_page }: ReportInput) => {
  const perPage = Math.min(per_page ?? PER_PAGE.default, PER_PAGE.max)
  const {
    results: [prompts, [scan]],
  } = await readWithProject(ctx, id, [promptsOf(ctx.db, id), newestViews(ctx.db, id)] as const)
  const counted = new Map(scan?.views?.prompts.map((one) => [one.id, one.engines]))
  const shown = prompts.slice((page - 1) * perPage, page * perPage)
  return {
    project_id: id,
    prompts: shown.map((prompt) => ({
      ...prompt,
      engines: engineRows({ engines: counted.get(prompt.id) ?? [], models: scan?.models ?? {} }),
      last_scan: counted.has(prompt.id) ? (scan?.finishedAt?.toISOString() ?? null) : null,
    })),
    page,
    per_page: perPage,
    total: prompts.length,
    ...sandboxed(scan),
  }
}

const competitorsView = async (ctx: Ctx, id: number) => {
  const {
    project,
    results: [[scan]],
  } = await readWithProject(ctx, id, [newestViews(ctx.db, id)] as const)
  const [own, rivals] = [scan?.ownCitations ?? 0, scan?.competitorCitations ?? 0]
  const part = (citations: number) => {
    const { share, n } = shareOf({ own: citations, competitors: own + rivals - citations })
    return { citations, share: fraction(share), interval: wilson({ share, n }) }
  }
  return {
    project_id: project.id,
    you: part(own),
    rows: (scan?.views?.competitors ?? []).map(({ domain, citations }) => ({ domain, ...part(citations) })),
    other_cited: scan?.views?.other ?? [],
    answers: scan?.answers ?? 0,
    share_citations: own + rivals,
    last_scan: scan?.finishedAt?.toISOString() ?? null,
    ...sandboxed(scan),
  }
}

const citedPagesView = async (ctx: Ctx, id: number) => {
  const {
    results: [[scan]],
  } = await readWithProject(ctx, id, [newestViews(ctx.db, id)] as const)
  return {
    project_id: id,
    pages: scan?.views?.pages ?? [],
    answers: scan?.answers ?? 0,
    last_scan: scan?.finishedAt?.toISOString() ?? null,
    ...sandboxed(scan),
  }
}

/** Returns a point for each completed scan, the oldest first. */
const historyView = async (ctx: Ctx, id: number) => {
  const {
    results: [scans],
  } = await readWithProject(ctx, id, [pastScans(ctx.db, id, MAX_POINTS + 1)] as const)
  const points = scans.slice(0, MAX_POINTS).map((scan, n) => {
    const numbers = numbersOf(scan, scans[n + 1])
    return { date: scan.startedAt.toISOString(), scan_id: scan.id, ...numbers }
  })
  return { project_id: id, points: points.reverse(), ...sandboxed(scans.find(({ sandbox }) => sandbox)) }
}

/** Returns one of five views of what AI engines answer about a project's business. Throws 404, 403. */
export const visibilityReport = async (ctx: Ctx, input: ReportInput): Promise<object> => {
  const { project_id: id, view = 'summary' } = input
  switch (view) {
    case 'summary':
      return await summary(ctx, id)
    case 'prompts':
      return await promptsView(ctx, input)
    case 'competitors':
      return await competitorsView(ctx, id)
    case 'cited_pages':
      return await citedPagesView(ctx, id)
    case 'history':
      return await historyView(ctx, id)
  }
}

const ANSWERS = { default: 20, max: 100 }
const SCANS = { default: 50, max: 200 }

/** Returns the raw answers behind every number, newest first. Throws 404, 403. */
export const listAnswers = async (ctx: Ctx, input: ListAnswersInput) => {
  const paging = pagingOf(input, ANSWERS)
  const {
    results: [found],
  } = await readWithProject(ctx, input.project_id, [answerRows(ctx.db, input.project_id, input, paging)] as const)
  const { rows, page } = pageOf(found, paging)
  return { answers: rows.map(answerRow), ...page, ...sandboxed(rows.find(({ sandbox }) => sandbox)) }
}

/** Returns the scans of a project with what each cost, newest first. Throws 404, 403. */
export const listScans = async (ctx: Ctx, input: ListScansInput) => {
  const paging = pagingOf(input, SCANS)
  const {
    results: [found],
  } = await readWithProject(ctx, input.project_id, [scanRows(ctx.db, input.project_id, paging)] as const)
  const { rows, page } = pageOf(found, paging)
  return { scans: rows.map(scanRow), ...page }
}
