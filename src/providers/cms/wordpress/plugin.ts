import type * as z from 'zod/mini'
import { sha256 } from '../../../platform/lib/crypto.ts'
import { pageKey } from '../../../platform/lib/urls.ts'
import type {
  Cms,
  CmsArticle,
  CmsFailure,
  CmsPost,
  CmsQuery,
  CmsResult,
  CmsTraffic,
  CmsUpdate,
  CmsVersion,
} from '../../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../../publishing/target/publish-target.ts'
import type { PostRef, SitePostPage, StoredPost } from '../../../publishing/target/site-posts.ts'
import { COMPLETE, sends } from '../fields.ts'
import { type CmsAnswer, type CmsDeps, done, misfit, readAnswer, refused } from '../http.ts'
import { ownerOf } from './builders.ts'
import { formatOf } from './core-list.ts'
import { errorIn, failureOf, openSite, type Site, type SiteRequest } from './site.ts'
import { externalId, listedPost, lockedBy, pluginAlt, pluginArticle, toPluginPost, wordsOf } from './transform.ts'
import {
  PluginKeyFile,
  PluginMedia,
  PluginPage,
  PluginPost,
  PluginStatus,
  PluginStored,
  PluginTraffic,
  PluginVersion,
} from './types.ts'

/** Returns the names that our plugin uses on a site, derived from the service's name (letters, digits and hyphens). */
export const pluginNames = (serviceName: string) => {
  const slug = serviceName.toLowerCase()
  return {
    /** Folder, text domain and settings page. */
    slug,
    /** Prefix of functions, options and meta keys in PHP. */
    identifier: slug.replaceAll('-', '_'),
    namespace: `${slug}/v1`,
    keyHeader: `X-${serviceName}-Key`,
  }
}

type Plugin = { site: Site; namespace: string }

const KEY_CAUSES = "Copy the key from the plugin's settings page again, or make a new one there."
const CLOSED_REST =
  'Another plugin at the site keeps REST for signed-in users. Install version 1.2.0 of the connecting plugin, which its key opens, or allow its path there.'
/** Longer than the plugin waits for its lock and for the image. */
const WRITE_TIMEOUT_MS = 45_000

/** Error codes with which the plugin itself refuses a key. */
const OWN_REFUSAL = /_(?:bad|no)_key$/

const CHANGED = 'Somebody changed the post at WordPress at the same moment. Nothing was changed.'

const failed = (answer: CmsAnswer): CmsFailure => {
  const { code = '' } = errorIn(answer) ?? {}
  if (code === 'rest_no_route')
    return refused(
      'site_not_found',
      'The plugin is not active at this WordPress site, so its key cannot be used.',
      answer.status,
    )
  if (code.endsWith('_changed')) return refused('changed', CHANGED, answer.status, true)
  return failureOf(answer, OWN_REFUSAL.test(code) ? KEY_CAUSES : CLOSED_REST, CLOSED_REST)
}

const call = ({ site, namespace }: Plugin, request: SiteRequest) =>
  site.ask({ ...request, path: `${namespace}/${request.path}` })

type Read<T> = { kind: 'done'; value: T | null } | CmsFailure

/** Reads an answer of the plugin; null if the plugin has no such post. */
const readOf = <T>(schema: z.ZodMiniType<T>, answer: CmsAnswer | CmsFailure, writes: boolean): Read<T> => {
  if (answer.kind !== 'answered') return answer
  if (answer.status === 404 && errorIn(answer)?.code.endsWith('_not_found')) return { kind: 'done', value: null }
  if (answer.status >= 300) return failed(answer)
  const read = readAnswer(schema, answer, { name: 'WordPress', writes })
  return read.kind === 'got' ? { kind: 'done', value: read.value } : read
}

const ask = async <T>(plugin: Plugin, schema: z.ZodMiniType<T>, request: SiteRequest): Promise<Read<T>> =>
  readOf(schema, await call(plugin, request), request.method !== 'GET')

/** Returns a post's id as a number. An id of another CMS becomes 0, which no post has. */
const idOf = (remoteId: string): number => (/^\d{1,15}$/.test(remoteId) ? Number(remoteId) : 0)

const gone = (): CmsFailure => refused('unexpected_answer', 'The plugin answered that there is no such post.', 404)

const probe = async (plugin: Plugin): ReturnType<Cms['probe']> => {
  const result = await ask(plugin, PluginStatus, { method: 'GET', path: 'status' })
  if (result.kind !== 'done') return result
  return result.value ? done({ name: result.value.name, url: result.value.url }) : gone()
}

const MATCHES = { external_id: 'marker', id: 'remote_id', slug: 'slug' } as const

