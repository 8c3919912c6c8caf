import { sql } from 'drizzle-orm'
import { statusAllows } from '../../content/articles/parts.ts'
import type { Db } from '../../platform/db/client.ts'

type Page = {
  website_url: string
  article: number | null
  url: string | null
  fetch: string | null
  crawled_at: string | null
}

/**
 * Selects the website of a project, an article of it with its address, and what Google's last request for the page met.
 *
 * Without an article, the newest answer of Google about any page of the project.
 */
export const pageOf = (db: Db, projectId: number, articleId: number | undefined) =>
  db.execute<Page>(sql`
    select p.website_url, a.id as article, a.url, i.facts ->> 'fetch' as fetch, i.facts ->> 'crawled_at' as crawled_at
    from projects p left join articles a on a.id = ${articleId ?? null}::int and a.project_id = p.id and ${statusAllows('sync', 'a')}
      left join lateral (select facts from index_states s where s.project_id = p.id and s.facts ->> 'fetch' is not null
        and (${articleId ?? null}::int is null or (s.article_id = a.id and s.url = a.url)) order by s.looked_at desc limit 1) i on true
    where p.id = ${projectId}::int`)
