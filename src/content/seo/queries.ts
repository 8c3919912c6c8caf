import { sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/client.ts'

/** Newest pages of a site that are searched. The limit keeps a publication fast on a large site. */
const TRIED_PAGES = sql.raw('1000')
const FOUND_PAGES = sql.raw('50')

/**
 * Selects pages of the project's site whose keyword or title is in an article's content, newest first.
 *
 * Leaves out the article's own page, and pages in another language. No rows for a claimed article, because it is not changed.
 */
export const linkablePages = (db: Db, articleId: number) =>
  db.execute<{ url: string; url_key: string; title: string; keyword: string }>(sql`
    with art as materialized (select project_id, lower(content) as content from articles where id = ${articleId}::int and claimed_at is null),
    tried as materialized (select id, article_id, url, url_key, title, keyword from site_pages
      where project_id = (select project_id from art) and alternate_of is null
        and language in ('', (select split_part(language, ' (', 1) from projects where id = (select project_id from art))) order by id desc limit ${TRIED_PAGES})
    select url, url_key, title, keyword from tried, art
    where article_id is distinct from ${articleId}::int
      and ((keyword <> '' and position(lower(keyword) in content) > 0) or (title <> '' and position(lower(title) in content) > 0))
    order by id desc limit ${FOUND_PAGES}`)
