import { and, asc, desc, eq, gt, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { apiKeys } from '../../../schema/accounts.ts'
import { approvals } from '../../../schema/approvals.ts'
import { articles, deletedArticles } from '../../../schema/articles.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import { auditLog } from '../../../schema/kernel.ts'
import { projects } from '../../../schema/projects.ts'
import { socialPosts } from '../../../schema/social.ts'
import { suggestions } from '../../../schema/suggestions.ts'
import type { Db } from '../../platform/db/client.ts'
import { at } from '../../platform/db/instant.ts'
import { newestIds, type Paging, pageOf, pagingOf } from '../../platform/db/paging.ts'
import { dropInBatches } from '../../platform/db/writes.ts'
import { instantOf } from '../../platform/lib/time.ts'
import type { Ctx, Deps } from '../../platform/runtime/ctx.ts'
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

/** Name of the API key that acted; null for other actors. */
const actorName = sql<
  string | null
>`case when ${auditLog.actor} ~ '^key:[0-9]{1,9}$' then (select ${apiKeys.name} from ${apiKeys}
  where ${apiKeys.id} = substr(${auditLog.actor}, 5)::int and ${apiKeys.accountId} = ${auditLog.accountId}) end`

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

/** First parts of the actions in the feed of events. Actions on keys, people and the account are only in the audit log. */
const KINDS = [
  'article',
  'approval',
  'delivery',
  'suggestion',
  'integration',
  'social',
  'profile',
  'crowdwork',
  'project',
]

/** Article of an entry, directly or through its delivery or approval; null if it has none. */
const articleOf = sql<number | null>`case split_part(${auditLog.subject}, ':', 1)
  when 'article' then split_part(${auditLog.subject}, ':', 2)::int
  when 'approval' then (${auditLog.detail} ->> 'article_id')::int
  when 'delivery' then (select d.article_id from deliveries d where d.id = split_part(${auditLog.subject}, ':', 2)::int) end`

/**
 * Condition: no transaction that began to write before this row was written is still open. Such a transaction could bring a row
 * with a smaller id, which a caller whose cursor is past it would never see.
 */
const isSettled = sql`age(${auditLog}.xmin) > age(pg_snapshot_xmin(pg_current_snapshot())::xid)`

/** Condition: the row's id is not below that of the account's first row at or after `since`. */
const isKept = (owner: SQL, since: Date): SQL =>
  sql`${auditLog.id} >= (select first.id from audit_log first where first.account_id = ${owner} and first.at >= ${at(since)}
    order by first.at, first.id limit 1)`

/** Returns events of the account after a cursor, oldest first, one more than the page shows. */
export const eventRows = (db: Db, owner: SQL, since: Date, { after, limit }: { after: number; limit: number }) =>
  db
    .select({
      id: auditLog.id,
      at: auditLog.at,
      type: auditLog.action,
      actor: auditLog.actor,
      actor_name: actorName,
      subject: auditLog.subject,
      article_id: articleOf,
      detail: auditLog.detail,
    })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.accountId, owner),
        gt(auditLog.id, after),
        isKept(owner, since),
        // A single expression: with three conditions the planner expects few rows, and reads and sorts all rows of the account.
        sql`case when ${and(inArray(sql`split_part(${auditLog.action}, '.', 1)`, KINDS), gte(auditLog.at, since), isSettled)}
          then true else false end`,
      ),
    )
    .orderBy(asc(auditLog.id))
    .limit(limit + 1)

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

const EVENTS_KEPT_DAYS = 30
const DAY_MS = 86_400_000
const EVENTS_PAGE = { default: 50, max: 200 }

/** Returns a page of the account's events after a cursor or since a time, oldest first. */
export const listEvents = async (
  ctx: Ctx,
  { after = 0, since: given, limit: asked = EVENTS_PAGE.default }: EventsInput,
) => {
  const limit = Math.min(asked, EVENTS_PAGE.max)
  const kept = ctx.now().getTime() - EVENTS_KEPT_DAYS * DAY_MS
  const since = new Date(given === undefined ? kept : Math.max(kept, instantOf(given, 'UTC').getTime()))
  const found = await ctx.read((owner) => eventRows(ctx.db, owner, since, { after, limit }))
  const shown = found.slice(0, limit)
  return {
    events: shown.map((row) => ({ ...row, at: row.at.toISOString() })),
    count: shown.length,
    limit,
    after: shown.at(-1)?.id ?? after,
    more: found.length > limit,
  }
}

const LOG_KEPT_DAYS = 400

/** Deletes entries older than 400 days, the oldest first, in batches. Returns how many it deleted. */
export const forgetOldAudit = async ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const { id, at } = auditLog
  const isOld = lt(at, new Date(now().getTime() - LOG_KEPT_DAYS * 86_400_000))
  return await dropInBatches(async (most) => {
    const oldest = db.select({ id }).from(auditLog).orderBy(asc(id)).limit(most)
    const { rowCount } = await db.delete(auditLog).where(and(inArray(id, oldest), isOld))
    return rowCount
  })
}

/** Fields of an entry whose names are looked up. */
type Entry = { actor: string; subject?: string }

/** Name of a thing, if it has one, and its project. */
type Named = { name?: string; project?: number }

/** Returns the ids of one kind among the actors and subjects of entries: 12 for `key:12`. */
const idsOf = (entries: readonly Entry[], kind: string): number[] => [
  ...new Set(
    entries
      .flatMap(({ actor, subject = '' }) => [actor, subject])
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
