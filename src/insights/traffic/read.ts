import { sql } from 'drizzle-orm'
import type { Assistant } from '../../../schema/values/traffic.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { getArticleWith } from '../../content/articles/read.ts'
import type { Db } from '../../platform/db/client.ts'
import { pageKey } from '../../platform/lib/urls.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { clicksByDay } from '../search/parts.ts'
import { bingCitations, citingScans } from '../visibility/parts.ts'
import type { ArticleTrafficInput, SiteTrafficInput } from './operations.ts'
import { countsByArticle, countsByDay, countsByName, type Span, sourceOf } from './queries.ts'
import { COUNTED_AGENTS, dayFrom, reasonOf } from './rules.ts'

const DAYS = { default: 28, max: 365 }
const SHOWN = { default: 20, max: 100 }

const rangeOf = (ctx: Ctx, days: number = DAYS.default) => {
  const asked = Math.min(days, DAYS.max)
  return { asked, from: dayFrom(ctx.now(), -asked), to: dayFrom(ctx.now(), -1) }
}

const partsOf = (db: Db, span: Span) => ({
  source: sourceOf(db, span.project),
  days: countsByDay(db, span),
  names: countsByName(db, span),
})

type Parts = { [Name in keyof ReturnType<typeof partsOf>]: Awaited<ReturnType<typeof partsOf>[Name]> }

const reportOf = ({ asked, from, to }: ReturnType<typeof rangeOf>, { source, days, names }: Parts) => {
  const points = days.rows
  const isMeasured = points.length > 0
  const sumOf = (of: 'visits' | 'crawls') => points.reduce((sum, point) => sum + point[of], 0)
  const named = (kind: 'visit' | 'crawl') => names.rows.filter((row) => isMeasured && row.kind === kind)
  return {
    state: isMeasured ? ('measured' as const) : ('not_measured' as const),
    reason: reasonOf(source.rows[0], { measured: points.length, asked }),
    from,
    to,
    days_measured: points.length,
    visits: isMeasured ? sumOf('visits') : null,
    crawls: isMeasured ? sumOf('crawls') : null,
    assistants: named('visit').map(({ name, count }) => ({ assistant: name as Assistant, visits: count })),
    agents: named('crawl').flatMap(({ name, count }) =>
      COUNTED_AGENTS.filter(({ token }) => token === name).map(({ token, of, use }) => ({
        agent: token,
        of,
        use,
        crawls: count,
      })),
    ),
    points,
  }
}

/** Returns the visits and crawls of a project's articles. One round trip. Throws 404, 403. */
export const siteTraffic = async (ctx: Ctx, { project_id: id, days, limit }: SiteTrafficInput) => {
  const range = rangeOf(ctx, days)
  const span = { project: sql`${id}::int`, article: null, ...range }
  const { results } = await readWithProject(ctx, id, {
    ...partsOf(ctx.db, span),
    articles: countsByArticle(ctx.db, span, Math.min(limit ?? SHOWN.default, SHOWN.max)),
  })
  const report = reportOf(range, results)
  return { project_id: id, ...report, articles: report.state === 'measured' ? results.articles.rows : [] }
}

const keyOf = (url: string | null): string | null => {
  const address = url === null ? null : URL.parse(url)
  return address && pageKey(address)
}

const NOT_LIVE = 'The article is not published, so it has no page that could be counted.'

type Parsed = Awaited<ReturnType<typeof getArticleWith>>['article']

const ofArticle = (article: Parsed, range: ReturnType<typeof rangeOf>, parts: Parts) => {
  const report = reportOf(range, parts)
  const reason = article.publishedAt === null && report.state === 'not_measured' ? NOT_LIVE : report.reason
  return { project_id: article.projectId, article_id: article.id, ...report, reason }
}

/** Returns the visits and crawls of an article. One round trip. Throws 404, 403. */
export const articleTraffic = async (ctx: Ctx, id: number, { days }: ArticleTrafficInput) => {
  const range = rangeOf(ctx, days)
  const project = sql`(select project_id from articles where id = ${id}::int)`
  const { article, results } = await getArticleWith(ctx, id, partsOf(ctx.db, { project, article: id, ...range }))
  return ofArticle(article, range, results)
}

/**
 * Returns where an article was seen in the last 28 days: its visits and crawls, its clicks in Google Search by day, and how often
 * each scan of AI answers cited it. `bing`: the same by the newest imported report of Bing. One round trip. Throws 404, 403.
 */
export const articleSeen = async (ctx: Ctx, id: number) => {
  const range = rangeOf(ctx)
  const project = sql`(select project_id from articles where id = ${id}::int)`
  const { article, results } = await getArticleWith(ctx, id, {
    ...partsOf(ctx.db, { project, article: id, ...range }),
    clicks: clicksByDay(ctx.db, id, range.from),
    scans: citingScans(ctx.db, id, range.from),
    bing: bingCitations(ctx.db, id),
  })
  const key = keyOf(article.url)
  const ofPage = (pages: readonly { url: string; citations: number }[]): number =>
    pages.reduce((sum, { url, citations }) => sum + (keyOf(url) === key ? citations : 0), 0)
  const scans = results.scans.rows.map(({ day, answers, pages }) => ({ day, answers, citations: ofPage(pages) }))
  const bing = results.bing.rows.map(({ from, to, pages }) => ({ from, to, citations: ofPage(pages) }))
  return { traffic: ofArticle(article, range, results), clicks: results.clicks.rows, scans, bing }
}
