import { and, desc, eq, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { deliveries, sentArticle } from '../../../schema/deliveries.ts'
import { projects } from '../../../schema/projects.ts'
import { ARRIVED_STATUSES } from '../../../schema/values/publishing.ts'
import type { Db } from '../../platform/db/client.ts'

/** Number of an article's deliveries whose text may be on its page. */
const RECENT = 3

/** Selects the text of an article's last live deliveries, newest first. One of them is what readers see. */
export const sentTexts = (db: Db, articleId: number) =>
  db
    .select({
      revision: deliveries.revision,
      title: sql<string>`${deliveries.payload} ->> 'title'`,
      content: sql<string>`(${sentArticle()}) ->> 'content_html'`,
    })
    .from(deliveries)
    .where(and(eq(deliveries.articleId, articleId), deliveries.live, oneOf(deliveries.status, ARRIVED_STATUSES)))
    .orderBy(desc(deliveries.id))
    .limit(RECENT)

/** Selects whether the article's text is that of one of the last deliveries that a target accepted. */
export const isTextAccepted = (db: Db, articleId: number) =>
  db
    .select({
      isAccepted: sql<boolean>`exists (select 1 from (select ${sentArticle()} as sent from ${deliveries}
        where ${and(eq(deliveries.articleId, articles.id), oneOf(deliveries.status, ARRIVED_STATUSES))}
        order by ${deliveries.id} desc limit ${RECENT}) recent where sent ->> 'content_html' = ${articles.content}
        and sent ->> 'title' = ${articles.title} and sent ->> 'meta_description' = ${articles.metaDescription})`,
    })
    .from(articles)
    .where(eq(articles.id, articleId))

/** Selects an article's address, or where it may be, and its text. */
export const livePageById = (db: Db, id: number) =>
  db
    .select({
      accountId: articles.accountId,
      status: articles.status,
      url: articles.url,
      slug: articles.slug,
      revision: articles.revision,
      title: articles.title,
      content: articles.content,
      blogRootUrl: projects.blogRootUrl,
      tellsEngines: projects.tellsEngines,
      hasCopies: sql<boolean>`exists (select 1 from copies c where c.article_id = ${articles.id})`,
    })
    .from(articles)
    .innerJoin(projects, eq(projects.id, articles.projectId))
    .where(eq(articles.id, id))
