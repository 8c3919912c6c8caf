import * as z from 'zod/mini'
import { attachment } from '../lib/attachment.ts'
import { httpUrl } from '../lib/fields.ts'

/** Body of `POST /images`: exactly one of the two. */
export const CreateImage = z.object({
  image_base64: z.optional(
    attachment('the bytes as base64, or a data URL of type image; JPG, PNG, WebP or GIF of at most 12 MB'),
  ),
  image_url: z.optional(httpUrl()),
})
