import { and, isNull, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { literals } from '../../../schema/columns.ts'
import type { PublishState } from '../../../schema/values/articles.ts'
import type { DeliveryStatus } from '../../../schema/values/publishing.ts'
import type { PostStatus, SocialPlatform } from '../../../schema/values/social.ts'
import type { Status } from '../../content/articles/transitions.ts'
import {
  type Instead,
  type Reach,
  reachOf,
  type Unreached,
  unreachedOf,
  withTurns,
} from '../../content/articles/turns.ts'
import { type Db, rowsOf } from '../../platform/db/client.ts'
import { at } from '../../platform/db/instant.ts'
import { newestRows, ownedBy } from '../../platform/db/paging.ts'
import { NEEDS_SOMEBODY, onlySite, READY } from '../queries.ts'

/** Article, as lists on pages show it. */
export type Listed = {
  id: number
  project_id: number
  title: string
  keyword: string
  status: Status
  publish_state: PublishState
  publish_error: string | null
  generation_error: string | null
  scheduled_at: string | null
  published_at: string | null
  updated_at: string
  url: string | null
  claimed: boolean
  written: boolean
  revision: number
  being_written: boolean
  unfit: boolean
  characters: number
  /** First part of its content. */
  beginning: string
}

const WRITING = literals(['Generating'] satisfies Status[])
const PUBLISHED = literals(['Published'] satisfies Status[])

const text = (column: SQL) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const LISTED = sql`a.id, a.revision, a.project_id, a.title, a.main_keyword as keyword, a.status, a.publish_state, a.publish_error,
  a.generation_error, ${text(sql`a.scheduled_at`)} as scheduled_at, ${text(sql`a.published_at`)} as published_at,
  ${text(sql`a.updated_at`)} as updated_at, a.url, a.claimed_at is not null as claimed, a.written_at is not null as written,
  (a.status in ${WRITING} or a.writing_started_at is not null) as being_written,
  (a.written_at is not null and a.claimed_at is null and a.generation_error is not null) as unfit,
  length(a.content) as characters, left(a.content, 400) as beginning`

/** Facts of a project and its account that decide what happens on the date of an article. */
export type PlanConditions = {
  has_target: boolean
  target_name: string | null
  target_error: string | null
  publishing_status: 'Publish Immediately' | 'Save as Drafts' | 'Send as Drafts'
  articles_per_month: number | null
  publish_time: string
  /** Credits for articles that the service writes, and how far they reach in the order of dates. */
  reach: Reach
  /** Its first dated articles for which no credit is left. */
  unreached: Unreached[]
  /** Time of reading. */
  now: Date
}

/** Returns the condition that an article belongs to the account and the project. Null: any project of the account. */
const owned = (account: number, project: number | null) =>
  project === null
    ? sql`a.account_id = ${account}::int`
    : sql`a.account_id = ${account}::int and a.project_id = ${project}::int`

type ConditionsRow = Omit<PlanConditions, 'now'>

/** Selects the plan conditions of sites `p`. `where` may name them. */
const conditionsOf = (account: number, now: Date, where: SQL, instead: Instead = {}): SQL => sql`
  ${withTurns(sql`${account}::int`, now, instead)}
  select p.id, i.id is not null as has_target, i.name as target_name, i.last_error as target_error,
    p.publishing_status, p.article_plan as articles_per_month, p.publish_time, ${reachOf(sql`p.id`, now)} as reach,
    ${unreachedOf(sql`p.id`)} as unreached
  from projects p left join integrations i on i.project_id = p.id and i.status = 'Active'
  where p.account_id = ${account}::int and ${where}`

/** Returns the plan conditions of an account's active sites, by site id. `only` limits them to one site. */
export const readAllConditions = async (
  db: Db,
  account: number,
  only: number | null,
  now: Date,
): Promise<Map<number, PlanConditions>> => {
  const rows = await rowsOf<ConditionsRow & { id: number }>(
    db,
    conditionsOf(account, now, sql`p.status = 'Active' ${onlySite(only)}`),
  )
  return new Map(rows.map((row) => [row.id, { ...row, now }]))
}

/** Returns the plan conditions of a site; undefined for a site of another account. `instead`: dates to suppose. */
export const readConditions = async (
  db: Db,
  account: number,
  project: number,
  now: Date,
  instead: Instead = {},
): Promise<PlanConditions | undefined> => {
  const [row] = await rowsOf<ConditionsRow>(
    db,
    sql`${conditionsOf(account, now, sql`p.id = ${project}::int`, instead)} limit 1`,
  )
  return row && { ...row, now }
}

/** Returns the articles of a site whose publication failed or has an unknown outcome, the newest first. */
export const readFailedArticles = (db: Db, account: number, project: number): Promise<Listed[]> =>
  rowsOf<Listed>(
    db,
    sql`select ${LISTED} from articles a where ${owned(account, project)} and a.publish_state in ${NEEDS_SOMEBODY}
      order by a.updated_at desc limit 20`,
  )

/** Dates to read, of a site or of all sites of an account (`project` is null). `most` limits the rows. */
type Span = { account: number; project: number | null; from: Date; until: Date; most: number }

/** Returns the articles with a date in a span, the earliest first. */
export const readScheduled = (db: Db, { account, project, from, until, most }: Span): Promise<Listed[]> =>
  rowsOf<Listed>(
    db,
    sql`select ${LISTED} from articles a where ${owned(account, project)} and a.scheduled_at >= ${at(from)}
      and a.scheduled_at < ${at(until)} order by a.scheduled_at, a.id limit ${most}::int`,
  )

/** Article with its time in the calendar: that of its publication, else its planned date. */
export type Placed = Listed & { at: string }

/**
 * Returns the articles of a calendar in a span, the earliest first.
 *
 * A published article is at the time of its publication, any other article at its date.
 */
export const readPlaced = (db: Db, { account, project, from, until, most }: Span): Promise<Placed[]> => {
  const part = (column: SQL, where: SQL) =>
    sql`(select ${LISTED}, ${text(column)} as at from articles a where ${owned(account, project)} and ${where}
      and ${column} >= ${at(from)} and ${column} < ${at(until)} order by ${column}, a.id limit ${most}::int)`
  return rowsOf<Placed>(
    db,
    sql`${part(sql`a.published_at`, sql`a.status in ${PUBLISHED}`)} union all
      ${part(sql`a.scheduled_at`, sql`a.status not in ${PUBLISHED}`)} order by at, id limit ${most}::int`,
  )
}

/** Returns the dates of a site's articles from a time on. */
export const readDatesFrom = (db: Db, account: number, project: number, from: Date) =>
  rowsOf<{ id: number; scheduled_at: string }>(
    db,
    sql`select a.id, ${text(sql`a.scheduled_at`)} as scheduled_at from articles a where ${owned(account, project)}
      and a.scheduled_at >= ${at(from)} order by a.scheduled_at limit 2000`,
  )

/** Returns the published articles of a site that changed last, the newest first. */
export const readChanged = (db: Db, account: number, project: number): Promise<Listed[]> =>
  rowsOf<Listed>(
    db,
    sql`select ${LISTED} from articles a where ${owned(account, project)} and a.status in ${PUBLISHED}
      order by a.updated_at desc limit 6`,
  )

/** Returns the given articles that belong to a site, the oldest first. */
export const readChosen = (db: Db, account: number, project: number, ids: readonly number[]): Promise<Listed[]> =>
  rowsOf<Listed>(
    db,
    sql`select ${LISTED} from articles a where ${owned(account, project)} and a.id = any(${sql.param([...ids])}::int[])
      order by a.id`,
  )

/** Returns one article of a site; undefined if it is of another site. */
export const readListed = async (db: Db, account: number, project: number, id: number): Promise<Listed | undefined> =>
  (await readChosen(db, account, project, [id]))[0]

/** Page of a list: rows with a state, below the id `before`. If `before` is 0, the page has the newest rows. */
type Listing<Status> = { account: number; project: number; status?: Status; before: number }

/** Returns the titles of the articles on a page of deliveries or posts, by article id. */
const readTitles = async (
  db: Db,
  table: 'deliveries' | 'social_posts',
  { account, project, status, before }: Listing<string>,
): Promise<Map<number, string>> => {
  const rows = await rowsOf<{ id: number; title: string }>(
    db,
    sql`select a.id, coalesce(nullif(a.title, ''), a.main_keyword) as title from articles a
      where ${owned(account, project)} and a.id in (select d.article_id from ${sql.raw(table)} d where d.project_id = ${project}::int
        ${status === undefined ? sql`` : sql`and d.status = ${status}`} ${before === 0 ? sql`` : sql`and d.id < ${before}::int`}
        order by d.id desc limit 50)`,
  )
  return new Map(rows.map(({ id, title }) => [id, title]))
}

/** Returns the titles of the articles on a page of deliveries, by article id. */
export const readSentTitles = (db: Db, listing: Listing<DeliveryStatus>) => readTitles(db, 'deliveries', listing)

/** Returns the titles of the articles on a page of posts, by article id. */
export const readPostTitles = (db: Db, listing: Listing<PostStatus>) => readTitles(db, 'social_posts', listing)

/** Post on a network that was published or is scheduled. */
export type PlacedPost = {
  id: number
  project_id: number
  platform: SocialPlatform
  content: string
  is_out: boolean
  at: string
}

const WAITING = literals(['scheduled'] satisfies PostStatus[])
const OUT = literals(['published'] satisfies PostStatus[])

/** Returns the posts that were published or are scheduled in a span, the earliest first. */
export const readPlacedPosts = (db: Db, { account, project, from, until, most }: Span): Promise<PlacedPost[]> => {
  const part = (column: SQL, statuses: SQL) =>
    sql`(select s.id, s.project_id, s.platform, left(s.content, 120) as content, s.status in ${OUT} as is_out, ${text(column)} as at
      from social_posts s where s.account_id = ${account}::int ${project === null ? sql`` : sql`and s.project_id = ${project}::int`}
        and s.status in ${statuses} and ${column} >= ${at(from)} and ${column} < ${at(until)}
      order by ${column}, s.id limit ${most}::int)`
  return rowsOf<PlacedPost>(
    db,
    sql`${part(sql`s.published_at`, OUT)} union all ${part(sql`s.scheduled_for`, WAITING)} order by at, id limit ${most}::int`,
  )
}

/** Post that failed. */
export type FailedPost = { id: number; content: string; error: string | null }

const NOT_OUT = literals(['failed'] satisfies PostStatus[])

/** Returns the last failed posts of a site, the newest first. */
export const readFailedPosts = (db: Db, account: number, project: number): Promise<FailedPost[]> =>
  rowsOf<FailedPost>(
    db,
    sql`select s.id, left(s.content, 120) as content, s.error from social_posts s
      where s.account_id = ${account}::int and s.project_id = ${project}::int and s.status in ${NOT_OUT}
      order by s.id desc limit 3`,
  )

/** Most drafts without a date in the list. */
const UNDATED = 50

/** Returns the drafts of a site without a date, the newest first. */
export const readUndated = (db: Db, account: number, project: number): Promise<Listed[]> => {
  const of = ownedBy(articles, sql`${account}::int`, project)
  const newest = (status: Status) => {
    const { where, order } = newestRows(articles, of, { limit: UNDATED, beforeId: undefined }, [
      articles.status,
      status,
    ])
    return sql`select ${LISTED} from (select * from ${articles} where ${and(where, isNull(articles.scheduledAt))} order by ${order}) a`
  }
  return rowsOf<Listed>(db, sql`${newest('Draft')} union all ${newest('Planned')} order by id desc limit ${UNDATED}`)
}

/** Rewrite that waits for a decision. */
export type ReadyRewrite = { id: number; title: string; reason: string; opportunity_type: string }

/** Returns the rewrites of a site that wait for a decision, by priority. */
export const readReady = (db: Db, account: number, project: number): Promise<ReadyRewrite[]> =>
  rowsOf<ReadyRewrite>(
    db,
    sql`select s.id, s.article_title as title, s.reason, s.opportunity_type from suggestions s
      where s.project_id = ${project}::int and s.account_id = ${account}::int and s.status in ${READY}
      order by s.priority desc, s.id desc limit 10`,
  )
