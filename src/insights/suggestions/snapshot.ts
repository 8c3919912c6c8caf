import { readWithProject } from '../../accounts/projects/scope.ts'
import { wordTarget } from '../../content/seo/rules.ts'
import type { Query } from '../../platform/db/client.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { searchedLastYear, searchedPages, searchedQueries, searchPeriods } from '../search/parts.ts'
import { WINDOW_DAYS } from '../search/rules.ts'
import type { Snapshot } from './detect.ts'
import { liveArticles, runStatus } from './queries.ts'

/** Most articles in one run: the newest. */
const MAX_ARTICLES = 10_000

/**
 * Reads the data of a project for the detectors, with the results of other queries from the same round trip.
 *
 * `snapshot` is undefined before the first 28 complete days. Throws 404, 403.
 */
export const readSnapshot = async <const A extends Record<string, Query>>(ctx: Ctx, projectId: number, others: A) => {
  const { project, results } = await readWithProject(ctx, projectId, {
    connectionState: runStatus(ctx.db, projectId, ctx.now()),
    periods: searchPeriods(ctx.db, projectId),
    pages: searchedPages(ctx.db, projectId),
    queries: searchedQueries(ctx.db, projectId),
    live: liveArticles(ctx.db, projectId, MAX_ARTICLES),
    lastYear: searchedLastYear(ctx.db, projectId),
    also: others,
  })
  const { connectionState, periods, pages, queries, live, lastYear, also } = results
  const period = periods.rows[0]
  const snapshot: Snapshot | undefined =
    period?.ends_on && period.starts_on
      ? {
          period: { starts_on: period.starts_on, ends_on: period.ends_on, days: WINDOW_DAYS },
          hasBefore: period.has_before,
          articles: new Map(
            live.rows.map((row) => [
              row.id,
              {
                id: row.id,
                title: row.title,
                url: row.url,
                isThin: row.thin,
                words: row.words ?? 0,
                wanted: wordTarget(row.style),
              },
            ]),
          ),
          pages: pages.rows,
          queries: queries.rows,
          lastYear: new Map(lastYear.rows.map(({ page_key: key, ...clicks }) => [key, clicks])),
        }
      : undefined
  const { connected = false, weekly = false } = connectionState.rows[0] ?? {}
  return { project, connected, weekly, snapshot, also }
}
