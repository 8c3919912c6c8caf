import { desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { listed } from '../../platform/db/writes.ts'
import { type Deps, sendBatch } from '../../platform/runtime/ctx.ts'
import { readDocument } from '../html/document.ts'
import { linkedKeys } from '../seo/links.ts'
import { statusAllows } from './parts.ts'

/** Articles whose links are read in a minute: so few that their texts, of 500,000 characters at most, fit into a Worker's memory. */
const BATCH = 50

/** Reads the links of articles that an earlier release saved, the newest first. Returns how many. */
export const readOldLinks = async ({ db, noteChange }: Pick<Deps, 'db' | 'noteChange'>): Promise<number> => {
  const isUnread = isNull(articles.linkedKeys)
  const rows = await db
    .select({ id: articles.id, content: articles.content })
    .from(articles)
    .where(isUnread)
    .orderBy(desc(articles.id))
    .limit(BATCH)
  if (rows.length === 0) return 0
  // A key of a page has no space.
  const read = rows.map(({ id, content }) => ({ id, keys: linkedKeys(readDocument(content)).join(' ') }))
  await sendBatch(
    db,
    {
      saved: db
        .update(articles)
        .set({ linkedKeys: sql`string_to_array(listed.keys, ' ')` })
        .from(listed({ id: articles.id, keys: articles.content }, read))
        .where(sql`${eq(articles.id, sql`listed.id`)} and ${isUnread}`),
    },
    { unaudited: 'the service’s own clock' },
  )
  if (rows.length === BATCH) await noteChange()
  return rows.length
}

/**
 * Returns a query for the `id`s of a project's orphans: live articles to which no other live article and no read page of the site links.
 *
 * It finds none while the links of one live article were not read. A relative link is one to the path, on whichever host the article is.
 */
export const orphansOf = (projectId: number | SQL): SQL => sql`
  with live as materialized (select id, linked_keys from articles where project_id = ${projectId}::int and ${statusAllows('sync')}),
  pages as materialized (select article_id, url_key, linked_keys from site_pages where project_id = ${projectId}::int),
  named as materialized (
    select article_id as id, url_key as key from pages where article_id is not null
    union all select article_id, regexp_replace(url_key, '^[^/?]*', '') from pages where article_id is not null),
  links as (select id, unnest(linked_keys) as key from live
    union all select coalesce(article_id, 0), unnest(linked_keys) from pages where linked_keys is not null),
  linking as materialized (select key, min(id) as first, max(id) as last from links group by key),
  linked as materialized (
    select distinct named.id from linking join named on named.key = linking.key where named.id <> first or named.id <> last)
  select id from live where exists (select 1 from named where named.id = live.id)
    and not exists (select 1 from linked where linked.id = live.id)
    and not exists (select 1 from live where linked_keys is null)`
