import { type SQL, sql } from 'drizzle-orm'
import { hostedImages } from '../../../schema/media.ts'
import type { ImageExtension } from '../../../schema/values/media.ts'
import { type If, insertWhere, listed } from '../../platform/db/writes.ts'
import { hex } from '../../platform/lib/crypto.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { errorFields } from '../../platform/runtime/log.ts'
import { IMAGE_TYPES, judgeImage, MAX_IMAGE_BYTES, MAX_IMAGE_PIXELS, MEDIA_PATH, withEndMark } from './rules.ts'

/** An image that is hosted here. */
export type HostedImage = {
  /** Public, and the same for the same bytes. */
  url: string
  /** Pixels, as the image is shown. */
  width: number
  height: number
  /** SHA-256 of the bytes, hex. */
  hash: string
  extension: ImageExtension
  bytes: number
}

export type StoreDeps = Pick<Deps, 'media' | 'settings' | 'log'>

/** Returns the name under which an image is kept and served. */
export const imageName = (hash: string, extension: ImageExtension): string => `${hash}.${extension}`

/** Returns the facts of an image without storing it. Throws `unsupported_image` (415) and `image_too_large` (413). */
export const describeImage = async (
  { settings }: { settings: Pick<StoreDeps['settings'], 'publicUrl'> },
  bytes: Uint8Array<ArrayBuffer>,
): Promise<HostedImage> => {
  const judged = judgeImage(bytes)
  if (judged.kind === 'too_large')
    throw new ApiError('image_too_large', `The image is not taken: ${judged.reason}.`, {
      max_bytes: MAX_IMAGE_BYTES,
      max_pixels: MAX_IMAGE_PIXELS,
    })
  if (judged.kind === 'no_image')
    throw new ApiError('unsupported_image', `The image is not taken: ${judged.reason}.`, {
      allowed: Object.values(IMAGE_TYPES),
    })
  const { extension, width, height, isOpen } = judged
  const kept = isOpen ? withEndMark(bytes, extension) : bytes
  const hash = hex(await crypto.subtle.digest('SHA-256', kept))
  const url = `${settings.publicUrl}${MEDIA_PATH}/${imageName(hash, extension)}`
  return { url, width, height, hash, extension, bytes: kept.length }
}

/** Stores the bytes of a described image, with the mark of their end where it was missing. Throws `unavailable` when they cannot be stored now. */
export const keepImage = async (
  { media, log }: Pick<StoreDeps, 'media' | 'log'>,
  { hash, extension, bytes: length }: HostedImage,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> => {
  try {
    const httpMetadata = { contentType: IMAGE_TYPES[extension] }
    const kept = bytes.length < length ? withEndMark(bytes, extension) : bytes
    await media.put(imageName(hash, extension), kept, { sha256: hash, httpMetadata })
  } catch (error) {
    log('error', 'media.put_failed', errorFields(error))
    throw new ApiError('unavailable', 'Images cannot be stored at the moment. Nothing was changed; repeat the call.', {
      retry_after: 5,
    })
  }
}

/**
 * Stores an image's bytes and tells where it is served. The bytes are kept under their hash, so storing them again changes
 * nothing. The caller writes which account holds it (`holdImages`) in its own batch.
 *
 * Throws `unsupported_image` (415), `image_too_large` (413), and `unavailable` when they cannot be stored now.
 */
export const storeImage = async (deps: StoreDeps, bytes: Uint8Array<ArrayBuffer>): Promise<HostedImage> => {
  const image = await describeImage(deps, bytes)
  await keepImage(deps, image, bytes)
  return image
}

type Held = {
  /** The account's id: a number, or an expression. */
  accountId: number | SQL
  images: readonly HostedImage[]
  now: Date
  if: If
}

/** Writes down that an account holds these images; undefined if there are none. */
export const holdImages = ({ accountId, images, now, if: condition }: Held) => {
  if (images.length === 0) return undefined
  const { hash, extension, bytes, width, height } = hostedImages
  return insertWhere(
    hostedImages,
    {
      accountId: sql`${accountId}::int`,
      hash: sql`listed.hash`,
      extension: sql`listed.extension`,
      bytes: sql`listed.bytes`,
      width: sql`listed.width`,
      height: sql`listed.height`,
      createdAt: now,
    },
    {
      if: condition,
      from: listed({ hash, extension, bytes, width, height }, images),
      onConflict: sql`(account_id, hash) do nothing`,
    },
  )
}
