import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { articles } from './articles.ts'
import { createdAt, identity, instant, oneOf, updatedAt } from './columns.ts'
import { integrations } from './integrations.ts'
import { accountId, projectId } from './owners.ts'
import { COPY_STATES, COPY_WISHES } from './values/publishing.ts'

/** Fields that an attempt was sent with. They identify its post while the outcome is not known. */
export type TriedCopy = { slug: string; title: string; canonical: string; revision: number }

/** Copies of articles at followers. A row exists from the article's publication at the home. */
export const copies = pgTable(
  'copies',
  {
    id: identity(),
    accountId: accountId(),
    projectId: projectId(),
    articleId: integer('article_id')
      .notNull()
      .references(() => articles.id, { onDelete: 'cascade' }),
    integrationId: integer('integration_id')
      .notNull()
      .references(() => integrations.id, { onDelete: 'cascade' }),
    state: text('state', { enum: COPY_STATES }).notNull().default('waiting'),
    wants: text('wants', { enum: COPY_WISHES }).notNull().default('live'),
    /** Number of the wish: every change of what the copy should be increases it. */
    wish: integer('wish').notNull().default(0),
    /** Revision that readers saw at the home; null until then. */
    revision: integer('revision'),
    /** Address that the copy names as its original. */
    canonical: text('canonical'),
    /** Revision and original that the follower has; null if readers do not see a copy there. */
    sentRevision: integer('sent_revision'),
    sentCanonical: text('sent_canonical'),
    tried: jsonb('tried').$type<TriedCopy>(),
    remoteId: text('remote_id'),
    url: text('url'),
    /** Attempts and look-ups for the current wish. */
    attempts: integer('attempts').notNull().default(0),
    lookups: integer('lookups').notNull().default(0),
    firstSentAt: instant('first_sent_at'),
    /** Token of the last attempt. Only that attempt may write its outcome. */
    token: text('token'),
    leaseUntil: instant('lease_until'),
    nextAttemptAt: instant('next_attempt_at'),
    error: text('error'),
    /** Differences between the request and what the follower did, as sentences. */
    warnings: jsonb('warnings').$type<readonly string[]>().notNull().default([]),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('copies_unique').on(t.articleId, t.integrationId),
    index('copies_integration').on(t.integrationId),
    index('copies_account').on(t.accountId, t.id),
    index('copies_project').on(t.projectId),
    check('copies_state_check', oneOf(t.state, COPY_STATES)),
    check('copies_wants_check', oneOf(t.wants, COPY_WISHES)),
  ],
)
