import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { articles } from './articles.ts'
import { createdAt, identity, oneOf, updatedAt } from './columns.ts'
import { accountId, projectId } from './owners.ts'
import { CHANGE_SET_STATES, CHANGE_STATES, type ChangedFields } from './values/changes.ts'

/** Named sets of changes of published articles, which are approved, released and reverted together. */
export const changeSets = pgTable(
  'change_sets',
  {
    id: identity(),
    accountId: accountId(),
    projectId: projectId(),
    name: text('name').notNull(),
    state: text('state', { enum: CHANGE_SET_STATES }).notNull().default('draft'),
    /** SHA-256 of all changes, hex. An approval is bound to it. */
    hash: text('hash').notNull(),
    /** True if a person approved the set, or released it. This covers its revert. */
    isApproved: boolean('is_approved').notNull().default(false),
    /** Reason why it stopped; null if it did not. */
    error: text('error'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('change_sets_account').on(t.accountId),
    index('change_sets_project').on(t.projectId, t.id),
    check('change_sets_state_check', oneOf(t.state, CHANGE_SET_STATES)),
  ],
)

/** Changes of a set, one for each article, in the order of their release. */
export const changes = pgTable(
  'changes',
  {
    setId: integer('set_id')
      .notNull()
      .references(() => changeSets.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    articleId: integer('article_id')
      .notNull()
      .references(() => articles.id, { onDelete: 'cascade' }),
    /** Revision of the article that the change was made of. */
    baseRevision: integer('base_revision').notNull(),
    /** Revision that has the change; null until it was sent. */
    sentRevision: integer('sent_revision'),
    fields: jsonb('fields').$type<ChangedFields>().notNull(),
    /** Values of the same fields before. */
    before: jsonb('before').$type<ChangedFields>().notNull(),
    state: text('state', { enum: CHANGE_STATES }).notNull().default('waiting'),
    /** Reason why it was refused or left out. */
    error: text('error'),
  },
  (t) => [
    primaryKey({ columns: [t.setId, t.position] }),
    uniqueIndex('changes_article_unique').on(t.articleId, t.setId),
    check('changes_state_check', oneOf(t.state, CHANGE_STATES)),
  ],
)
