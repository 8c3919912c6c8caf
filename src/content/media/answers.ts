import * as z from 'zod/mini'
import { type AnswersOf, body } from '../../platform/http/answers.ts'
import type { mediaOperations } from './operations.ts'

const pixels = z.int().check(z.gte(1))

/** Answers of the operations on images and videos, by status. */
export const mediaAnswers: AnswersOf<typeof mediaOperations> = {
  createImage: { 201: body({ url: z.url(), width: pixels, height: pixels }) },
  uploadMedia: {
    201: body({
      media: z.strictObject({
        type: z.enum(['image', 'video']),
        s3_url: z.url(),
        url: z.url(),
        size: pixels,
        width: pixels,
        height: pixels,
      }),
    }),
  },
}
