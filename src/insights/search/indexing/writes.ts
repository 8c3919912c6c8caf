import { and, eq, exists, sql } from 'drizzle-orm'
import { articles } from '../../../../schema/articles.ts'
import { indexStates } from '../../../../schema/indexing.ts'
import type { IndexFacts, IndexState } from '../../../../schema/values/indexing.ts'
import { statusAllows } from '../../../content/articles/parts.ts'
import { audit, insertWhere } from '../../../platform/db/writes.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import type { Inspection } from '../port.ts'
import type { InspectedArticle } from './queries.ts'
import { isNews, stateOf, statesAfter } from './rules.ts'

const NO_FACTS: IndexFacts = {
  coverage: null,
  verdict: null,
  robots: null,
  indexing: null,
  fetch: null,
  crawled_at: null,
  google_canonical: null,
  user_canonical: null,
  link: null,
  referring: 0,
}

/** State of an article's page, and Google's words for it. */
export type Seen = { article: InspectedArticle; state: IndexState; facts: IndexFacts }

/** Returns the state of an article's page from Google's answer. */
export const seenIn = (article: InspectedArticle, found: Inspection): Seen =>
  'facts' in found
    ? { article, state: stateOf(found.facts, article.url), facts: found.facts }
    : notMeasured(article, `Google does not answer for this URL: ${found.refused}`)

/** Returns the state of a page about which Google cannot be asked. */
export const notMeasured = (article: InspectedArticle, reason: string): Seen => ({
  article,
  state: 'not_measured',
  facts: { ...NO_FACTS, reason },
})

/**
 * Returns the statements that store what Google said about an article, unless its address changed since.
 *
 * A changed state gets an entry of the audit log, which is the feed. The first look at an old article gets none.
 */
export const keepSeen = (
  ctx: Ctx,
  whose: { accountId: number; projectId: number },
  { article, state, facts }: Seen,
  now: Date,
) => {
  const { db } = ctx
  const base = new Date(article.base)
  const isThere = exists(
    db
      .select({ id: articles.id })
      .from(articles)
      .where(and(eq(articles.id, article.id), eq(articles.url, article.url), statusAllows('sync'))),
  )
  const before = sql`(select state from index_states where article_id = ${article.id}::int and url = ${article.url}::text)`
  const isNew = isNews(base, now) ? sql`${before} is distinct from ${state}::text` : sql`${before} <> ${state}::text`
  return {
    changed:
      state !== 'not_measured' &&
      audit(ctx, {
        account: whose.accountId,
        action: 'article.index_changed',
        on: ['article', article.id],
        detail: sql`jsonb_strip_nulls(jsonb_build_object('project', ${whose.projectId}::int, 'url', ${article.url}::text, 'state', ${state}::text,
          'before', ${before}, 'google_says', ${facts.coverage}::text))`,
        if: sql`${isThere} and ${isNew}`,
      }),
    kept: insertWhere(
      indexStates,
      {
        articleId: article.id,
        projectId: whose.projectId,
        url: article.url,
        state,
        facts,
        lookedAt: now,
        ...statesAfter(state, base, now),
      },
      {
        if: isThere,
        onConflict: sql`(article_id) do update set url = excluded.url, state = excluded.state, facts = excluded.facts, looked_at = excluded.looked_at,
          after_7 = coalesce(${indexStates}.after_7, excluded.after_7), after_28 = coalesce(${indexStates}.after_28, excluded.after_28)`,
      },
    ),
  }
}

/** Reason for a batch that may have no entry. */
export const UNAUDITED = { unaudited: 'what Google says; a changed state is audited' }
