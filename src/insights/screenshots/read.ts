import type { ImageExtension } from '../../../schema/values/media.ts'
import type { ScreenshotReason, ScreenshotState } from '../../../schema/values/screenshots.ts'
import { MEDIA_PATH } from '../../content/media/rules.ts'
import { imageName } from '../../content/media/store.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { type Answer, answer } from '../../platform/http/route.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { screenshotById } from './queries.ts'

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
export const processingBody = ({ shotId, url }: Pick<Shot, 'shotId' | 'url'>) => ({
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
  unreachable: 'Check the address, and give one that opens in a browser without signing in.',
  http_error: 'Give the address of a page that answers with status 200.',
  timeout: 'Give a page that loads faster, or try it again tomorrow.',
  cookie_banner:
    'Give another page of the site, or one without a consent banner, or use a picture of your own with POST /images.',
  blank_page: 'Give a page that shows something without signing in.',
  wrong_brand: 'Check that the page is that of the business, or give its name as the page writes it.',
  blocked: 'The site keeps machines out. Use a picture of your own with POST /images.',
}

/** Returns the error for a screenshot that failed (422). */
export const failedError = ({ shotId, reason, detail }: Shot): ApiError =>
  new ApiError('screenshot_failed', detail ?? 'The page could not be captured.', {
    status: 'failed',
    screenshot_id: shotId,
    reason,
    instructions_for_agent: ADVICE[reason ?? 'timeout'],
  })

/** Returns the state of a screenshot as an answer. Throws `screenshot_failed` (422) for one that failed. */
export const answerOf = (ctx: Ctx, shot: Shot): Answer<200 | 202> => {
  if (shot.state === 'processing') return answer(202, processingBody(shot))
  if (shot.state === 'failed' || !shot.imageHash || !shot.imageExtension) throw failedError(shot)
  const name = imageName(shot.imageHash, shot.imageExtension)
  return answer(200, readyBody(shot, `${ctx.settings.publicUrl}${MEDIA_PATH}/${name}`))
}

/** Returns the state of a screenshot. Throws 404, 403, and 422 for one that failed. */
export const readScreenshot = async (ctx: Ctx, shotId: string) => {
  const [[row]] = await ctx.read((owner) => [screenshotById(ctx.db, owner, shotId)] as const)
  return answerOf(ctx, owned(row && { row, mine: row.mine }, 'screenshot'))
}
