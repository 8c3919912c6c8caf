import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, identity, instant, oneOf } from './columns.ts'
import { accountId } from './owners.ts'
import { IMAGE_EXTENSIONS } from './values/media.ts'
import { SCREENSHOT_REASONS, SCREENSHOT_STATES } from './values/screenshots.ts'

/** Screenshots of pages, including running and failed ones. */
export const screenshots = pgTable(
  'screenshots',
  {
    id: identity(),
    /** Public id: a ULID. */
    shotId: text('shot_id').notNull(),
    accountId: accountId(),
    url: text('url').notNull(),
    /** SHA-256 of the address, hex, for finding the screenshot by its page; null if only its id finds it. */
    urlHash: text('url_hash'),
    name: text('name').notNull(),
    state: text('state', { enum: SCREENSHOT_STATES }).notNull(),
    reason: text('reason', { enum: SCREENSHOT_REASONS }),
    detail: text('detail'),
    /** Hosted image: the SHA-256 of its bytes, hex, its format and its size. */
    imageHash: text('image_hash'),
    imageExtension: text('image_extension', { enum: IMAGE_EXTENSIONS }),
    width: integer('width'),
    height: integer('height'),
    /**
     * Beginning of the page's text, for checking a repeat with another name. Null once no call reuses the screenshot.
     */
    pageWords: text('page_words'),
    /** True if there was no browser. The picture says so. */
    placeholder: boolean('placeholder').notNull().default(false),
    createdAt: createdAt(),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    uniqueIndex('screenshots_shot_id').on(t.shotId),
    index('screenshots_url').on(t.accountId, t.urlHash, t.id.desc()),
    index('screenshots_page_words').on(t.createdAt).where(sql`${t.pageWords} is not null`).concurrently(),
    check('screenshots_state_check', oneOf(t.state, SCREENSHOT_STATES)),
    check('screenshots_reason_check', oneOf(t.reason, SCREENSHOT_REASONS)),
    check('screenshots_ready_check', sql`(${t.state} = 'ready') = (${t.imageHash} is not null)`),
    check('screenshots_failed_check', sql`(${t.state} = 'failed') = (${t.reason} is not null)`),
  ],
)

/** Number of new screenshots that an account requested on a day (UTC). */
export const screenshotDays = pgTable(
  'screenshot_days',
  { accountId: accountId(), day: date('day', { mode: 'string' }).notNull(), count: integer('count').notNull() },
  (t) => [primaryKey({ name: 'screenshot_days_pkey', columns: [t.accountId, t.day] })],
)
