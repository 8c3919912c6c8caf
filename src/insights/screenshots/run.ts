import { storeImage } from '../../content/media/store.ts'
import type { JobResult } from '../../platform/jobs/handler.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Browser } from './port.ts'
import { shotToTake } from './queries.ts'
import { WAIT_MS } from './rules.ts'
import { endWithImage, endWithout } from './statements.ts'

/** Delay until a browser is asked for again, ms. */
const AGAIN_MS = 5_000

const NO_BROWSER = 'No browser was free to take the picture. Repeat POST /screenshots: it takes another.'

/** Takes the picture of a page, stores it, and writes down how it ended. Safe to run twice: the first end stands. */
export const runScreenshot = async (ctx: Ctx, browser: Browser, id: number): Promise<JobResult> => {
  const [[shot]] = await ctx.read(() => [shotToTake(ctx.db, id)] as const)
  if (shot?.state !== 'processing') return { kind: 'done' }
  const result = await browser.capture({ url: shot.url, name: shot.name })
  if (result.kind === 'away') {
    ctx.log('warn', 'screenshots.no_browser', { reason: result.reason })
    const waited = ctx.now().getTime() - shot.createdAt.getTime()
    if (waited < WAIT_MS) return { kind: 'later', at: new Date(ctx.now().getTime() + AGAIN_MS) }
    await ctx.write(endWithout(ctx, id, 'timeout', NO_BROWSER, true))
    return { kind: 'done' }
  }
  if (result.kind === 'unclean') {
    await ctx.write(endWithout(ctx, id, result.reason, result.detail, false))
    return { kind: 'done' }
  }
  const image = await storeImage(ctx, result.image).catch((error: unknown) => {
    if (error instanceof ApiError && error.code !== 'unavailable') return undefined
    throw error
  })
  if (image) await ctx.write(endWithImage(ctx, shot, image, result))
  else await ctx.write(endWithout(ctx, id, 'timeout', 'The picture of the page is too large to be hosted.', false))
  return { kind: 'done' }
}

/** Ends a screenshot whose runs kept failing. */
export const giveUpScreenshot = async (ctx: Ctx, id: number): Promise<void> => {
  await ctx.write(endWithout(ctx, id, 'timeout', NO_BROWSER, true))
}
