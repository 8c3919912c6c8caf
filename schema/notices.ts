import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, identity, instant, oneOf } from './columns.ts'
import { accountId } from './owners.ts'
import { people } from './people.ts'
import type { AuditAction } from './values/audit.ts'
import { NOTICE_CHOICES, NOTICE_KINDS, TOLD_KINDS } from './values/notices.ts'

const personId = () =>
  text('person_id')
    .notNull()
    .references(() => people.id, { onDelete: 'cascade' })

/** Mail settings of people. A person without a row has the defaults. */
export const noticeSettings = pgTable(
  'notice_settings',
  {
    personId: personId().primaryKey(),
    /** IANA time zone of the person. Daily mails arrive in its morning. */
    timezone: text('timezone').notNull().default('UTC'),
    /** Time of the next weekly digest; null if the person wants none. */
    digestAt: instant('digest_at'),
  },
  (t) => [index('notice_settings_digest').on(t.digestAt).where(sql`${t.digestAt} is not null`)],
)

/** Choices of people, one for each kind of notice. */
export const noticeChoices = pgTable(
  'notice_choices',
  {
    personId: personId(),
    kind: text('kind', { enum: NOTICE_KINDS }).notNull(),
    choice: text('choice', { enum: NOTICE_CHOICES }).notNull(),
  },
  (t) => [
    primaryKey({ name: 'notice_choices_pkey', columns: [t.personId, t.kind] }),
    check('notice_choices_kind_check', oneOf(t.kind, NOTICE_KINDS)),
    check('notice_choices_choice_check', oneOf(t.choice, NOTICE_CHOICES)),
  ],
)

/**
 * Notices of people, one per event. A notice ends when it is mailed, or earlier if nothing is left to do or the person wants no
 * mail. The page of notices lists all.
 */
export const notices = pgTable(
  'notices',
  {
    id: identity(),
    personId: personId(),
    accountId: accountId(),
    kind: text('kind', { enum: TOLD_KINDS }).notNull(),
    /** Identifies the event, so that the person gets only one notice of it. */
    key: text('key').notNull(),
    /** The thing it is about, as the audit log names it. */
    subject: text('subject').notNull(),
    /** Audit action of the event; null in notices of earlier releases. */
    action: text('action').$type<AuditAction>(),
    dueAt: instant('due_at').notNull(),
    endedAt: instant('ended_at'),
    /** Time at which the person read it on the page of notices. */
    readAt: instant('read_at'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('notices_event_unique').on(t.personId, t.key),
    index('notices_due').on(t.dueAt).where(sql`${t.endedAt} is null`),
    index('notices_account').on(t.accountId),
    index('notices_person').on(t.personId, t.accountId, t.id).concurrently(),
    index('notices_unread').on(t.personId, t.accountId, t.id).where(sql`${t.readAt} is null`).concurrently(),
    check('notices_kind_check', oneOf(t.kind, TOLD_KINDS)),
  ],
)

/** The last entry of the audit log that notices were made from; one row. */
export const noticeCursor = pgTable('notice_cursor', {
  id: integer('id').primaryKey(),
  entryId: integer('entry_id').notNull(),
})
