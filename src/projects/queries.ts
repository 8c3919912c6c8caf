import { and, desc, eq, getTableColumns, lt, type SQL, sql } from 'drizzle-orm'
import { projects } from '../../schema/projects.ts'
import { includedCredits } from '../accounts/credits.ts'
import type { Db } from '../db/client.ts'
import { auditCte } from '../db/effects.ts'
import type { Paging } from '../lib/paging.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { SETTINGS } from './settings.ts'

// What is only searched for is never read.
const { topicVector: _, ...columns } = getTableColumns(projects)

/** The caller's active projects, newest first, one more than the page shows. */
export const listActive = (db: Db, owner: SQL, paging: Paging) =>
  db
    .select(columns)
    .from(projects)
    .where(
      and(
        eq(projects.accountId, owner),
        eq(projects.status, 'Active'),
        paging.beforeId === undefined ? undefined : lt(projects.id, paging.beforeId),
      ),
    )
    .orderBy(desc(projects.id))
    .limit(paging.limit + 1)
    .offset(paging.offset)

/** A project by id whoever owns it, with `mine`: absent and someone else's must be told apart. */
export const projectById = (db: Db, owner: SQL, id: number) =>
  db
    .select({ project: columns, mine: sql<boolean>`coalesce(${projects.accountId} = ${owner}, false)` })
    .from(projects)
    .where(eq(projects.id, id))

export const activeByWebsite = (db: Db, owner: SQL, websiteKey: string) =>
  db
    .select({ id: projects.id, websiteUrl: projects.websiteUrl })
    .from(projects)
    .where(and(eq(projects.accountId, owner), eq(projects.websiteKey, websiteKey), eq(projects.status, 'Active')))

export const nextProjectId = (db: Db) => db.execute<{ id: string }>(sql`select nextval('projects_id_seq') as id`)

export const slotUse = (db: Db, owner: SQL) =>
  db.execute<{ used: number; total: number }>(
    sql`select active_projects as used, project_slots as total from accounts where id = ${owner}`,
  )

const stored = (value: unknown): SQL => {
  if (Array.isArray(value)) return sql`${sql.param(value)}::text[]`
  return sql`${value}`
}

/** Stored columns and values of settings: plain columns as they are, merged ones gathered into one jsonb patch each. */
const assignments = (settings: Record<string, unknown>) => {
  const columns: [string, SQL][] = []
  const patches = new Map<string, Record<string, unknown>>()
  for (const [name, value] of Object.entries(settings)) {
    const place = SETTINGS[name]?.place
    if (!place) continue
    if ('merged' in place) patches.set(place.merged, { ...patches.get(place.merged), [name]: value })
    else columns.push([place.column, stored(value)])
  }
  return { columns, patches: [...patches].map(([column, patch]) => [column, JSON.stringify(patch)] as const) }
}

/** How the scan of a new project's site begins; `failed` with the reason where it cannot. */
export type Scanning = { state: 'pending' | 'failed'; error: string | null }

export type NewProject = {
  id: number
  websiteUrl: string
  websiteKey: string
  settings: Record<string, unknown>
  scanning: Scanning
}

/** The outbox row of the site's scan. */
const scanRow = (accountId: number, scanning: Scanning, now: Date): SQL =>
  scanning.state === 'failed'
    ? sql``
    : sql`, scanned as (insert into outbox (account_id, job, key, payload, run_at)
      select ${accountId}::int, 'research.scan', 'scan:' || made.id, jsonb_build_object('project_id', made.id), ${now.toISOString()}::timestamptz
      from made returning id)`

/**
 * Takes a slot, grants the plan's article credits, creates the project and asks for its site's scan in one statement; no row when every slot is taken. A second project for the same
 * site violates `projects_active_website_unique` and undoes the whole statement.
 */
