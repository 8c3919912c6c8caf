import { and, desc, eq, gte, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { apiKeys } from '../../../schema/accounts.ts'
import { articleRevisions } from '../../../schema/articles.ts'
import { literals } from '../../../schema/columns.ts'
import { auditLog } from '../../../schema/kernel.ts'
import { socialPosts } from '../../../schema/social.ts'
import { suggestions } from '../../../schema/suggestions.ts'
import type { ARTICLE_STATUSES, PublishState } from '../../../schema/values/articles.ts'
import { ARRIVED_STATUSES } from '../../../schema/values/publishing.ts'
import type { Db } from '../../platform/db/client.ts'
import { at } from '../../platform/db/instant.ts'

/** Selection of changes: those that an actor caused, limited to a request or to those since a time. */
export type Chosen = { actor: string; request: string | undefined; since: Date | undefined }

type Log = typeof auditLog

const PUBLISHING: PublishState = 'publishing'
const GENERATING: (typeof ARTICLE_STATUSES)[number] = 'Generating'
const ARRIVED = literals(ARRIVED_STATUSES)

/**
 * Returns the condition that an entry neither needs nor prevents an undo, such as a failed attempt or a used approval.
 */
const isNoChange = (log: Log): SQL =>
  sql`(${log.action} ~ '(failed|refused)$' or ${log.action} in ('article.taken_by_writer', 'suggestion.publish', 'suggestion.take', 'suggestion.stage',
    'approval.used', 'approval.superseded', 'delivery.confirm'))`

/**
 * Actions of jobs that count as changes of their own. Other entries of jobs belong to the change that enqueued the job.
 */
const SENT_BY_JOBS = sql.raw("('article.publish', 'article.send_as_draft', 'project.onboarded')")

/** Returns the condition that the actor made a change, or caused the job that made it. */
const isChosen = (log: Log, { actor, request }: Chosen): SQL =>
  sql`((${eq(log.actor, actor)} or ${eq(log.causedBy, actor)})${request === undefined ? sql`` : sql` and ${eq(log.requestId, request)}`})`

/** Id of the article that an entry is about, directly or by its delivery; null if there is none. */
const articleOf = sql<number | null>`case split_part(${auditLog.subject}, ':', 1)
  when 'article' then split_part(${auditLog.subject}, ':', 2)::int
  when 'delivery' then (select d.article_id from deliveries d where d.id = split_part(${auditLog.subject}, ':', 2)::int) end`

const isTakenBack = (id: SQL | Log['id']): SQL =>
  sql`exists (select from audit_log taker where taker.undoes @> array[${id}] and taker.undoes is not null)`

/** Subjects under which the log may name the same thing: an article's own and those of its deliveries. */
const names = sql`array(select ${auditLog.subject} union all select 'article:' || d.article_id from deliveries d
    where ${auditLog.subject} like 'delivery:%' and d.id = split_part(${auditLog.subject}, ':', 2)::int and d.article_id is not null
  union all select 'delivery:' || d.id from deliveries d where d.article_id = ${articleOf})`

/**
 * Selects the chosen entries, newest first, one more than the page shows. `isTakenBack`: the entry was undone before.
 *
 * `changedBy`: actor and action of the first later change of the same thing that is not chosen and was not undone.
 */
export const chosenEntries = (
  db: Db,
  owner: SQL,
  chosen: Chosen,
  { beforeId, limit }: { beforeId: number | undefined; limit: number },
) => {
  const later = alias(auditLog, 'later')
  const changedBy = sql<string | null>`(select later.actor || ' ' || later.action from audit_log later
    where later.subject = any(${names}) and ${and(
      eq(later.accountId, owner),
      sql`${later.id} > ${auditLog.id}`,
      isNull(later.undoes),
    )} and not ${isNoChange(later as unknown as Log)} and ${isChosen(later as unknown as Log, chosen)} is not true
      and not ${isTakenBack(sql`later.id`)} order by later.id limit 1)`
  return db
    .select({
      id: auditLog.id,
      at: auditLog.at,
      action: auditLog.action,
      subject: auditLog.subject,
      detail: auditLog.detail,
      articleId: articleOf,
      isTakenBack: sql<boolean>`${isTakenBack(auditLog.id)}`,
      changedBy,
    })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.accountId, owner),
        beforeId === undefined ? undefined : lt(auditLog.id, beforeId),
        chosen.since && gte(auditLog.at, chosen.since),
        isNull(auditLog.undoes),
        sql`(${auditLog.actor} not like 'job:%' or ${auditLog.action} in ${SENT_BY_JOBS})`,
        sql`not ${isNoChange(auditLog)}`,
        isChosen(auditLog, chosen),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limit + 1)
}

