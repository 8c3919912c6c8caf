import { and, eq, isNull, lt } from 'drizzle-orm'
import { notices } from '../../../schema/notices.ts'
import type { ToldKind } from '../../../schema/values/notices.ts'
import type { Db } from '../../platform/db/client.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { listedNotices, type Reader } from './queries.ts'
import { noticeSentence } from './rules.ts'

/** Notice on a person's page. `path` is the page of its thing; null if that is gone. */
export type NoticeRow = {
  id: number
  kind: ToldKind
  sentence: string
  at: Date
  isRead: boolean
  /** True if there is still something to do. */
  isOpen: boolean
  path: string | null
}

const PAGE = 50
/** Name of a thing that is gone. */
const GONE = 'something that is deleted now'

/** Returns a page of a person's notices in an account, newest first. `before`: id of the first notice of the page before; 0 for the newest. */
export const readNotices = async (
  db: Db,
  reader: Reader,
  before: number,
): Promise<{ rows: NoticeRow[]; more: number | undefined }> => {
  const { rows } = await listedNotices(db, reader, { before, limit: PAGE })
  const shown = rows.slice(0, PAGE)
  return {
    rows: shown.map(({ id, kind, action, at, is_read, is_open, title, path, is_change: isChange }) => ({
      id,
      kind,
      sentence: noticeSentence({ kind, action, title: title ?? GONE, isChange }),
      at: new Date(at),
      isRead: is_read,
      isOpen: is_open,
      path,
    })),
    more: rows.length > PAGE ? shown.at(-1)?.id : undefined,
  }
}

const ofReader = ({ personId, accountId }: Reader) =>
  and(eq(notices.personId, personId), eq(notices.accountId, accountId), isNull(notices.readAt))

/** Marks a person's notices as read: one, or all up to the one with the id `upTo`, so that none is marked that came after the page. */
export const markRead = async (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  reader: Reader,
  which: { id: number } | { upTo: number },
): Promise<void> => {
  const isMeant = 'id' in which ? eq(notices.id, which.id) : lt(notices.id, which.upTo + 1)
  await db
    .update(notices)
    .set({ readAt: now() })
    .where(and(ofReader(reader), isMeant))
}
