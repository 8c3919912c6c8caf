import { and, eq, exists, gt, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { screenshotDays as days, screenshots } from '../../../schema/screenshots.ts'
import type { ScreenshotReason } from '../../../schema/values/screenshots.ts'
import { type HostedImage, holdImages, storeImage } from '../../content/media/store.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import { defineJob, shownReason } from '../../platform/jobs/job.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { id } from '../../platform/lib/fields.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Browser } from './port.ts'
import { screenshotToTake } from './queries.ts'
import { keptWords, WAIT_MS } from './rules.ts'

/** Takes the picture of a page. */
export const screenshotJob = defineJob({
  name: 'screenshots.take',
  whenClosed: 'ends',
  payload: z.object({ screenshot_id: id() }),
  key: 'screenshot',
  id: 'screenshot_id',
})

/** Delay before the next request for a browser, ms. */
const AGAIN_MS = 5_000

const NO_BROWSER = 'No browser was available, so no picture was taken. Repeat POST /screenshots.'
const UNAUDITED = 'asking for it was written down'

const isOpen = (id: number) => and(eq(screenshots.id, id), eq(screenshots.state, 'processing'))

/** Completes a screenshot with a picture that its account then holds. The first run to complete it wins. */
const endWithImage = async (
  ctx: Ctx,
  { id, accountId }: { id: number; accountId: number },
  image: HostedImage,
  { words, placeholder }: { words: string; placeholder: boolean },
): Promise<void> => {
  const { hash, extension, width, height } = image
  const shown = { imageHash: hash, imageExtension: extension, width, height, pageWords: keptWords(words), placeholder }
  const shows = ctx.db
    .select({ id: screenshots.id })
    .from(screenshots)
    .where(and(eq(screenshots.id, id), eq(screenshots.imageHash, hash)))
  await ctx.batch(
    {
      changedScreenshots: ctx.db
        .update(screenshots)
        .set({ state: 'ready', ...shown, finishedAt: ctx.now() })
        .where(isOpen(id)),
      holdImages: holdImages({ accountId, images: [image], now: ctx.now(), if: exists(shows) }),
    },
    { unaudited: UNAUDITED },
  )
}

/**
 * Ends a screenshot as failed.
 *
 * `ours`: the fault is the service's, so the next call takes a new picture, and the day's count goes down by one.
 */
const endWithout = async (ctx: Ctx, id: number, reason: ScreenshotReason, detail: string, ours: boolean) => {
  const dayOfShot = sql`(${screenshots.createdAt} at time zone 'UTC')::date`
  const isItsDay = and(eq(days.accountId, screenshots.accountId), eq(days.day, dayOfShot), gt(days.count, 0))
  await ctx.batch(
    {
      screenshot:
        ours && ctx.db.select({ id: screenshots.id }).from(screenshots).where(isOpen(id)).for('no key update'),
      changedDays:
        ours &&
        ctx.db
          .update(days)
          .set({ count: sql`${days.count} - 1` })
          .from(screenshots)
          .where(and(isOpen(id), isItsDay)),
      changedScreenshots: ctx.db
        .update(screenshots)
        .set({ state: 'failed', reason, detail, finishedAt: ctx.now(), ...(ours ? { urlHash: null } : {}) })
        .where(isOpen(id)),
    },
    { unaudited: UNAUDITED },
  )
}

/** Captures a page, stores the picture, and records the result. Safe to run twice: the first result wins. */
export const runScreenshot = async (ctx: Ctx, browser: Browser, id: number): Promise<JobResult> => {
  const [shot] = await ctx.read(() => screenshotToTake(ctx.db, id))
  if (shot?.state !== 'processing') return { kind: 'done' }
  const result = await browser.capture({ url: shot.url, name: shot.name })
  if (result.kind === 'away') {
    ctx.log('warn', 'screenshots.no_browser', { reason: result.reason })
    const waited = ctx.now().getTime() - shot.createdAt.getTime()
    if (waited < WAIT_MS) return { kind: 'later', at: new Date(ctx.now().getTime() + AGAIN_MS) }
    await endWithout(ctx, id, 'timeout', NO_BROWSER, true)
    return { kind: 'done' }
  }
  if (result.kind === 'unclean') {
    await endWithout(ctx, id, result.reason, result.detail, false)
    return { kind: 'done' }
  }
  const image = await storeImage(ctx, result.image).catch((error: unknown) => {
    if (error instanceof ApiError && error.code !== 'unavailable') return undefined
    throw error
  })
  if (image) await endWithImage(ctx, shot, image, result)
  else await endWithout(ctx, id, 'timeout', 'The picture of the page is too large to be hosted.', false)
  return { kind: 'done' }
}

/** Ends a screenshot whose runs kept failing. */
export const giveUpScreenshot = (ctx: Ctx, id: number, reason: string): Promise<void> =>
  endWithout(ctx, id, 'timeout', shownReason(reason, NO_BROWSER), true)
