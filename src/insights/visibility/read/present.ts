import {
  ENGINE_LABELS,
  ENGINES,
  type Engine,
  type EngineCounts,
  type GapReason,
  type ScanModels,
  type Verdict,
} from '../../../../schema/values/visibility.ts'
import { changeOf, fraction, type Rate, scoreOf, shareOf, visibilityOf, wilson } from '../rules.ts'
import { hasOtherModel } from '../scan/model-rules.ts'
import type { AnswerRow, CompletedScan, ScanRow } from './queries.ts'

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
export const engineRows = (scan: CountedEngines, before?: CountedEngines) =>
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
export const numbersOf = (scan: Counted | undefined, before: Counted | undefined) => {
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
export const placeName = (country: string): string => {
  try {
    return new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? country
  } catch {
    return country
  }
}

/** Returns the mark of an answer whose data a stand-in made up. */
export const sandboxed = (scan: { sandbox: boolean } | undefined) => (scan?.sandbox ? { sandbox: true } : {})

export const scanRow = (scan: ScanRow) => ({
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

export const answerRow = (row: AnswerRow) => ({
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
