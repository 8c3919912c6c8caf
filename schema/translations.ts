import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { articles } from './articles.ts'
import { createdAt } from './columns.ts'
import { accountId } from './owners.ts'

/** Articles of one subject in several languages, each in one group. */
export const articleTranslations = pgTable(
  'article_translations',
  {
    articleId: integer('article_id')
      .primaryKey()
      .references(() => articles.id, { onDelete: 'cascade' }),
    accountId: accountId(),
    groupId: uuid('group_id').notNull(),
    /** BCP 47 tag that the caller gave; empty: the language of the adopted post, or of the project. */
    language: text('language').notNull().default(''),
    createdAt: createdAt(),
  },
  (t) => [index('article_translations_account').on(t.accountId), index('article_translations_group').on(t.groupId)],
)
