import { and, eq, exists, lt, notExists, type SQL, sql } from 'drizzle-orm'
import { screenshotDays as days, screenshots } from '../../../schema/screenshots.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { answer } from '../../platform/http/route.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { ulid } from '../../platform/lib/bytes.ts'
import { sha256 } from '../../platform/lib/crypto.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { checkPublicUrl, WEB_PORTS } from '../../platform/lib/urls.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { screenshotJob } from './jobs.ts'
import type { TakeScreenshotInput } from './operations.ts'
import { reusableScreenshot, shotsOn, type Wanted } from './queries.ts'
import { answerOf, failedError, processingBody } from './read.ts'
import { DAILY_CAP, dayOf, isOtherBrand, KEPT_MS, nameNotFoundReason, pageAddress, secondsToMidnight } from './rules.ts'

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
    `The account’s ${DAILY_CAP} new screenshots of ${day} are used up. The next day begins at midnight UTC.`,
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
  const [, [known], , made] = await ctx.batch([
    sql`select pg_advisory_xact_lock(${NEW_SHOTS_OF_ACCOUNT}, ${owner})`,
    same,
    ctx.db.delete(days).where(and(eq(days.accountId, accountId), lt(days.day, day))),
    insertWhere(
      screenshots,
      { shotId, accountId, url, urlHash: wanted.urlHash, name: wanted.name, state: 'processing', createdAt: now },
      { if: sql`${notExists(same)} and ${hasRoom}` },
    ),
    insertWhere(
      days,
      { accountId, day, count: 1 },
      { if: isMade, onConflict: sql`(account_id, day) do update set count = ${days.count} + 1` },
    ),
    enqueue(
      screenshotJob,
      { screenshot_id: sql`${screenshots.id}` },
      { account: accountId, runAt: now, open: 'keep', ...ofNew },
    ),
    audit(ctx, { account: accountId, action: 'screenshot.take', on: ['screenshot', screenshots.id], ...ofNew }),
    ctx.keepAnswer(body, { if: isMade }),
  ])
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
  const [[known]] = await ctx.read((owner) => [reusableScreenshot(ctx.db, owner, wanted)] as const)
  if (known?.state === 'ready' && isOtherBrand(known.pageWords, input.name))
    throw failedError({ ...known, reason: 'wrong_brand', detail: nameNotFoundReason(input.name) })
  if (known) return answerOf(ctx, known)
  const { id: accountId } = await ctx.account()
  const shotId = ulid(ctx.now(), crypto.getRandomValues(new Uint8Array(10)))
  const body = processingBody({ shotId, url })
  const { isMade, known: same } = await makeShot(ctx, { shotId, accountId, url, wanted, body })
  if (isMade) {
    ctx.defer(ctx.wakeQueue())
    return answer(202, body)
  }
  // Another call made one of the same page at the same moment.
  if (same) return answerOf(ctx, same)
  throw capReached(ctx)
}
