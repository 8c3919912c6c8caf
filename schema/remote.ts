import { check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { articles } from './articles.ts'
import { createdAt, identity, instant, oneOf, updatedAt } from './columns.ts'
import { integrations } from './integrations.ts'
import { LIVE_CHANGES } from './values/publishing.ts'

/** Version of a post at a CMS before a change, in the adapter's own form, so that it can be restored. */
export const remoteVersions = pgTable(
  'remote_versions',
  {
    id: identity(),
    articleId: integer('article_id')
      .notNull()
      .references(() => articles.id, { onDelete: 'cascade' }),
    integrationId: integer('integration_id')
      .notNull()
      .references(() => integrations.id, { onDelete: 'cascade' }),
    version: jsonb('version').$type<Record<string, unknown>>().notNull(),
    takenAt: instant('taken_at').notNull(),
    restoredAt: instant('restored_at'),
  },
  (t) => [
    index('remote_versions_article').on(t.articleId, t.integrationId, t.id),
    index('remote_versions_integration').on(t.integrationId),
  ],
)

/** An article's change of its live post that has not succeeded yet. The same call continues it. */
export const liveChanges = pgTable(
  'live_changes',
  {
    articleId: integer('article_id')
      .primaryKey()
      .references(() => articles.id, { onDelete: 'cascade' }),
    integrationId: integer('integration_id')
      .notNull()
      .references(() => integrations.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: LIVE_CHANGES }).notNull(),
    /** Token of its last claim, which the article has until another claim. */
    token: text('token').notNull(),
    /** Version that a rollback goes to, whichever is the newest now. */
    versionId: integer('version_id'),
    /** Number of times that the site was asked how it ended. */
    lookups: integer('lookups').notNull().default(0),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('live_changes_integration').on(t.integrationId),
    check('live_changes_kind_check', oneOf(t.kind, LIVE_CHANGES)),
  ],
)

/** Images uploaded to a CMS, so that each is uploaded only once. */
export const cmsImages = pgTable(
  'cms_images',
  {
    integrationId: integer('integration_id')
      .notNull()
      .references(() => integrations.id, { onDelete: 'cascade' }),
    /** SHA-256 of the image's address here, hex. */
    urlHash: text('url_hash').notNull(),
    hostedUrl: text('hosted_url').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: 'cms_images_pkey', columns: [t.integrationId, t.urlHash] })],
)
