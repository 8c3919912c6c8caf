import { and, desc, eq, gt, ne, or, type SQL, sql } from 'drizzle-orm'
import { screenshotDays, screenshots } from '../../../schema/screenshots.ts'
import type { Db } from '../../platform/db/client.ts'
import { dayOf } from './rules.ts'

const columns = {
  shotId: screenshots.shotId,
  url: screenshots.url,
  state: screenshots.state,
  reason: screenshots.reason,
  detail: screenshots.detail,
  imageHash: screenshots.imageHash,
  imageExtension: screenshots.imageExtension,
  width: screenshots.width,
  height: screenshots.height,
  placeholder: screenshots.placeholder,
}

/** Page to capture, and the oldest picture of it that is accepted. `onlyOfName`: a picture under another name is not. */
export type Wanted = { urlHash: string; name: string; since: Date; onlyOfName?: boolean }

/**
 * Returns a condition: a picture of the page can be used again.
 *
 * A failed capture counts only for the same name, because the name may have been the reason.
 */
const isSame = ({ urlHash, name, since, onlyOfName }: Wanted): SQL =>
  sql`${and(
    eq(screenshots.urlHash, urlHash),
    gt(screenshots.createdAt, since),
    or(onlyOfName ? undefined : ne(screenshots.state, 'failed'), eq(screenshots.name, name)),
  )}`

/** Returns an expression: the number of new pictures that an account requested today. */
export const shotsOn = (account: SQL, now: Date): SQL =>
  sql`coalesce((select ${screenshotDays.count} from ${screenshotDays} where ${screenshotDays.accountId} = ${account}
    and ${screenshotDays.day} = ${dayOf(now)}::date), 0)`

/** Returns the newest usable picture of a page, with the words of the page. */
export const reusableScreenshot = (db: Db, owner: SQL, wanted: Wanted) =>
  db
    .select({ ...columns, name: screenshots.name, pageWords: screenshots.pageWords })
    .from(screenshots)
    .where(and(sql`${screenshots.accountId} = ${owner}`, isSame(wanted)))
    .orderBy(desc(screenshots.id))
    .limit(1)

/** Returns a screenshot by the id callers know, of any account. */
export const screenshotById = (db: Db, owner: SQL, shotId: string) =>
  db
    .select({ ...columns, mine: sql<boolean>`coalesce(${screenshots.accountId} = ${owner}, false)` })
    .from(screenshots)
    .where(eq(screenshots.shotId, shotId))

/** Selects the fields of a screenshot that a run reads. */
export const screenshotToTake = (db: Db, id: number) =>
  db
    .select({
      id: screenshots.id,
      accountId: screenshots.accountId,
      url: screenshots.url,
      name: screenshots.name,
      state: screenshots.state,
      createdAt: screenshots.createdAt,
    })
    .from(screenshots)
    .where(eq(screenshots.id, id))
