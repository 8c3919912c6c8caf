import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { adoptedPosts } from '../../../schema/adopted.ts'
import { articles } from '../../../schema/articles.ts'
import { projects } from '../../../schema/projects.ts'
import { articleTranslations } from '../../../schema/translations.ts'
import { MAX_TRANSLATIONS, ownLanguage } from '../../content/articles/translations.ts'
import type { Db } from '../../platform/db/client.ts'

/** Selects an article with its own language. `mine` is true if the account owns it. */
export const articleInLanguage = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      id: articles.id,
      accountId: articles.accountId,
      language: ownLanguage,
      mine: sql<boolean>`coalesce(${articles.accountId} = ${owner}, false)`,
    })
    .from(articles)
    .innerJoin(projects, eq(projects.id, articles.projectId))
    .leftJoin(adoptedPosts, eq(adoptedPosts.articleId, articles.id))
    .where(eq(articles.id, id))

/** Selects the articles of the group that an article is in, in the order of their ids. */
export const translationsOf = (db: Db, owner: SQL, articleId: number) =>
  db
    .select({
      id: articles.id,
      projectId: articles.projectId,
      title: articles.title,
      status: articles.status,
      url: articles.url,
      language: sql<string>`coalesce(nullif(${articleTranslations.language}, ''), ${ownLanguage})`,
    })
    .from(articleTranslations)
    .innerJoin(articles, eq(articles.id, articleTranslations.articleId))
    .innerJoin(projects, eq(projects.id, articles.projectId))
    .leftJoin(adoptedPosts, eq(adoptedPosts.articleId, articles.id))
    .where(
      and(
        eq(
          articleTranslations.groupId,
          sql`(select group_id from article_translations where article_id = ${articleId}::int)`,
        ),
        eq(articleTranslations.accountId, owner),
      ),
    )
    .orderBy(asc(articles.id))
    // An archive may have brought more.
    .limit(MAX_TRANSLATIONS)
