import { and, type Column, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { approvals } from '../../schema/approvals.ts'
import { articles } from '../../schema/articles.ts'
import { literals, oneOf } from '../../schema/columns.ts'
import { deliveries, sentArticle, sentHash } from '../../schema/deliveries.ts'
import { integrations } from '../../schema/integrations.ts'
import { projects } from '../../schema/projects.ts'
import type { DeliveredArticle } from '../../schema/values/delivered-article.ts'
import { ARRIVED_STATUSES, type ATTEMPT_STATUSES, type DeliveryStatus } from '../../schema/values/publishing.ts'
import { isOpen as isOpenApproval } from '../accounts/approvals/writes.ts'
import { isNotImporting } from '../accounts/projects/scope.ts'
import { contentColumns, statusAllows } from '../content/articles/parts.ts'
import { showsContent } from '../content/html/shown.ts'
import type { Db } from '../platform/db/client.ts'
import { newestPage, ownedBy, type Paging } from '../platform/db/paging.ts'
import type { ListDeliveriesInput } from './operations.ts'
import { liveChangeKind, remoteIdAtSite, sentAsDraftAtSite, urlAtSite } from './remote.ts'
import { isOpen } from './writes.ts'

const mine = (owner: SQL, column: typeof articles.accountId | typeof deliveries.accountId) =>
  sql<boolean>`coalesce(${column} = ${owner}, false)`

const activeTarget = and(eq(integrations.projectId, projects.id), oneOf(integrations.status, ['Active']))
const openDelivery = and(eq(deliveries.articleId, articles.id), isOpen(), isNull(deliveries.replayOf))

const ARRIVED = literals(ARRIVED_STATUSES)

const imageHosting = sql<string | null>`${projects.imagePreferences} ->> 'image_hosting'`

/** True if a target accepted a revision of an article as a draft. Sent as a draft again, it may be unchanged there. */
const isDraftAccepted = (articleId: Column, revision: Column, integrationId: Column) =>
  sql<boolean>`exists (select 1 from deliveries sent where sent.article_id = ${articleId} and sent.revision = ${revision}
    and sent.integration_id = ${integrationId} and not sent.live and sent.status in ${ARRIVED})`

/** Id of a live article's newest delivery that reached a target. Content sent after it is another delivery. */
const lastDelivered = sql<
  number | null
>`case when ${statusAllows('sync')} then (select max(reached.id) from deliveries reached
  where reached.article_id = ${articles.id} and reached.status in ${ARRIVED}) end`

const articleColumns = {
  id: articles.id,
  accountId: articles.accountId,
  projectId: articles.projectId,
  origin: articles.origin,
  status: articles.status,
  title: articles.title,
  mainKeyword: articles.mainKeyword,
  articleStyle: articles.articleStyle,
  slug: articles.slug,
  ...contentColumns,
  revision: articles.revision,
  publishState: articles.publishState,
  publishError: articles.publishError,
  publishLeaseUntil: articles.publishLeaseUntil,
  writingStartedAt: articles.writingStartedAt,
  claimedAt: articles.claimedAt,
  seo: articles.seo,
  dueTakenAt: articles.dueTakenAt,
  remoteId: remoteIdAtSite,
  generation: articles.generation,
  sentAsDraftAt: sentAsDraftAtSite,
  siteLacks: articles.siteLacks,
  publishToken: articles.publishToken,
  liveChange: liveChangeKind,
  lastDelivered,
  url: articles.url,
  urlHere: urlAtSite,
  publishedAt: articles.publishedAt,
  createdAt: articles.createdAt,
  updatedAt: articles.updatedAt,
  author: projects.customAuthorName,
  projectStatus: projects.status,
  videosEnabled: projects.videosEnabled,
  imageHosting,
}

const targetColumns = {
  id: integrations.id,
  platform: integrations.platform,
  url: integrations.url,
  sealedSecrets: integrations.sealedSecrets,
}

/** Returns an SQL expression for the project id of an article. */
export const projectOf = (articleId: number): SQL => sql`(select project_id from articles where id = ${articleId}::int)`

/** True if a delivery was made of the article's current revision. */
const isSent = sql<boolean>`exists (select 1 from deliveries sent where sent.article_id = ${articles.id} and sent.revision = ${articles.revision} and sent.replay_of is null)`

const openApproval = and(sql`${approvals.subject} = 'article:' || ${articles.id}`, isOpenApproval())

/**
 * Selects an article with everything that publishing needs: author name, active target, open delivery and open
 * approval.
 */
export const publishableById = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      article: articleColumns,
      mine: mine(owner, articles.accountId),
      target: targetColumns,
      isSent,
      isDraftAccepted: isDraftAccepted(articles.id, articles.revision, integrations.id),
      open: {
        id: deliveries.id,
        integrationId: deliveries.integrationId,
        status: deliveries.status,
        key: deliveries.idempotencyKey,
        // An open delivery has its whole text.
        payload: sql<DeliveredArticle>`${deliveries.payload}`,
        createdAt: deliveries.createdAt,
        lookups: deliveries.lookups,
        revision: deliveries.revision,
        live: deliveries.live,
        nextAttemptAt: deliveries.nextAttemptAt,
      },
      approvalRevision: approvals.revision,
    })
    .from(articles)
    .innerJoin(projects, eq(projects.id, articles.projectId))
    .leftJoin(integrations, activeTarget)
    .leftJoin(deliveries, openDelivery)
    .leftJoin(approvals, openApproval)
    .where(eq(articles.id, id))

