import { readWithProject } from '../../../accounts/projects/scope.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { isOpen } from '../access.ts'
import type { IndexingInput } from '../operations.ts'
import type { SearchConsole } from '../port.ts'
import { connectionOf } from '../queries.ts'
import { notConnected, sandboxMark } from '../refusals.ts'
import { causeOf, findingOf } from './causes.ts'
import { type Unlisted, unlistedArticles } from './parts.ts'
import { indexCounts, indexShares, watchedSitemaps } from './queries.ts'
import { quotaDay } from './rules.ts'

/** Length of the list of articles that Google does not list. */
const SHOWN = { default: 20, max: 50 }

const shareOf = (indexed: number, n: number) => ({ n, indexed, share: n === 0 ? null : indexed / n })

const entryOf = (page: Unlisted) => ({
  article_id: page.id,
  title: page.title,
  url: page.url,
  state: page.state,
  google_says: page.facts.coverage,
  last_crawl_at: page.facts.crawled_at,
  google_canonical: page.facts.google_canonical,
  looked_at: page.looked_at,
  days_since_publication: Math.max(0, page.days),
  cause: causeOf(page),
  finding: findingOf(page),
})

/** Reports which articles of a project Google lists, and the sitemaps that it knows. One round trip; Google is not asked. Throws 404, 403. */
export const indexingReport = async (ctx: Ctx, google: SearchConsole, id: number, { limit }: IndexingInput) => {
  const most = Math.min(limit ?? SHOWN.default, SHOWN.max)
  const {
    results: { connections, shares, counts, unlisted, watched },
  } = await readWithProject(ctx, id, {
    connections: connectionOf(ctx.db, id),
    shares: indexShares(ctx.db, id),
    counts: indexCounts(ctx.db, id),
    unlisted: unlistedArticles(ctx.db, id, most),
    watched: watchedSitemaps(ctx.db, id, quotaDay(ctx.now())),
  })
  const [row] = connections.rows
  if (!row) throw new Error('a project without a row')
  if (!isOpen(row)) return await notConnected(ctx, google, row)
  const [sums] = shares.rows
  const [seen] = watched.rows
  return {
    connected: true as const,
    project_id: id,
    property: row.property,
    error: row.failure,
    published: sums?.published ?? 0,
    states: counts.rows,
    after_7_days: shareOf(sums?.indexed_7 ?? 0, sums?.n_7 ?? 0),
    after_28_days: shareOf(sums?.indexed_28 ?? 0, sums?.n_28 ?? 0),
    not_indexed: unlisted.rows.map(entryOf),
    sitemaps: seen?.sitemaps ?? [],
    sitemaps_read_at: seen?.sitemaps_at ?? null,
    next_look_at: seen?.next_at ?? null,
    inspections_today: seen?.used ?? 0,
    ...sandboxMark(google),
  }
}
