import { md5 } from '@noble/hashes/legacy.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as z from 'zod/mini'
import type { PictureFile } from '../../../content/media/fetch.ts'
import type {
  Cms,
  CmsFailure,
  CmsPost,
  CmsQuery,
  CmsResult,
  CmsSite,
  CmsVersion,
} from '../../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../../publishing/target/publish-target.ts'
import { hidingSecrets } from '../adapter.ts'
import { type CmsDeps, done, type Found, fetchImage, type Got, got, misfit, refused } from '../http.ts'
import { ALL_TEXT, inLanguages } from '../languages.ts'
import { workWith } from '../mapped-items.ts'
import { type WebflowApi, webflowApi } from './api.ts'
import { type Setting, settingOf } from './connect.ts'
import { listSitePosts, readSitePost } from './list.ts'
import { schemaOf } from './own-fields.ts'
import { createItem, publishItem, unpublishItem, updateItem } from './save.ts'
import { slugOf, textIn, toPost, wordsOf } from './transform.ts'
import type { WebflowAsset } from './types.ts'

const UPLOAD_TIMEOUT_MS = 60_000
const MAX_IMAGE_BYTES = 4 * 1024 * 1024

const upload = async (deps: CmsDeps, asset: WebflowAsset, file: PictureFile): Promise<CmsFailure | undefined> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(asset.uploadDetails)) form.set(name, String(value))
  // The storage reads the fields up to `file`, so it comes last.
  form.append('file', new Blob([file.bytes], { type: file.type }), file.filename)
  const answer = await deps.outbound({
    url: asset.uploadUrl,
    method: 'POST',
    body: form,
    timeoutMs: UPLOAD_TIMEOUT_MS,
    maxBytes: 4_096,
  })
  if (answer.kind === 'answered' && answer.status >= 200 && answer.status < 300) return undefined
  return {
    kind: 'refused',
    code: 'unavailable',
    reason: "Webflow's storage did not accept the image.",
    retryable: true,
  }
}

/** Uploads an image to the site's assets and returns its address there. */
const hostAsset = async (
  api: WebflowApi,
  deps: CmsDeps,
  siteId: string,
  image: { url: string },
): Promise<CmsResult<string>> => {
  const file = await fetchImage(deps, image.url)
  if ('kind' in file) return file
  if (file.bytes.byteLength > MAX_IMAGE_BYTES) return misfit('Webflow takes images of at most 4 MB.')
  const made = await api.newAsset(siteId, file.filename, bytesToHex(md5(file.bytes)))
  if (made.kind === 'invalid') return made.refusal.failure
  if (made.kind !== 'got') return made
  return (await upload(deps, made.value, file)) ?? done(made.value.hostedUrl)
}

const NEEDED = ['cms:read', 'cms:write', 'sites:read']

const siteNotes = (setting: Setting, lastPublished: string | null | undefined): string[] => {
  const { mapping } = setting
  const parts = Object.entries(mapping).map(([part, field]) => `${part} → ${field.slug}`)
  return [
    `Fields used: ${parts.join(', ')}.`,
    ...(lastPublished
      ? []
      : [
          'The site was never published. Publish it once in Webflow with the collection page, or items cannot go live.',
        ]),
  ]
}

/** Checks token, site, collection and field mapping, and the token's rights if Webflow returns them. Changes nothing. */
const probeSite = async (
  api: WebflowApi,
  { secrets }: Connection,
  setting: () => Promise<Got<Setting>>,
): Promise<CmsResult<CmsSite>> => {
  const site = await api.site(secrets.site_id ?? '')
  if (site.kind !== 'got') return site
  const collections = await api.collections(site.value.id)
  if (collections.kind !== 'got') return collections
  const list = collections.value.collections
  if (!list.some((c) => c.id === secrets.collection_id))
    return misfit(
      `collection_id: the site has no such collection. It has: ${list.map((c) => `${c.displayName ?? c.slug} (${c.id})`).join(', ') || 'none'}.`,
    )
  const known = await setting()
  if (known.kind !== 'got') return known
  const rights = await api.rights()
  const missing = rights.kind === 'got' && rights.value ? NEEDED.filter((scope) => !rights.value?.includes(scope)) : []
  if (missing.length > 0)
    return refused(
      'auth_forbidden',
      `The API token lacks the rights ${missing.join(', ')}. Make one that has them.`,
      403,
    )
  const name = site.value.displayName ?? site.value.shortName
  return done({ name, url: new URL(known.value.urlPrefix).origin }, siteNotes(known.value, site.value.lastPublished))
}

const Version = z.object({ live: z.boolean(), fieldData: z.record(z.string(), z.unknown()) })

