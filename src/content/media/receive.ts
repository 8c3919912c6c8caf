import type { VideoExtension } from '../../../schema/values/media.ts'
import type { Room } from '../../platform/http/room.ts'
import type { Intake } from '../../platform/http/upload-body.ts'
import { joined } from '../../platform/lib/bytes.ts'
import { hex, sha256 } from '../../platform/lib/crypto.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { Upload } from '../../platform/lib/file-fields.ts'
import type { PartedUpload } from '../../platform/runtime/bucket.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { errorFields } from '../../platform/runtime/log.ts'
import { boxReader, kindBytes, videoKind } from './formats/boxes.ts'
import { BrokenImage, type Size } from './formats/size.ts'
import { IMAGE_TYPES, imageFormat, MAX_IMAGE_BYTES, MAX_VIDEO_BYTES, MEDIA_PATH, VIDEO_TYPES } from './rules.ts'
import { describeImage, type HostedImage, keepImage } from './store.ts'

/** Video hosted here. */
type HostedVideo = {
  url: string
  /** Display width in pixels. */
  width: number
  height: number
  /** SHA-256 of the bytes, in hex. */
  hash: string
  /** Name in the bucket, unique for each video. */
  name: string
  extension: VideoExtension
  bytes: number
}

/**
 * Received picture or video. `store` makes it available at its URL.
 *
 * When the upload is dropped, the stored file is deleted unless `hold` was called.
 */
type ReceivedFile = ({ kind: 'image'; image: HostedImage } | { kind: 'video'; video: HostedVideo }) & {
  store: () => Promise<void>
  hold: () => void
}

/** Picture or video of a form, stored in the bucket while it arrived. */
export type Received = Upload<ReceivedFile>

/** Returns the error for bytes that are not a picture or video of an accepted format. */
const unsupported = (reason: string): ApiError =>
  new ApiError('unsupported_media', `The file is not taken: ${reason}.`, {
    allowed: [...Object.values(IMAGE_TYPES), ...Object.values(VIDEO_TYPES)],
  })

/** Returns the error for a bucket that does not respond. */
const notStored = (): ApiError =>
  new ApiError('unavailable', 'Files cannot be stored at the moment. Nothing was changed; repeat the call.', {
    retry_after: 5,
  })

/** R2 requires parts of equal size, at least 5 MiB. Only the last part may be smaller. */
const PART_BYTES = 5 * 1024 * 1024

const tooLarge = (): ApiError =>
  new ApiError('video_too_large', `The video is not taken: it is larger than ${MAX_VIDEO_BYTES} bytes (64 MB).`, {
    max_bytes: MAX_VIDEO_BYTES,
  })

/** Runs work that uses the bucket. Logs a failure and throws 503. */
const atBucket = async <T>({ log }: Deps, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    log('error', 'media.put_failed', errorFields(error))
    throw notStored()
  }
}

/** Collects bytes into parts and sends each when it is full, so that memory holds only one part. */
const partsTo = (deps: Deps, upload: PartedUpload) => {
  const part = new Uint8Array(PART_BYTES)
  let filled = 0
  const stored: Awaited<ReturnType<PartedUpload['uploadPart']>>[] = []
  const flush = async (): Promise<void> => {
    if (filled === 0) return
    stored.push(await atBucket(deps, () => upload.uploadPart(stored.length + 1, part.subarray(0, filled))))
    filled = 0
  }
  return {
    stored,
    flush,
    add: async (chunk: Uint8Array): Promise<void> => {
      for (let rest = chunk; rest.length > 0; ) {
        const taken = rest.subarray(0, PART_BYTES - filled)
        part.set(taken, filled)
        filled += taken.length
        rest = rest.subarray(taken.length)
        if (filled === PART_BYTES) await flush()
      }
    },
  }
}

type Read = Size & { bytes: number; hash: string }

/** Streams a video to the bucket, and counts, hashes and parses it at the same time. */
const readVideo = async (chunks: AsyncIterable<Uint8Array>, parts: ReturnType<typeof partsTo>): Promise<Read> => {
  const boxes = boxReader()
  const digest = new crypto.DigestStream('SHA-256')
  // The digest of a refused video rejects, and nothing awaits it.
  digest.digest.catch(() => {})
  const hash = digest.getWriter()
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > MAX_VIDEO_BYTES) throw tooLarge()
    boxes.push(chunk)
    await hash.write(chunk)
    await parts.add(chunk)
  }
  const size = boxes.end()
  await parts.flush()
  await hash.close()
  return { ...size, bytes, hash: hex(await digest.digest) }
}

