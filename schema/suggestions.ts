import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { articles } from './articles.ts'
import { createdAt, identity, instant, oneOf, updatedAt } from './columns.ts'
import { accountId, projectId } from './owners.ts'
import { projects } from './projects.ts'
import {
  type LivePage,
  type Making,
  OPEN_STATES,
  OPPORTUNITY_TYPES,
  SUGGESTION_STATES,
  type Trigger,
  type Wording,
} from './values/suggestions.ts'

/** Possible improvements of articles that rank, and their outcomes. */
export const suggestions = pgTable(
  'suggestions',
  {
    id: identity(),
    accountId: accountId(),
    projectId: projectId(),
    /** Null after the article was deleted. */
    articleId: integer('article_id').references(() => articles.id, { onDelete: 'set null' }),
    articleTitle: text('article_title').notNull(),
    articleUrl: text('article_url'),
    status: text('status', { enum: SUGGESTION_STATES }).notNull().default('pending'),
    opportunityType: text('opportunity_type', { enum: OPPORTUNITY_TYPES }).notNull(),
    priority: smallint('priority').notNull(),
    reason: text('reason').notNull(),
    trigger: jsonb('trigger').$type<Trigger>().notNull(),
    /** The article at the time of the rewrite, and the rewritten article. */
    before: jsonb('before').$type<Wording>(),
    after: jsonb('after').$type<Wording>(),
    /** Size of both as JSON, in bytes; null in suggestions of earlier releases. */
    proposalBytes: integer('proposal_bytes'),
    stats: jsonb('stats').$type<{ added: number; removed: number }>(),
    /** Both versions in one text: additions in `ins`, deletions in `del`. */
    diffHtml: text('diff_html'),
    livePage: jsonb('live_page').$type<LivePage>(),
    /** Parts of the rewrite that are finished, so that the next run continues after them. */
    making: jsonb('making').$type<Making>(),
    /** Notes on what the writer could not do. */
    notes: jsonb('notes').$type<string[]>().notNull().default([]),
    /** The revision the rewrite is made for. */
    baseRevision: integer('base_revision'),
    /** Revision of the article with the rewrite that was sent as a pull request; null if none was. */
    proposedRevision: integer('proposed_revision'),
    feedback: text('feedback'),
    error: text('error'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    readyAt: instant('ready_at'),
    publishedAt: instant('published_at'),
    /** Until this time, one call is publishing the suggestion. */
    publishingUntil: instant('publishing_until'),
  },
  (t) => [
    uniqueIndex('suggestions_open_unique').on(t.articleId, t.opportunityType).where(oneOf(t.status, OPEN_STATES)),
    index('suggestions_article')
      .on(t.articleId, t.opportunityType)
      .where(sql`${t.articleId} is not null`)
      .concurrently(),
    index('suggestions_project_page').on(t.projectId, t.id, t.status, t.opportunityType).concurrently(),
    index('suggestions_project_status').on(t.projectId, t.status, t.id),
    index('suggestions_project_type').on(t.projectId, t.opportunityType, t.id),
    index('suggestions_account').on(t.accountId),
    check('suggestions_status_check', oneOf(t.status, SUGGESTION_STATES)),
    check('suggestions_type_check', oneOf(t.opportunityType, OPPORTUNITY_TYPES)),
    check('suggestions_priority_check', sql`${t.priority} between 0 and 100`),
  ],
)

/** Time of each project's last search for suggestions. */
export const suggestionRuns = pgTable('suggestion_runs', {
  projectId: integer('project_id')
    .primaryKey()
    .references(() => projects.id, { onDelete: 'cascade' }),
  lastRunAt: instant('last_run_at').notNull(),
})
