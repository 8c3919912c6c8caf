import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'

/** A link the live page has to show. */
export type AwaitedLink = { id: number; url: string; site_key: string }

/** The links of a published article that nobody has seen on its live page yet. */
export const awaitedLinks = (db: Db, owner: SQL, articleId: number) =>
  db.execute<AwaitedLink>(sql`
    select l.id, a.url, p.website_key as site_key from exchange_links l
    join articles a on a.id = l.article_id join projects p on p.id = l.to_project_id
    where a.id = ${articleId}::int and a.account_id = ${owner} and a.status = 'Published' and a.url is not null and l.status = 'Scheduled'
    order by l.id`)
