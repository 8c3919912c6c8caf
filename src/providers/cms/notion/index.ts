import type { Cms, CmsQuery, CmsResult, CmsSite } from '../../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../../publishing/target/publish-target.ts'
import { hidingSecrets } from '../adapter.ts'
import { type CmsDeps, done, type Found, got } from '../http.ts'
import { ALL_TEXT, inLanguages } from '../languages.ts'
import { workWith } from '../mapped-items.ts'
import { type NotionApi, notionApi } from './api.ts'
import { type Setting, settingOf } from './connect.ts'
import { listSitePosts, readSitePost } from './list.ts'
import { PARTS, type Part } from './mapping.ts'
import { createPage, readVersion, restoreVersion, unpublishPage, updatePage } from './save.ts'
import { toPost } from './transform.ts'

/** Parts of an article that a database can do without. */
const UNMISSED: readonly Part[] = ['image', 'seo_title', 'canonical_url']

const probe = async (api: NotionApi, setting: () => ReturnType<ReturnType<typeof settingOf>>) => {
  const self = await api.self()
  if (self.kind !== 'got') return self
  const known = await setting()
  if (known.kind !== 'got') return known
  const { name, url, mapping, tables } = known.value
  const used = PARTS.flatMap((part) => (mapping[part] ? [`${part} → ${mapping[part].name}`] : []))
  const missing = PARTS.filter((part) => !mapping[part] && !UNMISSED.includes(part))
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
  const lookUps = [
    { property: mapping.marker, value: marker, matchedBy: 'marker' as const },
    { property: mapping.slug, value: slug, matchedBy: 'slug' as const },
  ]
  for (const { property, value, matchedBy } of lookUps) {
    if (!property || value === '') continue
    const pages = await api.pagesBy(dataSourceId, property, value)
    if (pages.kind !== 'got') return pages
    const posts = pages.value.results.map((page) => toPost(page, mapping, chosen))
    // Notion's filter ignores case.
    const own = posts.find((p) => p.status !== 'trashed' && p[matchedBy] === value)
    if (own) return done({ ...own, matchedBy })
  }
  return done(null)
}

/**
 * Returns the adapter for Notion's API: articles are pages of a database's first table. One call writes the content as Notion's own
 * Markdown.
 *
 * Slug, status, mark and other parts are properties, chosen by people or found by name and type. People decide if a page is on the web.
 *
 * Not confirmed by documentation:
 * - how long a new page is missing from queries (a search comes 30 s after a lost answer)
 * - backslashes before `#`, `-` and numbers at the start of a line
 * - limits of calls by plan (429 and Retry-After are obeyed)
 * - the error of a free workspace whose blocks are used up
 */
export const notionCms = (connection: Connection, deps: CmsDeps): Cms => {
  const { secrets, url } = connection
  const api = notionApi(deps, url, secrets.integration_token ?? '')
  const setting = settingOf(api, connection, deps.serviceName)
  const withSetting = workWith(setting)
  const cms: Cms = {
    probe: () => probe(api, setting),
    find: (query) => withSetting((known) => find(api, known, query)),
    create: (article) => withSetting((known) => createPage({ api, deps }, known, article)),
    update: (remoteId, article, update) =>
      withSetting((known) => updatePage({ api, deps }, known, remoteId, article, update)),
    unpublish: (remoteId) => withSetting((known) => unpublishPage(api, known, remoteId)),
    listPosts: (cursor) => withSetting((known) => listSitePosts(api, known, cursor)),
    readPost: (ref) => withSetting((known) => readSitePost(api, known, ref)),
    discard: async (remoteId) => (await api.change(remoteId, { in_trash: true })).kind === 'got',
    read: (remoteId) => withSetting((known) => readVersion(api, known, remoteId)),
    restore: (remoteId, version) => withSetting((known) => restoreVersion(api, known, remoteId, version)),
  }
  return hidingSecrets(inLanguages(ALL_TEXT, cms), [secrets.integration_token])
}
