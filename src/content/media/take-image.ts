import type { Room } from '../../platform/http/room.ts'
import { Upload } from '../../platform/lib/upload.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { MAX_IMAGE_BYTES } from './image-rules.ts'
import { describeImage, keepImage } from './store.ts'
import type { TakenIn } from './taken.ts'

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

/** Takes a picture in, whole: it is small, and kept under its own hash. Throws 413 and 415. */
export const takeImage = async (deps: Deps, chunks: AsyncIterable<Uint8Array>, room: Room): Promise<TakenIn> => {
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
