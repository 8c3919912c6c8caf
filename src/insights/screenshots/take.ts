import { and, eq, exists, lt, notExists, type SQL, sql } from 'drizzle-orm'
import { screenshotDays as days, screenshots } from '../../../schema/screenshots.ts'
import type { ImageExtension } from '../../../schema/values/media.ts'
import type { ScreenshotReason, ScreenshotState } from '../../../schema/values/screenshots.ts'
import { MEDIA_PATH } from '../../content/media/rules.ts'
import { imageName } from '../../content/media/store.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { type Answer, answer } from '../../platform/http/route.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { ulid } from '../../platform/lib/bytes.ts'
import { sha256 } from '../../platform/lib/crypto.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { checkPublicUrl, WEB_PORTS } from '../../platform/lib/urls.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { TakeScreenshotInput } from './operations.ts'
import { reusableScreenshot, screenshotById, shotsOn, type Wanted } from './queries.ts'
import { DAILY_CAP, dayOf, KEPT_MS, mentionIn, nameNotFoundReason, pageAddress, secondsToMidnight } from './rules.ts'
import { screenshotJob } from './run.ts'

/** A stored screenshot. */
type Shot = {
  shotId: string
  url: string
  state: ScreenshotState
  reason: ScreenshotReason | null
  detail: string | null
  imageHash: string | null
  imageExtension: ImageExtension | null
  width: number | null
  height: number | null
  placeholder: boolean
}

/** Returns the answer while a picture is being taken. */
const processingBody = ({ shotId, url }: Pick<Shot, 'shotId' | 'url'>) => ({
  status: 'processing' as const,
  screenshot_id: shotId,
  url,
  poll: `/screenshots/${shotId}`,
})

/** Returns the answer for a finished picture. `imageUrl` is its hosted address. */
const readyBody = ({ shotId, width, height, placeholder }: Shot, imageUrl: string) => ({
  status: 'ready' as const,
  screenshot_id: shotId,
  image_url: imageUrl,
  width,
  height,
  ...(placeholder ? { sandbox: true as const } : {}),
})

/** Advice for each reason. */
const ADVICE: Readonly<Record<ScreenshotReason, string>> = {
  unreachable: 'Check the address, and send one that opens in a browser without signing in.',
  http_error: 'Send the address of a page that returns status 200.',
  timeout: 'Send a page that loads faster, or try again tomorrow.',
  cookie_banner:
    'Send another page of the site, or one without a consent banner, or upload your own picture with POST /images.',
  blank_page: 'Send a page that shows something without signing in.',
  wrong_brand: 'Check that the page belongs to the business, or send the name as it is written on the page.',
  blocked: 'The site blocks automated visits. Upload your own picture with POST /images.',
}

/** Returns the error for a screenshot that failed (422). */
const failedError = ({ shotId, reason, detail }: Shot): ApiError =>
  new ApiError('screenshot_failed', detail ?? 'The page could not be captured.', {
    status: 'failed',
    screenshot_id: shotId,
    reason,
    instructions_for_agent: ADVICE[reason ?? 'timeout'],
  })

/** Returns the state of a screenshot as an answer. Throws `screenshot_failed` (422) for one that failed. */
const answerOf = (ctx: Ctx, shot: Shot): Answer<200 | 202> => {
  if (shot.state === 'processing') return answer(202, processingBody(shot))
  if (shot.state === 'failed' || !shot.imageHash || !shot.imageExtension) throw failedError(shot)
  const name = imageName(shot.imageHash, shot.imageExtension)
  return answer(200, readyBody(shot, `${ctx.settings.publicUrl}${MEDIA_PATH}/${name}`))
}

/** Returns the state of a screenshot. Throws 404, 403, and 422 for one that failed. */
export const readScreenshot = async (ctx: Ctx, shotId: string) => {
  const [row] = await ctx.read((owner) => screenshotById(ctx.db, owner, shotId))
  return answerOf(ctx, owned(row && { row, mine: row.mine }, 'screenshot'))
}

const requirePublic = (ctx: Ctx, url: string): void => {
  const checked = checkPublicUrl(url, ctx.settings.allowPrivateHosts)
  if (!('refusal' in checked)) return
  const message = checked.refusal === 'port' ? WEB_PORTS : 'must be a public address'
  throw new ApiError('forbidden_url', `url ${message}.`, { details: [{ field: 'url', message }] })
}

