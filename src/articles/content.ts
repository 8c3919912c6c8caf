import { fromMarkdown } from '../html/commonmark/html.ts'
import { type HtmlFault, type SanitizedHtml, sanitizeHtml } from '../html/sanitize.ts'
import { invalidInput } from '../lib/errors.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { type DataImage, liftDataImages } from './data-images.ts'
import { MAX_CONTENT } from './schemas.ts'

const HIDDEN = /data: URL/

/** What is wrong with refused content, behind the name of its field. */
const FAULTS: Record<HtmlFault, string> = {
  unfinished: 'must be a complete HTML fragment: it ends inside a tag, a comment or an unclosed element',
  too_deep: 'nests too deep: 64 nested elements at most. Close the elements you open, or take wrappers out',
  unsettled: 'holds markup within markup that cannot be made safe. Write "<" as "&lt;" where it is text',
}

/** Content made safe, and the images it brought along as data, which are still to be stored (`hostDataImages`). */
export type SafeContent = SanitizedHtml & { images: DataImage[] }

/** Content as it is sent. */
type SentContent = { content?: string | undefined; content_format?: 'html' | 'markdown' | undefined }

const TOO_LONG = `must have at most ${MAX_CONTENT} characters as HTML`

/** Content as HTML; nothing when none was sent. Throws 400 for Markdown whose HTML is too long, and a format of nothing. */
const sentHtml = ({ content, content_format: format }: SentContent): string | undefined => {
  if (content === undefined) {
    if (format !== undefined)
      throw invalidInput([{ field: 'content_format', message: 'says what content is: send content with it' }])
    return undefined
  }
  const html = format === 'markdown' ? fromMarkdown(content) : content
  if (html.length > MAX_CONTENT) throw invalidInput([{ field: 'content', message: TOO_LONG }])
  return html
}

/** Content made safe, Markdown made HTML; nothing when none was sent. Throws 400, after admission, for content that is refused. */
export const safeContent = async (ctx: Ctx, sent: SentContent): Promise<SafeContent | undefined> => {
  const content = sentHtml(sent)
  if (content === undefined) return undefined
  const { html, images } = await liftDataImages(ctx, content)
  const safe = sanitizeHtml(html)
  // An image in something that was taken out is none of the article's.
  if (safe.kind === 'clean') return { ...safe, images: images.filter(({ image }) => safe.html.includes(image.hash)) }
  await ctx.account()
  throw invalidInput([{ field: 'content', message: FAULTS[safe.fault] }])
}

/** What an answer says of the things taken out of content; nothing when nothing was. */
export const removedNote = (
  removed: readonly string[] = [],
): { removed?: readonly string[]; removed_note?: string } => {
  if (removed.length === 0) return {}
  if (!removed.some((what) => HIDDEN.test(what))) return { removed }
  return {
    removed,
    removed_note:
      'Images given as data: URLs that are no whole JPG, PNG, WebP or GIF, or more than 20, were left out. Host them with POST /images and use their public URL instead.',
  }
}
