import { pageKey } from '../lib/urls.ts'
import { readWithProject } from '../projects/scope.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { askerFor, isLasting, isOpen, type Open } from './access.ts'
import { brandMatcher } from './brand.ts'
import { type Asked, fetchPerformance, type Performance } from './fetch.ts'
import type { SearchConsole } from './port.ts'
import { performanceAnswer } from './present.ts'
import { type ArticlePage, articlesOfKept, articlesOfPages, connectionOf, keptAnswer } from './queries.ts'
import { fetchFailed, notConnected, sandboxMark, unavailable } from './refusals.ts'
import { rangeOf } from './rules.ts'
import type { PerformanceInput } from './schemas.ts'
import { keepAnswer } from './statements.ts'

const DAYS = { default: 28, max: 90 }
const LIMIT = { default: 25, max: 1_000 }

const keyOf = ({ range, limit, startRow, compare }: Omit<Asked, 'property'>): string =>
  [range.end_date, range.days, limit, startRow, compare ? 'compare' : 'plain'].join(':')

const keyOfPage = (page: string): string => {
  const url = URL.parse(page)
  return url ? pageKey(url) : page
}

const answerOf = (
  row: Open,
  found: Performance,
  asked: Asked,
  articles: readonly ArticlePage[],
  google: SearchConsole,
) => {
  const known = new Map(articles.map(({ url_key: key, article_id: article }) => [key, article]))
  return {
    ...performanceAnswer(found, asked, {
      projectId: row.project_id,
      isBrand: brandMatcher(row.business_name, row.website_key),
      articleOf: (page) => known.get(keyOfPage(page)),
    }),
    ...sandboxMark(google),
  }
}

/** Asks Google, and keeps what it says for an hour. */
const fresh = async (ctx: Ctx, google: SearchConsole, row: Open, asked: Asked, key: string) => {
  const found = await fetchPerformance(google, askerFor(ctx, google, row), asked, ctx.now())
  if ('failure' in found) {
    if (isLasting(found.failure)) return await fetchFailed(ctx, google, row, found.failure)
    throw unavailable(found.failure)
  }
  const pageKeys = [...new Set(found.ok.pages.map((page) => keyOfPage(page.key)))]
  ctx.defer(ctx.write(keepAnswer(ctx, row.source_id, { key, body: { ...found.ok }, pageKeys })))
  const [articles] = await ctx.read(() => [articlesOfPages(ctx.db, row.project_id, pageKeys)])
  return answerOf(row, found.ok, asked, articles.rows, google)
}

/**
 * How a project's site does in Google Search: what was asked within the hour waits for one round trip, anything else for Google.
 * Throws 404 and 403 for the project, 503 when Google does not answer now.
 */
export const searchPerformance = async (ctx: Ctx, google: SearchConsole, input: PerformanceInput) => {
  const { project_id: id, start_row: startRow = 0, compare = false } = input
  const days = Math.min(input.days ?? DAYS.default, DAYS.max)
  const limit = Math.min(input.limit ?? LIMIT.default, LIMIT.max)
  const [now, range] = [ctx.now(), rangeOf(ctx.now(), days)]
  const key = keyOf({ range, limit, startRow, compare })
  const {
    results: [connections, kept, articles],
  } = await readWithProject(ctx, id, [
    connectionOf(ctx.db, id),
    keptAnswer(ctx.db, id, key, now),
    articlesOfKept(ctx.db, id, key, now),
  ] as const)
  const [row] = connections.rows
  if (!row) throw new Error('a project without a row')
  if (!isOpen(row)) return await notConnected(ctx, google, row)
  const asked = { property: row.property, range, limit, startRow, compare }
  if (row.failure === 'revoked') return await fetchFailed(ctx, google, row, { kind: 'revoked', message: '' })
  const [copy] = kept.rows
  if (copy) return answerOf(row, copy.body as Performance, asked, articles.rows, google)
  return await fresh(ctx, google, row, asked, key)
}
