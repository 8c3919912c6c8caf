import type { Cms, CmsArticle, CmsFailure, CmsPost, CmsQuery, CmsResult } from '../../publishing/cms.ts'
import type { Connection } from '../../publishing/port.ts'
import { type Found, type Got, got } from '../cms/got.ts'
import { type CmsMeans, done, refused } from '../cms/http.ts'
import { hidingSecrets } from '../cms/secrets.ts'
import { type ItemBody, type Refusal, type WebflowApi, webflowApi } from './api.ts'
import { hostAsset } from './assets.ts'
import { probeSite } from './probe.ts'
import { publishItem } from './publish.ts'
import { referencesOf, unmappedNotes } from './references.ts'
import { type Setting, settingOf } from './setting.ts'
import { fieldsAtFault, fieldsOf, slugOf, toPost, toRichText } from './transform.ts'
import type { WebflowItem } from './types.ts'
import { readVersion, restoreVersion } from './versions.ts'

type Prepared = { fields: Record<string, unknown>; notes: string[] }

const prepare = async (api: WebflowApi, { mapping }: Setting, article: CmsArticle): Promise<Prepared> => {
  const { html, embeds } = await toRichText(article.html)
  const references = await referencesOf(api, article, mapping)
  const notes = [...references.notes, ...unmappedNotes(article, mapping)]
  if (embeds.includes('pre')) notes.push('Code blocks stand in HTML embeds: Webflow empties them in rich text.')
  return { fields: { ...fieldsOf(article, mapping, html), ...references.fields }, notes }
}

const IMAGE_NOTE = 'The image was left out: Webflow could not take it.'

/** Writes an item; one that is refused for its image alone is written without it. */
const writeItem = async (
  write: (fields: Record<string, unknown>) => Promise<Got<WebflowItem> | { kind: 'invalid'; refusal: Refusal }>,
  { mapping }: Setting,
  { fields, notes }: Prepared,
): Promise<CmsFailure | { item: WebflowItem; notes: string[] }> => {
  const image = mapping.image?.slug ?? ''
  const first = await write(fields)
  if (first.kind === 'got') {
    const isLost = image in fields && !first.value.fieldData[image]
    return { item: first.value, notes: isLost ? [...notes, IMAGE_NOTE] : notes }
  }
  if (first.kind !== 'invalid') return first
  const atFault = fieldsAtFault(first.refusal.error)
  if (!(image in fields) || !atFault.includes(image)) return first.refusal.failure
  const { [image]: _, ...others } = fields
  const second = await write(others)
  if (second.kind === 'got') return { item: second.value, notes: [...notes, IMAGE_NOTE] }
  return second.kind === 'invalid' ? second.refusal.failure : second
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

const slugTaken = (slug: string): CmsFailure =>
  refused('slug_taken', `Webflow already has an item with the slug "${slug}".`, 400)

const create = async (api: WebflowApi, setting: Setting, article: CmsArticle): Promise<CmsResult<CmsPost>> => {
  const { collection, mapping, urlPrefix } = setting
  const prepared = await prepare(api, setting, article)
  const body = (fields: Record<string, unknown>): ItemBody => ({
    isDraft: article.status === 'draft',
    isArchived: false,
    fieldData: { ...fields, slug: article.slug },
  })
  const made = await writeItem((fields) => api.create(collection.id, body(fields)), setting, prepared)
  if ('kind' in made) return made
  if (slugOf(made.item) !== article.slug) {
    await api.remove(collection.id, made.item.id)
    return slugTaken(article.slug)
  }
  if (article.status === 'draft') return done(toPost(made.item, urlPrefix, mapping), made.notes)
  const live = await publishItem(api, collection.id, made.item)
  if (live.kind === 'got') return done(toPost(live.value, urlPrefix, mapping), made.notes)
  // An item that can never be published would go live with the site's next publication, when nobody expects it.
  if (live.kind === 'refused' && !live.retryable) await api.remove(collection.id, made.item.id)
  return live
}

const update = async (
  api: WebflowApi,
  setting: Setting,
  remoteId: string,
  article: CmsArticle,
): Promise<CmsResult<CmsPost | null>> => {
  const { collection, mapping, urlPrefix } = setting
  const known = await api.item(collection.id, remoteId)
  if (known.kind !== 'got') return known
  if (known.value === null) return done(null)
  const isLive = Boolean(known.value.lastPublished)
  const prepared = await prepare(api, setting, article)
  if (isLive && mapping.date) delete prepared.fields[mapping.date.slug]
  if (mapping.image && !article.image) prepared.fields[mapping.image.slug] = null
  const goesLive = article.status === 'published'
  // A draft's `isDraft` is left alone on a live item: its new content waits there as draft changes.
  const state = goesLive ? { isDraft: false, isArchived: false } : isLive ? {} : { isDraft: true }
  const changed = await writeItem(
    (fields) => api.change(collection.id, remoteId, { ...state, fieldData: fields }),
    setting,
    prepared,
  )
  if ('kind' in changed) return changed.kind === 'refused' && changed.code === 'site_not_found' ? done(null) : changed
  if (!goesLive) return done(toPost(changed.item, urlPrefix, mapping), changed.notes)
  const live = await publishItem(api, collection.id, changed.item)
  return live.kind === 'got' ? done(toPost(live.value, urlPrefix, mapping), changed.notes) : live
}

/**
 * Webflow's Data API v2: articles as items of one collection. Content is always written to the staged item, then published
 * item by item, never by publishing the whole site. `find` knows an item by id or slug; by our mark only where a field is
 * mapped to it and the slug is the same, as items cannot be searched by own fields.
 * Not confirmed by documentation: whether a slug that is taken is refused or silently made another (both are handled), the
 * error of a full collection, the path of collections in folders (`url_prefix`), when images in texts are copied.
 */
export const webflowCms = (connection: Connection, means: CmsMeans): Cms => {
  const { secrets, url } = connection
  const api = webflowApi(means, url, secrets.api_token ?? '')
  const setting = settingOf(api, connection)
  const withSetting = async <T>(work: (setting: Setting) => Promise<CmsResult<T>>): Promise<CmsResult<T>> => {
    const known = await setting()
    return known.kind === 'got' ? await work(known.value) : known
  }
  const cms: Cms = {
    probe: () => probeSite(api, connection, setting),
    find: (query) => withSetting((known) => find(api, known, query)),
    create: (article) => withSetting((known) => create(api, known, article)),
    update: (remoteId, article) => withSetting((known) => update(api, known, remoteId, article)),
    read: (remoteId) => withSetting((known) => readVersion(api, known, remoteId)),
    restore: (remoteId, version) => withSetting((known) => restoreVersion(api, known, remoteId, version)),
    hostImage: (image) => hostAsset(api, means, secrets.site_id ?? '', image),
  }
  return hidingSecrets(cms, [secrets.api_token])
}
