import { attributesOf } from '../html/attributes.ts'
import { applyEdits, attributeEdits, type Edit } from '../html/edits.ts'
import { readEvents } from '../html/events.ts'
import { decodeInPlace } from '../lib/base64-in-place.ts'
import { ApiError } from '../lib/errors.ts'
import { holdImages } from '../media/parts.ts'
import { describeImage, type HostedImage, keepImage } from '../media/store.ts'
import type { Ctx } from '../runtime/ctx.ts'
import type { Assessment } from './assess.ts'

/** An image that stood in content as data: where it will be served, and its bytes. */
export type DataImage = { image: HostedImage; bytes: Uint8Array<ArrayBuffer> }

/** Images taken from one text; the others are left out. */
const MAX_IMAGES = 20

const DATA_URL = /^data:image\/[\w.+-]+(?:;[\w.+-]+=[^;,]*)*;base64,/i

/** The bytes of a data URL (RFC 2397) of an image; undefined for any other address, and for what is no base64. */
const bytesOf = (src: string): Uint8Array<ArrayBuffer> | undefined => {
  const address = src.replace(/\s+/g, '')
  const prefix = DATA_URL.exec(address)?.[0]
  if (prefix === undefined) return undefined
  const data = address.slice(prefix.length).replace(/%2b/gi, '+').replace(/%2f/gi, '/').replace(/%3d/gi, '=')
  const text = Uint8Array.from(new TextEncoder().encode(data))
  return decodeInPlace(text, 0, text.length)
}

const describe = async (ctx: Ctx, src: string): Promise<DataImage | undefined> => {
  const bytes = bytesOf(src)
  if (!bytes) return undefined
  try {
    return { image: await describeImage(ctx, bytes), bytes }
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/**
 * Content whose `data:` images lead to the addresses where they will be served, and those images. What is no image that can be
 * hosted, and what comes after the first twenty, stays as it is: making the content safe takes it out. Nothing is stored yet.
 */
export const liftDataImages = async (ctx: Ctx, html: string): Promise<{ html: string; images: DataImage[] }> => {
  if (!/data:image\//i.test(html)) return { html, images: [] }
  const found = new Map<string, DataImage>()
  const edits: Edit[] = []
  for (const event of readEvents(html)) {
    if (event.kind !== 'open' || event.tag.name !== 'img') continue
    const src = attributesOf(html, event.tag).get('src')
    if (src === undefined || (found.size >= MAX_IMAGES && !found.has(src))) continue
    const one = found.get(src) ?? (await describe(ctx, src))
    if (!one) continue
    found.set(src, one)
    edits.push(...attributeEdits(html, event.tag, 'src', one.image.url))
  }
  return { html: applyEdits(html, edits), images: [...found.values()] }
}

/**
 * Stores the images a text brought along, and makes their account hold them in the statement that saves the text. The same
 * assessment where there are none. Throws `unavailable` when they cannot be stored; nothing is saved then.
 */
export const hostDataImages = async (
  ctx: Ctx,
  images: readonly DataImage[] = [],
  assessment: Assessment,
): Promise<Assessment> => {
  if (images.length === 0) return assessment
  const { id: accountId } = await ctx.account()
  await Promise.all(images.map(({ image, bytes }) => keepImage(ctx, image, bytes)))
  const held = images.map(({ image }) => image)
  return {
    ...assessment,
    answer: { ...assessment.answer, hosted_images: [...new Set(held.map(({ url }) => url))] },
    parts: (saved) => [
      assessment.parts(saved),
      holdImages('held_images', { accountId, images: held, now: ctx.now(), from: [saved] }),
    ],
  }
}
