import { type SQL, sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { ARTICLE_STATUSES, ARTICLE_STYLES, PUBLISH_STATES } from '../src/articles/values.ts'
import { accounts } from './accounts.ts'
import { createdAt, identity, instant, oneOf, updatedAt } from './columns.ts'
import { projects } from './projects.ts'

export const articles = pgTable(
  'articles',
  {
    id: identity(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    projectId: integer('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    status: text('status', { enum: ARTICLE_STATUSES }).notNull(),
    title: text('title').notNull(),
    mainKeyword: text('main_keyword').notNull(),
    slug: text('slug').notNull(),
    articleStyle: text('article_style', { enum: ARTICLE_STYLES }).notNull().default('Informative'),
    content: text('content').notNull().default(''),
    metaDescription: text('meta_description').notNull().default(''),
    featureImage: text('feature_image').notNull().default(''),
    altText: text('alt_text').notNull().default(''),
    category: text('category').notNull().default(''),
    tags: text('tags').array().notNull().default([]),
    instructions: text('instructions').notNull().default(''),
    scheduledAt: instant('scheduled_at'),
    /** When the clock handed the article to publishing; cleared when it is planned anew. */
    dueTakenAt: instant('due_taken_at'),
    claimedAt: instant('claimed_at'),
    writingStartedAt: instant('writing_started_at'),
    generationError: text('generation_error'),
    /** Counts the saved versions of what a reader would see. */
    revision: integer('revision').notNull().default(1),
    publishState: text('publish_state', { enum: PUBLISH_STATES }).notNull().default('idle'),
    publishError: text('publish_error'),
    /** While `publishing`: after this instant another may take over. */
    publishLeaseUntil: instant('publish_lease_until'),
    remoteId: text('remote_id'),
    /** When the target was given the article as a draft; from then on it is updated there, never created again. */
    sentAsDraftAt: instant('sent_as_draft_at'),
    url: text('url'),
    /** The post's date: now at publication, or what the caller asked for. */
    publishedAt: instant('published_at'),
    receipt: jsonb('receipt').$type<Record<string, unknown>>(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs((): SQL => sql`lower(${articles.title} || ' ' || ${articles.mainKeyword})`),
  },
  (t) => [
    unique('articles_slug_unique').on(t.projectId, t.slug),
    index('articles_account').on(t.accountId, t.id),
    index('articles_account_status').on(t.accountId, t.status, t.id),
    index('articles_account_scheduled').on(t.accountId, t.scheduledAt).where(sql`${t.scheduledAt} is not null`),
    index('articles_project').on(t.projectId, t.id),
    index('articles_project_status').on(t.projectId, t.status, t.id),
    index('articles_search').using('gin', sql`${t.searchText} gin_trgm_ops`),
    index('articles_due')
      .on(t.scheduledAt)
      .where(sql`${t.status} = 'Planned' and ${t.publishState} in ('idle', 'failed') and ${t.dueTakenAt} is null`),
    check('articles_status_check', oneOf(t.status, ARTICLE_STATUSES)),
    check('articles_style_check', oneOf(t.articleStyle, ARTICLE_STYLES)),
    check('articles_publish_state_check', oneOf(t.publishState, PUBLISH_STATES)),
    check('articles_published_check', sql`${t.status} <> 'Published' or ${t.publishedAt} is not null`),
  ],
)

export const articleRevisions = pgTable(
  'article_revisions',
  {
    id: identity(),
    articleId: integer('article_id')
      .notNull()
      .references(() => articles.id, { onDelete: 'cascade' }),
    revision: integer('revision').notNull(),
    title: text('title').notNull(),
    metaDescription: text('meta_description').notNull(),
    content: text('content').notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('article_revisions_unique').on(t.articleId, t.revision)],
)
