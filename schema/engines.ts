import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { articles } from './articles.ts'
import { instant } from './columns.ts'
import { projectId } from './owners.ts'

/** Origins of a project's articles, and whether the key file of IndexNow is there. */
export const engineHosts = pgTable(
  'engine_hosts',
  {
    projectId: projectId(),
    /** Scheme and host, as in `https://blog.example.com`. */
    origin: text('origin').notNull(),
    /** Address at which the key file is looked for. */
    location: text('location').notNull(),
    lookedAt: instant('looked_at').notNull(),
    /** Time of the last look, if the key file was there; null if it was not. */
    verifiedAt: instant('verified_at'),
    /** Reason why the key file was not there, or why the engines refused. */
    problem: text('problem'),
    /** Number of times in a row that the engines refused the key. */
    refusals: integer('refusals').notNull().default(0),
    /** Time before which nothing is reported; null: none. */
    pausedUntil: instant('paused_until'),
  },
  (t) => [primaryKey({ name: 'engine_hosts_pkey', columns: [t.projectId, t.origin] })],
)

/** Addresses whose change search engines are told about by IndexNow. */
export const engineReports = pgTable(
  'engine_reports',
  {
    projectId: projectId(),
    url: text('url').notNull(),
    /** Article of the page; null if it was deleted, or has another address by now. */
    articleId: integer('article_id').references(() => articles.id, { onDelete: 'set null' }),
    /** True if readers no longer see the page. */
    isGone: boolean('is_gone').notNull(),
    /** Time of the change that is to be reported; null if there is none. */
    wantedAt: instant('wanted_at'),
    /** Time and status of the engines' last answer. */
    toldAt: instant('told_at'),
    answer: integer('answer'),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'engine_reports_pkey', columns: [t.projectId, t.url] }),
    index('engine_reports_wanted').on(t.projectId, t.wantedAt).where(sql`${t.wantedAt} is not null`),
    index('engine_reports_told').on(t.projectId, t.toldAt),
    index('engine_reports_article').on(t.articleId),
    index('engine_reports_updated').on(t.updatedAt),
  ],
)
