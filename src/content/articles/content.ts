import { decodeInPlace } from '../../platform/lib/bytes.ts'
import { invalidInput } from '../../platform/lib/errors.ts'
import { NO_SLUG, type SlugChoice } from '../../platform/lib/slug.ts'
import { textWork } from '../../platform/lib/text-work.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { MarkdownFault } from '../html/from-markdown.ts'
import type { HtmlFault, SanitizedHtml } from '../html/sanitize.ts'
import { type HostedImage, holdImages, keepImage } from '../media/store.ts'
import type { ContentReading } from '../seo/assess.ts'
import type { Assessment } from './assess.ts'
import { MAX_CONTENT } from './rules.ts'

/** Image that content had as a `data:` URL: its future address, and its bytes as base64. */
export type DataImage = { image: HostedImage; base64: string }

/** Safe, parsed content, and its `data:` images, which are not stored yet. */
export type SafeContent = SanitizedHtml & {
  /** SHA-256 of the HTML. */
  hash: string
  images: DataImage[]
  reading: ContentReading
  /** The same content with players instead of links to videos; absent if it has no such link. */
  played?: { html: string; reading: ContentReading } | undefined
}

/** Returns content with players instead of links to videos if the project has videos enabled. */
export const shownIn = <T extends SafeContent>(
  safe: T | undefined,
  { videosEnabled }: { videosEnabled: boolean },
): T | undefined => (safe?.played && videosEnabled ? { ...safe, ...safe.played } : safe)

/** Texts sent by a caller. The first text of each list in `slugsOf` that has a slug is used. */
export type SentText = {
  slugsOf: readonly (readonly string[])[]
  content?: string | undefined
  format?: 'html' | 'markdown' | undefined
  publicUrl: string
}

/** Slugs of the texts, and the safe content or the reason it was refused. */
export type ReadText = {
  slugs: SlugChoice[]
  content?:
    | ({ kind: 'clean' } & SafeContent)
    | { kind: 'refused'; fault: HtmlFault | MarkdownFault | 'too_long' }
    | undefined
}

/** Job that reads a caller's texts, see `SentText`. */
export const readSentWork = textWork<SentText, ReadText>('read-sent')

const HIDDEN = /data: URL/

type Refused = Extract<NonNullable<ReadText['content']>, { kind: 'refused' }>

/** Messages for refused content. They follow the name of the field. */
const FAULTS: Record<Refused['fault'], string> = {
  too_long: `must have at most ${MAX_CONTENT} characters as HTML`,
  unfinished: 'must be a complete HTML fragment: it ends inside a tag, a comment or an unclosed element',
  too_deep:
    'nests too deep: 64 nested elements at most, and 40 quotations, lists and items of Markdown. Close the elements you open, or take wrappers out',
  too_marked: 'holds more marks of Markdown than an article has: 200,000 pieces at most. Send less, or send it as HTML',
  only_thoughts:
    'has a model’s thoughts that do not end, or no answer after them: the text was cut. Send the final answer of the model',
  unsettled: 'holds markup within markup that cannot be made safe. Write "<" as "&lt;" where it is text',
}

/** Fields for content in a request. */
type SentContent = { content?: string | undefined; content_format?: 'html' | 'markdown' | undefined }

/** Returns slugs of the texts for every project language. A slug has ASCII letters, digits and single hyphens, or is empty. */
export const slugsFor = async (ctx: Ctx, texts: readonly (readonly string[])[]): Promise<SlugChoice[]> =>
  (await ctx.texts(readSentWork, { slugsOf: texts, publicUrl: '' })).slugs

/**
 * Returns sent content as safe, parsed HTML, and the slug of the first text in `slugOf` that has one.
 *
 * `otherwise` is used if no content was sent. Throws 400 for refused content, and for a format without content.
 */
export const readSent = async (
  ctx: Ctx,
  { content, content_format: format }: SentContent,
  slugOf: readonly string[] = [],
  otherwise?: string,
): Promise<{ safe: SafeContent | undefined; slug: SlugChoice }> => {
  if (content === undefined && format !== undefined)
    throw invalidInput([{ field: 'content_format', message: 'says what content is: send content with it' }])
  const given = content ?? otherwise
  if (given === undefined && slugOf.length === 0) return { safe: undefined, slug: NO_SLUG }
  const { publicUrl } = ctx.settings
  const slugsOf = slugOf.length === 0 ? [] : [slugOf]
  const { slugs, content: read } = await ctx.texts(readSentWork, { slugsOf, content: given, format, publicUrl })
  if (read?.kind !== 'refused') return { safe: read, slug: slugs[0] ?? NO_SLUG }
  await ctx.account()
  throw invalidInput([{ field: 'content', message: FAULTS[read.fault] }])
}

/** Returns the note on things removed from content; empty if nothing was removed. */
export const removedNote = (
  removed: readonly string[] = [],
): { removed?: readonly string[]; removed_note?: string } => {
  if (removed.length === 0) return {}
  if (!removed.some((what) => HIDDEN.test(what))) return { removed }
  return {
    removed,
    removed_note:
      'Images in data: URLs were left out if they are not a complete JPG, PNG, WebP or GIF, or come after the first 20. Host them with POST /images and use their public URL instead.',
  }
}

/** Returns the bytes of base64 text; undefined if it is not base64. */
export const base64Bytes = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  const text = Uint8Array.from(new TextEncoder().encode(base64))
  return decodeInPlace(text, 0, text.length)
}

/**
 * Stores the `data:` images of a text, and adds the statement that makes their account keep them.
 *
 * Returns the same assessment if there are no images. Throws `unavailable` if they cannot be stored.
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
