import type { SlugChoice } from '../../platform/lib/slug.ts'
import { textWork } from '../../platform/lib/text-work.ts'
import type { MarkdownFault } from '../html/from-markdown.ts'
import type { HtmlFault, SanitizedHtml } from '../html/sanitize.ts'
import type { HostedImage } from '../media/store.ts'
import type { ContentReading } from '../seo/assess.ts'

/** An image that stood in content as data: where it will be served, and its bytes as base64. */
export type DataImage = { image: HostedImage; base64: string }

/** Content made safe and read, and the images it brought along as data, which are still to be stored. */
export type SafeContent = SanitizedHtml & {
  images: DataImage[]
  reading: ContentReading
  /** The same with players instead of links to videos; absent if it has no such link. */
  played?: { html: string; reading: ContentReading } | undefined
}

/** Returns content as a project shows it: with players instead of links to videos if it has videos enabled. */
export const shownIn = <T extends SafeContent>(
  safe: T | undefined,
  { videosEnabled }: { videosEnabled: boolean },
): T | undefined => (safe?.played && videosEnabled ? { ...safe, ...safe.played } : safe)

/** Texts of a caller: those to make slugs of (the first that has one counts), content, and the address images are served at. */
export type SentText = {
  slugsOf: readonly (readonly string[])[]
  content?: string | undefined
  format?: 'html' | 'markdown' | undefined
  publicUrl: string
}

/** The slugs, and the content or why it is refused. */
export type ReadText = {
  slugs: SlugChoice[]
  content?:
    | ({ kind: 'clean' } & SafeContent)
    | { kind: 'refused'; fault: HtmlFault | MarkdownFault | 'too_long' }
    | undefined
}

/** Reads what a caller sent of an article. */
export const readSentWork = textWork<SentText, ReadText>('read-sent')
