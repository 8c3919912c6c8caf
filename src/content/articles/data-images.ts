import { decodeInPlace } from '../../platform/lib/base64-in-place.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { keepImage } from '../media/store.ts'
import { holdImages } from '../media/writes.ts'
import type { Assessment } from './assess.ts'
import type { DataImage } from './sent-work.ts'

/** Returns the bytes of base64 text; undefined for what is none. */
export const base64Bytes = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  const text = Uint8Array.from(new TextEncoder().encode(base64))
  return decodeInPlace(text, 0, text.length)
}

/**
 * Stores the images a text brought along, and makes their account hold them in the batch that saves the text. The same
 * assessment if there are none. Throws `unavailable` when they cannot be stored; nothing is saved then.
 */
export const hostDataImages = async (
  ctx: Ctx,
  images: readonly DataImage[] = [],
  assessment: Assessment,
): Promise<Assessment> => {
  if (images.length === 0) return assessment
  const { id: accountId } = await ctx.account()
  await Promise.all(images.map(({ image, base64 }) => keepImage(ctx, image, base64Bytes(base64) ?? new Uint8Array())))
  const held = images.map(({ image }) => image)
  return {
    ...assessment,
    answer: { ...assessment.answer, hosted_images: [...new Set(held.map(({ url }) => url))] },
    writes: (articleId, condition) => [
      ...assessment.writes(articleId, condition),
      holdImages({ accountId, images: held, now: ctx.now(), if: condition }),
    ],
  }
}
