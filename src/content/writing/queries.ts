import { and, eq, type SQL } from 'drizzle-orm'
import { articles, articleWritings } from '../../../schema/articles.ts'
import type { Db } from '../../platform/db/client.ts'
import { statusAllows } from '../articles/standing-parts.ts'

/** Returns a writing under way with the article it makes. No row when the article is not being written. */
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
