import type { ImageExtension, VideoExtension } from '../../../schema/values/media.ts'
import { joined } from '../../platform/lib/bytes.ts'
import { isGif, isJpeg, isPng, isWebp, readGif, readJpeg, readPng, readWebp } from './formats/images.ts'
import { BrokenImage, type Reader, readerOf, type Walked } from './formats/size.ts'

/** Path of hosted images, outside the API. */
export const MEDIA_PATH = '/media'

/** Largest accepted video, in bytes (64 MB). */
export const MAX_VIDEO_BYTES = 64 * 1024 * 1024

/** Media type of each video format. */
export const VIDEO_TYPES: Readonly<Record<VideoExtension, string>> = { mp4: 'video/mp4', mov: 'video/quicktime' }

/** Largest accepted image, in bytes (12 MB). */
export const MAX_IMAGE_BYTES = 12 * 1024 * 1024
/** Largest accepted image, in pixels. A viewer needs four bytes of memory for each. */
export const MAX_IMAGE_PIXELS = 100_000_000

/** Media type of each image format. */
export const IMAGE_TYPES: Readonly<Record<ImageExtension, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
}

const TRAILER = Uint8Array.of(0x3b)

/** Returns a GIF with its trailer added, which many files lack. */
export const withTrailer = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => joined(bytes, TRAILER)

type Format = { extension: ImageExtension; is: (read: Reader) => boolean; size: (read: Reader) => Walked }

const FORMATS: readonly Format[] = [
  { extension: 'jpg', is: isJpeg, size: readJpeg },
  { extension: 'png', is: isPng, size: readPng },
  { extension: 'webp', is: isWebp, size: readWebp },
  { extension: 'gif', is: isGif, size: readGif },
]

/** Verdict on bytes: an image with its display size, or the reason for refusing it. */
type Judged =
  | ({ kind: 'image'; extension: ImageExtension } & Walked)
  | { kind: 'too_large'; reason: string }
  | { kind: 'no_image'; reason: string }

/** Returns the image format of a file from its first bytes; twelve are enough. */
export const imageFormat = (start: Uint8Array): ImageExtension | undefined => {
  const read = readerOf(start)
  return FORMATS.find(({ is }) => is(read))?.extension
}

const noImage = (bytes: Uint8Array): Judged => {
  const start = new TextDecoder().decode(bytes.subarray(0, 1_024))
  const reason = /<svg[\s>]/i.test(start)
    ? 'it is an SVG, which is not taken because it can carry scripts'
    : 'its bytes are none of JPG, PNG, WebP and GIF'
  return { kind: 'no_image', reason }
}

/**
 * Judges bytes only by their structure, never by a name or a declared type.
 *
 * Nothing is decoded. The file is read from block to block, which detects cut files. A small file with a huge picture needs no
 * more memory.
 */
export const judgeImage = (bytes: Uint8Array): Judged => {
  if (bytes.length > MAX_IMAGE_BYTES)
    return { kind: 'too_large', reason: `it is larger than ${MAX_IMAGE_BYTES} bytes (12 MB)` }
  const read = readerOf(bytes)
  const format = FORMATS.find(({ is }) => is(read))
  if (!format) return noImage(bytes)
  try {
    const { width, height, isOpen } = format.size(read)
    if (width === 0 || height === 0) return { kind: 'no_image', reason: 'its width or height is zero' }
    if (width * height > MAX_IMAGE_PIXELS)
      return { kind: 'too_large', reason: `it is ${width} × ${height} pixels; at most ${MAX_IMAGE_PIXELS} are taken` }
    return { kind: 'image', extension: format.extension, width, height, isOpen: isOpen === true }
  } catch (error) {
    if (error instanceof BrokenImage) return { kind: 'no_image', reason: error.message }
    throw error
  }
}
