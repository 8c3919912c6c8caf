import { slugChoice } from '../../platform/lib/language-slug.ts'
import { fromMarkdown } from '../html/from-markdown.ts'
import { showNoscriptPictures } from '../html/noscript.ts'
import { withPlayers } from '../html/players.ts'
import { NOSCRIPT, sanitizeHtml } from '../html/sanitize.ts'
import { unwrapped } from '../html/wrapping.ts'
import { readContent } from '../seo/assess.ts'
import { liftDataImages } from './lift-images.ts'
import { MAX_CONTENT } from './rules.ts'
import type { ReadText, SentText } from './sent-work.ts'

const readHtml = async (given: string, publicUrl: string, taken: readonly string[]): Promise<ReadText['content']> => {
  if (given.length > MAX_CONTENT) return { kind: 'refused', fault: 'too_long' }
  // Before: what stands for a picture that loads late would be hosted as one.
  const shown = showNoscriptPictures(given)
  const { html, images } = await liftDataImages(shown.html, publicUrl)
  const safe = sanitizeHtml(html)
  if (safe.kind === 'refused') return safe
  // What was left open is closed, which takes characters.
  if (safe.html.length > MAX_CONTENT) return { kind: 'refused', fault: 'too_long' }
  const removed = [...taken, ...(shown.found > 0 ? [NOSCRIPT] : []), ...safe.removed]
  // An image in something that was taken out is none of the article's.
  const held = images.filter(({ image }) => safe.html.includes(image.hash))
  const played = withPlayers(safe.html)
  const isPlayed = played !== safe.html && played.length <= MAX_CONTENT
  return {
    ...safe,
    removed,
    images: held,
    reading: readContent(safe.html),
    ...(isPlayed ? { played: { html: played, reading: readContent(played) } } : {}),
  }
}

/** HTML without what models hand a whole article over in. */
const fromHtml = (content: string): { html: string; removed: string[] } => {
  const { text: html, removed } = unwrapped(content, 'html')
  return { html, removed }
}

/** Makes content safe, Markdown HTML, and reads it; makes slugs. */
export const readSent = async ({ slugsOf, content, format, publicUrl }: SentText): Promise<ReadText> => {
  const slugs = slugsOf.map(slugChoice)
  if (content === undefined) return { slugs }
  const made = format === 'markdown' ? fromMarkdown(content) : fromHtml(content)
  if (typeof made === 'string') return { slugs, content: { kind: 'refused', fault: made } }
  return { slugs, content: await readHtml(made.html, publicUrl, made.removed) }
}
