import { type SQL, sql } from 'drizzle-orm'
import { literals } from '../../../../schema/columns.ts'
import type { IndexFacts, IndexState } from '../../../../schema/values/indexing.ts'
import { orphansOf } from '../../../content/articles/links.ts'
import { statusAllows } from '../../../content/articles/parts.ts'
import type { Db } from '../../../platform/db/client.ts'

/** A live article that Google does not list, with what our own checks found in it and on its page. */
export type Unlisted = {
  id: number
  title: string
  url: string
  state: IndexState
  facts: IndexFacts
  looked_at: string
  /** Days since publication. */
  days: number
  http_status: number | null
  noindex: boolean
  /** Canonical address that the page names, or that the article was given. */
  canonical: string | null
  thin: boolean
  /** Title of a live article with nearly the same text. */
  like: string | null
  orphan: boolean
}

/** States in which a link from another page could help. */
const UNSEEN: readonly IndexState[] = ['crawled', 'discovered', 'unknown']

/** Query for no orphans, for callers that read them anyway and add them by `withOrphans`. */
export const NO_ORPHANS = sql`select null::int as id where false`

/** Returns articles with `orphan` by the ids of the project's orphans. */
export const withOrphans = (rows: readonly Unlisted[], ids: ReadonlySet<number>): Unlisted[] =>
  rows.map((row) => ({ ...row, orphan: UNSEEN.includes(row.state) && ids.has(row.id) }))

/** Selects the live articles of a project that Google does not list, the newest first. `orphans`: query for the ids of its orphans. */
export const unlistedArticles = (db: Db, projectId: number, limit: number, orphans: SQL = orphansOf(projectId)) =>
  db.execute<Unlisted>(sql`
    with found as materialized (
      select a.*, i.state, i.facts, i.looked_at from index_states i join articles a on a.id = i.article_id and a.url = i.url
      where i.project_id = ${projectId}::int and ${statusAllows('sync', 'a')} and i.state not in ('indexed', 'not_measured')
      order by a.published_at desc, a.id desc limit ${limit}::int),
    orphans as materialized (${orphans})
    select f.id, f.title, f.url, f.state, f.facts, to_char(f.looked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as looked_at,
      floor(extract(epoch from now() - f.published_at) / 86400)::int as days,
      (f.receipt ->> 'http_status')::int as http_status,
      coalesce(f.receipt ->> 'http_status' = '200' and f.receipt ->> 'indexable' = 'false', false) as noindex,
      coalesce(nullif(f.canonical_url, ''), f.receipt ->> 'canonical') as canonical,
      coalesce(jsonb_path_exists(f.seo, '$.failed[*] ? (@.check == "word_count" && @.severity == "error")'), false) as thin,
      (select o.title from articles o where o.content_sketch && f.content_sketch and o.project_id = f.project_id and o.id <> f.id
        and ${statusAllows('sync', 'o')} order by o.id limit 1) as "like",
      f.state in ${literals(UNSEEN)} and f.id in (select id from orphans) as orphan
    from found f order by f.published_at desc, f.id desc`)
