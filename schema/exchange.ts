import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { articles } from './articles.ts'
import { createdAt, identity, instant, oneOf, updatedAt } from './columns.ts'
import { accountId, projectId } from './owners.ts'
import { projects } from './projects.ts'
import { LEDGER_REASONS, LINK_STATUSES } from './values/exchange.ts'

/** Links from an article of one project to the site of another. At most one per pair of article and site counts. */
export const exchangeLinks = pgTable(
  'exchange_links',
  {
    id: identity(),
    articleId: integer('article_id').references(() => articles.id, { onDelete: 'set null' }),
    fromProjectId: integer('from_project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    toProjectId: integer('to_project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    status: text('status', { enum: LINK_STATUSES }).notNull(),
    targetUrl: text('target_url').notNull(),
    anchor: text('anchor').notNull(),
    /** Live page that has the link, after publication. */
    sourceUrl: text('source_url'),
    /** Number of times that the link started to count: 2 if it was missing and came back. */
    round: integer('round').notNull().default(1),
    verifiedAt: instant('verified_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('exchange_links_counted_unique').on(t.articleId, t.toProjectId).where(sql`${t.status} <> 'Removed'`),
    index('exchange_links_article').on(t.articleId).where(sql`${t.articleId} is not null`).concurrently(),
    index('exchange_links_given').on(t.fromProjectId, t.toProjectId, t.createdAt),
    index('exchange_links_received').on(t.toProjectId, t.status, t.id),
    index('exchange_links_received_at').on(t.toProjectId, t.createdAt),
    check('exchange_links_status_check', oneOf(t.status, LINK_STATUSES)),
  ],
)

/** Changes of projects' backlink credits. Their sum is `projects.backlink_credits` less `projects.backlink_debt`. */
export const exchangeLedger = pgTable(
  'exchange_ledger',
  {
    id: identity(),
    accountId: accountId(),
    projectId: projectId(),
    /** Link of the entry; null if it has none, or if the link was erased with the partner's account. */
    linkId: integer('link_id').references(() => exchangeLinks.id, { onDelete: 'cascade' }),
    /** Key of an event that happens only once, so that it cannot be booked twice. */
    key: text('key'),
    delta: integer('delta').notNull(),
    reason: text('reason', { enum: LEDGER_REASONS }).notNull(),
    at: instant('at').notNull().defaultNow(),
  },
  (t) => [
    index('exchange_ledger_project').on(t.projectId, t.id),
    index('exchange_ledger_account').on(t.accountId, t.id),
    index('exchange_ledger_link').on(t.linkId),
    uniqueIndex('exchange_ledger_key').on(t.key),
    index('exchange_ledger_welcome').on(t.accountId).where(sql`${t.reason} = 'welcome'`),
    check('exchange_ledger_reason_check', oneOf(t.reason, LEDGER_REASONS)),
  ],
)

/** Partners that an article must link to. They are chosen once, so that its brief is the same each time it is read. */
export const exchangeCommitments = pgTable(
  'exchange_commitments',
  {
    id: identity(),
    articleId: integer('article_id')
      .notNull()
      .references(() => articles.id, { onDelete: 'cascade' }),
    toProjectId: integer('to_project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    url: text('url').notNull(),
    anchor: text('anchor').notNull(),
    /** True if a credit of the partner is set aside for the link. */
    reserved: boolean('reserved').notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('exchange_commitments_unique').on(t.articleId, t.toProjectId),
    index('exchange_commitments_partner').on(t.toProjectId),
    index('exchange_commitments_reserved').on(t.createdAt).where(sql`${t.reserved}`),
  ],
)
