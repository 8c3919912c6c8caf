import type { CmsArticle, CmsFailure, CmsPost, CmsResult } from '../../publishing/cms.ts'
import { type Got, got } from '../cms/got.ts'
import { done } from '../cms/http.ts'
import type { NotionApi } from './api.ts'
import { toMarkdown } from './markdown.ts'
import type { Setting } from './setting.ts'
import { type Built, imageUrl, propertiesOf, toPost, withStatus } from './transform.ts'
import type { NotionPage } from './types.ts'

const SHARE_NOTE =
  'Notion has no way to put a page on the web from outside. The address opens for members of the workspace; share the page or its database to the web in Notion.'
const IMAGE_NOTE = 'The image was left out: Notion could not take it.'

type Written = Got<NotionPage | null>

const coverOf = (url: string | undefined) => (url ? { type: 'external', external: { url } } : null)

/** Whether a write was refused (nothing was done) and the picture is what was wrong. */
const isForImage = (failure: CmsFailure): boolean =>
  failure.kind === 'refused' && failure.code === 'validation' && /cover|external|image|files/i.test(failure.reason)

/** Writes a page with its picture; without it where Notion refuses that alone. */
const writeWithImage = async <T extends Written>(
  write: (body: Record<string, unknown>) => Promise<T>,
  { mapping }: Setting,
  article: CmsArticle,
  built: Built,
): Promise<{ written: T; notes: string[] }> => {
  const url = imageUrl(article)
  const first = await write({ properties: built.properties, cover: coverOf(url) })
  if (first.kind === 'got' || url === undefined || !isForImage(first)) return { written: first, notes: built.notes }
  const properties = { ...built.properties }
  if (mapping.image) delete properties[mapping.image.name]
  return { written: await write({ properties }), notes: [...built.notes, IMAGE_NOTE] }
}

const ended = (page: NotionPage, { mapping, chosen }: Setting, notes: string[]): CmsResult<CmsPost> => {
  const post = toPost(page, mapping, chosen)
  return done(post, post.status === 'published' && !page.public_url ? [...notes, SHARE_NOTE] : notes)
}

/** Makes the page in one call: properties, cover and content. Notion has no slugs of its own that could be taken. */
export const createPage = async (
  api: NotionApi,
  setting: Setting,
  article: CmsArticle,
): Promise<CmsResult<CmsPost>> => {
  const { mapping, chosen, dataSourceId } = setting
  const built = withStatus(propertiesOf(article, mapping), mapping, article.status, chosen)
  const rest = { parent: { type: 'data_source_id', data_source_id: dataSourceId }, markdown: toMarkdown(article.html) }
  const { written, notes } = await writeWithImage((body) => api.create({ ...rest, ...body }), setting, article, built)
  return written.kind === 'got' ? ended(written.value, setting, notes) : written
}

/** What of an article changes on a page that is there: never its slug, nor the date of a published one, nor that it is live. */
const changesOf = ({ mapping, chosen }: Setting, article: CmsArticle, isLive: boolean): Built => {
  const built = propertiesOf(article, mapping)
  const fixed = [mapping.slug, isLive || !article.publishedAt ? mapping.date : undefined]
  for (const property of fixed) if (property) delete built.properties[property.name]
  return isLive ? built : withStatus(built, mapping, article.status, chosen)
}

/** Changes the page in place: the content first, then the properties, so that what says "published" comes last. */
export const updatePage = async (
  api: NotionApi,
  setting: Setting,
  remoteId: string,
  article: CmsArticle,
): Promise<CmsResult<CmsPost | null>> => {
  const known = await api.page(remoteId)
  if (known.kind !== 'got') return known
  if (known.value === null) return done(null)
  const { status } = toPost(known.value, setting.mapping, setting.chosen)
  if (status === 'trashed') return done(null)
  const content = await api.replaceContent(remoteId, toMarkdown(article.html))
  if (content.kind !== 'got') return content
  if (content.value === null) return done(null)
  const built = changesOf(setting, article, status === 'published')
  const { written, notes } = await writeWithImage((body) => api.change(remoteId, body), setting, article, built)
  if (written.kind !== 'got') return written
  return written.value ? ended(written.value, setting, notes) : done(null)
}

/** Puts content, then properties and cover of a kept version back. Null: the page is gone. */
export const restorePage = async (
  api: NotionApi,
  remoteId: string,
  { markdown, ...fields }: { markdown: string; properties: Record<string, unknown> },
): Promise<Got<NotionPage | null>> => {
  const content = await api.replaceContent(remoteId, markdown)
  if (content.kind !== 'got') return content
  return content.value === null ? got(null) : await api.change(remoteId, fields)
}
