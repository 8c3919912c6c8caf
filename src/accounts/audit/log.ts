import { and, type Column, desc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { apiKeys } from '../../../schema/accounts.ts'
import { approvals } from '../../../schema/approvals.ts'
import { articles, deletedArticles } from '../../../schema/articles.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import { auditLog } from '../../../schema/kernel.ts'
import { projects } from '../../../schema/projects.ts'
import { socialPosts } from '../../../schema/social.ts'
import { suggestions } from '../../../schema/suggestions.ts'
import { EVENT_DAYS, EVENT_KINDS } from '../../../schema/values/events.ts'
import type { Db } from '../../platform/db/client.ts'
import { inFeedOrder, isBehind, isSettled } from '../../platform/db/feed.ts'
import { at } from '../../platform/db/instant.ts'
import { newestIds, type Paging, pageOf, pagingOf } from '../../platform/db/paging.ts'
import { instantOf } from '../../platform/lib/time.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { AuditLogInput, EventsInput } from './operations.ts'

/** Filter by actor: any of these names, or `service` for actions of the service itself. */
type Actors = readonly string[] | 'service'

type AuditFilter = { action: string | undefined; actors: Actors | undefined; since: Date | undefined }

/** Largest number of actors of an account that are listed. */
const MOST_ACTORS = 500

/** Returns a subquery for the actors of an account. It reads the index once for each actor, even if an actor has many entries. */
const actorsIn = (owner: SQL): SQL => sql`(with recursive acting(actor) as (
    (select l.actor from audit_log l where l.account_id = ${owner} order by l.actor limit 1)
    union all
    select (select l.actor from audit_log l where l.account_id = ${owner} and l.actor > acting.actor order by l.actor limit 1)
    from acting where acting.actor is not null)
  select actor from acting where actor is not null limit ${MOST_ACTORS})`

/** Returns a query for the names of the actors in the account. */
export const auditActors = (db: Db, owner: SQL) =>
  db.select({ actor: sql<string>`acting.actor` }).from(sql`${actorsIn(owner)} acting`)

/** Returns a subquery for the newest actions of the service itself: the newest of each job, then the newest of these. */
const idsOfService = (owner: SQL, filters: SQL, { limit, offset }: Paging): SQL => sql`(select newest.id
  from ${actorsIn(owner)} acting cross join lateral (select ${auditLog.id} from ${auditLog}
    where ${and(eq(auditLog.accountId, owner), sql`${auditLog.actor} = acting.actor`, filters)}
    order by ${auditLog.id} desc limit ${limit + offset + 1}::int) newest
  where acting.actor = 'clock' or starts_with(acting.actor, 'job:')
  order by newest.id desc limit ${limit + 1}::int offset ${offset}::int)`

// Within a selection from one table, drizzle leaves the table out of a column's name, unless the column is nested.
const entryOwner = sql`${auditLog.accountId}`

/** Name of the API key that acted; null for other actors. */
const actorName = sql<
  string | null
>`case when ${auditLog.actor} ~ '^key:[0-9]{1,9}$' then (select k.name from api_keys k
  where k.id = substr(${auditLog.actor}, 5)::int and k.account_id = ${entryOwner}) end`

/** Returns the account's audit rows, newest first, one more than the page shows. */
export const auditRows = (db: Db, owner: SQL, { action, actors, since }: AuditFilter, paging: Paging) => {
  const filters = and(
    action === undefined ? undefined : eq(auditLog.action, action),
    paging.beforeId === undefined ? undefined : lt(auditLog.id, paging.beforeId),
  )
  const kinds = actors === 'service' ? [] : (actors ?? []).map((one) => eq(auditLog.actor, one))
  const ids =
    actors === 'service'
      ? idsOfService(owner, filters ?? sql`true`, paging)
      : newestIds(auditLog, [eq(auditLog.accountId, owner), filters], paging, kinds)
  return (
    db
      .select({
        id: auditLog.id,
        at: auditLog.at,
        actor: auditLog.actor,
        actor_name: actorName,
        action: auditLog.action,
        subject: auditLog.subject,
        detail: auditLog.detail,
        request_id: auditLog.requestId,
      })
      .from(auditLog)
      // Ids rise with time: entries that are too old are at the end of the page, and all later pages are older.
      .where(and(inArray(auditLog.id, ids), since === undefined ? undefined : gte(auditLog.at, since)))
      .orderBy(desc(auditLog.id))
  )
}

/** Expressions that find the things that the entries of a page are about. */
type Things = { subject: Column; accountId: Column; isLapsed: SQL.Aliased<boolean> }

/** Project of a thing; null if it has none, or if the thing was deleted for good. */
const projectOf = ({ subject, accountId, isLapsed }: Things): SQL<number | null> => {
  const id = sql`substring(${subject} from ':([0-9]{1,9})$')::int`
  const of = (table: string, key = 'id') =>
    sql`(select t.project_id from ${sql.identifier(table)} t where t.${sql.identifier(key)} = ${id} and t.account_id = ${accountId})`
  return sql<number | null>`case split_part(${subject}, ':', 1)
    when 'project' then ${id}
    when 'article' then coalesce(${of('articles')}, ${of('deleted_articles', 'article_id')})
    when 'delivery' then ${of('deliveries')}
    when 'suggestion' then ${of('suggestions')}
    when 'approval' then ${of('approvals')}
    when 'social_post' then ${of('social_posts')}
    when 'social_account' then ${of('social_accounts')}
    when 'campaign' then ${of('crowdwork_campaigns')}
    when 'integration' then case when ${isLapsed} then ${of('connections')} else ${of('integrations')} end end`
}

/** Article of a thing, directly or through its delivery; null if it has none. */
const articleOf = ({ subject }: Things) => sql<number | null>`case split_part(${subject}, ':', 1)
  when 'article' then split_part(${subject}, ':', 2)::int
  when 'delivery' then (select d.article_id from deliveries d where d.id = split_part(${subject}, ':', 2)::int) end`

/**
 * Selects entries in the order of the feed, with the project and the article of each.
 *
 * The entries of a page often are about the same things, so each thing is looked up once.
 */
const entriesWhere = (db: Db, where: SQL | undefined, limit: number) => {
  const columns = {
    id: auditLog.id,
    tx: auditLog.tx,
    accountId: auditLog.accountId,
    at: auditLog.at,
    type: auditLog.action,
    actor: auditLog.actor,
    actorName: actorName.as('actor_name'),
    subject: auditLog.subject,
    detail: auditLog.detail,
  }
  const page = db.$with('page').as(db.select(columns).from(auditLog).where(where).orderBy(inFeedOrder).limit(limit))
  const isLapsed = sql<boolean>`(${page.type} = 'integration.lapsed')`
  const named = db
    .selectDistinct({ subject: page.subject, accountId: page.accountId, isLapsed: isLapsed.as('is_lapsed') })
    .from(page)
    .as('named')
  const things = db.$with('things').as(
    db
      .select({
        subject: named.subject,
        isLapsed: named.isLapsed,
        projectId: projectOf(named).as('project_id'),
        articleId: articleOf(named).as('article_id'),
      })
      .from(named),
  )
  return db
    .with(page, things)
    .select({
      id: page.id,
      at: page.at,
      type: page.type,
      actor: page.actor,
      actor_name: page.actorName,
      subject: page.subject,
      project_id: things.projectId,
      article_id: sql<number | null>`coalesce(${things.articleId},
        case when starts_with(${page.subject}, 'approval:') then (${page.detail} ->> 'article_id')::int end)`,
      detail: page.detail,
    })
    .from(page)
    .innerJoin(things, and(eq(things.subject, page.subject), eq(things.isLapsed, isLapsed)))
    .orderBy(page.tx, page.id)
}

/** Event as the feed shows it, with its time as a Date. */
type EventRow = {
  id: number
  at: Date
  type: string
  actor: string
  actor_name: string | null
  subject: string
  project_id: number | null
  article_id: number | null
  detail: Record<string, unknown>
}

/** Returns an event as the feed shows it. */
export const eventOf = ({ at: time, ...row }: EventRow) => ({
  id: row.id,
  at: time.toISOString(),
  type: row.type,
  actor: row.actor,
  actor_name: row.actor_name,
  subject: row.subject,
  project_id: row.project_id,
  article_id: row.article_id,
  detail: row.detail,
})

/** True if an action is in the feed of events. */
export const isEvent = (action: string): boolean => EVENT_KINDS.some((kind) => action.startsWith(`${kind}.`))

/**
 * Returns the entries of an account behind one of them, in the order of the feed, with the columns of events. They include
 * entries that are not in the feed, so that a reader's cursor passes these.
 */
export const entriesBehind = (db: Db, owner: SQL, entryId: SQL, limit: number) =>
  entriesWhere(db, and(eq(auditLog.accountId, owner), isBehind(entryId, owner), isSettled), limit)

/**
 * Condition: the entry is not far before the account's first one since a time, so that older ones are not read. A transaction
 * that began before that entry's may write later ones, for less than the ten minutes.
 */
const isNear = (owner: SQL, since: Date): SQL =>
  sql`(${inFeedOrder}) >= (select first.tx, first.id from audit_log first where first.account_id = ${owner}
    and first.at >= ${at(since)} - interval '10 minutes' order by first.at, first.id limit 1)`

/** Returns events of the account after a cursor, oldest first, one more than the page shows. */
export const eventRows = (db: Db, owner: SQL, since: Date, { after, limit }: { after: number; limit: number }) =>
  entriesWhere(
    db,
    and(
      eq(auditLog.accountId, owner),
      after === 0 ? undefined : isBehind(sql`${after}::int`, owner),
      isNear(owner, since),
      // A single expression: with three conditions the planner expects few rows, and reads and sorts all rows of the account.
      sql`case when ${and(inArray(sql`split_part(${auditLog.action}, '.', 1)`, EVENT_KINDS), gte(auditLog.at, since), isSettled)}
        then true else false end`,
    ),
    limit + 1,
  )

const PAGE = { default: 50, max: 200 }

/** Returns the audit log of the account, newest first. `actors` limits it to some actors, or to the service itself. */
export const listAuditLog = async (
  ctx: Ctx,
  {
    actor,
    actors = actor === undefined ? undefined : [actor],
    ...input
  }: AuditLogInput & { actors?: Actors | undefined },
) => {
  const paging = pagingOf(input, PAGE)
  const since = input.since === undefined ? undefined : instantOf(input.since, 'UTC')
  const filter = { action: input.action, actors, since }
  const found = await ctx.read((owner) => auditRows(ctx.db, owner, filter, paging))
  const { rows, page } = pageOf(found, paging)
  return { entries: rows.map((row) => ({ ...row, at: row.at.toISOString() })), ...page }
}

/** Returns the names of the actors in the account: `key:12`, `person:…`, `job:…`. */
export const listActors = async (ctx: Ctx): Promise<string[]> => {
  const rows = await ctx.read((owner) => auditActors(ctx.db, owner))
  return rows.map(({ actor }) => actor)
}

const DAY_MS = 86_400_000
const EVENTS_PAGE = { default: 50, max: 200 }

/** Returns a page of the account's events after a cursor or since a time, oldest first. */
export const listEvents = async (
  ctx: Ctx,
  { after = 0, since: given, limit: asked = EVENTS_PAGE.default }: EventsInput,
) => {
  const limit = Math.min(asked, EVENTS_PAGE.max)
  const kept = ctx.now().getTime() - EVENT_DAYS * DAY_MS
  const since = new Date(given === undefined ? kept : Math.max(kept, instantOf(given, 'UTC').getTime()))
  const found = await ctx.read((owner) => eventRows(ctx.db, owner, since, { after, limit }))
  const shown = found.slice(0, limit)
  return {
    events: shown.map(eventOf),
    count: shown.length,
    limit,
    after: shown.at(-1)?.id ?? after,
    more: found.length > limit,
  }
}

/** Fields of an entry whose names are looked up. */
type Entry = { actor?: string; subject?: string }

/** Name of a thing, if it has one, and its project. */
type Named = { name?: string; project?: number }

/** Returns the ids of one kind among the actors and subjects of entries: 12 for `key:12`. */
const idsOf = (entries: readonly Entry[], kind: string): number[] => [
  ...new Set(
    entries
      .flatMap(({ actor = '', subject = '' }) => [actor, subject])
      .filter((name) => name.startsWith(`${kind}:`))
      .map((name) => Number(name.slice(kind.length + 1)))
      .filter((id) => Number.isInteger(id) && id > 0 && id <= 2_147_483_647),
  ),
]

/** Number of letters of a social post that name it. */
const POST_WORDS = 60

/** Returns the name of a thing with its title, if it has one. */
const called = (thing: string, title: string | null): string => (title ? `${thing}: ${title}` : thing)

/** Returns the names and projects of the actors and subjects of entries, keyed as in the log. Needs one round trip. */
export const namesIn = async (ctx: Ctx, entries: readonly Entry[]): Promise<Map<string, Named>> => {
  const ids = (kind: string) => idsOf(entries, kind)
  const { db } = ctx
  const { keys, written, sent, sites, asked, suggested, posts, binned } = await ctx.read((owner) => ({
    keys: db
      .select({ id: apiKeys.id, name: apiKeys.name, lastFour: apiKeys.lastFour })
      .from(apiKeys)
      .where(and(eq(apiKeys.accountId, owner), inArray(apiKeys.id, ids('key')))),
    written: db
      .select({ id: articles.id, title: articles.title, keyword: articles.mainKeyword, project: articles.projectId })
      .from(articles)
      .where(and(eq(articles.accountId, owner), inArray(articles.id, ids('article')))),
    sent: db
      .select({
        id: deliveries.id,
        title: articles.title,
        keyword: articles.mainKeyword,
        project: deliveries.projectId,
      })
      .from(deliveries)
      .innerJoin(articles, eq(articles.id, deliveries.articleId))
      .where(and(eq(deliveries.accountId, owner), inArray(deliveries.id, ids('delivery')))),
    sites: db
      .select({ id: projects.id, name: projects.businessName, url: projects.websiteUrl })
      .from(projects)
      .where(and(eq(projects.accountId, owner), inArray(projects.id, ids('project')))),
    asked: db
      .select({ id: approvals.id, title: articles.title, keyword: articles.mainKeyword, project: approvals.projectId })
      .from(approvals)
      .leftJoin(articles, eq(articles.id, approvals.articleId))
      .where(and(eq(approvals.accountId, owner), inArray(approvals.id, ids('approval')))),
    suggested: db
      .select({ id: suggestions.id, title: suggestions.articleTitle, project: suggestions.projectId })
      .from(suggestions)
      .where(and(eq(suggestions.accountId, owner), inArray(suggestions.id, ids('suggestion')))),
    posts: db
      .select({
        id: socialPosts.id,
        text: sql<string>`left(${socialPosts.content}, ${POST_WORDS}::int)`,
        project: socialPosts.projectId,
      })
      .from(socialPosts)
      .where(and(eq(socialPosts.accountId, owner), inArray(socialPosts.id, ids('social_post')))),
    binned: db
      .select({ id: deletedArticles.articleId, title: deletedArticles.title })
      .from(deletedArticles)
      .where(and(eq(deletedArticles.accountId, owner), inArray(deletedArticles.articleId, ids('article')))),
  }))
  return new Map<string, Named>([
    ...keys.map(({ id, name, lastFour }) => [`key:${id}`, { name: `key ${id}: ${name} …${lastFour}` }] as const),
    ...binned.map(({ id, title }) => [`article:${id}`, { name: called(`article ${id}, in the bin`, title) }] as const),
    ...written.map(
      ({ id, title, keyword, project }) =>
        [`article:${id}`, { name: `article ${id}: ${title || keyword}`, project }] as const,
    ),
    ...sent.map(
      ({ id, title, keyword, project }) =>
        [`delivery:${id}`, { name: `delivery ${id}: ${title || keyword}`, project }] as const,
    ),
    ...sites.map(({ id, name, url }) => [`project:${id}`, { name: name || url, project: id }] as const),
    ...asked.map(
      ({ id, title, keyword, project }) =>
        [`approval:${id}`, { name: called(`approval ${id}`, title || keyword), project }] as const,
    ),
    ...suggested.map(
      ({ id, title, project }) => [`suggestion:${id}`, { name: called(`suggestion ${id}`, title), project }] as const,
    ),
    ...posts.map(
      ({ id, text, project }) => [`social_post:${id}`, { name: called(`social post ${id}`, text), project }] as const,
    ),
  ])
}
