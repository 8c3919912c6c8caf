import type { Asked, Performance, Row, Totals } from './fetch.ts'
import { isStrikingDistance, rangeBefore, ZONE } from './rules.ts'

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))

/** Returns clicks per impression; 0 without impressions. */
export const ctrOf = ({ clicks, impressions }: { clicks: number; impressions: number }): number =>
  impressions > 0 ? rounded(Math.min(1, clicks / impressions), 4) : 0

const POSITION_DIGITS = 2

/** Returns a position as answers show it, rounded. */
export const positionOf = (position: number): number => rounded(position, POSITION_DIGITS)

/** Returns the rounded numbers of a row. Thresholds are applied to these, so that they agree with the answer. */
const numbers = (row: { clicks: number; impressions: number; position: number }) => ({
  clicks: row.clicks,
  impressions: row.impressions,
  ctr: ctrOf(row),
  position: positionOf(row.position),
})

/** Returns rounded totals. The position is null if the site did not appear. */
const totalsOf = (totals: Totals) => ({
  clicks: totals.clicks,
  impressions: totals.impressions,
  ctr: ctrOf(totals),
  avg_position: totals.impressions > 0 ? positionOf(totals.position) : null,
})

/** Returns the change from the period before, computed from rounded numbers so that those of an answer add up. */
const deltas = (row: Row) => {
  const { before } = row
  if (before === undefined) return {}
  return {
    delta_clicks: row.clicks - (before?.clicks ?? 0),
    delta_impressions: row.impressions - (before?.impressions ?? 0),
    delta_position:
      before === null ? null : rounded(positionOf(row.position) - positionOf(before.position), POSITION_DIGITS),
    is_new: before === null,
  }
}

const shareOf = (rows: readonly Row[], { clicks }: Totals): number | null => {
  if (clicks === 0) return null
  return rounded(Math.min(1, rows.reduce((sum, row) => sum + row.clicks, 0) / clicks), 4)
}

const comparisonOf = (asked: Asked, now: Totals, before: Totals) => {
  const [current, previous] = [totalsOf(now), totalsOf(before)]
  const positions = [current.avg_position, previous.avg_position]
  return {
    previous_date_range: rangeBefore(asked.range),
    previous_totals: previous,
    delta_totals: {
      clicks: current.clicks - previous.clicks,
      impressions: current.impressions - previous.impressions,
      ctr: rounded(current.ctr - previous.ctr, 4),
      avg_position: positions.includes(null)
        ? null
        : rounded((current.avg_position ?? 0) - (previous.avg_position ?? 0), POSITION_DIGITS),
    },
  }
}

type Knowledge = {
  projectId: number
  isBrand: (query: string) => boolean
  articleOf: (page: string) => number | undefined
}

/** Returns the answer of `GET /search-console`. */
export const performanceAnswer = (found: Performance, asked: Asked, { projectId, isBrand, articleOf }: Knowledge) => {
  const { totals, before, queries, pages, hasMore } = found
  return {
    connected: true as const,
    project_id: projectId,
    property: asked.property,
    date_range: asked.range,
    totals: totalsOf(totals),
    top_queries: queries.map((row) => ({
      query: row.key,
      ...numbers(row),
      is_brand: isBrand(row.key),
      striking_distance: isStrikingDistance(numbers(row)),
      ...deltas(row),
    })),
    top_pages: pages.map((row) => {
      const article = articleOf(row.key)
      return {
        page: row.key,
        ...numbers(row),
        striking_distance: isStrikingDistance(numbers(row)),
        ...(article === undefined ? {} : { article_id: article }),
        ...deltas(row),
      }
    }),
    pagination: {
      limit: asked.limit,
      start_row: asked.startRow,
      next_start_row: hasMore ? asked.startRow + asked.limit : null,
    },
    coverage: {
      query_clicks_share: shareOf(queries, totals),
      page_clicks_share: shareOf(pages, totals),
      data_state: 'final' as const,
      timezone: ZONE,
      filtered_to: asked.within === '' ? null : asked.within,
    },
    ...(before ? { comparison: comparisonOf(asked, totals, before) } : {}),
    fetched_at: found.fetched_at,
  }
}
