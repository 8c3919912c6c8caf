import type { Fact, SiteData } from './data.ts'

type Dimension = 'query' | 'page' | 'date'

/** A query as Search Console takes it. */
export type Asked = {
  startDate: string
  endDate: string
  dimensions: Dimension[]
  rowLimit: number
  startRow: number
}

type Row = { keys?: string[]; clicks: number; impressions: number; ctr: number; position: number }
type Sum = { keys: string[]; clicks: number; impressions: number; weighted: number }

/**
 * The results of a query on a day, as the whole site has them: it appears once, however many of its pages do, at the place of
 * the best.
 */
const byProperty = (facts: readonly Fact[]): Fact[] => {
  const queries = new Map<string, Fact>()
  for (const fact of facts) {
    const other = queries.get(fact.query)
    queries.set(
      fact.query,
      other
        ? {
            ...other,
            impressions: Math.max(other.impressions, fact.impressions),
            clicks: other.clicks + fact.clicks,
            position: Math.min(other.position, fact.position),
          }
        : fact,
    )
  }
  return [...queries.values()]
}

const partOf: Record<Dimension, (fact: Fact) => string> = {
  query: (fact) => fact.query,
  page: (fact) => fact.page,
  date: (fact) => fact.day,
}

const rowOf = ({ keys, clicks, impressions, weighted }: Sum): Row => ({
  ...(keys.length > 0 ? { keys } : {}),
  clicks,
  impressions,
  ctr: impressions > 0 ? clicks / impressions : 0,
  position: impressions > 0 ? weighted / impressions : 0,
})

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Rows of a query: most clicks first, by day where days are asked for. Undefined where there are none, as Google leaves them out. */
export const rowsFor = (data: SiteData, asked: Asked): Row[] | undefined => {
  const { dimensions, startDate, endDate, startRow, rowLimit } = asked
  const sums = new Map<string, Sum>()
  for (const day of data.days) {
    if (day < startDate || day > endDate) continue
    const facts = dimensions.includes('page') ? data.facts(day) : byProperty(data.facts(day))
    for (const fact of facts) {
      if (fact.isRare && dimensions.includes('query')) continue
      const keys = dimensions.map((dimension) => partOf[dimension](fact))
      const id = keys.join('\n')
      const sum = sums.get(id) ?? { keys, clicks: 0, impressions: 0, weighted: 0 }
      sum.clicks += fact.clicks
      sum.impressions += fact.impressions
      sum.weighted += fact.position * fact.impressions
      sums.set(id, sum)
    }
  }
  const date = dimensions.indexOf('date')
  const sorted = [...sums.values()].sort(
    (a, b) =>
      (date < 0 ? 0 : compare(a.keys[date] ?? '', b.keys[date] ?? '')) ||
      b.clicks - a.clicks ||
      b.impressions - a.impressions ||
      compare(a.keys.join('\n'), b.keys.join('\n')),
  )
  const page = sorted.slice(startRow, startRow + rowLimit).map(rowOf)
  return page.length > 0 ? page : undefined
}