/** Selects an article's state and the known data of its post. */
export const postState = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      article: {
        id: articles.id,
        accountId: articles.accountId,
        status: articles.status,
        title: articles.title,
        slug: articles.slug,
        generation: articles.generation,
        remoteSite: articles.remoteSite,
        url: articles.url,
        publishState: articles.publishState,
        publishLeaseUntil: articles.publishLeaseUntil,
        writingStartedAt: articles.writingStartedAt,
      },
      mine: mine(owner, articles.accountId),
    })
    .from(articles)
    .where(eq(articles.id, id))

/** Selects whether the caller owns an article. */
export const articleOwner = (db: Db, owner: SQL, id: number) =>
  db
    .select({ mine: mine(owner, articles.accountId) })
    .from(articles)
    .where(eq(articles.id, id))

/** Selects the site that an article was last published to or changed at. */
export const liveSiteOf = (db: Db, articleId: number) =>
  db
    .select({ platform: integrations.platform, url: integrations.url })
    .from(deliveries)
    .innerJoin(integrations, eq(integrations.id, deliveries.integrationId))
    .where(
      and(eq(deliveries.articleId, articleId), oneOf(deliveries.status, ARRIVED_STATUSES), isNull(deliveries.replayOf)),
    )
    .orderBy(desc(deliveries.id))
    .limit(1)

export type Publishable = Omit<Awaited<ReturnType<typeof publishableById>>[number], 'mine'>
export type PublishableRow = Publishable['article']

/** True if it is not known whether the article's post was taken down. */
export const isComingDownNow = ({ liveChange, publishState }: PublishableRow): boolean =>
  liveChange === 'unpublish' && publishState === 'unknown'

/** Returns an article for the state table, and whether it can be published as it is. */
export const standingOf = ({ article, target }: Pick<Publishable, 'article' | 'target'>) => ({
  ...article,
  canPublish: target !== null && showsContent(article.content),
})

const deliveryColumns = {
  id: deliveries.id,
  accountId: deliveries.accountId,
  projectId: deliveries.projectId,
  integrationId: deliveries.integrationId,
  articleId: deliveries.articleId,
  eventType: deliveries.eventType,
  status: deliveries.status,
  idempotencyKey: deliveries.idempotencyKey,
  revision: deliveries.revision,
  live: deliveries.live,
  replayOf: deliveries.replayOf,
  attempts: deliveries.attempts,
  lookups: deliveries.lookups,
  nextAttemptAt: deliveries.nextAttemptAt,
  leaseUntil: deliveries.leaseUntil,
  error: deliveries.error,
  warnings: deliveries.warnings,
  createdAt: deliveries.createdAt,
  updatedAt: deliveries.updatedAt,
}

export type DeliveryRow = Awaited<ReturnType<typeof listDeliveryRows>>[number]

const DELIVERED = literals(['delivered'] satisfies DeliveryStatus[])
const UNRESOLVED = literals(['failed', 'superseded', 'unclear'] satisfies DeliveryStatus[])

/** The revision that readers see: the newest one that a live delivery brought to a target. */
const liveRevision = sql<number | null>`(select max(live.revision) from deliveries live
  where live.article_id = ${articles.id} and live.status in ${ARRIVED} and live.live)`

