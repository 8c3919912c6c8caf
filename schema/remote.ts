import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { articles } from './articles.ts'
import { createdAt, identity, instant } from './columns.ts'
import { integrations } from './integrations.ts'

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
