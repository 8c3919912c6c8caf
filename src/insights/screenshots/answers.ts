import * as z from 'zod/mini'
import { type AnswersOf, body } from '../../platform/http/answers.ts'
import type { screenshotOperations } from './operations.ts'

const shotId = z.string().check(z.regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/))
const pixels = z.int().check(z.gte(1))

const processing = body({
  status: z.literal('processing'),
  screenshot_id: shotId,
  url: z.url(),
  poll: z.string().check(z.regex(/^\/screenshots\/[0-9A-Z]{26}$/)),
})

const ready = body({
  status: z.literal('ready'),
  screenshot_id: shotId,
  image_url: z.url(),
  width: pixels,
  height: pixels,
  /** True if the picture is a placeholder, because there is no browser here. */
  sandbox: z.optional(z.literal(true)),
})

/** Answers of the operations of screenshots, by status. */
export const screenshotAnswers: AnswersOf<typeof screenshotOperations> = {
  take: { 202: processing, 200: ready },
  get: { 202: processing, 200: ready },
}
