import * as z from 'zod/mini'
import type { Cms, CmsPost, CmsQuery, CmsResult, CmsSite, CmsVersion } from '../../publishing/cms.ts'
import type { Connection } from '../../publishing/port.ts'
import { type Found, got, misfit } from '../cms/got.ts'
import { type CmsMeans, done } from '../cms/http.ts'
import { hidingSecrets } from '../cms/secrets.ts'
import { type NotionApi, notionApi } from './api.ts'
import { PARTS } from './mapping.ts'
import { createPage, restorePage, updatePage } from './save.ts'
import { type Setting, settingOf } from './setting.ts'
import { keptProperties, toPost } from './transform.ts'

const MAX_VERSION_BYTES = 1_000_000

const probe = async (api: NotionApi, setting: () => ReturnType<ReturnType<typeof settingOf>>) => {
  const self = await api.self()
  if (self.kind !== 'got') return self
  const known = await setting()
  if (known.kind !== 'got') return known
  const { name, url, mapping, tables } = known.value
  const used = PARTS.flatMap((part) => (mapping[part] ? [`${part} → ${mapping[part].name}`] : []))
  const missing = PARTS.filter((part) => !mapping[part] && part !== 'image')
  const notes = [
    `Properties used: ${[`title → ${mapping.title.name}`, ...used].join(', ')}.`,
    ...(missing.length > 0 ? [`No property for: ${missing.join(', ')}.`] : []),
    ...(tables.length > 1 ? [`The database has several tables; "${tables[0]}" is used.`] : []),
    'Pages are public only where they or their database are shared to the web in Notion.',
  ]
  return done<CmsSite>({ name, url }, notes)
}

const find = async (
  api: NotionApi,
  { mapping, chosen, dataSourceId }: Setting,
  { remoteId, marker, slug }: CmsQuery,
): Promise<CmsResult<Found>> => {
  const known = remoteId ? await api.page(remoteId) : got(null)
  if (known.kind !== 'got') return known
  const post = known.value && toPost(known.value, mapping, chosen)
  if (post && post.status !== 'trashed') return done({ ...post, matchedBy: 'remote_id' })
  const ways = [
    { property: mapping.marker, value: marker, matchedBy: 'marker' as const },
    { property: mapping.slug, value: slug, matchedBy: 'slug' as const },
  ]
  for (const { property, value, matchedBy } of ways) {
    if (!property || value === '') continue
    const pages = await api.pagesBy(dataSourceId, property, value)
    if (pages.kind !== 'got') return pages
    const posts = pages.value.results.map((page) => toPost(page, mapping, chosen))
    // The filter does not tell capitals from small letters.
    const own = posts.find((p) => p.status !== 'trashed' && p[matchedBy] === value)
    if (own) return done({ ...own, matchedBy })
  }
  return done(null)
}

/** The page's content as Notion's markdown with its properties and cover; refused where Notion does not tell it whole. */
const read = async (api: NotionApi, { mapping }: Setting, remoteId: string): Promise<CmsResult<CmsVersion | null>> => {
  const page = await api.page(remoteId)
  if (page.kind !== 'got') return page
  if (page.value === null || page.value.in_trash || page.value.archived) return done(null)
  const content = await api.markdown(remoteId)
  if (content.kind !== 'got') return content
  if (content.value === null) return done(null)
  const { markdown, truncated, unknown_block_ids } = content.value
  const { cover } = page.value
  const version = {
    markdown,
    properties: keptProperties(page.value, mapping),
    // A cover uploaded in Notion has no address that could be sent back: it is left as it is.
    ...(cover && !cover.external ? {} : { cover: cover ? { type: 'external', external: cover.external } : null }),
  }
  const isLarge = new TextEncoder().encode(JSON.stringify(version)).byteLength > MAX_VERSION_BYTES
  return truncated || unknown_block_ids?.length || isLarge
    ? misfit('The page holds more than can be kept for putting it back.')
    : done(version)
}

const Version = z.looseObject({ markdown: z.string(), properties: z.record(z.string(), z.unknown()) })

const restore = async (
  api: NotionApi,
  { mapping, chosen }: Setting,
  remoteId: string,
  version: CmsVersion,
): Promise<CmsResult<CmsPost | null>> => {
  const kept = Version.safeParse(version)
  if (!kept.success) return misfit('The kept version cannot be read.')
  const restored = await restorePage(api, remoteId, kept.data)
  return restored.kind === 'got' ? done(restored.value && toPost(restored.value, mapping, chosen)) : restored
}

/**
 * Notion's API: articles as pages of a database's first table, content as Notion's own markdown in one call. Slug, status,
 * mark and the rest are properties, found by name and type or chosen. Whether a page is on the web is decided by people.
 * Not confirmed by documentation: how long a new page is missing from queries (a look-up comes 30 s after a lost answer),
 * backslashes before `#`, `-` and numbers at the start of a line, budgets of calls by plan (429 and Retry-After are honoured),
 * the error of a free workspace whose blocks are used up.
 */
export const notionCms = (connection: Connection, means: CmsMeans): Cms => {
  const { secrets, url } = connection
  const api = notionApi(means, url, secrets.integration_token ?? '')
  const setting = settingOf(api, connection, means.serviceName)
  const withSetting = async <T>(work: (setting: Setting) => Promise<CmsResult<T>>): Promise<CmsResult<T>> => {
    const known = await setting()
    return known.kind === 'got' ? await work(known.value) : known
  }
  const cms: Cms = {
    probe: () => probe(api, setting),
    find: (query) => withSetting((known) => find(api, known, query)),
    create: (article) => withSetting((known) => createPage(api, known, article)),
    update: (remoteId, article) => withSetting((known) => updatePage(api, known, remoteId, article)),
    read: (remoteId) => withSetting((known) => read(api, known, remoteId)),
    restore: (remoteId, version) => withSetting((known) => restore(api, known, remoteId, version)),
  }
  return hidingSecrets(cms, [secrets.integration_token])
}
