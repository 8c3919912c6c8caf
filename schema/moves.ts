import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { articles } from './articles.ts'
import { createdAt, identity, instant, oneOf, updatedAt } from './columns.ts'
import { accountId, projectId } from './owners.ts'
import { searchSources } from './search.ts'
import { FOUND_AT, MOVE_STATES } from './values/moves.ts'

/** Moves of a project's site to another address: looked for, then confirmed by a person. */
export const siteMoves = pgTable(
  'site_moves',
  {
    id: identity(),
    accountId: accountId(),
    projectId: projectId(),
    fromUrl: text('from_url').notNull(),
    fromKey: text('from_key').notNull(),
    toUrl: text('to_url').notNull(),
    toKey: text('to_key').notNull(),
    state: text('state', { enum: MOVE_STATES }).notNull(),
    /** Number of published articles with an address when it began. */
    wanted: integer('wanted').notNull(),
    /** Id of the last article that was looked for. */
    position: integer('position').notNull().default(0),
    /** Reason why it stopped; null if it did not. */
    error: text('error'),
    /** Search data of the old address at the time of the move. */
    sourceId: integer('source_id').references(() => searchSources.id, { onDelete: 'set null' }),
    movedAt: instant('moved_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('site_moves_account').on(t.accountId),
    index('site_moves_project').on(t.projectId, t.id),
    index('site_moves_source').on(t.sourceId),
    uniqueIndex('site_moves_open_unique').on(t.projectId).where(sql`${t.state} in ('looking', 'ready')`),
    check('site_moves_state_check', oneOf(t.state, MOVE_STATES)),
  ],
)

/** Articles of a move, with the address that was found for each. */
export const siteMoveArticles = pgTable(
  'site_move_articles',
  {
    moveId: integer('move_id')
      .notNull()
      .references(() => siteMoves.id, { onDelete: 'cascade' }),
    articleId: integer('article_id')
      .notNull()
      .references(() => articles.id, { onDelete: 'cascade' }),
    oldUrl: text('old_url').notNull(),
    /** Null if it was not found. */
    newUrl: text('new_url'),
    /** Key of the new address, as `site_pages.url_key`. */
    newKey: text('new_key'),
    foundAt: text('found_at', { enum: FOUND_AT }),
    /** Reason why it was not found, or was left out of the move. */
    reason: text('reason'),
    /** True if the article has the new address since the move. */
    isMoved: boolean('is_moved').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.moveId, t.articleId] }),
    index('site_move_articles_article').on(t.articleId),
    check('site_move_articles_found_check', oneOf(t.foundAt, FOUND_AT)),
  ],
)