/** Selects a key by id and whether the caller owns it. */
export const keyOf = (db: Db, owner: SQL, id: number) =>
  db
    .select({ id: apiKeys.id, mine: sql<boolean>`coalesce(${apiKeys.accountId} = ${owner}, false)` })
    .from(apiKeys)
    .where(eq(apiKeys.id, id))

/** Selects the actors who caused changes under a request's id, which callers choose. At most 10. */
export const causesOf = (db: Db, owner: SQL, request: string) =>
  db
    .selectDistinct({ actor: sql<string>`coalesce(${auditLog.causedBy}, ${auditLog.actor})` })
    .from(auditLog)
    .where(and(eq(auditLog.accountId, owner), eq(auditLog.requestId, request)))
    .limit(10)

/**
 * Current state of an article. `was_sent`: a site received it at some time. `takes_down`: its live site is connected
 * and can take it down.
 */
export type ArticleNow = {
  id: number
  status: 'Draft' | 'Planned' | 'Generating' | 'Published'
  is_held: boolean
  is_written: boolean
  was_sent: boolean
  takes_down: boolean
  platform: string | null
}

/** Selects the current state of the owner's articles. */
export const currentArticles = (db: Db, owner: SQL, ids: readonly number[], now: Date) =>
  db.execute<ArticleNow>(sql`
    select a.id, a.status, a.publish_state = ${PUBLISHING} and a.publish_lease_until > ${at(now)} as is_held,
      a.status = ${GENERATING} or a.writing_started_at is not null as is_written,
      a.remote_id is not null or a.url is not null or a.sent_as_draft_at is not null
        or exists (select from deliveries d where d.article_id = a.id and d.replay_of is null) as was_sent,
      exists (select from integrations i where i.project_id = a.project_id and i.status = 'Active'
        and i.platform <> 'webhook' and i.platform || ' ' || i.url = a.remote_site) as takes_down,
      (select i.platform from integrations i where i.project_id = a.project_id and i.status = 'Active' limit 1) as platform
    from articles a where a.account_id = ${owner} and a.id = any(${sql.param([...ids])}::int[])`)

/** Selects the current state of the owner's social posts. */
export const currentPosts = (db: Db, owner: SQL, ids: readonly number[]) =>
  db
    .select({ id: socialPosts.id, status: socialPosts.status, maybeSent: socialPosts.maybeSent })
    .from(socialPosts)
    .where(and(eq(socialPosts.accountId, owner), inArray(socialPosts.id, [...ids])))

/** Selects the current state of the owner's suggestions. */
export const currentSuggestions = (db: Db, owner: SQL, ids: readonly number[]) =>
  db
    .select({ id: suggestions.id, status: suggestions.status })
    .from(suggestions)
    .where(and(eq(suggestions.accountId, owner), inArray(suggestions.id, [...ids])))

/**
 * Selects the version of an article that a site had before a delivery: the revision, and the fields that revisions do
 * not keep.
 */
export const sentBefore = (db: Db, articleId: number, deliveryId: number) =>
  db.execute<{
    revision: number
    payload: { tags: string[]; category: string; seo_title?: string; canonical_url?: string }
  }>(
    sql`select revision, payload from deliveries where article_id = ${articleId}::int and id < ${deliveryId}::int
      and not exists (select 1 from articles where id = ${articleId}::int and origin = 'adopted')
      and status in ${ARRIVED} and live and replay_of is null order by id desc limit 1`,
  )

/** Selects the text that an article had at a revision; no row if it still has it. */
export const contentAtRevision = (db: Db, articleId: number, revision: SQL) =>
  db
    .select({
      title: articleRevisions.title,
      metaDescription: articleRevisions.metaDescription,
      content: articleRevisions.content,
      featureImage: articleRevisions.featureImage,
      altText: articleRevisions.altText,
      fields: articleRevisions.fields,
    })
    .from(articleRevisions)
    .where(and(eq(articleRevisions.articleId, articleId), sql`${articleRevisions.revision} >= ${revision}`))
    .orderBy(articleRevisions.revision)
    .limit(1)

/** Selects the newest version of a post that was kept before or at a time. */
export const versionKept = (db: Db, articleId: number, until: Date) =>
  db.execute<{ id: number }>(
    sql`select id from remote_versions where article_id = ${articleId}::int and taken_at <= ${at(until)} order by id desc limit 1`,
  )