/**
 * Receives a video part by part, under a random name, because its hash is known only at the end. Throws 413, 415, 503.
 *
 * It is served after `store`.
 */
const receiveVideo = async (
  deps: Deps,
  extension: VideoExtension,
  chunks: AsyncIterable<Uint8Array>,
  room: Room,
): Promise<Received> => {
  const leave = await room.take(2 * PART_BYTES)
  const name = await sha256(deps.newId())
  const key = `${name}.${extension}`
  const httpMetadata = { contentType: VIDEO_TYPES[extension] }
  let parted: PartedUpload | undefined
  let state: 'sent' | 'stored' | 'held' = 'sent'
  const drop = async (): Promise<void> => {
    leave()
    if (state === 'held') return
    await (state === 'stored' ? deps.media.delete(key) : parted?.abort())?.catch((error: unknown) =>
      deps.log('warn', 'media.drop_failed', { key, ...errorFields(error) }),
    )
  }
  try {
    const made = await atBucket(deps, () => deps.media.createMultipartUpload(key, { httpMetadata }))
    parted = made
    const parts = partsTo(deps, made)
    const read = await readVideo(chunks, parts)
    const url = `${deps.settings.publicUrl}${MEDIA_PATH}/${key}`
    const file = {
      kind: 'video' as const,
      video: { ...read, url, name, extension },
      store: async () => {
        await atBucket(deps, () => made.complete(parts.stored))
        state = 'stored'
      },
      hold: () => {
        state = 'held'
      },
    }
    return new Upload(file, read.hash, drop)
  } catch (error) {
    await drop()
    throw error instanceof BrokenImage ? unsupported(error.message) : error
  }
}

const collect = async (chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> => {
  let bytes = new Uint8Array(256 * 1024)
  let size = 0
  for await (const chunk of chunks) {
    if (size + chunk.length > bytes.length) {
      const larger = new Uint8Array(Math.min(Math.max(2 * bytes.length, size + chunk.length), MAX_IMAGE_BYTES + 1))
      larger.set(bytes.subarray(0, size))
      bytes = larger
    }
    const kept = chunk.subarray(0, bytes.length - size)
    bytes.set(kept, size)
    size += kept.length
    // One byte more than the limit is enough to refuse it.
    if (size > MAX_IMAGE_BYTES) break
  }
  return bytes.subarray(0, size)
}

/** Receives a whole picture into memory. Its name is its hash. Throws 413 and 415. */
const receiveImage = async (deps: Deps, chunks: AsyncIterable<Uint8Array>, room: Room): Promise<Received> => {
  // While the buffer grows, there are two copies.
  const leave = await room.take(2 * MAX_IMAGE_BYTES)
  try {
    const bytes = await collect(chunks)
    const image = await describeImage(deps, bytes)
    const store = () => keepImage(deps, image, bytes)
    return new Upload({ kind: 'image' as const, image, store, hold: () => {} }, image.hash, async () => leave())
  } catch (error) {
    leave()
    throw error
  }
}

async function* from(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

/**
 * Receives a picture (JPG, PNG, WebP or GIF up to 12 MB) or a video (MP4 or MOV up to 64 MB) while it arrives.
 *
 * The type is read from its bytes, never from a name or a declared type. Throws 413, 415, and 503 if the bucket does not
 * respond.
 */
export const intakeTo =
  (deps: Deps) =>
  async (...[chunks, room]: Parameters<Intake>): Promise<Received> => {
    const rest = chunks[Symbol.asyncIterator]()
    let start: Uint8Array = new Uint8Array(0)
    while (start.length < kindBytes(start)) {
      const { done, value } = await rest.next()
      if (done) break
      start = joined(start, value)
    }
    const kind = videoKind(start)
    if (kind) return await receiveVideo(deps, kind, from(start, rest), room)
    if (imageFormat(start)) return await receiveImage(deps, from(start, rest), room)
    throw unsupported(start.length === 0 ? 'it is empty' : 'its bytes are none of JPG, PNG, WebP, GIF, MP4 and MOV')
  }
