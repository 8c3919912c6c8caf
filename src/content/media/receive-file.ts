import type { Room } from '../../platform/http/room.ts'
import type { Intake } from '../../platform/http/upload-body.ts'
import { joined } from '../../platform/lib/bytes.ts'
import { Upload } from '../../platform/lib/upload.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { kindBytes, videoKind } from './formats/boxes.ts'
import { imageFormat, MAX_IMAGE_BYTES } from './image-rules.ts'
import { receiveVideo } from './receive-video.ts'
import { type Received, unsupported } from './received.ts'
import { describeImage, keepImage } from './store.ts'

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
    // One byte more than is taken: what follows is not read.
    if (size > MAX_IMAGE_BYTES) break
  }
  return bytes.subarray(0, size)
}

/** Receives a whole picture: it is small, and kept under its own hash. Throws 413 and 415. */
const receiveImage = async (deps: Deps, chunks: AsyncIterable<Uint8Array>, room: Room): Promise<Received> => {
  // While its memory grows there are two copies of a part of it.
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
 * Takes in a picture (JPG, PNG, WebP or GIF of at most 12 MB) or a video (MP4 or MOV of at most 64 MB) while it arrives. What
 * it is its bytes say, never a name or a declared type. Throws 413, 415, and 503 when the bucket does not answer.
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
