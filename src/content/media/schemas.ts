import * as z from 'zod/mini'
import { attachment } from '../../platform/lib/attachment.ts'
import { askedUrl, id } from '../../platform/lib/fields.ts'
import { upload } from '../../platform/lib/upload.ts'

/** Body of `POST /images`: exactly one of the two. */
export const CreateImage = z.object({
  image_base64: z.optional(
    attachment('the bytes as base64, or a data URL of type image; JPG, PNG, WebP or GIF of at most 12 MB'),
  ),
  image_url: z.optional(askedUrl()),
})

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

const NO_FILE = 'must be a file in a form, or in JSON an object with download_url'

/** Body of `POST /social/media`, JSON or a form: exactly one of `file` and `media_url`. */
export const UploadMedia = z.object({
  project_id: id(),
  file: z.optional(
    z.union(
      [
        upload('in a form: JPG, PNG, WebP or GIF of at most 12 MB, MP4 or MOV of at most 64 MB'),
        z.object({ download_url: askedUrl() }),
      ],
      { error: ({ input }) => (isObject(input) ? undefined : NO_FILE) },
    ),
  ),
  media_url: z.optional(askedUrl()),
})
