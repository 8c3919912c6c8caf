import { type SQL, sql } from 'drizzle-orm'
import { doublePrecision, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { articles } from './articles.ts'
import { createdAt, identity, instant, searchVector, updatedAt } from './columns.ts'
import { projectId } from './owners.ts'

/** Public pages of a project's site: what the scan found, and every published article. */
export const sitePages = pgTable(
  'site_pages',
  {
    id: identity(),
    projectId: projectId(),
    /** Published article of the page; null for pages from the scan. */
    articleId: integer('article_id').references(() => articles.id, { onDelete: 'set null' }),
    url: text('url').notNull(),
    /** The page's key, as `pageKey` computes it: host, path and query without trackers. */
    urlKey: text('url_key').notNull(),
    title: text('title').notNull().default(''),
    keyword: text('keyword').notNull().default(''),
    metaDescription: text('meta_description').notNull().default(''),
    /** Language of the page by its name, as in `projects.language`; empty while it is not known. */
    language: text('language').notNull().default(''),
    /** Key of the page that is offered instead, because it has the same content in the project's language. */
    alternateOf: text('alternate_of'),
    /** Keys of the pages that it links to, as `pageKey` computes them; null if it was not read for them. */
    linkedKeys: text('linked_keys').array(),
    /** Time at which the page itself was read; null while only its address is known. */
    readAt: instant('read_at'),
    /** Time at which a scan of the site last found the address. */
    seenAt: instant('seen_at').notNull().default(sql`now()`),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    words: searchVector('words').generatedAlwaysAs(
      (): SQL =>
        sql`to_tsvector('simple'::regconfig, ${sitePages.title} || ' ' || ${sitePages.keyword} || ' ' || ${sitePages.metaDescription})`,
    ),
  },
  (t) => [
    uniqueIndex('site_pages_unique').on(t.projectId, t.urlKey),
    index('site_pages_project').on(t.projectId, t.id),
    index('site_pages_unread').on(t.projectId, t.id).where(sql`${t.readAt} is null`),
    index('site_pages_article').on(t.articleId).where(sql`${t.articleId} is not null`),
    index('site_pages_words').using('gin', t.projectId, t.words),
  ],
)

/** Keywords found for a project. Volume and difficulty are null if no service measured them. */
export const projectKeywords = pgTable(
  'project_keywords',
  {
    id: identity(),
    projectId: projectId(),
    keyword: text('keyword').notNull(),
    searchVolume: integer('search_volume'),
    keywordDifficulty: doublePrecision('keyword_difficulty'),
    source: text('source').notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('project_keywords_unique').on(t.projectId, sql`lower(${t.keyword})`)],
)
