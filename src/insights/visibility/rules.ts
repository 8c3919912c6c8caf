import { baseOf } from '../../../schema/values/models.ts'
import {
  type Citation,
  ENGINES,
  type Engine,
  type EngineCounts,
  type GapReason,
  type OfferedModel,
  type ScanKind,
  type ScanModel,
  type ScanModels,
  type ScanViews,
  type Verdict,
} from '../../../schema/values/visibility.ts'
import { clip } from '../../platform/lib/text.ts'
import { pageKey } from '../../platform/lib/urls.ts'

export const MIN_PROMPT = 3
export const MAX_PROMPT = 300
/** Most active prompts of a project. */
export const MAX_ACTIVE = 25
/** Most active prompts of a project that the service made. */
export const MAX_AUTO = 10
/** Most times that a scan asks each engine each prompt. */
/**
 * True if an engine gets its questions as tasks: if its model answers so, or if nobody waits for the scan and tasks cost less.
 */
export const asksByTask = (kind: ScanKind, model: OfferedModel | undefined, isCheaper: boolean): boolean =>
  model === undefined ? kind === 'weekly' && isCheaper : model.queued

/** List price of one question to each engine, dollars (https://dataforseo.com/pricing, 2026-11-25). */
const QUESTION_USD: Readonly<Record<Engine, number>> = {
  chatgpt: 0.02,
  perplexity: 0.02,
  gemini: 0.02,
  google_ai_overview: 0.004,
  google_ai_mode: 0.004,
}

/**
 * Returns the most that a scan is expected to cost, in dollars.
 *
 * `prompts`: the active ones. The service may add its own, up to `MAX_AUTO`.
 */
export const expectedUsd = (prompts: number, samples: number): number =>
  Math.max(prompts, MAX_AUTO) * samples * Object.values(QUESTION_USD).reduce((sum, usd) => sum + usd, 0)

export const MAX_SAMPLES = 5
/** Longest key: an index entry has at most 2,704 bytes, and a character at most four. */
const MAX_KEY = 600

/** Returns a prompt in its stored form: one blank between words. */
export const plainPrompt = (text: string): string => text.trim().replace(/\s+/g, ' ')

/** Returns the form in which prompts are compared: without case and spacing. */
export const promptKey = (text: string): string =>
  clip(text.normalize('NFKC').toLowerCase().replace(/\s+/g, ''), MAX_KEY)

/** 97.5th percentile of the normal distribution, for intervals of 95 %. */
const Z = 1.959963984540054

type Interval = { low: number; high: number }
type Change = 'up' | 'down' | 'within_noise'

/** A share of `n`, between 0 and 1. `share` times `n` need not be a whole number. */
export type Rate = { n: number; share: number }

const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits

/** Returns the 95 % Wilson score interval of a share; null if nothing was counted. */
export const wilson = ({ n, share }: Rate, digits = 4, scale = 1): Interval | null => {
  if (n <= 0) return null
  const square = Z * Z
  const middle = share + square / (2 * n)
  const spread = Z * Math.sqrt((share * (1 - share)) / n + square / (4 * n * n))
  const bound = (value: number) => rounded(Math.min(1, Math.max(0, value / (1 + square / n))) * scale, digits)
  return { low: bound(middle - spread), high: bound(middle + spread) }
}

/**
 * Returns the direction of a change, or `within_noise` if chance explains it: the two-proportion z test, 5 %.
 *
 * Null if one of the shares is missing.
 */
export const changeOf = (now: Rate, before: Rate | undefined): Change | null => {
  if (!before || now.n === 0 || before.n === 0) return null
  const pooled = (now.share * now.n + before.share * before.n) / (now.n + before.n)
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / now.n + 1 / before.n))
  if (error === 0 || Math.abs(now.share - before.share) / error < Z) return 'within_noise'
  return now.share > before.share ? 'up' : 'down'
}

/** Counts of the verdicts of answers on a business. */
type Counts = { answers: number; cited: number; mentioned: number }

/** Returns the share of answers that cite or mention the business. A mention counts half. */
export const visibilityOf = ({ answers, cited, mentioned }: Counts): Rate => ({
  n: answers,
  share: answers === 0 ? 0 : (cited + mentioned / 2) / answers,
})

