import { and, desc, eq, lt } from 'drizzle-orm'
import { articleRevisions, articles } from '../../../schema/articles.ts'
import type { Db } from '../../platform/db/client.ts'

/** Columns of what an article says, as its site shows it. */
export const contentColumns = {
  content: articles.content,
  metaDescription: articles.metaDescription,
  featureImage: articles.featureImage,
  altText: articles.altText,
  category: articles.category,
  tags: articles.tags,
  seoTitle: articles.seoTitle,
  canonicalUrl: articles.canonicalUrl,
}

/** Returns the newest revision before the one an article has; no row if there is none. */
export const revisionBefore = (db: Db, id: number) =>
  db
    .select({ revision: articleRevisions.revision })
    .from(articleRevisions)
    .innerJoin(articles, eq(articles.id, articleRevisions.articleId))
    .where(and(eq(articles.id, id), lt(articleRevisions.revision, articles.revision)))
    .orderBy(desc(articleRevisions.revision))
    .limit(1)
