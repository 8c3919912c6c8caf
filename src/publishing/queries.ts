import { and, asc, desc, eq, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../schema/articles.ts'
import { deliveries, deliveryAttempts } from '../../schema/deliveries.ts'
import { integrations } from '../../schema/integrations.ts'
import { projects } from '../../schema/projects.ts'
import type { Db } from '../db/client.ts'
import { ownedRows } from '../db/ownership.ts'
import type { Paging } from '../lib/paging.ts'
import type { ListDeliveriesInput } from './schemas.ts'

const mine = (owner: SQL, column: typeof articles.accountId | typeof deliveries.accountId) =>
  sql<boolean>`coalesce(${column} = ${owner}, false)`

const OPEN = ['sending', 'retrying', 'unknown'] as const

const activeTarget = and(eq(integrations.projectId, projects.id), eq(integrations.status, 'Active'))
const openDelivery = and(
  eq(deliveries.articleId, articles.id),
  inArray(deliveries.status, [...OPEN]),
  isNull(deliveries.replayOf),
)

const imageHosting = sql<string | null>`${projects.imagePreferences} ->> 'image_hosting'`

const articleColumns = {
  id: articles.id,
  accountId: articles.accountId,
  projectId: articles.projectId,
  status: articles.status,
  title: articles.title,
  mainKeyword: articles.mainKeyword,
  articleStyle: articles.articleStyle,
  slug: articles.slug,
  content: articles.content,
  metaDescription: articles.metaDescription,
  featureImage: articles.featureImage,
  altText: articles.altText,
  category: articles.category,
  tags: articles.tags,
  revision: articles.revision,
  publishState: articles.publishState,
  publishLeaseUntil: articles.publishLeaseUntil,
  writingStartedAt: articles.writingStartedAt,
  claimedAt: articles.claimedAt,
  seo: articles.seo,
  dueTakenAt: articles.dueTakenAt,
  remoteId: articles.remoteId,
  sentAsDraftAt: articles.sentAsDraftAt,
  url: articles.url,
  publishedAt: articles.publishedAt,
  createdAt: articles.createdAt,
  updatedAt: articles.updatedAt,
  author: projects.customAuthorName,
  imageHosting,
}

const targetColumns = {
  id: integrations.id,
  platform: integrations.platform,
  url: integrations.url,
  sealedSecrets: integrations.sealedSecrets,
}

/** The project of an article, as an expression. */
export const projectOf = (articleId: number): SQL => sql`(select project_id from articles where id = ${articleId}::int)`

/** Whether a delivery was made of the article's present revision. */
const isSent = sql<boolean>`exists (select 1 from deliveries sent where sent.article_id = ${articles.id} and sent.revision = ${articles.revision} and sent.replay_of is null)`

/** An article with all that publishing it needs: byline, the project's active target, the delivery still open. */
export const publishableById = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      article: articleColumns,
      mine: mine(owner, articles.accountId),
      target: targetColumns,
      isSent,
      open: {
        id: deliveries.id,
        status: deliveries.status,
        key: deliveries.idempotencyKey,
        payload: deliveries.payload,
        createdAt: deliveries.createdAt,
        lookups: deliveries.lookups,
      },
    })
    .from(articles)
    .innerJoin(projects, eq(projects.id, articles.projectId))
    .leftJoin(integrations, activeTarget)
    .leftJoin(deliveries, openDelivery)
    .where(eq(articles.id, id))

export type Publishable = Omit<Awaited<ReturnType<typeof publishableById>>[number], 'mine'>
export type PublishableRow = Publishable['article']
export type TargetRow = NonNullable<Publishable['target']>

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
  createdAt: deliveries.createdAt,
  updatedAt: deliveries.updatedAt,
}

export type DeliveryRow = Awaited<ReturnType<typeof listDeliveryRows>>[number]

/** A delivery with its payload, the target it goes to now, and where its article stands. */
export const deliveryToSend = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      delivery: { ...deliveryColumns, payload: deliveries.payload, imageHosting },
      mine: mine(owner, deliveries.accountId),
      target: targetColumns,
      article: {
        status: articles.status,
        revision: articles.revision,
        dueTakenAt: articles.dueTakenAt,
        remoteId: articles.remoteId,
      },
    })
    .from(deliveries)
    .innerJoin(projects, eq(projects.id, deliveries.projectId))
    .leftJoin(integrations, activeTarget)
    .leftJoin(articles, eq(articles.id, deliveries.articleId))
    .where(eq(deliveries.id, id))

export const listDeliveryRows = (db: Db, owner: SQL, input: ListDeliveriesInput, paging: Paging) =>
  db
    .select(deliveryColumns)
    .from(deliveries)
    .where(
      and(
        ownedRows(deliveries, owner, input.project_id),
        input.status === undefined ? undefined : eq(deliveries.status, input.status),
        paging.beforeId === undefined ? undefined : lt(deliveries.id, paging.beforeId),
      ),
    )
    .orderBy(desc(deliveries.id))
    .limit(paging.limit + 1)
    .offset(paging.offset)

export const deliveryById = (db: Db, owner: SQL, id: number) =>
  db
    .select({ ...deliveryColumns, mine: mine(owner, deliveries.accountId) })
    .from(deliveries)
    .where(eq(deliveries.id, id))

export const attemptsOf = (db: Db, deliveryId: number) =>
  db
    .select({
      number: deliveryAttempts.number,
      status: deliveryAttempts.status,
      httpStatus: deliveryAttempts.httpStatus,
      durationMs: deliveryAttempts.durationMs,
      error: deliveryAttempts.error,
      responseExcerpt: deliveryAttempts.responseExcerpt,
      startedAt: deliveryAttempts.startedAt,
    })
    .from(deliveryAttempts)
    .where(eq(deliveryAttempts.deliveryId, deliveryId))
    .orderBy(asc(deliveryAttempts.number))
    .limit(100)
