import { type SQL, sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { createdAt, identity, instant, oneOf, updatedAt } from './columns.ts'
import { accountId, projectId } from './owners.ts'
import { people } from './people.ts'
import { ORIGINS } from './values/adopted.ts'
import { ARTICLE_STATUSES, ARTICLE_STYLES, PUBLISH_STATES } from './values/articles.ts'
import type { OwnFields } from './values/own-fields.ts'
import type { SeoReport } from './values/seo.ts'
import { WRITING_KINDS } from './values/writing.ts'

export const articles = pgTable(
  'articles',
  {
    id: identity(),
    accountId: accountId(),
    projectId: projectId(),
    /** `adopted`: the site had the post before the service knew it. */
    origin: text('origin', { enum: ORIGINS }).notNull().default('own'),
    status: text('status', { enum: ARTICLE_STATUSES }).notNull(),
    title: text('title').notNull(),
    mainKeyword: text('main_keyword').notNull(),
    slug: text('slug').notNull(),
    /** True if the caller chose the slug. Then a new keyword does not change it. */
    slugGiven: boolean('slug_given').notNull().default(false),
    /** The caller's own id of the article, such as the path of its file. Unique in a project. */
    externalRef: text('external_ref'),
    articleStyle: text('article_style', { enum: ARTICLE_STYLES }).notNull().default('Informative'),
    content: text('content').notNull().default(''),
    /** SHA-256 of the content as the caller sent it last. Publishing may add links and sizes of pictures to the content. */
    contentSent: text('content_sent'),
    metaDescription: text('meta_description').notNull().default(''),
    featureImage: text('feature_image').notNull().default(''),
    altText: text('alt_text').notNull().default(''),
    category: text('category').notNull().default(''),
    tags: text('tags').array().notNull().default([]),
    /** Title for search engines. If it is empty, they get the article's title. */
    seoTitle: text('seo_title').notNull().default(''),
    /** Canonical address for search engines; empty: the article's own address. */
    canonicalUrl: text('canonical_url').notNull().default(''),
    /** Values of fields that only the platform has, by their names there. */
    fields: jsonb('fields').$type<OwnFields>().notNull().default({}),
    instructions: text('instructions').notNull().default(''),
    scheduledAt: instant('scheduled_at'),
    /**
     * Day set by the caller or the plan: the article goes out at the project's time of day. Null if an exact time was
     * set.
     */
    scheduledDay: date('scheduled_day', { mode: 'string' }),
    /** Minutes after the project's time of day, if a plan has several articles on one day. */
    scheduledStep: integer('scheduled_step').notNull().default(0),
    /** Time at which the clock passed the article to publishing; cleared when it is planned again. */
    dueTakenAt: instant('due_taken_at'),
    claimedAt: instant('claimed_at'),
    writingStartedAt: instant('writing_started_at'),
    /** Time at which the service's writer finished it; it is not written a second time. */
    writtenAt: instant('written_at'),
    /** After a failure the writer does not try again before this instant. */
    writeAfter: instant('write_after'),
    generationError: text('generation_error'),
    /** Progress of the writer: `{step, of, percent, label}` while it works. */
    progress: jsonb('progress').$type<{ step: number; of: number; percent: number; label: string }>(),
    /** The SEO report of the saved content. */
    seo: jsonb('seo').$type<SeoReport>(),
    /** Band hashes of the content's shingles, salted with the project: articles that share one may be near duplicates. */
    contentSketch: integer('content_sketch').array().notNull().default([]),
    /** Keys of the pages that the content links to, as `linkedKeys` returns them; null while it was not read for them. */
    linkedKeys: text('linked_keys').array(),
    /** Time at which exchange partners were committed to the article. */
    partnersCommittedAt: instant('partners_committed_at'),
    /** Goes up by one with each save that changes what readers would see. */
    revision: integer('revision').notNull().default(1),
    publishState: text('publish_state', { enum: PUBLISH_STATES }).notNull().default('idle'),
    publishError: text('publish_error'),
    /** While `publishing`: after this time another run may take over. */
    publishLeaseUntil: instant('publish_lease_until'),
    /** Token of the last publishing claim. Each claim has its own, and it stays after the claim ends. */
    publishToken: text('publish_token'),
    /** Parts of the post that a sync saved here and that may not have reached the site. The next sync sends them too. */
    siteLacks: text('site_lacks').array().notNull().default([]),
    remoteId: text('remote_id'),
    /** Platform and address of the site that the remote id belongs to; null if it was not stored yet. */
    remoteSite: text('remote_site'),
    /**
     * Number of posts that the article was detached from. It is part of the marker by which a CMS finds the next post.
     */
    generation: integer('generation').notNull().default(0),
    /**
     * Time at which the target received the article as a draft. From then on that post is updated, never created again.
     */
    sentAsDraftAt: instant('sent_as_draft_at'),
    url: text('url'),
    /** Date of the post: the time of publication, or the date that the caller chose. */
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
    // A project has one account, so this is unique in a project, and finds a ref in all projects of an account.
    uniqueIndex('articles_external_ref_unique')
      .on(t.accountId, t.externalRef, t.projectId)
      .where(sql`${t.externalRef} is not null`)
      .concurrently(),
    index('articles_account').on(t.accountId, t.id),
    index('articles_account_status').on(t.accountId, t.status, t.id),
    index('articles_account_scheduled').on(t.accountId, t.scheduledAt).where(sql`${t.scheduledAt} is not null`),
    index('articles_project').on(t.projectId, t.id),
    index('articles_account_origin').on(t.accountId, t.origin, t.id).concurrently(),
    index('articles_project_origin').on(t.projectId, t.origin, t.id).concurrently(),
    index('articles_project_remote').on(t.projectId, t.remoteId).where(sql`${t.remoteId} is not null`).concurrently(),
    index('articles_project_status').on(t.projectId, t.status, t.id),
    index('articles_account_state')
      .on(t.accountId, t.publishState, t.status, t.id)
      .where(sql`${t.publishState} <> 'idle'`)
      .concurrently(),
    index('articles_project_state')
      .on(t.projectId, t.publishState, t.status, t.id)
      .where(sql`${t.publishState} <> 'idle'`)
      .concurrently(),
    index('articles_account_updated').on(t.accountId, t.updatedAt).concurrently(),
    index('articles_project_updated').on(t.projectId, t.updatedAt).concurrently(),
    index('articles_project_published')
      .on(t.projectId, t.publishedAt)
      .where(sql`${t.publishedAt} is not null`)
      .concurrently(),
    index('articles_account_published')
      .on(t.accountId, t.publishedAt)
      .where(sql`${t.publishedAt} is not null`)
      .concurrently(),
    index('articles_unread_links').on(t.id).where(sql`${t.linkedKeys} is null`).concurrently(),
    index('articles_sketch').using('gin', t.contentSketch),
    index('articles_to_write')
      .on(t.scheduledAt)
      .where(
        sql`${t.status} = 'Planned' and ${t.claimedAt} is null and ${t.writtenAt} is null and ${t.writingStartedAt} is null`,
      ),
    index('articles_account_to_write')
      .on(t.accountId, t.scheduledAt, t.id)
      .where(
        sql`${t.status} = 'Planned' and ${t.claimedAt} is null and ${t.writtenAt} is null and ${t.writingStartedAt} is null and ${t.scheduledAt} is not null`,
      )
      .concurrently(),
    index('articles_project_due')
      .on(t.projectId)
      .where(
        sql`${t.status} = 'Planned' and ${t.dueTakenAt} is not null and ${t.publishState} in ('idle', 'publishing')`,
      ),
    index('articles_project_scheduled').on(t.projectId, t.scheduledAt).where(sql`${t.scheduledAt} is not null`),
    index('articles_account_trigrams').using('gin', t.accountId, sql`${t.searchText} gin_trgm_ops`).concurrently(),
    index('articles_due')
      .on(t.scheduledAt)
      .where(sql`${t.status} = 'Planned' and ${t.publishState} in ('idle', 'failed') and ${t.dueTakenAt} is null`),
    check('articles_origin_check', oneOf(t.origin, ORIGINS)),
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
    /** Null in versions from before images were stored. */
    featureImage: text('feature_image'),
    altText: text('alt_text'),
    /** Null in versions from before these fields were. */
    fields: jsonb('fields').$type<OwnFields>(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('article_revisions_unique').on(t.articleId, t.revision)],
)

/**
 * Text of an article that a person typed and did not save, one for each person and article. Nobody else reads it.
 */
export const articleDrafts = pgTable(
  'article_drafts',
  {
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    articleId: integer('article_id')
      .notNull()
      .references(() => articles.id, { onDelete: 'cascade' }),
    /** Id of the page of the editor in which it is typed. Another page does not overwrite it. */
    draftId: text('draft_id').notNull(),
    title: text('title').notNull(),
    metaDescription: text('meta_description').notNull(),
    content: text('content').notNull(),
    /** Entity tag of the saved article from which it began. */
    version: text('version').notNull(),
    updatedAt: updatedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.personId, t.articleId] }),
    index('article_drafts_article').on(t.articleId),
    index('article_drafts_updated').on(t.updatedAt),
  ],
)

