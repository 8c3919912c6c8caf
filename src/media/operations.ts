import type { Operations } from '../http/operation.ts'
import { CreateImage } from './schemas.ts'

const MAX_BODY_BYTES = 18 * 1024 * 1024

/** Endpoints that host images. */
export const mediaOperations = {
  createImage: {
    id: 'images.create',
    method: 'POST',
    path: '/images',
    perMinute: 30,
    scope: 'write',
    summary: 'Hosts an image: its bytes, or those at a public address. The same bytes have the same URL.',
    success: [201],
    json: CreateImage,
    attachment: { field: 'image_base64', maxBytes: MAX_BODY_BYTES },
    errors: ['image_too_large', 'unsupported_image', 'forbidden_url', 'image_not_fetched'],
  },
} as const satisfies Operations
