import { and, eq, type SQL, sql } from 'drizzle-orm'
import { articles, articleWritings } from '../../../schema/articles.ts'
import type { WritingKind } from '../../../schema/values/writing.ts'
import type { Db } from '../../platform/db/client.ts'
import { statusAllows } from '../articles/parts.ts'
import { type Status, statusAfter } from '../articles/transitions.ts'

/** Selects an unfinished writing with its article; no row if the article is not being written. */
export const writingById = (db: Db, owner: SQL, articleId: number) =>
  db
    .select({
      articleId: articles.id,
      accountId: articles.accountId,
      keyword: articles.mainKeyword,
      slug: articles.slug,
      metaDescription: articles.metaDescription,
      articleStyle: articles.articleStyle,
      featureImage: articles.featureImage,
      kind: articleWritings.kind,
      notes: articleWritings.notes,
      brief: articleWritings.brief,
      outline: articleWritings.outline,
      sections: articleWritings.sections,
      step: articleWritings.step,
      repairs: articleWritings.repairs,
      failures: articleWritings.failures,
      startedAt: articleWritings.startedAt,
    })
    .from(articles)
    .innerJoin(articleWritings, eq(articleWritings.articleId, articles.id))
    .where(and(eq(articles.id, articleId), eq(articles.accountId, owner), statusAllows('finish_generation')))

export type WritingRow = Awaited<ReturnType<typeof writingById>>[number]

/** Step of a writing. Its result counts only while the writing is still at `step`; null for any step. */
type Step = { articleId: number; kind: WritingKind; step: number | null }

/**
 * Returns locks for an article and its writing, and conditions for the statements after them.
 *
 * `isHeld`: the writing is still at this step. `hasEnded`: the article has no active writing. Use it to change the article
 * after its writing was deleted or ended.
 */
export const writingAtStep = (db: Db, { articleId, kind, step }: Step) => {
  const article = and(eq(articles.id, articleId), statusAllows('finish_generation'))
  const writing = eq(articleWritings.articleId, articleId)
  const isAtStep = and(
    eq(articleWritings.kind, kind),
    step === null ? undefined : eq(articleWritings.step, step),
    eq(articleWritings.creditTaken, true),
  )
  return {
    locks: [
      db.select({ id: articles.id }).from(articles).where(article).for('no key update'),
      db.select({ id: articleWritings.articleId }).from(articleWritings).where(writing).for('update'),
    ],
    isHeld: sql`exists (select 1 from ${articles} join ${articleWritings} on ${writing} where ${and(article, isAtStep)})`,
    hasEnded: sql`${article} and not exists (select 1 from ${articleWritings} where ${and(writing, eq(articleWritings.creditTaken, true))})`,
  }
}

/** SQL expression for the number of the next step. */
export const NEXT_STEP: SQL = sql`${articleWritings.step} + 1`

/** Returns the status of an article after its writing. */
export const statusAfterWriting = (kind: WritingKind): Status =>
  statusAfter(kind === 'generate' ? 'finish_generation' : 'finish_planned')

/** Columns of an article that is not being written. */
export const AT_REST = { progress: null, writingStartedAt: null }