/** Reads the version of an item that readers see, or the staged one if the item is not live. */
const readVersion = async (
  api: WebflowApi,
  { collection, mapping }: Setting,
  remoteId: string,
): Promise<CmsResult<CmsVersion | null>> => {
  const staged = await api.item(collection.id, remoteId)
  if (staged.kind !== 'got') return staged
  if (staged.value === null) return done(null)
  const published = staged.value.lastPublished ? await api.liveItem(collection.id, remoteId) : undefined
  if (published && published.kind !== 'got') return published
  const live = published?.value ?? undefined
  const words = wordsOf(staged.value, mapping)
  const stored = { format: 'html' as const, text: textIn(staged.value, mapping.body) }
  return done({ live: live !== undefined, fieldData: (live ?? staged.value).fieldData, words, stored })
}

/** Restores stored fields. The slug, and fields that Webflow does not let change, stay as they are. */
const restoreVersion = async (
  api: WebflowApi,
  { collection, mapping, urlPrefix }: Setting,
  remoteId: string,
  version: CmsVersion,
): Promise<CmsResult<CmsPost | null>> => {
  const kept = Version.safeParse(version)
  if (!kept.success) return misfit('The kept version cannot be read.')
  const writable = new Set(collection.fields.filter((f) => f.isEditable !== false).map((f) => f.slug))
  const fieldData = Object.fromEntries(
    Object.entries(kept.data.fieldData).filter(([slug]) => writable.has(slug) && slug !== 'slug'),
  )
  const known = await api.item(collection.id, remoteId)
  if (known.kind !== 'got') return known
  if (known.value === null) return done(null)
  // An item that people took down in between stays down.
  const isShown = kept.data.live && toPost(known.value, urlPrefix, mapping).status === 'published'
  const changed = await api.change(collection.id, remoteId, { ...(isShown ? { isDraft: false } : {}), fieldData })
  if (changed.kind === 'invalid') return changed.refusal.failure
  if (changed.kind === 'refused' && changed.code === 'site_not_found') return done(null)
  if (changed.kind !== 'got') return changed
  if (!isShown) return done(toPost(changed.value, urlPrefix, mapping))
  const live = await publishItem(api, collection.id, changed.value)
  return live.kind === 'got' ? done(toPost(live.value, urlPrefix, mapping)) : live
}

const find = async (api: WebflowApi, setting: Setting, query: CmsQuery): Promise<CmsResult<Found>> => {
  const { collection, mapping, urlPrefix } = setting
  const known = query.remoteId ? await api.item(collection.id, query.remoteId) : got(null)
  if (known.kind !== 'got') return known
  if (known.value) return done({ ...toPost(known.value, urlPrefix, mapping), matchedBy: 'remote_id' })
  const listed = await api.itemsBy(collection.id, 'slug', query.slug)
  if (listed.kind !== 'got') return listed
  const item = listed.value.items.find((i) => slugOf(i) === query.slug)
  if (!item) return done(null)
  const post = toPost(item, urlPrefix, mapping)
  return done({ ...post, matchedBy: post.marker === query.marker ? 'marker' : 'slug' })
}

/**
 * Returns the adapter for Webflow's Data API v2: articles are items of one collection.
 *
 * Content is always written to the staged item. Then the item is published alone, never the whole site.
 *
 * `find` finds an item by id or slug. Items cannot be searched by own fields. So our mark identifies an item only if a field is mapped to
 * it and the slug is the same.
 *
 * Not confirmed by documentation:
 * - if a taken slug is refused or silently changed (both are handled)
 * - the error of a full collection
 * - the path of collections in folders (`url_prefix`)
 * - when images in texts are copied
 */
export const webflowCms = (connection: Connection, deps: CmsDeps): Cms => {
  const { secrets, url } = connection
  const api = webflowApi(deps, url, secrets.api_token ?? '')
  const setting = settingOf(api, connection)
  const withSetting = workWith(setting)
  const cms: Cms = {
    probe: () => probeSite(api, connection, setting),
    schema: () => withSetting((known) => done(schemaOf(known))),
    find: (query) => withSetting((known) => find(api, known, query)),
    create: (article) => withSetting((known) => createItem(api, known, article)),
    update: (remoteId, article, update) => withSetting((known) => updateItem(api, known, remoteId, article, update)),
    unpublish: (remoteId) => withSetting((known) => unpublishItem(api, known, remoteId)),
    listPosts: (cursor) => withSetting((known) => listSitePosts(api, known, cursor)),
    readPost: (ref) => withSetting((known) => readSitePost(api, known, ref)),
    read: (remoteId) => withSetting((known) => readVersion(api, known, remoteId)),
    restore: (remoteId, version) => withSetting((known) => restoreVersion(api, known, remoteId, version)),
    discard: (remoteId) => api.remove(secrets.collection_id ?? '', remoteId),
    hostImage: (image) => hostAsset(api, deps, secrets.site_id ?? '', image),
  }
  return hidingSecrets(inLanguages(ALL_TEXT, cms), [secrets.api_token])
}
