import { pictureTypeAt } from '../../../content/media/fetch.ts'
import { sha256 } from '../../../platform/lib/crypto.ts'
import type { CmsArticle, CmsFailure, CmsPost, CmsResult, CmsUpdate } from '../../../publishing/target/cms-adapter.ts'
import { COMPLETE, sends, sendsMapped, sentParts } from '../fields.ts'
import { type CmsDeps, done, type Got, misfit } from '../http.ts'
import type { NotionApi, NotionPage } from './api.ts'
import type { Setting } from './connect.ts'
import { linkNotes, toMarkdown } from './markdown.ts'
import { type Built, imageUrl, propertiesOf, toPost, withStatus } from './transform.ts'
import { replaceContent } from './versions.ts'

const POLL_MS = 1_000
const MAX_POLLS = 15

/** A page's cover in the form for sending, and the value of a files property. Without `cover` the page keeps its cover. */
type Picture = { cover?: object | null; file?: object; notes: string[] }

const linked = (url: string): Picture => ({
  cover: { type: 'external', external: { url } },
  file: { name: 'image', external: { url } },
  notes: [],
})

/** Imports a file into Notion. Returns its id, or the reason why Notion did not take it. */
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
const IMAGE_NOTE = 'The image was left out: Notion could not take it.'

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

/** Returns the properties to change on an existing page. The slug never changes. A published page also keeps its date and status. */
const changesOf = ({ mapping, chosen }: Setting, article: CmsArticle, isLive: boolean, update: CmsUpdate): Built => {
  const built = propertiesOf(sentParts(article, update), mapping)
  const fixed = [mapping.slug, isLive || !article.publishedAt ? mapping.date : undefined]
  for (const property of fixed) if (property) delete built.properties[property.name]
  for (const [part, property] of Object.entries(mapping))
    if (!sendsMapped(update, part)) delete built.properties[property.name]
  return isLive || update.intent === 'change' ? built : withStatus(built, mapping, article.status, chosen)
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
