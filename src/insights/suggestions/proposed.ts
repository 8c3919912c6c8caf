import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { literals } from '../../../schema/columns.ts'
import { suggestions } from '../../../schema/suggestions.ts'
import type { SuggestionState } from '../../../schema/values/suggestions.ts'
import type { Db } from '../../platform/db/client.ts'
import { when } from '../../platform/db/steps.ts'
import { audit } from '../../platform/db/writes.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { changedBySuggestion } from '../effects/writes.ts'
import { isAllowed, moveSuggestion, rejectionOf } from './move.ts'
import { loadSuggestion } from './read.ts'

const TOLD = literals(['ready', 'rejected', 'superseded'] satisfies SuggestionState[])
const READY = literals(['ready'] satisfies SuggestionState[])

/**
 * Selects the suggestions whose rewrites a revision of an article has, if it was sent as a pull request.
 *
 * A call that crashed after it had sent one is recognized by the article's words.
 */
export const rewritesIn = (db: Db, articleId: number, revision: number) =>
  db
    .select({ id: suggestions.id })
    .from(suggestions)
    .innerJoin(articles, eq(articles.id, suggestions.articleId))
    .where(
      sql`${eq(suggestions.articleId, articleId)} and (
        (${suggestions.proposedRevision} <= ${revision}::int and ${suggestions.status} in ${TOLD})
        or (${suggestions.status} in ${READY} and ${suggestions.after} ->> 'title' = ${articles.title}
          and ${suggestions.after} ->> 'meta_description' = ${articles.metaDescription}
          and ${suggestions.after} ->> 'content' = ${articles.content}))`,
    )
    .orderBy(desc(suggestions.id))

/**
 * Returns the statements that publish suggestions whose pull request was merged. They follow the one that records the change of the
 * article's page.
 */
export const publishMerged = (ctx: Ctx, ids: readonly number[], articleId: number, account: number, isMerged: SQL) => {
  const now = ctx.now()
  const published = {
    status: 'published',
    publishedAt: now,
    publishingUntil: null,
    error: null,
    updatedAt: now,
  } as const
  return ids.map((id) =>
    when(isMerged, {
      suggestion: (isMet) =>
        ctx.db
          .update(suggestions)
          .set({ ...published, proposedRevision: null })
          .where(and(eq(suggestions.id, id), isMet)),
      changed: (isMet) => changedBySuggestion(ctx.db, articleId, id, isMet),
      audit: audit(ctx, { account, action: 'suggestion.publish', on: ['suggestion', id] }),
    }),
  )
}

/** Attempts at a rejection, because the article may change during one. */
const TRIES = 5

/**
 * Rejects a suggestion whose pull request was closed, with the comments as its feedback. The article gets its earlier words back.
 *
 * Does nothing for one that somebody decided meanwhile.
 */
export const rejectClosed = async (ctx: Ctx, id: number, said: string): Promise<void> => {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const found = await loadSuggestion(ctx, id)
    if (!isAllowed('reject', found.status)) return
    const { back } = await rejectionOf(ctx, found, 'awaiting_merge')
    const given = { base: found.baseRevision, back, byHolder: true, detail: { reason: said } }
    if (await moveSuggestion(ctx, found, 'reject', { feedback: said, proposedRevision: null }, given)) return
  }
}
