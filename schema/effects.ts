import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { articles } from './articles.ts'
import { identity, instant, oneOf } from './columns.ts'
import { accountId, projectId } from './owners.ts'
import { suggestions } from './suggestions.ts'
import { CHANGE_KINDS, type PageEffect } from './values/effects.ts'

/** Changes of live pages that readers saw, and their effects on the pages' clicks. */
export const pageChanges = pgTable(
  'page_changes',
  {
    id: identity(),
    accountId: accountId(),
    projectId: projectId(),
    /** Null after the article was deleted. */
    articleId: integer('article_id').references(() => articles.id, { onDelete: 'set null' }),
    suggestionId: integer('suggestion_id').references(() => suggestions.id, { onDelete: 'set null' }),
    kind: text('kind', { enum: CHANGE_KINDS }).notNull(),
    /**
     * Revision of the article that went live. Sending it again adds no change. Null once readers see an earlier
     * version.
     */
    revision: integer('revision'),
    changedAt: instant('changed_at').notNull(),
    /** Time of the measurement, or of the next attempt to measure. */
    measureAt: instant('measure_at').notNull(),
    measuredAt: instant('measured_at'),
    effect: jsonb('effect').$type<PageEffect>(),
  },
  (t) => [
    uniqueIndex('page_changes_revision').on(t.articleId, t.revision),
    uniqueIndex('page_changes_suggestion').on(t.suggestionId).where(sql`${t.suggestionId} is not null`),
    index('page_changes_project').on(t.projectId, t.id),
    index('page_changes_project_kind').on(t.projectId, t.kind, t.id).concurrently(),
    index('page_changes_compared')
      .on(t.projectId, t.id)
      .where(sql`${t.effect} -> 'interval' ->> 'low' is not null`)
      .concurrently(),
    index('page_changes_account').on(t.accountId),
    index('page_changes_due').on(t.measureAt).where(sql`${t.measuredAt} is null`),
    check('page_changes_kind_check', oneOf(t.kind, CHANGE_KINDS)),
  ],
)