const capReached = (ctx: Ctx): ApiError => {
  const day = dayOf(ctx.now())
  return new ApiError(
    'rate_limited',
    `The account has used its ${DAILY_CAP} new screenshots of ${day}. The next day begins at midnight UTC.`,
    { retry_after: secondsToMidnight(ctx.now()), daily_limit: DAILY_CAP },
  )
}

/** First key of the advisory lock that makes an account's new screenshots one after the other. */
const NEW_SHOTS_OF_ACCOUNT = sql.raw('1013')

type NewShot = { shotId: string; accountId: number; url: string; wanted: Wanted; body: object }

/**
 * Creates a screenshot with its job, unless a usable one exists or the day's limit is reached.
 *
 * Returns whether it was created, and the usable one if there is one.
 */
const makeShot = async (ctx: Ctx, { shotId, accountId, url, wanted, body }: NewShot) => {
  const now = ctx.now()
  const day = dayOf(now)
  const owner = sql`${accountId}::int`
  const same = reusableScreenshot(ctx.db, owner, wanted)
  const hasRoom: SQL = sql`${shotsOn(owner, now)} < ${DAILY_CAP}::int`
  const isNew = eq(screenshots.shotId, shotId)
  const isMade = exists(ctx.db.select({ id: screenshots.id }).from(screenshots).where(isNew))
  const ofNew = { from: sql`${screenshots}`, if: isNew }
  const {
    same: [known],
    made,
  } = await ctx.batch({
    turn: sql`select pg_advisory_xact_lock(${NEW_SHOTS_OF_ACCOUNT}, ${owner})`,
    same,
    deletedDays: ctx.db.delete(days).where(and(eq(days.accountId, accountId), lt(days.day, day))),
    made: insertWhere(
      screenshots,
      { shotId, accountId, url, urlHash: wanted.urlHash, name: wanted.name, state: 'processing', createdAt: now },
      { if: sql`${notExists(same)} and ${hasRoom}` },
    ),
    days: insertWhere(
      days,
      { accountId, day, count: 1 },
      { if: isMade, onConflict: sql`(account_id, day) do update set count = ${days.count} + 1` },
    ),
    screenshotJob: enqueue(
      screenshotJob,
      { screenshot_id: sql`${screenshots.id}` },
      { account: accountId, runAt: now, open: 'keep', ...ofNew },
    ),
    audit: audit(ctx, { account: accountId, action: 'screenshot.take', on: ['screenshot', screenshots.id], ...ofNew }),
    kept: ctx.keepAnswer(body)(isMade),
  })
  return { isMade: made.length > 0, known }
}

/**
 * Starts a screenshot of a page, or returns the one of the last 24 hours.
 *
 * Throws 400 for an address that is not public, 422 if the page could not be captured, 429 if the day's screenshots are used
 * up.
 */
export const takeScreenshot = async (ctx: Ctx, input: TakeScreenshotInput) => {
  requirePublic(ctx, input.url)
  const url = pageAddress(input.url)
  const since = new Date(ctx.now().getTime() - KEPT_MS)
  const wanted: Wanted = { urlHash: await sha256(url), name: input.name, since }
  const [known] = await ctx.read((owner) => reusableScreenshot(ctx.db, owner, wanted))
  if (known) {
    const mention =
      known.state === 'ready' && known.name !== input.name ? mentionIn(known.pageWords, input.name) : 'yes'
    if (mention === 'no') throw failedError({ ...known, reason: 'wrong_brand', detail: nameNotFoundReason(input.name) })
    if (mention === 'yes') return answerOf(ctx, known)
  }
  // Words that were cut off cannot show that the page lacks the name: the page is captured under that name.
  const { id: accountId } = await ctx.account()
  const shotId = ulid(ctx.now(), crypto.getRandomValues(new Uint8Array(10)))
  const body = processingBody({ shotId, url })
  const makes = { shotId, accountId, url, wanted: { ...wanted, onlyOfName: known !== undefined }, body }
  const { isMade, known: same } = await makeShot(ctx, makes)
  if (isMade) {
    ctx.defer(ctx.wakeQueue())
    return answer(202, body)
  }
  // Another call made one of the same page at the same moment.
  if (same) return answerOf(ctx, same)
  throw capReached(ctx)
}
