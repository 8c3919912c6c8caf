import * as z from 'zod/mini'
import { askedUrl, text } from '../../platform/lib/fields.ts'
import { isUlid } from '../../platform/lib/ulid.ts'

/** Body of `POST /screenshots`. Unknown fields are ignored. */
export const TakeScreenshot = z.object({ url: askedUrl(), name: text(200, 1) })

/** The id of a screenshot: a ULID, in any case. */
export const ScreenshotId = z.pipe(
  z.string().check(
    z.refine((given) => isUlid(given.toUpperCase()), {
      error: 'must be the id of a screenshot, such as 01ARZ3NDEKTSV4RRFFQ69G5FAV',
    }),
  ),
  z.transform((given) => given.toUpperCase()),
)

export type TakeScreenshotInput = z.infer<typeof TakeScreenshot>
