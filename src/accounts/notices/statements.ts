import { and, eq, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { noticeCursor, noticeSettings, notices } from '../../../schema/notices.ts'
import { givenRows, select } from '../../platform/db/read-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import { insert, update } from '../../platform/db/write-parts.ts'
import { queueMail, type SealedMail } from '../people/queue-mail.ts'
import type { Event } from './queries.ts'

const UNAUDITED = 'people are told of what the audit log has'

export type NewNotice = Omit<Event, 'choice' | 'timezone'> & { dueAt: Date }

/** Makes notices, each event once for a person, and moves the cursor; nothing if another run moved it. */
export const saveNotices = (rows: readonly NewNotice[], from: number, to: number): SQL => {
  const moved = update(
    'moved',
    noticeCursor,
    { entryId: to },
    { where: sql`${and(eq(noticeCursor.id, 1), eq(noticeCursor.entryId, from))}`, returning: { id: noticeCursor.id } },
  )
  const { personId, accountId, kind, key, subject, dueAt } = notices
  const given = givenRows(
    'given',
    { personId, accountId, kind, key, subject, dueAt },
    rows.map((row) => ({
      personId: row.person_id,
      accountId: row.account_id,
      kind: row.kind,
      key: row.key,
      subject: row.subject,
      dueAt: row.dueAt,
    })),
  )
  const { n: _, ...columns } = given.c
  const made = insert('made', notices, columns, { from: [moved, given], onConflict: { columns: [personId, key] } })
  return statement({ unaudited: UNAUDITED, parts: [moved, given, made], answer: { id: moved.c.id } })
}

/** Ends notices of a person and queues the mail of those that still hold; nothing if one of them was ended before. */
export const endNotices = (ids: readonly number[], mail: SealedMail | undefined, now: Date): SQL => {
  const open = and(inArray(notices.id, [...ids]), isNull(notices.endedAt))
  const ended = update(
    'ended',
    notices,
    { endedAt: now },
    {
      where: sql`${open} and (select count(*) from ${notices} where ${open}) = ${ids.length}::int`,
      returning: { id: notices.id },
    },
  )
  const first = select('first', { id: ended.c.id }, sql`from ${ended.rows} limit 1`, { materialized: true })
  const parts = [ended, first, mail && queueMail(mail, { from: first, now })]
  return statement({ unaudited: UNAUDITED, parts, answer: { id: first.c.id } })
}

/** Moves a digest on and queues its mail; nothing if that was done before. */
export const endDigest = (personId: string, next: Date, mail: SealedMail, now: Date): SQL => {
  const moved = update(
    'moved',
    noticeSettings,
    { digestAt: next },
    {
      where: sql`${and(eq(noticeSettings.personId, personId), lte(noticeSettings.digestAt, now))}`,
      returning: { id: noticeSettings.personId },
    },
  )
  return statement({ unaudited: UNAUDITED, parts: [moved, queueMail(mail, { from: moved, now })], answer: moved.c })
}
