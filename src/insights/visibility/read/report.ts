import {
  ENGINE_LABELS,
  ENGINES,
  type Engine,
  type EngineCounts,
  type GapReason,
  type ScanModels,
  type Verdict,
} from '../../../../schema/values/visibility.ts'
import { readWithProject } from '../../../accounts/projects/scope.ts'
import { PLAN_INCLUDES } from '../../../platform/accounts/plans.ts'
import { pageOf, pagingOf } from '../../../platform/db/paging.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { marketOf } from '../../keywords/market.ts'
import type { ListAnswersInput, ListScansInput, ReportInput } from '../operations.ts'
import { changeOf, fraction, hasOtherModel, type Rate, scoreOf, shareOf, visibilityOf, wilson } from '../rules.ts'
import { hasQuestions } from '../scan/start.ts'
import {
  type AnswerRow,
  answerRows,
  type CompletedScan,
  newestScans,
  newestViews,
  pastScans,
  promptsOf,
  type ScanRow,
  scanRows,
  scanStatus,
} from './queries.ts'

/** Returns the interval of a rate, on the scale of scores: 0 to 100. */
const scoreInterval = (rate: Rate) => wilson(rate, 1, 100)

const stateOf = ({ answers, cited, mentioned }: EngineCounts): Verdict => {
  if (answers === 0) return 'no_data'
  if (cited > 0) return 'cited'
  return mentioned > 0 ? 'mentioned' : 'not_cited'
}

const mainReason = ({ reasons }: EngineCounts): GapReason | 'not_asked' =>
  (Object.entries(reasons) as [GapReason, number][]).sort((a, b) => b[1] - a[1])[0]?.[0] ?? 'not_asked'

const nothing = (engine: Engine): EngineCounts => ({
  engine,
  answers: 0,
  cited: 0,
  mentioned: 0,
  citations: 0,
  gaps: 0,
  reasons: {},
})

/** Counts of one engine in a scan, and the models of the scan. */
type EngineScan = { counts: EngineCounts; models: ScanModels }

const engineRow = ({ counts, models }: EngineScan, before?: EngineScan) => {
  const { engine } = counts
  const state = stateOf(counts)
  const rate = visibilityOf(counts)
  const isOther = before !== undefined && hasOtherModel(engine, models, before.models)
  return {
    engine,
    key: engine,
    label: ENGINE_LABELS[engine],
    model: models[engine]?.answered ?? models[engine]?.asked?.name ?? null,
    cited: state === 'cited',
    state,
    ...(state === 'no_data' ? { reason: mainReason(counts) } : isOther ? { reason: 'model_changed' as const } : {}),
    answers: counts.answers,
    gaps: counts.gaps,
    citations: counts.citations,
    visibility_score: counts.answers === 0 ? null : scoreOf(counts),
    interval: scoreInterval(rate),
    change: isOther ? null : changeOf(rate, before && visibilityOf(before.counts)),
  }
}

type CountedEngines = { engines: readonly EngineCounts[]; models: ScanModels }

/** Returns a row for every engine. An engine without answers is shown as a gap, never as a zero. */
const engineRows = (scan: CountedEngines, before?: CountedEngines) =>
  ENGINES.map((engine) => {
    const find = (among: readonly EngineCounts[]) => among.find((one) => one.engine === engine) ?? nothing(engine)
    return engineRow(
      { counts: find(scan.engines), models: scan.models },
      before && { counts: find(before.engines), models: before.models },
    )
  })

type Counted = Pick<
  CompletedScan,
  'answers' | 'cited' | 'mentioned' | 'ownCitations' | 'competitorCitations' | 'models'
>

const citationShare = (scan: Counted): Rate =>
  shareOf({ own: scan.ownCitations, competitors: scan.competitorCitations })

/** Returns the numbers of a scan with their sample sizes, and how they changed since the scan before. */
const numbersOf = (scan: Counted | undefined, before: Counted | undefined) => {
  const none = { answers: 0, cited: 0, mentioned: 0, ownCitations: 0, competitorCitations: 0, models: {} }
  const now = scan ?? none
  const visibility = visibilityOf(now)
  const share = citationShare(now)
  const isOther = before !== undefined && ENGINES.some((engine) => hasOtherModel(engine, now.models, before.models))
  const compared = isOther ? undefined : before
  return {
    visibility_score: scoreOf(now),
    score: scoreOf(now),
    answers: now.answers,
    interval: scoreInterval(visibility),
    change: changeOf(visibility, compared && visibilityOf(compared)),
    ...(isOther ? { reason: 'model_changed' as const } : {}),
    share_of_voice: fraction(share.share),
    share_citations: share.n,
    share_interval: wilson(share),
    share_change: changeOf(share, compared && citationShare(compared)),
  }
}

