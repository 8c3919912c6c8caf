import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { identity, instant, oneOf, updatedAt } from './columns.ts'
import { connections } from './connections.ts'
import { accountId, projectId } from './owners.ts'
import { projects } from './projects.ts'
import type { WatchedSitemap } from './values/indexing.ts'
import { SEARCH_FAILURES } from './values/search.ts'

/** Properties whose search data a project keeps. Each property, and each part of one, has its own history. */
export const searchSources = pgTable(
  'search_sources',
  {
    id: identity(),
    projectId: projectId(),
    /** As Search Console writes it: `sc-domain:example.com` or `https://www.example.com/`. */
    property: text('property').notNull(),
    /** Website whose pages count, if the property has others too; empty: the whole property. */
    filteredTo: text('filtered_to').notNull().default(''),
  },
  (t) => [
    uniqueIndex('search_sources_part').on(t.projectId, t.property, t.filteredTo).concurrently(),
    index('search_sources_property').on(t.property).concurrently(),
  ],
)

/** The connection of a project to Search Console, while there is one. */
export const searchConnections = pgTable(
  'search_connections',
  {
    projectId: integer('project_id')
      .primaryKey()
      .references(() => projects.id, { onDelete: 'cascade' }),
    accountId: accountId(),
    connectionId: integer('connection_id')
      .notNull()
      .references(() => connections.id, { onDelete: 'cascade' }),
    /** The property in use; null until one is chosen. */
    sourceId: integer('source_id').references(() => searchSources.id, { onDelete: 'set null' }),
    /** Google account of the grant. Withdrawing one grant withdraws every other grant of the same account. */
    googleSub: text('google_sub').notNull(),
    /** Properties that the Google account may see, as of the last request for them. */
    properties: jsonb('properties').$type<string[]>().notNull().default([]),
    /** Sealed for `connection:<id>:access`. */
    sealedAccess: text('sealed_access').notNull().default(''),
    accessExpiresAt: instant('access_expires_at'),
    failure: text('failure', { enum: SEARCH_FAILURES }),
    failedAt: instant('failed_at'),
    nextSyncAt: instant('next_sync_at').notNull(),
    /** Time of the project's next search for suggestions. */
    nextSuggestionsAt: instant('next_suggestions_at').notNull().defaultNow(),
    /** Time at which Google is next asked which articles it lists. */
    nextInspectionsAt: instant('next_inspections_at').notNull().defaultNow(),
    /** Sitemaps that Search Console knows, as of `sitemapsAt`. */
    sitemaps: jsonb('sitemaps').$type<WatchedSitemap[]>().notNull().default([]),
    sitemapsAt: instant('sitemaps_at'),
    /** True if the local stand-in made the data up. */
    sandbox: boolean('sandbox').notNull().default(false),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('search_connections_due').on(t.nextSyncAt),
    index('search_connections_suggestions').on(t.nextSuggestionsAt).concurrently(),
    index('search_connections_inspections').on(t.nextInspectionsAt).concurrently(),
    index('search_connections_sub').on(t.googleSub),
    index('search_connections_connection').on(t.connectionId),
    index('search_connections_source').on(t.sourceId),
    index('search_connections_account').on(t.accountId),
    check('search_connections_failure_check', oneOf(t.failure, SEARCH_FAILURES)),
  ],
)

const sourceId = () =>
  integer('source_id')
    .notNull()
    .references(() => searchSources.id, { onDelete: 'cascade' })

const numbers = () => ({
  clicks: integer('clicks').notNull(),
  impressions: integer('impressions').notNull(),
  position: doublePrecision('position').notNull(),
})

/** Totals of each day (Pacific time). `pagesAt`: when the day's rows by page were complete. */
export const searchDays = pgTable(
  'search_days',
  {
    sourceId: sourceId(),
    day: date('day').notNull(),
    ...numbers(),
    pagesAt: instant('pages_at'),
  },
  (t) => [
    primaryKey({ name: 'search_days_pkey', columns: [t.sourceId, t.day] }),
    index('search_days_without_pages').on(t.sourceId, t.day).where(sql`${t.pagesAt} is null`),
  ],
)

/** Pages that were seen in search results. */
export const searchPages = pgTable(
  'search_pages',
  {
    id: identity(),
    sourceId: sourceId(),
    page: text('page').notNull(),
    /** The page's key, as `site_pages.url_key`. */
    pageKey: text('page_key').notNull(),
  },
  (t) => [
    uniqueIndex('search_pages_unique').on(t.sourceId, t.page),
    index('search_pages_key').on(t.sourceId, t.pageKey),
  ],
)

const pageId = () =>
  integer('page_id')
    .notNull()
    .references(() => searchPages.id, { onDelete: 'cascade' })

export const searchPageDays = pgTable(
  'search_page_days',
  { pageId: pageId(), day: date('day').notNull(), ...numbers() },
  (t) => [
    primaryKey({ name: 'search_page_days_pkey', columns: [t.pageId, t.day] }),
    /** Contains the clicks, because a page's days are spread over the table. Their sum needs only this index. */
    index('search_page_days_clicks').on(t.pageId, t.day, t.clicks).concurrently(),
  ],
)

/** Periods of 28 days whose rows are complete. */
export const searchWindows = pgTable(
  'search_windows',
  { sourceId: sourceId(), endsOn: date('ends_on').notNull(), completedAt: instant('completed_at').notNull() },
  (t) => [primaryKey({ name: 'search_windows_pkey', columns: [t.sourceId, t.endsOn] })],
)

/** Numbers of 28 days by page and query. The row with the query '' is for the page as a whole. */
export const searchWindowRows = pgTable(
  'search_window_rows',
  {
    sourceId: sourceId(),
    endsOn: date('ends_on').notNull(),
    pageId: pageId(),
    query: text('query').notNull().default(''),
    ...numbers(),
  },
  (t) => [
    primaryKey({ name: 'search_window_rows_pkey', columns: [t.sourceId, t.endsOn, t.pageId, t.query] }),
    index('search_window_rows_page').on(t.pageId),
  ],
)

/** Answers of Search Console, kept for an hour. */
export const searchAnswers = pgTable(
  'search_answers',
  {
    sourceId: sourceId(),
    key: text('key').notNull(),
    body: jsonb('body').$type<Record<string, unknown>>().notNull(),
    /** Keys of the pages in the answer, for finding their articles. */
    pageKeys: text('page_keys').array().notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'search_answers_pkey', columns: [t.sourceId, t.key] }),
    index('search_answers_expiry').on(t.expiresAt),
  ],
)
