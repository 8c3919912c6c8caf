import { type SQL, sql } from 'drizzle-orm'
import { auditCte } from '../db/effects.ts'
import type { Ctx } from '../runtime/ctx.ts'
import type { ScanProgress } from './progress.ts'
import type { KnownPage } from './rules.ts'

const at = (instant: Date) => sql`${instant.toISOString()}::timestamptz`

/** What a scan needs to know of its project. */
export type ScannedProject = {
  website_url: string
  website_key: string
  sitemap_url: string
  blog_root_url: string
  business_name: string
  business_description: string
  language: string
}

/** Marks a project's scan as running and hands the project over; no row when there is nothing (more) to scan. */
export const takeScan = (projectId: number): SQL =>
  sql`update projects set site_scan_state = 'running' where id = ${projectId}::int and status = 'Active' and site_scan_state in ('pending', 'running')
    returning website_url, website_key, sitemap_url, blog_root_url, business_name, business_description, language`

/** A CTE that makes `progress` the scan's next run. No row when another run of the scan was faster. */
const advanced = (progress: ScanProgress, turn: number, runAt: Date): SQL =>
  sql`advanced as (update outbox set payload = ${JSON.stringify(progress)}::jsonb, run_at = ${at(runAt)}, offered_at = null
      where key = ${`scan:${progress.project_id}`} and done_at is null and dead_at is null and coalesce((payload ->> 'turn')::int, 0) = ${turn}::int
      returning id)`

/** Writes how far a scan is, and nothing else. */
export const advanceScan = (progress: ScanProgress, turn: number, runAt: Date): SQL =>
  sql`with ${advanced(progress, turn, runAt)} select id from advanced`

/** Settings the site itself tells. */
export type SiteFacts = Partial<{
  business_name: string
  business_description: string
  language: string
  sitemap_url: string
  blog_root_url: string
}>

const DEFAULT_LANGUAGE = 'English (US)'

/**
 * A CTE that fills settings which are empty and which no caller ever sent, as the audit log has it; the language has a default
 * instead of being empty.
 */
const filled = (projectId: number, facts: SiteFacts, more: SQL[] = []): SQL => {
  const sets = Object.entries(facts)
    .filter(([, value]) => value !== '' && value !== undefined)
    .map(([name, value]) => {
      const column = sql.raw(name)
      const blank = name === 'language' ? sql`p.${column} = ${DEFAULT_LANGUAGE}` : sql`p.${column} = ''`
      return sql`${column} = case when ${blank} and not (sent.fields @> jsonb_build_array(${name}::text)) then ${value}::text else p.${column} end`
    })
  return sql`sent as materialized (select coalesce(jsonb_agg(distinct field), '[]') as fields
      from audit_log l, jsonb_array_elements(case when jsonb_typeof(l.detail -> 'fields') = 'array' then l.detail -> 'fields' else '[]' end) as field
      where l.subject = ${`project:${projectId}`} and l.action in ('project.create', 'project.update')),
    filled as (update projects p set ${sql.join([...sets, ...more, sql`site_scan_error = null`], sql`, `)}
      from sent where p.id = ${projectId}::int and p.site_scan_state = 'running' returning p.id, p.account_id)`
}

/** The home page as it was read. */
export type HomePage = KnownPage & { description: string }

/** Fills what the home page told, keeps the page itself and goes on. */
export const fillFromHome = (
  progress: ScanProgress,
  turn: number,
  runAt: Date,
  facts: SiteFacts,
  home: HomePage,
  now: Date,
): SQL =>
  sql`with ${filled(progress.project_id, facts)}, ${advanced(progress, turn, runAt)},
    home as (insert into site_pages (project_id, url, url_key, title, keyword, meta_description, read_at, created_at, updated_at)
      select filled.id, ${home.url}::text, ${home.key}::text, ${home.title}::text, ${home.keyword}::text, ${home.description}::text, ${at(now)}, ${at(now)}, ${at(now)}
      from filled
      on conflict (project_id, url_key) do update set title = excluded.title, meta_description = excluded.meta_description, read_at = excluded.read_at,
        updated_at = excluded.updated_at where site_pages.article_id is null
      returning id)
    select id from advanced`

/** Adds pages of a site that are not known yet, at most 5,000 at once, in the order of their keys. */
export const addPages = (projectId: number, pages: readonly KnownPage[], now: Date): SQL => {
  const column = (pick: (page: KnownPage) => string) => sql`${sql.param(pages.map(pick))}::text[]`
  return sql`insert into site_pages (project_id, url, url_key, title, keyword, created_at, updated_at)
    select p.id, page.url, page.key, page.title, page.keyword, ${at(now)}, ${at(now)}
    from projects p, unnest(${column((x) => x.url)}, ${column((x) => x.key)}, ${column((x) => x.title)}, ${column((x) => x.keyword)}) as page (url, key, title, keyword)
    where p.id = ${projectId}::int order by page.key on conflict (project_id, url_key) do nothing returning id`
}

/** What reading a page gave. */
export type ReadPage = { id: number; title: string; description: string }

/** Keeps what reading pages gave, drops those that turned out to be none, and goes on. */
export const saveReadPages = (
  progress: ScanProgress,
  turn: number,
  runAt: Date,
  read: readonly ReadPage[],
  gone: readonly number[],
  now: Date,
): SQL => {
  const texts = (pick: (page: ReadPage) => string) => sql`${sql.param(read.map(pick))}::text[]`
  return sql`with ${advanced(progress, turn, runAt)},
    read as (update site_pages s set title = case when page.title = '' then s.title else page.title end, meta_description = page.description,
        read_at = ${at(now)}, updated_at = ${at(now)}
      from unnest(${sql.param(read.map((page) => page.id))}::int[], ${texts((p) => p.title)}, ${texts((p) => p.description)}) as page (id, title, description)
      where s.id = page.id and s.article_id is null and exists (select 1 from advanced) returning s.id),
    gone as (delete from site_pages where id = any(${sql.param([...gone])}::int[]) and article_id is null and exists (select 1 from advanced) returning id)
    select id from advanced`
}

/** Ends a scan that found its site. */
export const completeScan = (ctx: Ctx, projectId: number, facts: SiteFacts, topics: string): SQL => {
  const more = [sql`topics = ${topics}::text, site_scan_state = 'completed', site_scanned_at = ${at(ctx.now())}`]
  return sql`with ${filled(projectId, facts, more)}
    ${auditCte(ctx, sql`filled`, sql`filled.account_id`, 'project.scan', sql`'project:' || filled.id`)}
    select id from filled`
}

/** Ends a scan that did not, with the reason. */
export const failScan = (ctx: Ctx, projectId: number, error: string): SQL =>
  sql`with failed as (update projects set site_scan_state = 'failed', site_scan_error = ${error}::text, site_scanned_at = ${at(ctx.now())}
      where id = ${projectId}::int and site_scan_state in ('pending', 'running') returning id, account_id)
    ${auditCte(ctx, sql`failed`, sql`failed.account_id`, 'project.scan_failed', sql`'project:' || failed.id`)}
    select id from failed`