/** Returns the name of a country in English. */
const placeName = (country: string): string => {
  try {
    return new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? country
  } catch {
    return country
  }
}

/** Returns the mark of an answer whose data a stand-in made up. */
const sandboxed = (scan: { sandbox: boolean } | undefined) => (scan?.sandbox ? { sandbox: true } : {})

const scanRow = (scan: ScanRow) => ({
  id: scan.id,
  kind: scan.kind,
  status: scan.state,
  samples: scan.samples,
  location: placeName(scan.location),
  asked: scan.asked,
  gaps: scan.gaps,
  answers: scan.answers,
  visibility_score: scan.answers === 0 ? null : scoreOf(scan),
  cost_usd: scan.costUsd,
  started_at: scan.startedAt.toISOString(),
  finished_at: scan.finishedAt?.toISOString() ?? null,
  error: scan.error,
  ...sandboxed(scan),
})

const answerRow = (row: AnswerRow) => ({
  id: row.id,
  scan_id: row.scanId,
  prompt_id: row.promptId,
  prompt: row.prompt,
  engine: row.engine,
  sample: row.sample,
  state: row.state,
  reason: row.reason,
  text: row.text,
  citations: row.citations,
  model: row.model,
  surface: row.surface,
  location: row.location === null ? null : placeName(row.location),
  asked_at: row.askedAt?.toISOString() ?? null,
  cost_usd: row.costUsd,
})

const PER_PAGE = { default: 10, max: 50 }
/** Most points of the history: two years of weekly scans. */
const MAX_POINTS = 104

/** Returns the last scan and its comparison with the one before, in one round trip. */
const summary = async (ctx: Ctx, id: number) => {
  const {
    results: {
      statuses,
      scans: [scan, before],
    },
  } = await readWithProject(ctx, id, {
    statuses: scanStatus(ctx.db, id, ctx.now()),
    scans: newestScans(ctx.db, id, 2),
  })
  const [status] = statuses.rows
  if (!status) throw new ApiError('not_found', 'The project does not exist.')
  const { plan } = await ctx.account()
  const limit = PLAN_INCLUDES[plan].manualScans
  const mayScan = !status.scanning && status.used < limit
  // Without a completed scan, a failed one shows why there are no data.
  const engines = engineRows(scan ?? { engines: status.failed_engines ?? [], models: {} }, before)
  return {
    project_id: id,
    has_data: scan !== undefined,
    scanning: status.scanning,
    ...numbersOf(scan, before),
    engines,
    engines_citing: engines.filter(({ cited }) => cited).length,
    engines_total: engines.length,
    prompts_tracked: status.prompts,
    last_scan: scan?.finishedAt?.toISOString() ?? null,
    last_scan_id: scan?.id ?? null,
    last_scan_cost_usd: scan?.costUsd ?? null,
    last_scan_error: status.failure,
    scan_location: placeName(scan?.location ?? marketOf(status.language, status.keyword_region).country),
    manual_scans_used: status.used,
    manual_scans_limit: limit,
    can_scan: mayScan && (await hasQuestions(ctx, id, status)),
    ...sandboxed(scan),
  }
}

/** Returns each prompt with its counts by engine in the last scan. */
const promptsView = async (ctx: Ctx, { project_id: id, page = 1, per_page }: ReportInput) => {
  const perPage = Math.min(per_page ?? PER_PAGE.default, PER_PAGE.max)
  const {
    results: {
      prompts,
      scan: [scan],
    },
  } = await readWithProject(ctx, id, { prompts: promptsOf(ctx.db, id), scan: newestViews(ctx.db, id) })
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
    results: [scan],
  } = await readWithProject(ctx, id, newestViews(ctx.db, id))
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
    results: [scan],
  } = await readWithProject(ctx, id, newestViews(ctx.db, id))
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
  const { results: scans } = await readWithProject(ctx, id, pastScans(ctx.db, id, MAX_POINTS + 1))
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
  const { results: found } = await readWithProject(
    ctx,
    input.project_id,
    answerRows(ctx.db, input.project_id, input, paging),
  )
  const { rows, page } = pageOf(found, paging)
  return { answers: rows.map(answerRow), ...page, ...sandboxed(rows.find(({ sandbox }) => sandbox)) }
}

/** Returns the scans of a project with what each cost, newest first. Throws 404, 403. */
export const listScans = async (ctx: Ctx, input: ListScansInput) => {
  const paging = pagingOf(input, SCANS)
  const { results: found } = await readWithProject(ctx, input.project_id, scanRows(ctx.db, input.project_id, paging))
  const { rows, page } = pageOf(found, paging)
  return { scans: rows.map(scanRow), ...page }
}
