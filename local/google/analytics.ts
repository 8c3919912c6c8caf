import type { Fact, SiteData } from './data.ts'

type Dimension = 'query' | 'page' | 'date'

type Filter = { dimension: 'query' | 'page'; operator?: string; expression: string }

/** A query as Search Console takes it. */
export type Asked = {
  dataState: 'final' | 'all'
  dimensionFilterGroups: { groupType?: 'and'; filters: Filter[] }[]
  startDate: string
  endDate: string
  dimensions: Dimension[]
  rowLimit: number
  startRow: number
}

type Row = { keys?: string[]; clicks: number; impressions: number; ctr: number; position: number }
type Sum = { keys: string[]; clicks: number; impressions: number; weighted: number }

/** Returns the results of a day for the whole site. A query appears once, at the position of its best page. */
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

/** Filter operators. Each returns true if the value fits the expression. */
const OPERATORS: Record<string, (value: string, expression: string) => boolean> = {
  equals: (value, expression) => value === expression,
  notEquals: (value, expression) => value !== expression,
  contains: (value, expression) => value.toLowerCase().includes(expression.toLowerCase()),
  notContains: (value, expression) => !value.toLowerCase().includes(expression.toLowerCase()),
  includingRegex: (value, expression) => new RegExp(expression).test(value),
  excludingRegex: (value, expression) => !new RegExp(expression).test(value),
}

/** Returns the fault of a query's filters; undefined if there is none. */
export const faultOfFilters = (groups: Asked['dimensionFilterGroups']): string | undefined => {
  for (const { filters } of groups)
    for (const { dimension, operator = 'equals', expression } of filters) {
      if (!['query', 'page'].includes(dimension)) return `Invalid filter dimension: ${dimension}.`
      if (!Object.hasOwn(OPERATORS, operator)) return `Invalid value at 'operator': ${operator}.`
      if (typeof expression !== 'string' || expression.length > 4_096) return 'Invalid filter expression.'
    }
  return undefined
}

const passes = (fact: Fact, groups: Asked['dimensionFilterGroups']): boolean =>
  groups.every(({ filters }) =>
    filters.every(({ dimension, operator = 'equals', expression }) =>
      OPERATORS[operator]?.(fact[dimension], expression),
    ),
  )

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Returns the rows of a query: most clicks first, or by day if days are requested.
 *
 * Undefined if there are none, because Google omits them.
 */
export const rowsFor = (data: SiteData, asked: Asked): Row[] | undefined => {
  const { dimensions, startDate, endDate, startRow, rowLimit, dimensionFilterGroups: groups } = asked
  const filtersPages = groups.some(({ filters }) => filters.some(({ dimension }) => dimension === 'page'))
  const filtersQueries = groups.some(({ filters }) => filters.some(({ dimension }) => dimension === 'query'))
  const sums = new Map<string, Sum>()
  for (const day of data.days) {
    if (day < startDate || day > endDate) continue
    const found = data.facts(day).filter((fact) => passes(fact, groups))
    // Queries grouped or filtered by page are counted page by page.
    const facts = dimensions.includes('page') || filtersPages ? found : byProperty(found)
    for (const fact of facts) {
      if (fact.isRare && (dimensions.includes('query') || filtersQueries)) continue
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
