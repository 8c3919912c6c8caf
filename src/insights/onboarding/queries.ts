import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/client.ts'

/** Fields of a project that onboarding reads. */
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

/** Returns the project while it is being onboarded; no row otherwise. */
export const projectToOnboard = (db: Db, id: number) =>
  db.execute<OnboardedProject>(
    sql`select website_url, business_name, business_description, topics, language, keyword_region, target_audience, content_pillars,
        competitor_websites, banned_phrases, article_plan, publish_time, timezone
      from projects where id = ${id}::int and status = 'Active' and onboarding_state = 'running'`,
  )

type Planned = { title: string; main_keyword: string; slug: string; scheduled_at: string | null }

/** Returns the articles of the project, newest first. */
export const articlesOf = (db: Db, id: number) =>
  db.execute<Planned>(
    sql`select title, main_keyword, slug, to_char(scheduled_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as scheduled_at
      from articles where project_id = ${id}::int order by id desc limit 2000`,
  )

/** Selects those of the keywords (lower-case) that a page of the project has already. */
export const rankedAmong = (id: number, keywords: readonly string[]): SQL =>
  sql`select distinct lower(keyword) as keyword from site_pages
    where project_id = ${id}::int and lower(keyword) = any(${sql.param([...keywords])}::text[])`

/** Returns one row if the project has any article. */
export const articlesExist = (db: Db, id: number) =>
  db.execute<{ id: number }>(sql`select 1 as id from articles where project_id = ${id}::int and origin = 'own' limit 1`)
