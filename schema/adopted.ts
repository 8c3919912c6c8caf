import { check, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { articles } from './articles.ts'
import { instant, oneOf } from './columns.ts'
import { projectId } from './owners.ts'
import { type FoundFields, STORED_FORMATS } from './values/adopted.ts'

/** Posts that articles were made of, as they were found at their site. Nothing here changes with the article. */
export const adoptedPosts = pgTable(
  'adopted_posts',
  {
    articleId: integer('article_id')
      .primaryKey()
      .references(() => articles.id, { onDelete: 'cascade' }),
    projectId: projectId(),
    /** Platform and address of the site, as in `articles.remote_site`. */
    site: text('site').notNull(),
    /** Id of the post at its site, or its address there if the site has no ids. */
    postId: text('post_id').notNull(),
    format: text('format', { enum: STORED_FORMATS }).notNull(),
    /** The text in the platform's own form, byte for byte. */
    source: text('source').notNull(),
    /** SHA-256 of `source`, hex. */
    sourceHash: text('source_hash').notNull(),
    /** Time of change that a write must name, if the CMS compares it. */
    lock: text('lock'),
    /** Page builder that the text belongs to. The text is then not changed from here. */
    owner: text('owner'),
    fields: jsonb('fields').$type<FoundFields>().notNull(),
    readAt: instant('read_at').notNull(),
  },
  (t) => [
    uniqueIndex('adopted_posts_unique').on(t.projectId, t.site, t.postId),
    check('adopted_posts_format_check', oneOf(t.format, STORED_FORMATS)),
  ],
)
