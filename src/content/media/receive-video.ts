import type { VideoExtension } from '../../../schema/values/media.ts'
import type { Room } from '../../platform/http/room.ts'
import { hex, sha256 } from '../../platform/lib/crypto.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { Upload } from '../../platform/lib/upload.ts'
import type { PartedUpload } from '../../platform/runtime/bucket.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { errorFields } from '../../platform/runtime/log.ts'
import { boxReader } from './formats/boxes.ts'
import { BrokenImage, type Size } from './formats/size.ts'
import { MEDIA_PATH } from './paths.ts'
import { notStored, type Received, unsupported } from './received.ts'
import { MAX_VIDEO_BYTES, VIDEO_TYPES } from './video-rules.ts'

/** R2 takes parts of one size, at least 5 MiB; the last one may be smaller. */
const PART_BYTES = 5 * 1024 * 1024

const tooLarge = (): ApiError =>
  new ApiError('video_too_large', `The video is not taken: it is larger than ${MAX_VIDEO_BYTES} bytes (64 MB).`, {
    max_bytes: MAX_VIDEO_BYTES,
  })

/** Runs work at the bucket; a failure is logged and becomes 503. */
const atBucket = async <T>({ log }: Deps, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    log('error', 'media.put_failed', errorFields(error))
    throw notStored()
  }
}

/** Collects bytes to parts and sends each when it is full: one part is all that is held. */
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

/** Streams bytes to the bucket, and counts, hashes and parses the video's boxes on the way. */
const readVideo = async (chunks: AsyncIterable<Uint8Array>, parts: ReturnType<typeof partsTo>): Promise<Read> => {
  const boxes = boxReader()
  const digest = new crypto.DigestStream('SHA-256')
  // Nobody asks for it if the video is refused.
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
 * Receives a video, part by part, under a name of its own: its hash is known only when all of it was sent. It is served once
 * `store` was called. Throws 413, 415, 503.
 */
export const receiveVideo = async (
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
