import * as z from 'zod/mini'
import type { Operations } from '../../platform/http/operation.ts'
import { fetchableUrl, id, means } from '../../platform/lib/fields.ts'
import { attachment, upload } from '../../platform/lib/file-fields.ts'

/** Body of `POST /images`, with exactly one of the two fields. */
export const CreateImage = z.object({
  image_base64: means(
    'Image as base64. Send this or `image_url`.',
    z.optional(attachment('the bytes as base64, or a data URL of type image; JPG, PNG, WebP or GIF of at most 12 MB')),
  ),
  image_url: means('URL of the image to copy. Send this or `image_base64`.', z.optional(fetchableUrl())),
})

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

const NO_FILE = 'must be a file in a form, or in JSON an object with download_url'

/** Body of `POST /social/media`, JSON or a form, with exactly one of `file` and `media_url`. */
export const UploadMedia = z.object({
  project_id: means('ID of the project, as listed by `GET /projects`.', id()),
  file: means(
    'In a form: the file. In JSON: the URL of an attached file. Send this or `media_url`.',
    z.optional(
      z.union(
        [
          upload('in a form: JPG, PNG, WebP or GIF of at most 12 MB, MP4 or MOV of at most 64 MB'),
          z.object({ download_url: means('Public URL of the attached file.', fetchableUrl()) }),
        ],
        { error: ({ input }) => (isObject(input) ? undefined : NO_FILE) },
      ),
    ),
  ),
  media_url: means('Public URL of the image or video to copy. Send this or `file`.', z.optional(fetchableUrl())),
})

const MAX_BODY_BYTES = 18 * 1024 * 1024

/** Largest form: a video of 64 MB, and the form around it. */
const MAX_FORM_BYTES = 70 * 1024 * 1024

/** Endpoints that host images and videos. */
export const mediaOperations = {
  createImage: {
    id: 'images.create',
    method: 'POST',
    path: '/images',
    perMinute: 30,
    scope: 'draft',
    summary: 'Hosts an image, from its bytes or a public URL. The same bytes have the same URL.',
    success: [201],
    json: CreateImage,
    attachment: { field: 'image_base64', maxBytes: MAX_BODY_BYTES },
    errors: ['image_too_large', 'unsupported_image', 'forbidden_url', 'image_not_fetched'],
  },
  uploadMedia: {
    id: 'social.media',
    method: 'POST',
    path: '/social/media',
    perMinute: 10,
    scope: 'draft',
    scopeReason: 'the file is only visible after a post is published',
    summary:
      'Uploads an image or video for posts: a form (`multipart/form-data`) with `file` and `project_id`, or JSON with the public URL of a file in `media_url` or `file.download_url`. Send `media` of the response in `media_files` of `POST /social/publish`.',
    success: [201],
    json: UploadMedia,
    upload: { field: 'file', maxBytes: MAX_FORM_BYTES, integers: ['project_id'] },
    errors: [
      'not_found',
      'forbidden',
      'image_too_large',
      'video_too_large',
      'unsupported_image',
      'unsupported_media',
      'forbidden_url',
      'media_not_fetched',
    ],
  },
} as const satisfies Operations
