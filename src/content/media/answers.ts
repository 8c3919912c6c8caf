import * as z from 'zod/mini'
import { type AnswersOf, body, means, selfExplanatory } from '../../platform/http/answers.ts'
import type { mediaOperations } from './operations.ts'

const pixels = z.int().check(z.gte(1))

/** Answers of the operations on images and videos, by status. */
export const mediaAnswers: AnswersOf<typeof mediaOperations> = {
  createImage: {
    201: body({
      url: means(
        'URL of the hosted image, for `feature_image` or an `img`. The same bytes have the same URL.',
        z.url(),
      ),
      width: means('Width in pixels.', pixels),
      height: means('Height in pixels.', pixels),
    }),
  },
  uploadMedia: {
    201: body({
      media: means(
        'Media object for `media_files` of `POST /social/publish`.',
        z.strictObject({
          type: selfExplanatory(z.enum(['image', 'video'])),
          s3_url: means('The same as `url`.', z.url()),
          url: means('Public URL of the file.', z.url()),
          size: means('Size in bytes.', pixels),
          width: means('Width in pixels.', pixels),
          height: means('Height in pixels.', pixels),
        }),
      ),
    }),
  },
}
