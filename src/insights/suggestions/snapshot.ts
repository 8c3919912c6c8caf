import { readWithProject } from '../../accounts/projects/scope.ts'
import { wordTarget } from '../../content/seo/rules.ts'
import type { Db, Query } from '../../platform/db/client.ts'
import type { ResultOf } from '../../platform/db/steps.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { searchedLastYear, searchedPages, searchedQueries, searchPeriods } from '../search/parts.ts'
import { WINDOW_DAYS } from '../search/rules.ts'
import type { Snapshot } from './detect.ts'
import { liveArticles, runStatus } from './queries.ts'

/** Most articles in one run: the newest. */
const MAX_ARTICLES = 10_000

/** Selects the search data of a project. Only pages that lost a share of their clicks have the numbers of the year before. */
export const searchData = (db: Db, projectId: number, lostShare = 0) => ({
  periods: searchPeriods(db, projectId),
  pages: searchedPages(db, projectId),
  queries: searchedQueries(db, projectId),
  lastYear: searchedLastYear(db, projectId, lostShare),
})

/** Returns the data for the detectors; undefined before the first 28 complete days. */
export const snapshotOf = (
  { periods, pages, queries, lastYear }: ResultOf<ReturnType<typeof searchData>>,
  articles: Snapshot['articles'],
): Snapshot | undefined => {
  const period = periods.rows[0]
  if (!period?.ends_on || !period.starts_on) return undefined
  return {
    period: { starts_on: period.starts_on, ends_on: period.ends_on, days: WINDOW_DAYS },
    hasBefore: period.has_before,
    articles,
    pages: pages.rows,
    queries: queries.rows,
    lastYear: new Map(lastYear.rows.map(({ page_key: key, ...clicks }) => [key, clicks])),
  }
}

/**
 * Reads the data of a project for the detectors, with the results of other queries from the same round trip.
 *
 * `snapshot` is undefined before the first 28 complete days. Throws 404, 403.
 */
export const readSnapshot = async <const A extends Record<string, Query>>(ctx: Ctx, projectId: number, others: A) => {
  const { project, results } = await readWithProject(ctx, projectId, {
    connectionState: runStatus(ctx.db, projectId, ctx.now()),
    search: searchData(ctx.db, projectId),
    live: liveArticles(ctx.db, projectId, MAX_ARTICLES),
    also: others,
  })
  const { connectionState, search, live, also } = results
  const articles = live.rows.map(({ id, title, url, style, thin, words }) => {
    return [id, { id, title, url, isThin: thin, words: words ?? 0, wanted: wordTarget(style) }] as const
  })
  const { connected = false, weekly = false } = connectionState.rows[0] ?? {}
  return { project, connected, weekly, snapshot: snapshotOf(search, new Map(articles)), also }
}
