import { indexAnswer } from '../../../content/articles/index-answer.ts'
import { getArticleWith } from '../../../content/articles/read.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { isLasting, isOpen, searchApiFor } from '../access.ts'
import type { SearchConsole } from '../port.ts'
import { connectionOfArticle } from '../queries.ts'
import { fetchFailed, notConnected, unavailable } from '../refusals.ts'
import { askAbout } from './ask.ts'
import { inspectedArticle } from './queries.ts'
import { MOST_A_DAY } from './rules.ts'
import { keepSeen, UNAUDITED } from './writes.ts'

/** Time within which Google is not asked again: its index does not change in minutes. */
const FRESH_MS = 600_000

const SAME = 'Google was asked about this page less than ten minutes ago. This is that answer.'
const ASKED = 'Google was asked. Its answer is about the copy that it read at last_crawl_at, not about the page now.'
const USED_UP: Parameters<typeof unavailable>[0] = {
  kind: 'quota',
  message: 'The inspections of this property for today are used up. They start anew at midnight in Los Angeles.',
  retryAfter: 3_600,
}

/**
 * Asks Google whether it lists the page of an article, and stores the answer. Throws 404, 403, 409, 503.
 *
 * A question that is repeated within ten minutes gets the stored answer.
 */
export const inspectArticle = async (ctx: Ctx, google: SearchConsole, id: number) => {
  const { article, results } = await getArticleWith(ctx, id, {
    connections: connectionOfArticle(ctx.db, id),
    found: inspectedArticle(ctx.db, id),
  })
  const [row] = results.connections.rows
  const [page] = results.found.rows
  if (!page || !row)
    throw new ApiError('not_published', 'The article has no public address yet, so Google cannot be asked about it.', {
      next_calls: [{ method: 'GET', path: `/articles/${id}`, why: 'Shows its status and its address.' }],
    })
  if (!isOpen(row)) return await notConnected(ctx, google, row)
  const answerOf = (indexed: typeof article.indexed, message: string) => ({
    connected: true as const,
    article_id: id,
    url: page.url,
    index: indexAnswer({ ...article, indexed }),
    message,
  })
  const { indexed } = article
  if (indexed && ctx.now().getTime() - Date.parse(indexed.looked_at) < FRESH_MS) return answerOf(indexed, SAME)
  if (row.failure === 'revoked') return await fetchFailed(ctx, google, row, { kind: 'revoked', message: '' })
  const asking = { google, ask: searchApiFor(ctx, google, row), row, most: MOST_A_DAY.byCall }
  const { seen, failures, isUsedUp } = await askAbout(ctx, asking, [page])
  const [failure] = failures
  if (failure) {
    if (isLasting(failure)) return await fetchFailed(ctx, google, row, failure)
    throw unavailable(failure)
  }
  const [one] = seen
  if (isUsedUp || !one) throw unavailable(USED_UP)
  const whose = { accountId: row.account_id, projectId: row.project_id }
  const now = ctx.now()
  const answer = answerOf({ state: one.state, facts: one.facts, looked_at: now.toISOString() }, ASKED)
  await ctx.batch({ ...keepSeen(ctx, whose, one, now), answer: ctx.keepAnswer(answer)('always') }, UNAUDITED)
  return answer
}
