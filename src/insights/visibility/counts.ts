import {
  type Citation,
  ENGINES,
  type Engine,
  type EngineCounts,
  type GapReason,
  type ScanViews,
  type Verdict,
} from '../../../schema/values/visibility.ts'

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
  const pages = new Map<string, { citations: number; engines: Set<Engine> }>()
  for (const { engine, citations } of rows)
    for (const { url, site } of citations) {
      if (site !== 'own') continue
      const page = pages.get(url) ?? { citations: 0, engines: new Set<Engine>() }
      page.citations += 1
      page.engines.add(engine)
      pages.set(url, page)
    }
  return [...pages]
    .map(([url, { citations, engines }]) => ({
      url,
      citations,
      engines: ENGINES.filter((engine) => engines.has(engine)),
    }))
    .sort((a, b) => b.citations - a.citations || (a.url < b.url ? -1 : 1))
    .slice(0, MAX_PAGES)
}

/** Counts a scan's answers. `competitors` are the domains that are shown also if nobody cites them. */
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
