import { type SQL, sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { articles } from './articles.ts'
import { createdAt, identity, instant, oneOf, updatedAt } from './columns.ts'
import { integrations } from './integrations.ts'
import { accountId, projectId } from './owners.ts'
import type { SentArticle } from './values/delivered-article.ts'
import { ATTEMPT_STATUSES, DELIVERY_STATUSES, EVENT_TYPES } from './values/publishing.ts'

export const deliveries = pgTable(
  'deliveries',
  {
    id: identity(),
    accountId: accountId(),
    projectId: projectId(),
    integrationId: integer('integration_id')
      .notNull()
      .references(() => integrations.id, { onDelete: 'cascade' }),
    articleId: integer('article_id').references(() => articles.id, { onDelete: 'set null' }),
    eventType: text('event_type', { enum: EVENT_TYPES }).notNull(),
    status: text('status', { enum: DELIVERY_STATUSES }).notNull(),
    /** Same for every attempt and replay of the same content, different for every edit. */
    idempotencyKey: text('idempotency_key').notNull(),
    /** The article's revision that `payload` was made from. */
    revision: integer('revision').notNull(),
    live: boolean('live').notNull(),
    /** Without `content_html` and `content_markdown` after 90 days, if the article's revision has the text, or nothing has. */
    payload: jsonb('payload').$type<SentArticle>().notNull(),
    /** SHA-256 of `content_html`, hex, once the payload is without it. */
    contentHash: text('content_hash'),
    replayOf: integer('replay_of'),
    /** True if the delivery makes an article public. A policy limits how many of these a day has. */
    publishes: boolean('publishes').notNull().default(false),
    /** Generation of the article's post that it was sent to: a detach ends a post, and the next publication makes another. */
    generation: integer('generation').notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    /** Number of attempts that only asked if the post exists. */
    lookups: integer('lookups').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at'),
    leaseUntil: instant('lease_until'),
    error: text('error'),
    /** Differences between the request and what the target did in the last attempt, as sentences. */
    warnings: jsonb('warnings').$type<readonly string[]>().notNull().default([]),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('deliveries_open_unique')
      .on(t.articleId)
      .where(sql`${t.status} in ('sending', 'retrying', 'unknown') and ${t.replayOf} is null`),
    index('deliveries_account').on(t.accountId, t.id),
    index('deliveries_account_status').on(t.accountId, t.status, t.id),
    index('deliveries_project').on(t.projectId, t.id),
    index('deliveries_project_status').on(t.projectId, t.status, t.id),
    index('deliveries_article').on(t.articleId, t.id),
    index('deliveries_integration').on(t.integrationId),
    index('deliveries_project_publications').on(t.projectId, t.createdAt).where(sql`${t.publishes}`).concurrently(),
    check('deliveries_event_type_check', oneOf(t.eventType, EVENT_TYPES)),
    check('deliveries_status_check', oneOf(t.status, DELIVERY_STATUSES)),
  ],
)

/** Returns the text of a delivery's revision; null if it is not kept. `alias` is the delivery's table in the query. */
export const revisionText = (alias = 'deliveries'): SQL => {
  const sent = sql.raw(alias)
  return sql`coalesce((select r.content from article_revisions r where r.article_id = ${sent}.article_id and r.revision = ${sent}.revision),
    (select a.content from articles a where a.id = ${sent}.article_id and a.revision = ${sent}.revision))`
}

/** Returns the article of a delivery with its text, which is that of its revision if the delivery has none. */
export const sentArticle = (alias = 'deliveries'): SQL<SentArticle> => {
  const payload = sql.raw(`${alias}.payload`)
  return sql<SentArticle>`case when ${payload} -> 'content_html' is not null then ${payload}
    else ${payload} || jsonb_build_object('content_html', coalesce(${revisionText(alias)}, '')) end`
}

/** Returns the SHA-256 of a delivery's text, hex, which it keeps when the text is gone. */
export const sentHash = (alias = 'deliveries'): SQL<string> => {
  const sent = sql.raw(alias)
  return sql<string>`coalesce(${sent}.content_hash, encode(sha256(convert_to(${sent}.payload ->> 'content_html', 'UTF8')), 'hex'))`
}

export const deliveryAttempts = pgTable(
  'delivery_attempts',
  {
    id: identity(),
    deliveryId: integer('delivery_id')
      .notNull()
      .references(() => deliveries.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    status: text('status', { enum: ATTEMPT_STATUSES }).notNull(),
    httpStatus: integer('http_status'),
    durationMs: integer('duration_ms'),
    error: text('error'),
    responseExcerpt: text('response_excerpt'),
    startedAt: instant('started_at').notNull(),
  },
  (t) => [
    uniqueIndex('delivery_attempts_unique').on(t.deliveryId, t.number),
    check('delivery_attempts_status_check', oneOf(t.status, ATTEMPT_STATUSES)),
  ],
)
