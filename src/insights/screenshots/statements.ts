import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { screenshotDays as days, screenshots } from '../../../schema/screenshots.ts'
import type { ScreenshotReason } from '../../../schema/values/screenshots.ts'
import { holdImages } from '../../content/media/parts.ts'
import type { HostedImage } from '../../content/media/store.ts'
import { audit } from '../../platform/db/audit.ts'
import { read } from '../../platform/db/read-parts.ts'
import { countOf, ONE_ROW, statement } from '../../platform/db/statement.ts'
import { insert, remove, update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { screenshotJob } from './jobs.ts'
import { isSame, type Wanted } from './queries.ts'
import { DAILY_CAP, dayOf, keptWords } from './rules.ts'

/** First key of the advisory lock under which an account's new screenshots are made one after the other. */
const NEW_SHOTS_OF_ACCOUNT = sql.raw('1013')

/** Lock for the statement that makes a screenshot: it then sees the screenshots of those who had the lock before. */
export const newShotLock = (accountId: number): SQL[] => [
  sql`select pg_advisory_xact_lock(${NEW_SHOTS_OF_ACCOUNT}, ${accountId}::int)`,
]

type NewShot = { shotId: string; accountId: number; url: string; wanted: Wanted; body: object }

/**
 * Makes a screenshot with its job, unless there is one of the page that will do or the day's are used up. Answers `made` (0 or 1)
 * and `same`, the id of the one that will do. To be run under `newShotLock`.
 */
export const makeShot = (ctx: Ctx, { shotId, accountId, url, wanted, body }: NewShot): SQL => {
  const now = ctx.now()
  const same = read(
    'same',
    screenshots,
    { shotId: screenshots.shotId },
    {
      where: sql`${and(eq(screenshots.accountId, accountId), isSame(wanted))}`,
      orderBy: sql`${desc(screenshots.id)}`,
      limit: 1,
    },
  )
  const forgotten = remove('forgotten', days, {
    where: sql`${and(eq(days.accountId, accountId), lt(days.day, dayOf(now)))}`,
  })
  const counted = insert(
    'counted',
    days,
    { accountId, day: dayOf(now), count: 1 },
    {
      where: sql`not ${same.hasRows}`,
      onConflict: {
        columns: [days.accountId, days.day],
        set: { count: sql`${days.count} + 1` },
        setWhere: lt(days.count, DAILY_CAP),
      },
      returning: { count: days.count },
    },
  )
  const made = insert(
    'made',
    screenshots,
    { shotId, accountId, url, urlHash: wanted.urlHash, name: wanted.name, state: 'processing', createdAt: now },
    { from: [counted], returning: { id: screenshots.id } },
  )
  return statement({
    parts: [
      same,
      forgotten,
      counted,
      made,
      screenshotJob.enqueue({
        from: made,
        account: accountId,
        payload: { screenshot_id: made.c.id },
        runAt: now,
        open: 'keep',
      }),
      ctx.keep.answer([made], body),
    ],
    audit: audit(ctx, { of: made, account: accountId, action: 'screenshot.take', on: ['screenshot', made.c.id] }),
    answer: { made: countOf(made), same: sql`(select ${same.c.shotId} from ${same.rows})` },
    answerFrom: ONE_ROW,
  })
}

const isOpen = (id: number): SQL => sql`${and(eq(screenshots.id, id), eq(screenshots.state, 'processing'))}`

/** Ends a screenshot with its picture, held by its account. The first run to end it wins. */
export const endWithImage = (
  ctx: Ctx,
  { id, accountId }: { id: number; accountId: number },
  image: HostedImage,
  { words, placeholder }: { words: string; placeholder: boolean },
): SQL => {
  const { hash, extension, width, height } = image
  const shown = { imageHash: hash, imageExtension: extension, width, height, pageWords: keptWords(words), placeholder }
  const ended = update(
    'ended',
    screenshots,
    { state: 'ready', ...shown, finishedAt: ctx.now() },
    { where: isOpen(id), returning: { id: screenshots.id } },
  )
  return statement({
    parts: [ended, holdImages('held', { accountId, images: [image], now: ctx.now(), from: [ended] })],
    unaudited: 'asking for it was written down',
    answer: { ended: countOf(ended) },
    answerFrom: ONE_ROW,
  })
}

/** Ends a screenshot without one. `ours`: the fault was not the page's, so that the next call takes another and its day counts one less. */
export const endWithout = (ctx: Ctx, id: number, reason: ScreenshotReason, detail: string, ours: boolean): SQL => {
  const ended = update(
    'ended',
    screenshots,
    { state: 'failed', reason, detail, finishedAt: ctx.now(), ...(ours ? { urlHash: null } : {}) },
    {
      where: isOpen(id),
      returning: { account: screenshots.accountId, day: sql`(${screenshots.createdAt} at time zone 'UTC')::date` },
    },
  )
  const givenBack = update(
    'given_back',
    days,
    { count: sql`${days.count} - 1` },
    {
      from: [ended],
      where: sql`${days.accountId} = ${ended.c.account} and ${days.day} = ${ended.c.day} and ${days.count} > 0`,
    },
  )
  return statement({
    parts: [ended, ours && givenBack],
    unaudited: 'asking for it was written down',
    answer: { ended: countOf(ended) },
    answerFrom: ONE_ROW,
  })
}
