import { type SQL, sql } from 'drizzle-orm'
import { hostedImages } from '../../../schema/media.ts'
import type { ImageExtension } from '../../../schema/values/media.ts'
import { type If, insertWhere, listed } from '../../platform/db/writes.ts'
import { hex } from '../../platform/lib/crypto.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { errorFields } from '../../platform/runtime/log.ts'
import { IMAGE_TYPES, judgeImage, MAX_IMAGE_BYTES, MAX_IMAGE_PIXELS, MEDIA_PATH, withTrailer } from './rules.ts'

/** Image hosted here. */
export type HostedImage = {
  /** Public address, the same for the same bytes. */
  url: string
  /** Display width in pixels. */
  width: number
  height: number
  /** SHA-256 of the bytes, in hex. */
  hash: string
  extension: ImageExtension
  bytes: number
}

/** Dependencies for hosting pictures. */
export type StoreDeps = Pick<Deps, 'media' | 'settings' | 'log'>

/** Returns the name under which an image is stored and served. */
export const imageName = (hash: string, extension: ImageExtension): string => `${hash}.${extension}`

/**
 * Returns an image's address, size and hash without storing it. Throws `unsupported_image` (415) and `image_too_large` (413).
 */
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
  const kept = isOpen ? withTrailer(bytes) : bytes
  const hash = hex(await crypto.subtle.digest('SHA-256', kept))
  const url = `${settings.publicUrl}${MEDIA_PATH}/${imageName(hash, extension)}`
  return { url, width, height, hash, extension, bytes: kept.length }
}

/** Stores the bytes of a described image, and adds the trailer that a GIF lacks. Throws `unavailable` if they cannot be stored. */
export const keepImage = async (
  { media, log }: Pick<StoreDeps, 'media' | 'log'>,
  { hash, extension, bytes: length }: HostedImage,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> => {
  try {
    const httpMetadata = { contentType: IMAGE_TYPES[extension] }
    const kept = bytes.length < length ? withTrailer(bytes) : bytes
    await media.put(imageName(hash, extension), kept, { sha256: hash, httpMetadata })
  } catch (error) {
    log('error', 'media.put_failed', errorFields(error))
    throw new ApiError('unavailable', 'Images cannot be stored at the moment. Nothing was changed; repeat the call.', {
      retry_after: 5,
    })
  }
}

/**
 * Stores an image's bytes under their hash and returns its address. Storing the same bytes again changes nothing.
 *
 * The caller's batch records which account uses it (`holdImages`). Throws `unsupported_image` (415), `image_too_large` (413),
 * and `unavailable` if they cannot be stored.
 */
export const storeImage = async (deps: StoreDeps, bytes: Uint8Array<ArrayBuffer>): Promise<HostedImage> => {
  const image = await describeImage(deps, bytes)
  await keepImage(deps, image, bytes)
  return image
}

type Held = {
  /** Id of the account: a number or an SQL expression. */
  accountId: number | SQL
  images: readonly HostedImage[]
  now: Date
  if: If
}

/** Returns the statement that records images for an account; undefined if there are no images. */
export const holdImages = ({ accountId, images, now, if: condition }: Held) => {
  if (images.length === 0) return undefined
  // A statement may update a row only once, and a text may have the same picture in two spellings.
  const once = [...new Map(images.map((image) => [image.hash, image])).values()]
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
      usedAt: now,
    },
    {
      if: condition,
      from: listed({ hash, extension, bytes, width, height }, once),
      onConflict: sql`(account_id, hash) do update set used_at = excluded.used_at`,
    },
  )
}