export const insertProject = (
  ctx: Ctx,
  accountId: number,
  project: NewProject,
  answer: (used: number) => unknown,
  used: number,
): SQL => {
  const { columns, patches } = assignments(project.settings)
  const names = [
    'id',
    'account_id',
    'website_url',
    'website_key',
    'site_scan_state',
    'site_scan_error',
    ...columns.map(([c]) => c),
    ...patches.map(([c]) => c),
  ]
  const values: SQL[] = [
    sql`${project.id}::int`,
    sql`slot.id`,
    sql`${project.websiteUrl}`,
    sql`${project.websiteKey}`,
    sql`${project.scanning.state}::text`,
    sql`${project.scanning.error}::text`,
    ...columns.map(([name, value]) =>
      INTEGER_COLUMNS.has(name) ? sql`${value}::int` : BOOLEAN_COLUMNS.has(name) ? sql`${value}::boolean` : value,
    ),
    ...patches.map(([, patch]) => sql`${patch}::jsonb`),
  ]
  return sql`with slot as (
      update accounts set active_projects = active_projects + 1, article_credits = article_credits + ${includedCredits(sql`plan`)}
      where id = ${accountId}::int and active_projects < project_slots returning id, active_projects, project_slots),
    made as (insert into projects (${sql.raw(names.join(', '))}) select ${sql.join(values, sql`, `)} from slot returning id)
    ${auditCte(ctx, sql`made`, sql`${accountId}::int`, 'project.create', sql`'project:' || made.id`, { fields: Object.keys(project.settings) })}
    ${scanRow(accountId, project.scanning, ctx.now())}
    ${ctx.record(sql`made`, 201, answer(used))}
    select slot.active_projects as used, slot.project_slots as total from slot, made`
}

const INTEGER_COLUMNS = new Set(['internal_links_per_article'])
const BOOLEAN_COLUMNS = new Set(['videos_enabled', 'backlinks_network', 'weekly_suggestions'])

/** Writes only the given settings; merged ones keep their other keys. No row when the project is not the account's. */
export const updateSettings = (ctx: Ctx, accountId: number, id: number, settings: Record<string, unknown>): SQL => {
  const { columns, patches } = assignments(settings)
  const sets = [
    ...columns.map(([column, value]) => sql`${sql.raw(column)} = ${value}`),
    ...patches.map(([column, patch]) => sql`${sql.raw(column)} = ${sql.raw(column)} || ${patch}::jsonb`),
    sql`updated_at = ${ctx.now().toISOString()}::timestamptz`,
  ]
  return sql`with changed as (
      update projects set ${sql.join(sets, sql`, `)} where id = ${id} and account_id = ${accountId} returning id)
    ${auditCte(ctx, sql`changed`, sql`${accountId}::int`, 'project.update', sql`'project:' || changed.id`, { fields: Object.keys(settings) })}
    select id from changed`
}

/** Sets the article plan. No row when the project is not the account's. */
export const setArticlePlan = (ctx: Ctx, accountId: number, id: number, plan: number, answer: unknown): SQL =>
  sql`with changed as (
      update projects set article_plan = ${plan}::int, updated_at = ${ctx.now().toISOString()}::timestamptz
      where id = ${id}::int and account_id = ${accountId}::int returning id)
    ${auditCte(ctx, sql`changed`, sql`${accountId}::int`, 'project.article_plan', sql`'project:' || changed.id`, { plan })}
    ${ctx.record(sql`changed`, 200, answer)}
    select id from changed`

/** One row when the project has any article. */
export const articlesExist = (db: Db, id: number) =>
  db.execute<{ id: number }>(sql`select 1 as id from articles where project_id = ${id}::int limit 1`)

/** Sets onboarding going with its job. No row when it is running, the project has articles, or its site is being scanned. */
export const startOnboarding = (ctx: Ctx, accountId: number, id: number, answer: unknown): SQL => {
  const now = sql`${ctx.now().toISOString()}::timestamptz`
  return sql`with started as (
      update projects set onboarding_state = 'running', onboarding_error = null, updated_at = ${now}
      where id = ${id}::int and account_id = ${accountId}::int and status = 'Active' and onboarding_state <> 'running'
        and site_scan_state in ('completed', 'failed') and not exists (select 1 from articles where project_id = ${id}::int)
      returning id),
    woken as (insert into outbox (account_id, job, key, payload, run_at)
      select ${accountId}::int, 'research.onboard', 'onboard:' || started.id, jsonb_build_object('project_id', started.id), ${now} from started
      on conflict (key) where done_at is null and dead_at is null do update set run_at = excluded.run_at, offered_at = null returning id)
    ${auditCte(ctx, sql`started`, sql`${accountId}::int`, 'project.onboarding', sql`'project:' || started.id`)}
    ${ctx.record(sql`started`, 202, answer)}
    select id from started`
}
