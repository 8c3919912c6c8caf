import type { Operations } from '../../platform/http/operation.ts'
import { CreateImage, UploadMedia } from './schemas.ts'

const MAX_BODY_BYTES = 18 * 1024 * 1024

/** A video of 64 MB, and what a form has around it. */
const MAX_FORM_BYTES = 70 * 1024 * 1024

/** Endpoints that host images and videos. */
export const mediaOperations = {
  createImage: {
    id: 'images.create',
    method: 'POST',
    path: '/images',
    perMinute: 30,
    scope: 'draft',
    summary: 'Hosts an image: its bytes, or those at a public address. The same bytes have the same URL.',
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
    scopeReason: 'the file is used once a post goes out',
    summary:
      'Takes in a picture or video for posts: a form (`multipart/form-data`) with `file` and `project_id`, or JSON with the public address of a file in `media_url` or `file.download_url`. `media` of the answer goes into `media_files` of `POST /social/publish`.',
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
