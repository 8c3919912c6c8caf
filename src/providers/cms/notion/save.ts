import * as z from 'zod/mini'
import { pictureTypeAt } from '../../../content/media/fetch.ts'
import { sha256 } from '../../../platform/lib/crypto.ts'
import type {
  CmsArticle,
  CmsFailure,
  CmsPost,
  CmsResult,
  CmsUpdate,
  CmsVersion,
} from '../../../publishing/target/cms-adapter.ts'
import { COMPLETE, sends, sendsMapped, sentParts } from '../fields.ts'
import { type CmsDeps, done, type Got, misfit, quotable } from '../http.ts'
import { MARKDOWN, type MarkdownVersion, type NotionApi, type NotionMarkdown, type NotionPage } from './api.ts'
import type { Setting } from './connect.ts'
import { linkNotes, toMarkdown } from './markdown.ts'
import { type Built, imageUrl, keptProperties, propertiesOf, toPost, withStatus, wordsOf } from './transform.ts'

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
const replaceContent = async (
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
  if (truncated || bytes > MAX_VERSION_BYTES) return 'it is too long for Notion to return all of it'
  if (/<unknown\b/.test(markdown) || unknown_block_ids?.length)
    return 'it held embeds, bookmarks or other blocks that Notion does not return'
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
  const shown = await api.markdown(remoteId)
  // A text that is there already is not sent, because Notion would make all blocks anew.
  const isThere = shown.kind === 'got' && shown.value?.markdown === markdown && markdown_version === MARKDOWN
  const content = isThere ? shown : await replaceContent(api, remoteId, markdown, markdown_version)
  if (content.kind !== 'got') return content
  if (content.value === null) return done(null)
  const changed = await api.change(remoteId, fields)
  return changed.kind === 'got' ? done(changed.value && toPost(changed.value, mapping, chosen)) : changed
}

const POLL_MS = 1_000
const MAX_POLLS = 15

/** A page's cover in the form for sending, and the value of a files property. Without `cover` the page keeps its cover. */
type Picture = { cover?: object | null; file?: object; notes: string[] }

const linked = (url: string): Picture => ({
  cover: { type: 'external', external: { url } },
  file: { name: 'image', external: { url } },
  notes: [],
})

/** Imports a file into Notion. Returns its id, or the reason why Notion did not accept it. */
const takenIn = async (api: NotionApi, deps: CmsDeps, url: string, filename: string, type: string | undefined) => {
  let upload = await api.importFile(url, filename, type)
  for (let poll = 0; poll < MAX_POLLS && upload.kind === 'got' && upload.value.status === 'pending'; poll += 1) {
    await deps.sleep(POLL_MS)
    upload = await api.upload(upload.value.id)
  }
  if (upload.kind !== 'got') return { reason: upload.reason }
  return upload.value.status === 'uploaded' ? { id: upload.value.id } : { reason: 'Notion could not fetch it.' }
}

/**
 * Returns the article's image for a page: linked by its address, or imported into Notion if the project wants that.
 *
 * The file's name is derived from the address, so that an update does not import the same image again. An image that cannot be imported is
 * linked.
 */
const pictureOf = async (
  api: NotionApi,
  deps: CmsDeps,
  article: CmsArticle,
  before: NotionPage | undefined,
): Promise<Picture> => {
  const url = imageUrl(article)
  if (!url) return { cover: null, notes: [] }
  if (!article.image?.toHost) return linked(url)
  const type = await pictureTypeAt(deps, url)
  const filename = `image-${(await sha256(url)).slice(0, 16)}.${type?.extension ?? 'jpg'}`
  if (before?.cover?.file?.url.includes(filename)) return { notes: [] }
  const taken = await takenIn(api, deps, url, filename, type?.type)
  if ('reason' in taken) return { ...linked(url), notes: [`The image stays linked: ${taken.reason}`] }
  const upload = { type: 'file_upload', file_upload: { id: taken.id } }
  return { cover: upload, file: { name: filename, ...upload }, notes: [] }
}

const SHARE_NOTE =
  'Notion has no way to put a page on the web from outside. The address opens for members of the workspace; share the page or its database to the web in Notion.'
const SHARED_NOTE =
  'The page is shared to the web in Notion, so its address still opens until it is no longer shared there.'
const IMAGE_NOTE = 'The image was left out: Notion did not accept it.'

/** The API and the services that an adapter uses. */
type Notion = { api: NotionApi; deps: CmsDeps }

type Written = Got<NotionPage | null>

/** True if Notion refused a write because of the picture, so nothing was done. */
const isForImage = (failure: CmsFailure): boolean =>
  failure.kind === 'refused' && failure.code === 'validation' && /cover|external|image|files/i.test(failure.reason)

