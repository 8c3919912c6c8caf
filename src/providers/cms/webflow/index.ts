import type { Cms, CmsQuery, CmsResult } from '../../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../../publishing/target/publish-target.ts'
import { type Found, got } from '../got.ts'
import { type CmsDeps, done } from '../http.ts'
import { hidingSecrets } from '../secrets.ts'
import { type WebflowApi, webflowApi } from './api.ts'
import { hostAsset } from './assets.ts'
import { probeSite } from './probe.ts'
import { createItem, unpublishItem, updateItem } from './save.ts'
import { type Setting, settingOf } from './setting.ts'
import { slugOf, toPost } from './transform.ts'
import { readVersion, restoreVersion } from './versions.ts'

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
 * Webflow's Data API v2: articles as items of one collection.
 *
 * Content is always written to the staged item, then published item by item, never by publishing the whole site. `find` knows
 * an item by id or slug. It knows one by our mark only if a field is mapped to it and the slug is the same, as items cannot be
 * searched by own fields.
 *
 * Not confirmed by documentation:
 * - if a slug that is taken is refused or silently made another (both are handled)
 * - the error of a full collection
 * - the path of collections in folders (`url_prefix`)
 * - when images in texts are copied
 */
export const webflowCms = (connection: Connection, deps: CmsDeps): Cms => {
  const { secrets, url } = connection
  const api = webflowApi(deps, url, secrets.api_token ?? '')
  const setting = settingOf(api, connection)
  const withSetting = async <T>(work: (setting: Setting) => Promise<CmsResult<T>>): Promise<CmsResult<T>> => {
    const known = await setting()
    return known.kind === 'got' ? await work(known.value) : known
  }
  const cms: Cms = {
    probe: () => probeSite(api, connection, setting),
    find: (query) => withSetting((known) => find(api, known, query)),
    create: (article) => withSetting((known) => createItem(api, known, article)),
    update: (remoteId, article, update) => withSetting((known) => updateItem(api, known, remoteId, article, update)),
    unpublish: (remoteId) => withSetting((known) => unpublishItem(api, known, remoteId)),
    read: (remoteId) => withSetting((known) => readVersion(api, known, remoteId)),
    restore: (remoteId, version) => withSetting((known) => restoreVersion(api, known, remoteId, version)),
    discard: (remoteId) => api.remove(secrets.collection_id ?? '', remoteId),
    hostImage: (image) => hostAsset(api, deps, secrets.site_id ?? '', image),
  }
  return hidingSecrets(cms, [secrets.api_token])
}