const find = async (plugin: Plugin, query: CmsQuery): ReturnType<Cms['find']> => {
  const id = { id: String(idOf(query.remoteId ?? '')) }
  const result = await ask(plugin, PluginPost, {
    method: 'GET',
    path: `articles/${externalId(query.marker)}`,
    query: { slug: query.slug, ...id },
  })
  if (result.kind !== 'done') return result
  const found = result.value
  return done(found ? { ...toPluginPost(found), matchedBy: MATCHES[found.matched_by ?? 'slug'] } : null)
}

/** True if a plugin before 1.2.0 refused a change that names no status. */
const lacksStatus = (answer: CmsAnswer | CmsFailure): boolean => {
  const error = answer.kind === 'answered' ? errorIn(answer) : undefined
  const params = error?.code === 'rest_missing_callback_param' ? error.data?.params : undefined
  return Array.isArray(params) && params.includes('status')
}

const save = async (
  plugin: Plugin,
  article: CmsArticle,
  how: { create: boolean; id?: number },
  update: CmsUpdate = COMPLETE,
): Promise<CmsResult<CmsPost | null>> => {
  const send = async (json: object) =>
    call(plugin, {
      method: 'POST',
      path: `articles/${externalId(article.marker)}`,
      // The plugin saves the same content under the same key once, unless someone changed the post since.
      headers: { 'Idempotency-Key': (await sha256(JSON.stringify(json))).slice(0, 40) },
      json,
      timeoutMs: WRITE_TIMEOUT_MS,
    })
  const base = article.stored && sends(update, 'html') ? { base: await sha256(article.stored.from) } : {}
  const json = { ...pluginArticle(article, update), ...how, ...(article.isAdopted ? { adopted: true, ...base } : {}) }
  const first = await send(json)
  // For these plugins `draft` keeps the present status.
  const answer = update.intent === 'change' && lacksStatus(first) ? await send({ ...json, status: 'draft' }) : first
  const result = readOf(PluginPost, answer, true)
  if (result.kind !== 'done') return result
  return done(result.value && toPluginPost(result.value), result.value?.notes)
}

const create = async (plugin: Plugin, article: CmsArticle): ReturnType<Cms['create']> => {
  const result = await save(plugin, article, { create: true })
  if (result.kind !== 'done') return result
  return result.value ? done(result.value, result.notes) : gone()
}

/** Reads a post's version. Plugins before 1.2.0 do not return the names of its tags. */
const readVersion = async (plugin: Plugin, remoteId: string): Promise<CmsResult<CmsVersion | null>> => {
  const result = await ask(plugin, PluginVersion, { method: 'GET', path: `posts/${idOf(remoteId)}` })
  if (result.kind !== 'done' || result.value === null) return result as CmsResult<null>
  const { tag_names: tags, category_names: categories, ...version } = result.value
  return done({
    ...version,
    stored: { format: formatOf(version.content), text: version.content },
    words: { ...wordsOf(version), ...(tags ? { tags } : {}), ...(categories ? { categories } : {}) },
  })
}

const restore = async (plugin: Plugin, remoteId: string, version: CmsVersion): Promise<CmsResult<CmsPost | null>> => {
  const result = await ask(plugin, PluginPost, { method: 'POST', path: `posts/${idOf(remoteId)}`, json: version })
  return result.kind === 'done' ? done(result.value && toPluginPost(result.value)) : result
}

const NO_LIST =
  'The plugin at this WordPress site is older than 1.5.0 and does not list the posts of the site. Install the present one.'

/** Returns the refusal of a plugin that lacks a route. A site without any plugin has its own refusal. */
const withoutRoute = async (plugin: Plugin, failure: CmsFailure, reason: string): Promise<CmsFailure> => {
  if (failure.kind !== 'refused' || failure.code !== 'site_not_found') return failure
  const site = await probe(plugin)
  return site.kind === 'done' ? misfit(reason) : site
}

const listPosts = async (plugin: Plugin, cursor: string | null): Promise<CmsResult<SitePostPage>> => {
  const query = { after: String(idOf(cursor ?? '')) }
  const result = await ask(plugin, PluginPage, { method: 'GET', path: 'stored', query })
  if (result.kind !== 'done') return await withoutRoute(plugin, result, NO_LIST)
  if (!result.value) return gone()
  const { posts, next, total } = result.value
  return done({ posts: posts.map(listedPost), next: next > 0 ? String(next) : null, hidden: 0, total })
}

/** True if an address is the one of a post, or names its id. */
const isAt = (post: { url: string | null }, address: string): boolean => {
  const asked = new URL(address)
  return asked.searchParams.has('p') || (post.url !== null && pageKey(new URL(post.url)) === pageKey(asked))
}