/** A deleted article in the bin. The API does not know it; a person can restore it for 30 days. */
export const deletedArticles = pgTable(
  'deleted_articles',
  {
    articleId: integer('article_id').primaryKey(),
    accountId: accountId(),
    projectId: projectId(),
    title: text('title').notNull(),
    /** Row of the article, by the names of its columns. */
    article: jsonb('article').$type<Record<string, unknown>>().notNull(),
    /** Its newest revisions, the oldest first. */
    revisions: jsonb('revisions').$type<Record<string, unknown>[]>().notNull(),
    deletedBy: text('deleted_by').notNull(),
    deletedAt: instant('deleted_at').notNull(),
  },
  (t) => [
    index('deleted_articles_account').on(t.accountId),
    index('deleted_articles_project').on(t.projectId, t.deletedAt),
    index('deleted_articles_deleted').on(t.deletedAt),
  ],
)

/** The writer's work on an article. The row exists while it runs and after a failure; each step saves its result. */
export const articleWritings = pgTable(
  'article_writings',
  {
    articleId: integer('article_id')
      .primaryKey()
      .references(() => articles.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: WRITING_KINDS }).notNull(),
    /** Notes of the caller that the writer turns into an article. */
    notes: text('notes').notNull(),
    /** Brief of the writer, fixed when it began. */
    brief: jsonb('brief').$type<Record<string, unknown>>(),
    outline: jsonb('outline').$type<Record<string, unknown>>(),
    sections: jsonb('sections').$type<string[]>().notNull().default([]),
    step: integer('step').notNull().default(0),
    repairs: integer('repairs').notNull().default(0),
    failures: integer('failures').notNull().default(0),
    lastError: text('last_error'),
    creditTaken: boolean('credit_taken').notNull(),
    startedAt: instant('started_at').notNull(),
    updatedAt: updatedAt(),
  },
  (t) => [check('article_writings_kind_check', oneOf(t.kind, WRITING_KINDS))],
)
