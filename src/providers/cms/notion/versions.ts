import * as z from 'zod/mini'
import type { CmsFailure, CmsPost, CmsResult, CmsVersion } from '../../../publishing/target/cms-adapter.ts'
import { done, type Got, misfit, quotable } from '../http.ts'
import { MARKDOWN, type MarkdownVersion, type NotionApi, type NotionMarkdown } from './api.ts'
import type { Setting } from './connect.ts'
import { keptProperties, toPost, wordsOf } from './transform.ts'

const MAX_NAMED = 10

/** Returns the pages and databases within a page's Markdown, by name. */
const childrenIn = (markdown: string): string[] =>
  [...markdown.matchAll(/<(page|database)\b[^<>]*>([^<>]*)</g)].map(
    ([, kind, name]) => `the ${kind} "${quotable(name) || 'untitled'}"`,
  )

const isAboutChildren = (failure: CmsFailure): boolean =>
  failure.kind === 'refused' &&
  failure.code === 'validation' &&
  /allow_deleting_content|delete[^.]{0,80}\b(page|database|child)/i.test(failure.reason)

/**
 * Replaces a page's content. Returns null if the page is gone.
 *
 * Pages and databases that people put under it are never deleted. Notion refuses such content, and our refusal names them.
 */
export const replaceContent = async (
  api: NotionApi,
  remoteId: string,
  markdown: string,
  version?: MarkdownVersion,
): Promise<Got<NotionMarkdown | null>> => {
  const replaced = await api.replaceContent(remoteId, markdown, version)
  if (replaced.kind === 'got' || !isAboutChildren(replaced)) return replaced
  const shown = await api.markdown(remoteId)
  const names = shown.kind === 'got' && shown.value ? childrenIn(shown.value.markdown) : []
  const list = names.slice(0, MAX_NAMED).join(', ') || 'pages or databases'
  return misfit(
    `The page in Notion holds ${list}${names.length > MAX_NAMED ? ' and more' : ''}, which new content would delete. Move them out of the page, then send the article again.`,
  )
}

const MAX_VERSION_BYTES = 1_000_000
/** Addresses of files that people uploaded. Notion gives each an address that expires in an hour. */
const SIGNED = /prod-files-secure|X-Amz-Signature|amazonaws\.com/i

/** Returns why a page could not be restored exactly as it was; undefined if it can. */
const whyNotWhole = ({ markdown, truncated, unknown_block_ids }: NotionMarkdown, bytes: number): string | undefined => {
  if (truncated || bytes > MAX_VERSION_BYTES) return 'it is too long for Notion to tell it whole'
  if (/<unknown\b/.test(markdown) || unknown_block_ids?.length)
    return 'it held embeds, bookmarks or other blocks that Notion does not tell'
  return SIGNED.test(markdown) ? 'it held files uploaded in Notion, whose addresses end in an hour' : undefined
}

/**
 * Returns the page's content as Notion's Markdown, with its properties and cover.
 *
 * A page that cannot be restored exactly is stored with the reason, so that it can still be changed.
 */
export const readVersion = async (
  api: NotionApi,
  { mapping }: Setting,
  remoteId: string,
): Promise<CmsResult<CmsVersion | null>> => {
  const page = await api.page(remoteId)
  if (page.kind !== 'got') return page
  if (page.value === null || page.value.in_trash || page.value.archived) return done(null)
  const content = await api.markdown(remoteId)
  if (content.kind !== 'got') return content
  if (content.value === null) return done(null)
  const { markdown } = content.value
  const { cover } = page.value
  const version = {
    markdown,
    markdown_version: MARKDOWN,
    properties: keptProperties(page.value, mapping),
    // A cover uploaded in Notion has no address to send back, so it stays as it is.
    ...(cover && !cover.external ? {} : { cover: cover ? { type: 'external', external: cover.external } : null }),
  }
  const bytes = new TextEncoder().encode(JSON.stringify(version)).byteLength
  const cannotRestore = whyNotWhole(content.value, bytes)
  const words = wordsOf(page.value, mapping, markdown)
  if (!cannotRestore) return done({ ...version, words })
  return done({ ...version, markdown: bytes > MAX_VERSION_BYTES ? '' : markdown, cannotRestore, words })
}

const Version = z.object({
  markdown: z.string(),
  // Versions stored by earlier releases have none.
  markdown_version: z._default(z.enum(['v1', 'v2']), 'v1'),
  properties: z.record(z.string(), z.unknown()),
  cover: z.optional(z.unknown()),
  cannotRestore: z.optional(z.string()),
})

/** Restores a stored version: its content, then its properties and cover. Returns null if the page is gone. */
export const restoreVersion = async (
  api: NotionApi,
  { mapping, chosen }: Setting,
  remoteId: string,
  version: CmsVersion,
): Promise<CmsResult<CmsPost | null>> => {
  const kept = Version.safeParse(version)
  if (!kept.success) return misfit('The kept version cannot be read.')
  const { markdown, markdown_version, cannotRestore, ...fields } = kept.data
  if (cannotRestore) return misfit(`This version of the page cannot be put back: ${cannotRestore}.`)
  const content = await replaceContent(api, remoteId, markdown, markdown_version)
  if (content.kind !== 'got') return content
  if (content.value === null) return done(null)
  const changed = await api.change(remoteId, fields)
  return changed.kind === 'got' ? done(changed.value && toPost(changed.value, mapping, chosen)) : changed
}
