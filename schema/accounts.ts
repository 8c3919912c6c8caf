import { sql } from 'drizzle-orm'
import { boolean, check, doublePrecision, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, identity, instant, oneOf, updatedAt } from './columns.ts'
import { PLANS, SCOPES } from './values/accounts.ts'

export const accounts = pgTable(
  'accounts',
  {
    id: identity(),
    email: text('email').notNull(),
    /** Name that its owners chose. If it is empty, the account is shown by its email address. */
    name: text('name').notNull().default(''),
    plan: text('plan', { enum: PLANS }).notNull(),
    projectSlots: integer('project_slots').notNull(),
    /** Number of used slots. Two creates that race for the last slot update this row one after the other. */
    activeProjects: integer('active_projects').notNull().default(0),
    articleCredits: integer('article_credits').notNull().default(0),
    /** Time at which the plan's monthly credits were last filled up. */
    creditsFilledAt: instant('credits_filled_at').notNull().defaultNow(),
    /** Most credits per project that were filled up since then: switching plans back and forth fills up only once. */
    creditsFilledTo: integer('credits_filled_to').notNull().default(0),
    /** Minute in which publications of this account are counted, and their number. */
    publishMinute: instant('publish_minute'),
    publishedInMinute: integer('published_in_minute').notNull().default(0),
    /** Month (UTC) whose charges of the service's own providers are counted, and the charges in dollars. */
    providerMonth: instant('provider_month'),
    providerUsd: doublePrecision('provider_usd').notNull().default(0),
    outreachPro: boolean('outreach_pro').notNull().default(false),
    /** True if the outreach beta is open to the account. */
    outreachBeta: boolean('outreach_beta').notNull().default(true),
    suspendedAt: instant('suspended_at'),
    /** Lease of the call that is undoing actions in the account. Until this time, other undo calls are refused. */
    undoUntil: instant('undo_until'),
    /** Time of the next look for unused pictures. */
    picturesAt: instant('pictures_at').notNull().defaultNow(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('accounts_credits_filled').on(t.creditsFilledAt),
    index('accounts_pictures').on(t.picturesAt).concurrently(),
    uniqueIndex('accounts_email_unique').on(sql`lower(${t.email})`),
    check('accounts_plan_check', oneOf(t.plan, PLANS)),
    check('accounts_project_slots_check', sql`${t.projectSlots} >= 0`),
    check('accounts_active_projects_check', sql`${t.activeProjects} >= 0`),
    check('accounts_article_credits_check', sql`${t.articleCredits} >= 0`),
  ],
)

export const apiKeys = pgTable(
  'api_keys',
  {
    id: identity(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** SHA-256 of the key, lower-case hex. The key itself is never stored. */
    keyHash: text('key_hash').notNull(),
    lastFour: text('last_four').notNull(),
    scopes: text('scopes', { enum: SCOPES }).array().notNull(),
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
    /** Time at which a restore of the database put the key on hold; null: it works. An owner confirms it. */
    heldAt: instant('held_at'),
    lastUsedAt: instant('last_used_at'),
    /** Most that the key may spend in a month (UTC); null: no budget. */
    budgetArticleCredits: integer('budget_article_credits'),
    budgetScans: integer('budget_scans'),
    budgetCents: integer('budget_cents'),
    /** Month whose spending is counted, and the spending in it. */
    usedMonth: instant('used_month'),
    usedArticleCredits: integer('used_article_credits').notNull().default(0),
    usedScans: integer('used_scans').notNull().default(0),
    usedCents: integer('used_cents').notNull().default(0),
    /**
     * Person who created the key; it ends when they leave the account. Null: an operator did, or the row is older than
     * this column.
     */
    madeBy: text('made_by'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('api_keys_hash_unique').on(t.keyHash),
    index('api_keys_account').on(t.accountId, t.id),
    check(
      'api_keys_scopes_check',
      sql`${t.scopes} <@ array['read', 'draft', 'write', 'admin'] and cardinality(${t.scopes}) > 0`,
    ),
  ],
)
