import * as z from 'zod/mini'
import { type AnswersOf, body, means } from '../../platform/http/answers.ts'
import type { screenshotOperations } from './operations.ts'

const shotId = z.string().check(z.regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/))
const pixels = z.int().check(z.gte(1))

const processing = body({
  status: means(
    '`processing`: call `poll` again. A page that cannot be captured returns 422 `screenshot_failed`.',
    z.literal('processing'),
  ),
  screenshot_id: means('ID of the screenshot, for `GET /screenshots/:screenshot_id`.', shotId),
  url: means('URL of the page, without the fragment.', z.url()),
  poll: means('Path to `GET` next.', z.string().check(z.regex(/^\/screenshots\/[0-9A-Z]{26}$/))),
})

const ready = body({
  status: means(
    '`processing`: call `poll` again. A page that cannot be captured returns 422 `screenshot_failed`.',
    z.literal('ready'),
  ),
  screenshot_id: means('ID of the screenshot, for `GET /screenshots/:screenshot_id`.', shotId),
  image_url: means('URL of the hosted image, for `feature_image` or an `img`.', z.url()),
  width: means('Width in pixels.', pixels),
  height: means('Height in pixels.', pixels),
  /** True if the picture is a placeholder, because there is no browser here. */
  sandbox: means(
    'Present if the image is not real, because the service runs without a browser.',
    z.optional(z.literal(true)),
  ),
})

/** Answers of the operations of screenshots, by status. */
export const screenshotAnswers: AnswersOf<typeof screenshotOperations> = {
  take: { 202: processing, 200: ready },
  get: { 202: processing, 200: ready },
}