const readStored = async (plugin: Plugin, ref: PostRef): Promise<CmsResult<StoredPost | null>> => {
  const request = 'url' in ref ? { path: 'stored', query: { url: ref.url } } : { path: `stored/${idOf(ref.postId)}` }
  const result = await ask(plugin, PluginStored, { method: 'GET', ...request })
  if (result.kind !== 'done') return await withoutRoute(plugin, result, NO_LIST)
  const post = result.value
  if (post === null || ('url' in ref && !isAt(post, ref.url))) return done(null)
  const listed = listedPost(post)
  const owner = post.builder
    ? { owner: post.builder }
    : await ownerOf(plugin.site.deps, { text: post.content, meta: {}, url: listed.url })
  return done({
    ...listed,
    slug: post.slug,
    format: formatOf(post.content),
    text: post.content,
    excerpt: post.excerpt,
    metaDescription: post.description,
    seoTitle: post.seo_title,
    canonicalUrl: post.canonical,
    tags: post.tags,
    categories: post.categories,
    image: post.image_url === '' ? null : { url: post.image_url, alt: post.image_alt },
    lock: null,
    ...owner,
    ...lockedBy(post.has_password),
  })
}

const NO_FIELDS =
  'The plugin does not set custom fields. Connect WordPress with a user name and an application password to set those that the site shows in REST.'

const OLD_PLUGIN =
  'The plugin at this WordPress site is older than 1.1.0 and cannot take posts down. Install the present one.'

const unpublishPost = async (
  plugin: Plugin,
  remoteId: string,
  { isAdopted }: Pick<CmsArticle, 'isAdopted'>,
): Promise<CmsResult<CmsPost | null>> => {
  const path = `posts/${idOf(remoteId)}/unpublish`
  const result = await ask(plugin, PluginPost, { method: 'POST', path, json: isAdopted ? { adopted: true } : {} })
  if (result.kind === 'done') return done(result.value && toPluginPost(result.value))
  // The post was found a moment ago, so the plugin is active. It only lacks the route.
  return result.kind === 'refused' && result.code === 'site_not_found' ? misfit(OLD_PLUGIN) : result
}

const COUNTS_NOTHING =
  'The plugin at this WordPress site is older than 1.4.0 and counts no visits. Install the present one.'

const readTraffic = async (plugin: Plugin, day: string): Promise<CmsResult<CmsTraffic>> => {
  const result = await ask(plugin, PluginTraffic, { method: 'GET', path: 'traffic', query: { day } })
  if (result.kind !== 'done') return await withoutRoute(plugin, result, COUNTS_NOTHING)
  if (!result.value) return gone()
  const { since, counted, counts } = result.value
  return done({
    since: since === '' ? null : since,
    isCounted: counted,
    counts: counts.map(({ post, ...count }) => ({ postId: String(post), ...count })),
  })
}

const hostImage = async (plugin: Plugin, image: { url: string; alt: string }): Promise<CmsResult<string>> => {
  const json = { url: image.url, alt_text: pluginAlt(image.alt) }
  const result = await ask(plugin, PluginMedia, { method: 'POST', path: 'media', json, timeoutMs: WRITE_TIMEOUT_MS })
  if (result.kind !== 'done') return result
  return result.value ? done(result.value.url) : gone()
}

const NO_KEY_FILE =
  'The plugin at this WordPress site is older than 1.4.0 and cannot serve the key of IndexNow. Install the present one.'

const placeKey = async (plugin: Plugin, key: string): Promise<CmsResult<{ location: string }>> => {
  const result = await ask(plugin, PluginKeyFile, { method: 'POST', path: 'engine-key', json: { key } })
  if (result.kind === 'done') return result.value ? done({ location: result.value.location }) : gone()
  return result.kind === 'refused' && result.code === 'site_not_found' ? misfit(NO_KEY_FILE) : result
}

/** Returns the adapter for our plugin (integrations/wordpress). An article stays one post there, even if a request is sent twice. */
export const pluginCms = (connection: Connection, deps: CmsDeps): Cms => {
  const { namespace, keyHeader } = pluginNames(deps.serviceName)
  const headers = { [keyHeader]: connection.secrets.integration_key ?? '' }
  const plugin: Plugin = { site: openSite(connection.url, headers, deps), namespace }
  return {
    probe: () => probe(plugin),
    find: (query) => find(plugin, query),
    create: (article) => create(plugin, article),
    update: (remoteId, article, update) => save(plugin, article, { create: false, id: idOf(remoteId) }, update),
    unpublish: (remoteId, article) => unpublishPost(plugin, remoteId, article),
    read: (remoteId) => readVersion(plugin, remoteId),
    schema: async () => done({ collection: 'posts', fields: [] }, [NO_FIELDS]),
    traffic: (day) => readTraffic(plugin, day),
    listPosts: (cursor) => listPosts(plugin, cursor),
    readPost: (ref) => readStored(plugin, ref),
    restore: (remoteId, version) => restore(plugin, remoteId, version),
    hostImage: (image) => hostImage(plugin, image),
    placeKey: (key) => placeKey(plugin, key),
  }
}
