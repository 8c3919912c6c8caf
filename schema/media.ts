import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { createdAt, instant, oneOf } from './columns.ts'
import { accountId } from './owners.ts'
import { IMAGE_EXTENSIONS, VIDEO_EXTENSIONS } from './values/media.ts'

/** Hosted images of each account. The bytes are stored once, under their hash, for all accounts. */
export const hostedImages = pgTable(
  'hosted_images',
  {
    accountId: accountId(),
    /** SHA-256 of the bytes, hex. */
    hash: text('hash').notNull(),
    extension: text('extension', { enum: IMAGE_EXTENSIONS }).notNull(),
    bytes: integer('bytes').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    createdAt: createdAt(),
    /** Time of the last upload, or of the last look that found it in use. */
    usedAt: instant('used_at').notNull().defaultNow(),
    /** True if a site received it. Then it stays, because the site may show it for good. */
    sent: boolean('sent').notNull().default(false),
  },
  (t) => [
    primaryKey({ name: 'hosted_images_pkey', columns: [t.accountId, t.hash] }),
    index('hosted_images_hash').on(t.hash),
    check('hosted_images_extension_check', oneOf(t.extension, IMAGE_EXTENSIONS)),
    check('hosted_images_hash_check', sql`${t.hash} ~ '^[0-9a-f]{64}$'`),
  ],
)

/** Videos uploaded for posts. Each has a name of its own, because its bytes are stored before their hash is known. */
export const hostedVideos = pgTable(
  'hosted_videos',
  {
    /** Random, hex. */
    name: text('name').primaryKey(),
    accountId: accountId(),
    /** SHA-256 of the bytes, hex. */
    hash: text('hash').notNull(),
    extension: text('extension', { enum: VIDEO_EXTENSIONS }).notNull(),
    bytes: integer('bytes').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index('hosted_videos_account_hash').on(t.accountId, t.hash),
    check('hosted_videos_extension_check', oneOf(t.extension, VIDEO_EXTENSIONS)),
    check('hosted_videos_name_check', sql`${t.name} ~ '^[0-9a-f]{64}$'`),
    check('hosted_videos_hash_check', sql`${t.hash} ~ '^[0-9a-f]{64}$'`),
  ],
)

/** Results of searches for videos; kept for weeks, since searches are few a day. */
export const videoSearches = pgTable(
  'video_searches',
  {
    /** SHA-256 of language and words, hex. */
    key: text('key').primaryKey(),
    /** Null if no video fits. */
    videoId: text('video_id'),
    title: text('title').notNull().default(''),
    searchedAt: instant('searched_at').notNull(),
  },
  (t) => [index('video_searches_searched').on(t.searchedAt).concurrently()],
)

/** Number of video searches on a day. The provider's day begins at midnight in California. */
export const videoQuota = pgTable('video_quota', {
  day: date('day').primaryKey(),
  used: integer('used').notNull(),
})