/** Returns the share of the business among the citations of itself and its competitors. */
export const shareOf = ({ own, competitors }: { own: number; competitors: number }): Rate => {
  const n = own + competitors
  return { n, share: n === 0 ? 0 : own / n }
}

/**
 * Returns the share as a score of 0 to 100, halves up.
 *
 * It uses whole numbers, because 100 times the share of 23 in 40 is less than 57.5.
 */
export const scoreOf = ({ answers, cited, mentioned }: Counts): number =>
  answers === 0 ? 0 : Math.round((100 * cited + 50 * mentioned) / answers)

/** Returns a share as answers show it, rounded to four digits. */
export const fraction = (value: number): number => rounded(value, 4)

/** An answer as it is counted. */
export type CountedAnswer = {
  promptId: number
  engine: Engine
  state: Verdict
  reason: GapReason | null
  citations: readonly Citation[]
  costUsd: number
}

/** Totals of one scan. */
export type ScanTotals = {
  asked: number
  gaps: number
  answers: number
  cited: number
  mentioned: number
  ownCitations: number
  competitorCitations: number
  costUsd: number
  engines: EngineCounts[]
  views: ScanViews
}

const MAX_PAGES = 200
const MAX_OTHERS = 50

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const reasonsOf = (gaps: readonly CountedAnswer[]): EngineCounts['reasons'] => {
  const reasons: EngineCounts['reasons'] = {}
  for (const { reason } of gaps) if (reason) reasons[reason] = (reasons[reason] ?? 0) + 1
  return reasons
}

const countEngine = (engine: Engine, rows: readonly CountedAnswer[]): EngineCounts => {
  const own = rows.filter((row) => row.engine === engine)
  const gaps = own.filter(({ state }) => state === 'no_data')
  return {
    engine,
    answers: own.length - gaps.length,
    cited: own.filter(({ state }) => state === 'cited').length,
    mentioned: own.filter(({ state }) => state === 'mentioned').length,
    citations: sum(own.map(({ citations }) => citations.filter(({ site }) => site === 'own').length)),
    gaps: gaps.length,
    reasons: reasonsOf(gaps),
  }
}

const byCitations = (counts: ReadonlyMap<string, number>): { domain: string; citations: number }[] =>
  [...counts]
    .map(([domain, citations]) => ({ domain, citations }))
    .sort((a, b) => b.citations - a.citations || (a.domain < b.domain ? -1 : 1))

const domainsOf = (citations: readonly Citation[], site: Citation['site'], known: readonly string[] = []) => {
  const counts = new Map<string, number>(known.map((domain) => [domain, 0]))
  for (const one of citations) if (one.site === site) counts.set(one.domain, (counts.get(one.domain) ?? 0) + 1)
  return byCitations(counts)
}

const pagesOf = (rows: readonly CountedAnswer[]): ScanViews['pages'] => {
  const pages = new Map<string, { url: string; citations: number; engines: Set<Engine> }>()
  for (const { engine, citations } of rows)
    for (const { url, site } of citations) {
      if (site !== 'own') continue
      const address = URL.parse(url)
      const key = address ? pageKey(address) : url
      const page = pages.get(key) ?? { url, citations: 0, engines: new Set<Engine>() }
      page.citations += 1
      page.engines.add(engine)
      pages.set(key, page)
    }
  return [...pages.values()]
    .map(({ url, citations, engines }) => ({
      url,
      citations,
      engines: ENGINES.filter((engine) => engines.has(engine)),
    }))
    .sort((a, b) => b.citations - a.citations || (a.url < b.url ? -1 : 1))
    .slice(0, MAX_PAGES)
}

/** Counts the answers of a scan. The domains in `competitors` are listed even without citations. */
export const countScan = (rows: readonly CountedAnswer[], competitors: readonly string[]): ScanTotals => {
  const engines = ENGINES.map((engine) => countEngine(engine, rows))
  const citations = rows.flatMap((row) => row.citations)
  const prompts = [...new Set(rows.map(({ promptId }) => promptId))]
  const total = (pick: (counts: EngineCounts) => number) => sum(engines.map(pick))
  return {
    asked: rows.length,
    gaps: total(({ gaps }) => gaps),
    answers: total(({ answers }) => answers),
    cited: total(({ cited }) => cited),
    mentioned: total(({ mentioned }) => mentioned),
    ownCitations: citations.filter(({ site }) => site === 'own').length,
    competitorCitations: citations.filter(({ site }) => site === 'competitor').length,
    costUsd: Math.round(sum(rows.map(({ costUsd }) => costUsd)) * 1e6) / 1e6,
    engines,
    views: {
      prompts: prompts.map((id) => {
        const own = rows.filter(({ promptId }) => promptId === id)
        return { id, engines: ENGINES.map((engine) => countEngine(engine, own)) }
      }),
      competitors: domainsOf(citations, 'competitor', competitors),
      other: domainsOf(citations, 'other').slice(0, MAX_OTHERS),
      pages: pagesOf(rows),
    },
  }
}

