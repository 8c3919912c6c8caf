import { sql } from 'drizzle-orm'
import type { Origin } from '../../../schema/values/adopted.ts'
import type { CareRule } from '../../../schema/values/care.ts'
import { orphansOf } from '../../content/articles/links.ts'
import { statusAllows } from '../../content/articles/parts.ts'
import type { Db } from '../../platform/db/client.ts'
import { type CaredArticle, CHECKS } from './rules.ts'

/** Most articles that a report looks at: the newest. */
const MOST = 10_000

/** Finding of a rule in the text of an article or in the last check of its page. */
export type TextFinding = { rule: CareRule; id: number; reason: string }

/** Selects the published articles of a project, newest first. */
export const caredArticles = (db: Db, projectId: number, origin: Origin | undefined) =>
  db.execute<CaredArticle>(sql`
    select live.*, post.format, post.owner, post.site from (
      select id, title, url, main_keyword as keyword, origin from articles
      where project_id = ${projectId}::int and ${statusAllows('sync')} and (${origin ?? null}::text is null or origin = ${origin ?? null}::text)
      order by id desc limit ${MOST}::int) live
    left join adopted_posts post on post.article_id = live.id order by live.id desc`)

/**
 * Selects what the reports, receipts and titles of published articles show. A text is thin if it has less than half the usual words.
 *
 * A year in a title is past if it is before last year: a text of last December is not old in January.
 */
export const textFindings = (db: Db, projectId: number, origin: Origin | undefined, year: number) =>
  db.execute<TextFinding>(sql`
    with live as (
      select id, title, meta_description, seo, receipt from articles
      where project_id = ${projectId}::int and ${statusAllows('sync')} and (${origin ?? null}::text is null or origin = ${origin ?? null}::text)
      order by id desc limit ${MOST}::int)
    select found.rule, live.id, found.reason from live cross join lateral (
      select ${JSON.stringify(CHECKS)}::jsonb ->> (failed ->> 'check') as rule, failed ->> 'message' as reason
        from jsonb_path_query(seo, '$.failed[*]') failed
        where failed ->> 'check' <> 'word_count' or failed ->> 'severity' = 'error'
      union all select 'no_description', 'The post has no meta description.' where meta_description = ''
      union all select 'broken_pictures', 'The page lacks a picture of the text, or one does not load.'
        where receipt ->> 'images_ok' = 'false' and receipt ->> 'http_status' = '200'
      union all select 'out_of_date', 'The title names the year ' || named.year || '.'
        from (select max(match[1])::int as year from regexp_matches(title, '(?:^|\\D)((?:19|20)\\d\\d)(?!\\d)', 'g') match) named
        where named.year < ${year - 1}::int) found
    where found.rule is not null order by live.id desc`)

/** Orphans of a project, newest first, and the number of other articles and of pages in which links were looked for. */
type Orphans = { ids: number[]; others: number; pages: number }

/** Selects the orphans of a project, in one row. */
export const orphansFound = (db: Db, projectId: number) =>
  db.execute<Orphans>(sql`
    select array(select id from (${orphansOf(projectId)}) orphan order by id desc) as ids,
      (select count(*) from articles where project_id = ${projectId}::int and ${statusAllows('sync')})::int - 1 as others,
      (select count(*) from site_pages where project_id = ${projectId}::int and article_id is null and linked_keys is not null)::int as pages`)

/** Returns the findings of `orphansFound`: none without another article or page. */
export const orphanFindings = ([found]: readonly Orphans[]): TextFinding[] =>
  !found || found.others + found.pages === 0
    ? []
    : found.ids.map((id) => ({
        rule: 'orphan',
        id,
        reason: `No link leads to it from the ${found.others} other published articles, nor from the ${found.pages} other pages of the site that were read.`,
      }))
