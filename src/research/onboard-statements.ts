import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { auditCte } from '../db/effects.ts'
import type { Ctx } from '../runtime/ctx.ts'
import type { FoundKeyword } from './port.ts'

const at = (instant: Date) => sql`${instant.toISOString()}::timestamptz`

/** What onboarding needs to know of its project. */
export type OnboardedProject = {
  website_url: string
  business_name: string
  business_description: string
  topics: string
  language: string
  keyword_region: string
  target_audience: string[]
  content_pillars: string[]
  competitor_websites: string[]
  banned_phrases: string[]
  article_plan: number | null
  publish_time: string
  timezone: string
}

/** The project while it is being onboarded; no row otherwise. */
export const projectToOnboard = (db: Db, id: number) =>
  db.execute<OnboardedProject>(
    sql`select website_url, business_name, business_description, topics, language, keyword_region, target_audience, content_pillars,
        competitor_websites, banned_phrases, article_plan, publish_time, timezone
      from projects where id = ${id}::int and status = 'Active' and onboarding_state = 'running'`,
  )

type Planned = { title: string; main_keyword: string; slug: string; scheduled_at: string | null }

/** Articles the project has got meanwhile. */
export const articlesOf = (db: Db, id: number) =>
  db.execute<Planned>(
    sql`select title, main_keyword, slug, to_char(scheduled_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as scheduled_at
      from articles where project_id = ${id}::int order by id desc limit 2000`,
  )

/** Which of these keywords (lower-case) a page of the project already has. */
export const rankedAmong = (id: number, keywords: readonly string[]): SQL =>
  sql`select distinct lower(keyword) as keyword from site_pages
    where project_id = ${id}::int and lower(keyword) = any(${sql.param([...keywords])}::text[])`

/** One article of a month plan. */
export type PlannedArticle = { title: string; keyword: string; slug: string; style: string; scheduledAt: Date }

/** What the plan was made for: when one of it was changed meanwhile, the plan is made anew. */
type Seen = Pick<OnboardedProject, 'article_plan' | 'publish_time' | 'timezone'>

const columns = (rows: readonly PlannedArticle[], pick: (row: PlannedArticle) => string, type: string): SQL =>
  sql`${sql.param(rows.map(pick))}::${sql.raw(type)}[]`

const insertedArticles = (articles: readonly PlannedArticle[], now: Date): SQL =>
  sql`insert into articles (account_id, project_id, status, title, main_keyword, slug, article_style, scheduled_at, created_at, updated_at)
    select p.account_id, p.id, 'Planned', a.title, a.keyword, a.slug, a.style, a.scheduled_at, ${at(now)}, ${at(now)}
    from p, unnest(${columns(articles, (a) => a.title, 'text')}, ${columns(articles, (a) => a.keyword, 'text')}, ${columns(articles, (a) => a.slug, 'text')},
      ${columns(articles, (a) => a.style, 'text')}, ${columns(articles, (a) => a.scheduledAt.toISOString(), 'timestamptz')})
      with ordinality as a (title, keyword, slug, style, scheduled_at, n)
    order by a.n returning id`

const insertedKeywords = (found: readonly FoundKeyword[], now: Date): SQL =>
  sql`insert into project_keywords (project_id, keyword, search_volume, keyword_difficulty, source, created_at)
    select p.id, k.keyword, k.volume, k.difficulty, k.source, ${at(now)}
    from p, unnest(${sql.param(found.map((k) => k.keyword))}::text[], ${sql.param(found.map((k) => k.searchVolume))}::int[],
      ${sql.param(found.map((k) => k.difficulty))}::float8[], ${sql.param(found.map((k) => k.source))}::text[])
      with ordinality as k (keyword, volume, difficulty, source, n)
    order by k.n on conflict do nothing returning id`

/**
 * Plans the month and ends onboarding in one statement, under a lock on the project, so that two runs never both plan. No row:
 * it is no longer being onboarded, or its plan, time or zone was changed. A slug taken meanwhile violates
 * `articles_slug_unique` and undoes it all.
 */
export const planMonth = (
  ctx: Ctx,
  id: number,
  seen: Seen,
  articlesPerMonth: number,
  found: readonly FoundKeyword[],
  articles: readonly PlannedArticle[],
): SQL => {
  const now = ctx.now()
  const detail = { articles: articles.length, keywords: found.length }
  // Article inserts of others need the project's key only, so they do not wait for this lock.
  return sql`with p as materialized (select id, account_id from projects
      where id = ${id}::int and status = 'Active' and onboarding_state = 'running' and article_plan is not distinct from ${seen.article_plan}::int
        and publish_time = ${seen.publish_time} and timezone = ${seen.timezone} for no key update),
    kept as (${insertedKeywords(found, now)}),
    made as (${insertedArticles(articles, now)}),
    finished as (update projects set onboarding_state = 'completed', onboarding_error = null, article_plan = ${articlesPerMonth}::int,
        updated_at = ${at(now)}
      where id in (select id from p) returning id, account_id)
    ${auditCte(ctx, sql`finished`, sql`finished.account_id`, 'project.onboarded', sql`'project:' || finished.id`, detail)}
    select id from finished`
}

/** Ends onboarding without a plan; the reason says what to do, and it can be started again. */
export const failOnboarding = (ctx: Ctx, id: number, error: string): SQL =>
  sql`with failed as (update projects set onboarding_state = 'not_started', onboarding_error = ${error}::text, updated_at = ${at(ctx.now())}
      where id = ${id}::int and onboarding_state = 'running' returning id, account_id)
    ${auditCte(ctx, sql`failed`, sql`failed.account_id`, 'project.onboarding_failed', sql`'project:' || failed.id`)}
    select id from failed`
