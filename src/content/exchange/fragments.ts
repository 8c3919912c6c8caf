import { type SQL, sql } from 'drizzle-orm'
import { CAPPED_PLANS, monthStart } from './rules.ts'

/** Returns a project that takes part, as the partial indexes of `projects` say it. */
export const participates = (project: string): SQL =>
  sql.raw(`${project}.status = 'Active' and ${project}.backlinks_network`)

/**
 * SQL condition: a project that takes part has a site that others may be sent to. Its last scan found the site, and its owner
 * is proved.
 *
 * The proof is a connected CMS, Search Console, or an article that was seen live there.
 */
export const isOffered = (project: string): SQL => {
  const column = (name: string) => sql.raw(`${project}.${name}`)
  return sql`(${column('site_read_at')} is not null and (${column('owner_shown_at')} is not null
    or exists (select 1 from integrations i where i.project_id = ${column('id')} and i.status = 'Active' and i.platform <> 'webhook')
    or exists (select 1 from search_connections s where s.project_id = ${column('id')} and s.source_id is not null and s.failure is null)))`
}

/** Returns the host of a site's key in SQL. */
const hostOf = (siteKey: SQL): SQL => sql`split_part(split_part(${siteKey}, '/', 1), ':', 1)`

/** True if a list of competitors names the host of a site, or a domain above it. */
const isNamed = (competitors: SQL, siteKey: SQL): SQL =>
  sql`exists (select 1 from unnest(${competitors}) as named(domain)
    where ${hostOf(siteKey)} = named.domain or right(${hostOf(siteKey)}, length(named.domain) + 1) = '.' || named.domain)`

/** True if one of two projects names the other as a competitor. `project` and `other` are aliases. */
export const areCompetitors = (project: string, other: string): SQL => {
  const column = (alias: string, name: string) => sql.raw(`${alias}.${name}`)
  return sql`(${isNamed(column(project, 'competitor_websites'), column(other, 'website_key'))}
    or ${isNamed(column(other, 'competitor_websites'), column(project, 'website_key'))})`
}

/** True if a project has a credit left for a link from an article, or one was set aside for it. */
export const canPay = (project: string, articleId: SQL): SQL =>
  sql`(${sql.raw(project)}.backlink_credits >= 1 or exists (select 1 from exchange_commitments m
    where m.article_id = ${articleId} and m.to_project_id = ${sql.raw(project)}.id and m.reserved))`

/** Returns links a project received since the calendar month (UTC) began that count still. */
export const receivedThisMonth = (projectId: SQL, now: Date): SQL =>
  sql`(select count(*) from exchange_links r where r.to_project_id = ${projectId}
    and r.created_at >= ${monthStart(now).toISOString()}::timestamptz and r.status in ('Scheduled', 'Verified'))`

/** Returns the month's limit of a plan; null when it has none. */
export const capOf = (plan: SQL): SQL =>
  CAPPED_PLANS.length === 0
    ? sql`null::bigint`
    : sql`case ${plan} ${sql.join(
        CAPPED_PLANS.map(([name, cap]) => sql.raw(`when '${name}' then ${cap}`)),
        sql` `,
      )} end::bigint`

/** True if a receiver's links of the month are used up. `account` and `project` are aliases. */
export const isFull = (account: string, project: string, now: Date): SQL => {
  const cap = capOf(sql.raw(`${account}.plan`))
  return sql`(${cap} is not null and ${receivedThisMonth(sql.raw(`${project}.id`), now)} >= ${cap})`
}