/** Returns the parts of a model's version: 5 and 4 for gpt-5.4-mini. A size such as 120b is no version. */
const versionOf = (name: string): number[] => {
  const [found = ''] = /(?<![\d.])\d+(?:\.\d+)*(?![\d.]|b\b)/.exec(baseOf(name)) ?? []
  return found === '' ? [] : found.split('.').map(Number)
}

const byVersion = (a: readonly number[], b: readonly number[]): number => {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const less = (a[at] ?? 0) - (b[at] ?? 0)
    if (less !== 0) return less
  }
  return 0
}

const wordsOf = (name: string): string[] => baseOf(name).split(/[^a-z]+/i)

/** Returns how many words of a name are in another, minus those that are not. */
const likeness = (name: string, other: string): number => {
  const among = new Set(wordsOf(other))
  return wordsOf(name).reduce((sum, word) => sum + (among.has(word) ? 1 : -1), 0)
}

/** Returns the date in a name. A name without one counts as the latest version. */
const datedAs = (name: string): string => (name === baseOf(name) ? '~' : name.slice(baseOf(name).length))

/**
 * Returns the newest model that searches the web, by the version in its name.
 *
 * Among equally new models, it prefers the name most like `like`, then the latest date, then the first in the list.
 */
const newest = (models: readonly OfferedModel[], like: string): OfferedModel | undefined =>
  models
    .filter(({ searches }) => searches)
    .toSorted(
      (a, b) =>
        byVersion(versionOf(b.name), versionOf(a.name)) ||
        likeness(b.name, like) - likeness(a.name, like) ||
        (datedAs(b.name) < datedAs(a.name) ? -1 : datedAs(b.name) > datedAs(a.name) ? 1 : 0),
    )[0]

/** Returns the listed model with this name, or else the latest dated version of the name. */
const listedAs = (name: string, models: readonly OfferedModel[]): OfferedModel | undefined =>
  models.find((model) => model.name === name) ??
  models.filter((model) => baseOf(model.name) === name).toSorted((a, b) => (a.name < b.name ? 1 : -1))[0]

/** Returns a model of which only the name is known. It is asked without flags that only some models accept. */
const unknown = (engine: Engine, name: string): OfferedModel => ({
  name,
  reasons: true,
  searches: true,
  queued: engine !== 'perplexity',
})

/** Chooses the model of a scan: the configured one if it is listed, else the newest that searches the web. */
export const chosenModel = (
  engine: Engine,
  configured: string,
  models: readonly OfferedModel[],
): { model: OfferedModel; isListed: boolean } => {
  const listed = listedAs(configured, models)
  return {
    model: listed ?? newest(models, configured) ?? unknown(engine, configured),
    isListed: listed !== undefined,
  }
}

type Row = { engine: Engine; model: string | null }

/** Returns the models of a scan, with the names of the models that answered, as they reported them. */
export const withAnswered = (models: ScanModels, rows: readonly Row[]): ScanModels =>
  Object.fromEntries(
    ENGINES.flatMap((engine): [Engine, ScanModel][] => {
      const names = new Set(rows.flatMap((row) => (row.engine === engine && row.model !== null ? [row.model] : [])))
      const answered = names.size > 0 ? { answered: [...names].sort().join(' ') } : {}
      const model = { ...models[engine], ...answered }
      return Object.keys(model).length > 0 ? [[engine, model]] : []
    }),
  )

/** True if an engine is known to have used different models in two scans. */
export const hasOtherModel = (engine: Engine, now: ScanModels, before: ScanModels): boolean => {
  const [a, b] = [now[engine], before[engine]]
  if (a?.answered !== undefined && b?.answered !== undefined) return a.answered !== b.answered
  return a?.asked !== undefined && b?.asked !== undefined && a.asked.name !== b.asked.name
}
