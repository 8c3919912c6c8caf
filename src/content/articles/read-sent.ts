import { sha256 } from '../../platform/lib/crypto.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { MARKS_REMOVED } from '../../platform/lib/model-marks.ts'
import { readEvents } from '../html/events.ts'
import { fromMarkdown } from '../html/from-markdown.ts'
import { showPictures } from '../html/late-pictures.ts'
import { withoutMarksInHtml } from '../html/model-marks.ts'
import { withPlayers } from '../html/players.ts'
import { sanitizeHtml } from '../html/sanitize.ts'
import { applyEdits, attributeEdits, attributesOf, type Edit } from '../html/tags.ts'
import { unwrapped } from '../html/wrapping.ts'
import { describeImage } from '../media/store.ts'
import { readContent } from '../seo/assess.ts'
import { slugChoice } from '../seo/language-slug.ts'
import { base64Bytes, type DataImage, type ReadText, type SentText } from './content.ts'
import { MAX_CONTENT } from './rules.ts'

/** Most images hosted from one text. Further images are left out. */
const MAX_IMAGES = 20

const DATA_URL = /^data:image\/[\w.+-]+(?:;[\w.+-]+=[^;,]*)*;base64,/i

/** Returns the base64 of an image's `data:` URL (RFC 2397); undefined for any other address. */
const base64Of = (src: string): string | undefined => {
  const address = src.replace(/\s+/g, '')
  const prefix = DATA_URL.exec(address)?.[0]
  if (prefix === undefined) return undefined
  return address.slice(prefix.length).replace(/%2b/gi, '+').replace(/%2f/gi, '/').replace(/%3d/gi, '=')
}

const describe = async (publicUrl: string, src: string): Promise<DataImage | undefined> => {
  const base64 = base64Of(src)
  const bytes = base64 === undefined ? undefined : base64Bytes(base64)
  if (base64 === undefined || !bytes) return undefined
  try {
    return { image: await describeImage({ settings: { publicUrl } }, bytes), base64 }
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/**
 * Replaces `data:` images with the addresses where they will be served, and returns those images. Stores nothing yet.
 *
 * Images that cannot be hosted, and all after the first twenty, stay. `sanitizeHtml` removes them later.
 */
const liftDataImages = async (html: string, publicUrl: string): Promise<{ html: string; images: DataImage[] }> => {
  if (!/data:image\//i.test(html)) return { html, images: [] }
  const found = new Map<string, DataImage>()
  const edits: Edit[] = []
  for (const event of readEvents(html)) {
    if (event.kind !== 'open' || event.tag.name !== 'img') continue
    const src = attributesOf(html, event.tag).get('src')
    if (src === undefined || (found.size >= MAX_IMAGES && !found.has(src))) continue
    const one = found.get(src) ?? (await describe(publicUrl, src))
    if (!one) continue
    found.set(src, one)
    edits.push(...attributeEdits(html, event.tag, 'src', one.image.url))
  }
  return { html: applyEdits(html, edits), images: [...found.values()] }
}

const readHtml = async (given: string, publicUrl: string, taken: readonly string[]): Promise<ReadText['content']> => {
  if (given.length > MAX_CONTENT) return { kind: 'refused', fault: 'too_long' }
  // First, because otherwise the placeholder of a lazily loaded picture would be hosted.
  const shown = showPictures(given)
  const { html, images } = await liftDataImages(shown.html, publicUrl)
  const safe = sanitizeHtml(html)
  if (safe.kind === 'refused') return safe
  // Closing open elements adds characters.
  if (safe.html.length > MAX_CONTENT) return { kind: 'refused', fault: 'too_long' }
  const removed = [...taken, ...shown.removed, ...safe.removed]
  // Images in removed elements are not hosted.
  const held = images.filter(({ image }) => safe.html.includes(image.hash))
  const played = withPlayers(safe.html)
  const isPlayed = played !== safe.html && played.length <= MAX_CONTENT
  return {
    ...safe,
    removed,
    images: held,
    hash: await sha256(safe.html),
    reading: readContent(safe.html),
    ...(isPlayed ? { played: { html: played, reading: readContent(played) } } : {}),
  }
}

/** Returns HTML without the wrapping that language models put around a whole article, such as a code fence. */
const fromHtml = (content: string): ReturnType<typeof fromMarkdown> => {
  const { text: html, removed, isCut } = unwrapped(content, 'html')
  return isCut ? 'only_thoughts' : { html, removed }
}

/** Makes content safe HTML, converts Markdown, parses the result, and makes slugs. */
export const readSent = async ({ slugsOf, content, format, publicUrl }: SentText): Promise<ReadText> => {
  const slugs = slugsOf.map(slugChoice)
  if (content === undefined) return { slugs }
  const made = format === 'markdown' ? fromMarkdown(content) : fromHtml(content)
  if (typeof made === 'string') return { slugs, content: { kind: 'refused', fault: made } }
  const html = withoutMarksInHtml(made.html)
  const removed = html === made.html ? made.removed : [...made.removed, MARKS_REMOVED]
  return { slugs, content: await readHtml(html, publicUrl, removed) }
}
