import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/client.ts'
import { SALT_FACTOR } from './sketch.ts'

/** Content to query about. Undefined means the stored content, whose sketch is in the database. */
export type Asked = { bands: readonly number[]; linkedKeys: readonly string[] } | undefined

type Row = {
  project_id: number
  website_key: string
  language: string
  internal_links: number
  table_of_contents: boolean
  duplicate_protection: boolean
  banned_phrases: string[]
  competitors: string[]
  exchange_sites: string[]
  /** Null if the site's pages are not known, or if no content was given. */
  known_pages: string[] | null
  similar: { id: number; title: string; sketch: number[] }[] | null
}

/** Returns an article-quality setting as SQL. A missing setting has its default. */
const flag = (name: string, fallback: boolean): SQL =>
  sql`coalesce((p.article_quality_settings->>${sql.raw(`'${name}'`)})::boolean, ${sql.raw(String(fallback))})`

/**
 * Selects the linked pages that exist; null before the site was scanned. A key without a host is of the project's own site.
 *
 * The smallest key shows whether there are pages at all. With `exists` the planner might not use the index.
 */
const knownPages = (keys: readonly string[]): SQL =>
  sql`case when p.site_scanned_at is not null and (select url_key from site_pages where project_id = p.id order by url_key limit 1) is not null then array(
    select url_key from site_pages where project_id = p.id and url_key = any (array(
      select case when k = '' or k like '/%' or k like '?%' then split_part(p.website_key, '/', 1) || k else k end from unnest(${sql.param(keys)}::text[]) k))) end`

const salted = (bands: readonly number[], project: SQL): SQL =>
  sql`array(select band # (((${project})::bigint * ${sql.raw(String(SALT_FACTOR))} + 2147483648) % 4294967296 - 2147483648)::int
    from unnest(${sql.param(bands)}::int[]) band)`

const SIMILAR = sql.raw('8')

/**
 * Selects a project's SEO settings, the article's partners, the linked pages that exist, and similar articles of the project.
 *
 * `project` is an SQL expression for its id. `articleId` is absent for a new article.
 */
export const surroundingsOf = (db: Db, project: SQL, articleId: number | undefined, asked: Asked) => {
  const own = sql`${articleId ?? null}::int`
  const sketch = asked ? salted(asked.bands, project) : sql`(select content_sketch from articles where id = ${own})`
  // `near` uses only the index of the sketches. With the project or a limit inside, the planner does not use that index.
  return db.execute<Row>(sql`with near as materialized (select id, project_id, title, content_sketch from articles where content_sketch && (${sketch}))
    select p.id as project_id, p.website_key, p.language, p.internal_links_per_article as internal_links,
      ${flag('table_of_contents', false)} as table_of_contents, ${flag('duplicate_content_protection', true)} as duplicate_protection,
      p.banned_phrases, p.competitor_websites as competitors,
      array(select partner.website_key from exchange_commitments c join projects partner on partner.id = c.to_project_id
        where c.article_id = ${own} and partner.site_read_at is not null order by c.id) as exchange_sites,
      ${asked ? knownPages(asked.linkedKeys) : sql`null::text[]`} as known_pages,
      (select jsonb_agg(jsonb_build_object('id', s.id, 'title', s.title, 'sketch', s.content_sketch))
        from (select id, title, content_sketch from near where near.project_id = p.id and id is distinct from ${own} limit ${SIMILAR}) s) as similar
    from projects p where p.id = (${project})`)
}

/** Result of `surroundingsOf`, one row. */
export type Surroundings = Awaited<ReturnType<typeof surroundingsOf>>
