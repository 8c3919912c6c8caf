import {
  ENGINE_LABELS,
  ENGINES,
  type Engine,
  type EngineCounts,
  type GapReason,
  type Verdict,
} from '../../../schema/values/visibility.ts'
import { changeOf, fraction, type Rate, scoreOf, shareOf, visibilityOf, wilson } from '../numbers-rules.ts'
import type { AnswerRow, CompletedScan, ScanRow } from './queries.ts'

/** A score of 0 to 100 with its interval, on the same scale. */
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

const engineRow = (counts: EngineCounts, before?: EngineCounts) => {
  const state = stateOf(counts)
  const rate = visibilityOf(counts)
  return {
    engine: counts.engine,
    key: counts.engine,
    label: ENGINE_LABELS[counts.engine],
    cited: state === 'cited',
    state,
    ...(state === 'no_data' ? { reason: mainReason(counts) } : {}),
    answers: counts.answers,
    gaps: counts.gaps,
    citations: counts.citations,
    visibility_score: counts.answers === 0 ? null : scoreOf(counts),
    interval: scoreInterval(rate),
    change: changeOf(rate, before && visibilityOf(before)),
  }
}

/** Every engine, those without an answer too: a gap is shown, never a zero. */
export const engineRows = (counts: readonly EngineCounts[], before: readonly EngineCounts[] = []) =>
  ENGINES.map((engine) => {
    const find = (among: readonly EngineCounts[]) => among.find((one) => one.engine === engine)
    return engineRow(find(counts) ?? nothing(engine), find(before))
  })

type Counted = Pick<CompletedScan, 'answers' | 'cited' | 'mentioned' | 'ownCitations' | 'competitorCitations'>

const citationShare = (scan: Counted): Rate =>
  shareOf({ own: scan.ownCitations, competitors: scan.competitorCitations })

/** The numbers of a scan, each with what it was counted from, and how they changed. */
export const numbersOf = (scan: Counted | undefined, before: Counted | undefined) => {
  const none = { answers: 0, cited: 0, mentioned: 0, ownCitations: 0, competitorCitations: 0 }
  const now = scan ?? none
  const visibility = visibilityOf(now)
  const share = citationShare(now)
  return {
    visibility_score: scoreOf(now),
    score: scoreOf(now),
    answers: now.answers,
    interval: scoreInterval(visibility),
    change: changeOf(visibility, before && visibilityOf(before)),
    share_of_voice: fraction(share.share),
    share_citations: share.n,
    share_interval: wilson(share),
    share_change: changeOf(share, before && citationShare(before)),
  }
}

/** The name of a country in English. */
export const placeName = (country: string): string => {
  try {
    return new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? country
  } catch {
    return country
  }
}

/** Marks an answer that rests on a stand-in of the provider. */
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
