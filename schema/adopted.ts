import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { articles } from './articles.ts'
import { createdAt, identity, instant, oneOf, updatedAt } from './columns.ts'
import { integrations } from './integrations.ts'
import { accountId, projectId } from './owners.ts'
import { ADOPTION_STATES, type AdoptionProblem, type FoundFields, STORED_FORMATS } from './values/adopted.ts'

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

/** Adoptions of many posts, each a job with progress. */
export const adoptions = pgTable(
  'adoptions',
  {
    id: identity(),
    accountId: accountId(),
    projectId: projectId(),
    integrationId: integer('integration_id')
      .notNull()
      .references(() => integrations.id, { onDelete: 'cascade' }),
    state: text('state', { enum: ADOPTION_STATES }).notNull(),
    /** Ids of the posts to adopt; null: all published posts that the site lists. */
    postIds: text('post_ids').array(),
    /** Cursor of the page that is being adopted, if all posts are; null: the first page. */
    cursor: text('cursor'),
    /** Number of handled posts, of `post_ids` or of that page. */
    position: integer('position').notNull().default(0),
    adopted: integer('adopted').notNull().default(0),
    /** Posts that were articles already. */
    known: integer('known').notNull().default(0),
    refused: integer('refused').notNull().default(0),
    /** The first posts that were refused. */
    problems: jsonb('problems').$type<AdoptionProblem[]>().notNull().default([]),
    /** Reason why it stopped; null while it runs and after its end. */
    error: text('error'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('adoptions_account').on(t.accountId),
    index('adoptions_project').on(t.projectId, t.id),
    index('adoptions_integration').on(t.integrationId),
    uniqueIndex('adoptions_running_unique').on(t.projectId).where(sql`${t.state} = 'running'`),
    check('adoptions_state_check', oneOf(t.state, ADOPTION_STATES)),
  ],
)
