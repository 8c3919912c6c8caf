import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { accounts } from './accounts.ts'
import { createdAt, identity, instant, oneOf, updatedAt } from './columns.ts'
import { accountId } from './owners.ts'
import { KEY_PROVIDERS, type KeptKeyword } from './values/keywords.ts'

/** Answers of keyword services, kept for seven days. A row without an answer is a request in progress. */
export const keywordAnswers = pgTable(
  'keyword_answers',
  {
    id: identity(),
    /** Account whose keys paid for the answer; only this account sees it. Null: the service's own account paid. */
    accountId: integer('account_id').references(() => accounts.id, { onDelete: 'cascade' }),
    /** Provider of the answer: `dataforseo`, `ahrefs`, or a sandbox of one, as in `dataforseo sandbox`. */
    provider: text('provider').notNull(),
    /** Region and language as the project has them. */
    region: text('region').notNull(),
    language: text('language').notNull(),
    keyword: text('keyword').notNull(),
    /** Number of keywords that were requested. */
    asked: integer('asked').notNull().default(0),
    /** The answer: the seed first. */
    rows: jsonb('rows').$type<KeptKeyword[]>(),
    /** Country of the numbers; null: the whole world. */
    country: text('country'),
    /** Until this time, one caller is waiting for the provider's answer. */
    leaseUntil: instant('lease_until'),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    unique('keyword_answers_unique').on(t.keyword, t.language, t.region, t.provider, t.accountId).nullsNotDistinct(),
    index('keyword_answers_expiry').on(t.expiresAt),
    index('keyword_answers_account').on(t.accountId).where(sql`${t.accountId} is not null`),
  ],
)

/** Callers' own keys of keyword services. */
export const providerKeys = pgTable(
  'provider_keys',
  {
    id: identity(),
    accountId: accountId(),
    provider: text('provider', { enum: KEY_PROVIDERS }).notNull(),
    /** AES-GCM sealed JSON, with the id of the sealing key in front. */
    sealedSecrets: text('sealed_secrets').notNull(),
    /** Parts of the key that may be shown: a login, and the end of the secret. */
    login: text('login'),
    masked: text('masked').notNull(),
    /** Reason that the service gave when it refused the key at its last use; null while it accepts the key. */
    rejected: text('rejected'),
    checkedAt: instant('checked_at').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('provider_keys_unique').on(t.accountId, t.provider),
    check('provider_keys_provider_check', oneOf(t.provider, KEY_PROVIDERS)),
  ],
)