/** Writes a page with its picture. If Notion refuses only the picture, writes the page without it. */
const writeWithImage = async <T extends Written>(
  write: (body: Record<string, unknown>) => Promise<T>,
  { mapping }: Setting,
  built: Built,
  { cover, file, notes: own }: Picture,
): Promise<{ written: T; notes: string[] }> => {
  const notes = [...built.notes, ...own]
  const properties = { ...built.properties }
  // A property of addresses already has the image. Only a files property is set here.
  if (mapping.image?.type === 'files' && file) properties[mapping.image.name] = { files: [file] }
  if (mapping.image?.type === 'files' && cover === undefined) delete properties[mapping.image.name]
  const first = await write({ properties, ...(cover === undefined ? {} : { cover }) })
  if (first.kind === 'got' || !cover || !isForImage(first)) return { written: first, notes }
  if (mapping.image) delete properties[mapping.image.name]
  return { written: await write({ properties }), notes: [...notes, IMAGE_NOTE] }
}

const ended = (page: NotionPage, { mapping, chosen }: Setting, notes: string[]): CmsResult<CmsPost> => {
  const post = toPost(page, mapping, chosen)
  return done(post, post.status === 'published' && !page.public_url ? [...notes, SHARE_NOTE] : notes)
}

/** Adds notes on the text's links to the properties that were built. */
const withLinkNotes = ({ properties, notes }: Built, { html }: CmsArticle): Built => ({
  properties,
  notes: [...notes, ...linkNotes(html)],
})

/** Creates the page in one call, with properties, cover and content. Slugs are not unique in Notion, so none can be taken. */
export const createPage = async (
  { api, deps }: Notion,
  setting: Setting,
  article: CmsArticle,
): Promise<CmsResult<CmsPost>> => {
  const { mapping, chosen, dataSourceId } = setting
  const built = withLinkNotes(withStatus(propertiesOf(article, mapping), mapping, article.status, chosen), article)
  const rest = { parent: { type: 'data_source_id', data_source_id: dataSourceId }, markdown: toMarkdown(article.html) }
  const picture = await pictureOf(api, deps, article, undefined)
  const { written, notes } = await writeWithImage((body) => api.create({ ...rest, ...body }), setting, built, picture)
  return written.kind === 'got' ? ended(written.value, setting, notes) : written
}

/** Returns the properties to change on an existing page. The slug never changes. A published page also keeps its date, and stays published. */
const changesOf = ({ mapping, chosen }: Setting, article: CmsArticle, isLive: boolean, update: CmsUpdate): Built => {
  const built = propertiesOf(sentParts(article, update), mapping)
  const fixed = [mapping.slug, isLive || !article.publishedAt ? mapping.date : undefined]
  for (const property of fixed) if (property) delete built.properties[property.name]
  for (const [part, property] of Object.entries(mapping))
    if (!sendsMapped(update, part, article)) delete built.properties[property.name]
  const keepsStatus = update.intent === 'change' || (isLive && article.status === 'draft')
  return keepsStatus ? built : withStatus(built, mapping, article.status, chosen)
}

/** Changes the page in place. The properties come last, because the status among them may publish the page. */
export const updatePage = async (
  { api, deps }: Notion,
  setting: Setting,
  remoteId: string,
  article: CmsArticle,
  update: CmsUpdate = COMPLETE,
): Promise<CmsResult<CmsPost | null>> => {
  const known = await api.page(remoteId)
  if (known.kind !== 'got') return known
  if (known.value === null) return done(null)
  const { status } = toPost(known.value, setting.mapping, setting.chosen)
  if (status === 'trashed') return done(null)
  if (sends(update, 'html')) {
    const content = await replaceContent(api, remoteId, toMarkdown(article.html))
    if (content.kind !== 'got') return content
    if (content.value === null) return done(null)
  }
  const changes = changesOf(setting, article, status === 'published', update)
  const built = sends(update, 'html') ? withLinkNotes(changes, article) : changes
  const picture = sends(update, 'image') ? await pictureOf(api, deps, article, known.value) : { notes: [] }
  const { written, notes } = await writeWithImage((body) => api.change(remoteId, body), setting, built, picture)
  if (written.kind !== 'got') return written
  return written.value ? ended(written.value, setting, notes) : done(null)
}

/** Sets the status back to draft. Returns null if the page is gone. */
export const unpublishPage = async (
  api: NotionApi,
  { mapping, chosen }: Setting,
  remoteId: string,
): Promise<CmsResult<CmsPost | null>> => {
  const { properties, notes } = withStatus({ properties: {}, notes: [] }, mapping, 'draft', chosen)
  if (Object.keys(properties).length === 0)
    return misfit(`The page cannot be taken down: ${notes.join(' ')} Whether it is on the web is decided in Notion.`)
  const known = await api.page(remoteId)
  if (known.kind !== 'got') return known
  if (known.value === null || toPost(known.value, mapping, chosen).status === 'trashed') return done(null)
  const changed = await api.change(remoteId, { properties })
  if (changed.kind !== 'got') return changed
  if (changed.value === null) return done(null)
  const isShared = changed.value.public_url != null
  return done({ ...toPost(changed.value, mapping, chosen), status: 'draft' as const }, isShared ? [SHARED_NOTE] : [])
}
