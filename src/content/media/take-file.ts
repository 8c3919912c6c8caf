import type { Intake } from '../../platform/http/upload-body.ts'
import { joined } from '../../platform/lib/bytes.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { videoKind } from './formats/boxes.ts'
import { imageFormat } from './image-rules.ts'
import { takeImage } from './take-image.ts'
import { takeVideo } from './take-video.ts'
import { type TakenIn, unsupported } from './taken.ts'

/** So many bytes tell what a file is. */
const START_BYTES = 12

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
  async (...[chunks, room]: Parameters<Intake>): Promise<TakenIn> => {
    const rest = chunks[Symbol.asyncIterator]()
    let start: Uint8Array = new Uint8Array(0)
    while (start.length < START_BYTES) {
      const { done, value } = await rest.next()
      if (done) break
      start = joined(start, value)
    }
    const kind = videoKind(start)
    if (kind) return await takeVideo(deps, kind, from(start, rest), room)
    if (imageFormat(start)) return await takeImage(deps, from(start, rest), room)
    throw unsupported(start.length === 0 ? 'it is empty' : 'its bytes are none of JPG, PNG, WebP, GIF, MP4 and MOV')
  }
