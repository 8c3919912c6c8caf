import { type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import type { Db } from '../../platform/db/client.ts'

/** A link the live page has to show. */
export type AwaitedLink = { id: number; url: string; site_key: string }

/** The links of a published article that nobody has seen on its live page yet. */
export const awaitedLinks = (db: Db, owner: SQL, articleId: number) =>
  db.execute<AwaitedLink>(sql`
    select l.id, articles.url, p.website_key as site_key from exchange_links l
    join articles on articles.id = l.article_id join projects p on p.id = l.to_project_id
    where articles.id = ${articleId}::int and articles.account_id = ${owner} and ${oneOf(articles.status, ['Published'])}
      and articles.url is not null and l.status = 'Scheduled'
    order by l.id`)
