import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { articles } from './articles.ts'
import { createdAt, identity, instant, updatedAt } from './columns.ts'
import { accountId, projectId } from './owners.ts'
import type { StatementWording } from './values/statements.ts'

/** Statements that a business makes in many articles: a price, a law, a name. */
export const statements = pgTable(
  'statements',
  {
    id: identity(),
    accountId: accountId(),
    projectId: projectId(),
    name: text('name').notNull(),
    /** The present wording, then others that say the same. */
    wordings: jsonb('wordings').$type<StatementWording[]>().notNull(),
    /** Keys of which every use has one, as `article_words` has them. */
    rareKeys: integer('rare_keys').array().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [index('statements_account').on(t.accountId, t.id), index('statements_project').on(t.projectId, t.id)],
)

/** Keys of an article's words, to find statements by. A row of another revision or time is out of date. */
export const articleWords = pgTable(
  'article_words',
  {
    articleId: integer('article_id')
      .primaryKey()
      .references(() => articles.id, { onDelete: 'cascade' }),
    /** Revision and time of the article that was read. */
    revision: integer('revision').notNull(),
    readAt: instant('read_at').notNull(),
    /** Hashes of the keys, salted with the project: projects have no key in common. */
    keys: integer('keys').array().notNull(),
  },
  (t) => [index('article_words_keys').using('gin', t.keys)],
)
