import { check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { createdAt, identity, instant, oneOf } from './columns.ts'
import { accountId, projectId } from './owners.ts'
import { BATCH_OUTCOMES } from './values/articles.ts'

/** Lists of articles to create, each a job. */
export const articleBatches = pgTable(
  'article_batches',
  {
    id: identity(),
    accountId: accountId(),
    projectId: projectId(),
    count: integer('count').notNull(),
    /** The articles as they were sent and checked; null once all are handled. */
    entries: jsonb('entries').$type<Record<string, unknown>[]>(),
    createdAt: createdAt(),
    doneAt: instant('done_at'),
  },
  (t) => [
    index('article_batches_account').on(t.accountId, t.id),
    index('article_batches_project').on(t.projectId),
    index('article_batches_created').on(t.createdAt),
  ],
)

/** Result of one article of a batch, written in the transaction that creates the article. */
export const articleBatchResults = pgTable(
  'article_batch_results',
  {
    batchId: integer('batch_id')
      .notNull()
      .references(() => articleBatches.id, { onDelete: 'cascade' }),
    /** Number of the article in its batch, from 0. */
    position: integer('position').notNull(),
    outcome: text('outcome', { enum: BATCH_OUTCOMES }).notNull(),
    /** The article, which may be deleted since; null if it was refused. */
    articleId: integer('article_id'),
    externalRef: text('external_ref'),
    message: text('message').notNull(),
    /** Code and details of a refusal. */
    refusal: jsonb('refusal').$type<{ code: string; details?: unknown }>(),
  },
  (t) => [
    primaryKey({ name: 'article_batch_results_pkey', columns: [t.batchId, t.position] }),
    check('article_batch_results_outcome_check', oneOf(t.outcome, BATCH_OUTCOMES)),
  ],
)