/** Selects a delivery with its payload, the project's current target and the article's state. */
export const deliveryToSend = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      delivery: { ...deliveryColumns, payload: sentArticle(), imageHosting, projectStatus: projects.status },
      isDraftAccepted: isDraftAccepted(deliveries.articleId, deliveries.revision, deliveries.integrationId),
      mine: mine(owner, deliveries.accountId),
      target: targetColumns,
      article: {
        status: articles.status,
        revision: articles.revision,
        dueTakenAt: articles.dueTakenAt,
        remoteId: remoteIdAtSite,
        origin: articles.origin,
        generation: articles.generation,
        siteLacks: articles.siteLacks,
        liveRevision,
      },
    })
    .from(deliveries)
    .innerJoin(projects, eq(projects.id, deliveries.projectId))
    .leftJoin(integrations, activeTarget)
    .leftJoin(articles, eq(articles.id, deliveries.articleId))
    .where(eq(deliveries.id, id))

/** Draws the id for a new delivery. */
export const nextDeliveryId = (db: Db) =>
  db.select({ id: sql<number>`nextval('deliveries_id_seq')`.mapWith(Number) }).from(sql`(select 1) one`)

/** Selects the state of a delivery and its article. `article` is null if it was deleted. */
export const deliveryState = (db: Db, id: number) =>
  db
    .select({
      delivery: { status: deliveries.status, error: deliveries.error, nextAttemptAt: deliveries.nextAttemptAt },
      article: {
        status: articles.status,
        publishState: articles.publishState,
        publishError: articles.publishError,
        url: articles.url,
      },
    })
    .from(deliveries)
    .leftJoin(articles, eq(articles.id, deliveries.articleId))
    .where(eq(deliveries.id, id))

export type DeliveryState = Awaited<ReturnType<typeof deliveryState>>[number]

// Column names are written out in full here. In a select from one table drizzle omits the table, and a subquery would
// then read another table's column.
/** Maximum number of attempts shown for a delivery. */
const SHOWN_ATTEMPTS = sql.raw('100')

type ShownAttempt = {
  number: number
  status: (typeof ATTEMPT_STATUSES)[number]
  http_status: number | null
  duration_ms: number | null
  error: string | null
  response_excerpt: string | null
  started_at: string
}

const attemptList = sql<
  ShownAttempt[]
>`coalesce((select jsonb_agg(jsonb_build_object('number', t.number, 'status', t.status,
  'http_status', t.http_status, 'duration_ms', t.duration_ms, 'error', t.error, 'response_excerpt', t.response_excerpt,
  'started_at', t.started_at) order by t.number)
  from (select * from delivery_attempts where delivery_id = deliveries.id order by number limit ${SHOWN_ATTEMPTS}) t), '[]'::jsonb)`.mapWith(
  (list: unknown) => (typeof list === 'string' ? JSON.parse(list) : list) as ShownAttempt[],
)

/** Id of the first later delivery that brought the same or newer content of the article to its target. */
const resolvedBy = sql<number | null>`(select later.id from deliveries later where deliveries.status in ${UNRESOLVED}
  and later.article_id = deliveries.article_id and later.id > deliveries.id and later.status in ${DELIVERED}
  and later.revision >= deliveries.revision order by later.id limit 1)`

const shownColumns = { ...deliveryColumns, attemptList, resolvedBy }

/** Selects a page of the owner's deliveries, newest first. */
export const listDeliveryRows = (db: Db, owner: SQL, input: ListDeliveriesInput, paging: Paging) => {
  const { where, order } = newestPage(
    deliveries,
    ownedBy(deliveries, owner, input.project_id),
    {
      kind: input.status === undefined ? undefined : [deliveries.status, input.status],
      filters: [input.article_id === undefined ? undefined : eq(deliveries.articleId, input.article_id)],
      always: isNotImporting(deliveries.projectId, owner),
    },
    paging,
  )
  return db.select(shownColumns).from(deliveries).where(where).orderBy(order)
}

/** Selects a delivery by id with its payload, of any account. `mine` is true for the owner's. */
export const deliveryById = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      ...shownColumns,
      payload: sentArticle(),
      contentHash: sentHash(),
      mine: mine(owner, deliveries.accountId),
    })
    .from(deliveries)
    .where(eq(deliveries.id, id))
