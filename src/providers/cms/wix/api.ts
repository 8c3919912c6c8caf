import type { CmsFailure, CmsQuery, CmsResult } from '../../../publishing/target/cms-adapter.ts'
import {
  type CmsAnswer,
  type CmsCall,
  type CmsDeps,
  callCms,
  done,
  type Found,
  type Got,
  got,
  quotable,
  readAnswer,
  refused,
} from '../http.ts'
import { isSlugTaken, slugOfUrl, toPost, urlOf, wordsOf } from './transform.ts'
import {
  AnyAnswer,
  CategoriesAnswer,
  CategoryAnswer,
  DraftAnswer,
  type DraftPost,
  DraftsAnswer,
  FileAnswer,
  MembersAnswer,
  PostAnswer,
  PropertiesAnswer,
  PublishAnswer,
  RicosAnswer,
  TagAnswer,
  TagsAnswer,
  WixError,
} from './types.ts'

const NAME = 'Wix'
/** Wix allows 200 calls a minute, and does not report when the next are allowed. */
const WINDOW_S = 60
/** Wix takes up to half a minute to create a post. */
const POST_TIMEOUT_MS = 60_000

/** Plugins of Wix's converter. It drops elements without their plugin. */
const PLUGINS = [
  'HEADING',
  'LINK',
  'IMAGE',
  'DIVIDER',
  'CODE_BLOCK',
  'TABLE',
  'HTML',
  'VIDEO',
  'INDENT',
  'TEXT_COLOR',
  'TEXT_HIGHLIGHT',
]

const NEW_KEY = 'Make a key in the API Keys Manager of the account that owns the site, and connect with it.'

const refusalOf = ({ status, json }: CmsAnswer): CmsFailure => {
  const parsed = WixError.safeParse(json)
  const error = parsed.success ? parsed.data : {}
  const words = wordsOf(error)
  const reason = (what: string) => `${NAME} ${what}${words ? ` (${quotable(words)})` : ''}.`
  if (status === 401)
    return refused(
      'auth_invalid',
      `${reason('does not accept the API key, or the key lacks a right')} ${NEW_KEY}`,
      status,
    )
  if (status === 403 && words === '')
    return refused(
      'rate_limited',
      `${NAME} refuses without a reason (HTTP 403), as it does after many calls at once.`,
      status,
      true,
    )
  if (status === 403)
    return refused(
      'auth_forbidden',
      reason(
        'says that the API key may not do this: it needs Blog, Members, Media Manager and Rich Content on this site',
      ),
      status,
    )
  if (status === 404) return refused('site_not_found', reason('does not find this'), status)
  if (isSlugTaken(error)) return refused('slug_taken', reason('already has a post with this slug'), status)
  if (status === 409) return refused('conflict', reason('refuses because something else changed it'), status)
  if (status === 428)
    return refused('validation', reason('is not ready: is the Blog app installed on the site?'), status)
  return refused('validation', reason('refuses the request'), status)
}

type Schema<T> = Parameters<typeof readAnswer<T>>[0]
/** Step that Wix takes after a change of a draft post is stored. */
export type WixAction = 'UPDATE' | 'UPDATE_PUBLISH' | 'UPDATE_REVERT_TO_DRAFT' | 'UPDATE_CANCEL_SCHEDULE'
type Send = { json?: unknown; writes?: boolean; timeoutMs?: number }

const withFields = (...names: string[]): string => names.map((name) => `fieldsets=${name}`).join('&')

/**
 * Returns the calls of Wix's Blog API v3 and of the APIs that it needs, for one site with an API key.
 *
 * See https://dev.wix.com/docs/rest/business-solutions/blog.
 */
export const wixApi = (deps: CmsDeps, baseUrl: string, key: string, siteId: string) => {
  const call = async <T>(
    method: CmsCall['method'],
    path: string,
    schema: Schema<T>,
    { json, writes = method !== 'GET', timeoutMs }: Send = {},
  ): Promise<Got<T>> => {
    const answer = await callCms(deps, {
      name: NAME,
      method,
      url: `${baseUrl}${path}`,
      headers: { Authorization: key, 'wix-site-id': siteId },
      ...(json === undefined ? {} : { json }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      writes,
      waitOf: () => WINDOW_S,
      isOwnError: (json) => Boolean(WixError.safeParse(json).data?.details),
    })
    if (answer.kind !== 'answered') return answer
    if (answer.status >= 400) return refusalOf(answer)
    return readAnswer(schema, answer, { name: NAME, writes })
  }
  const orNull = async <T>(asked: Promise<Got<T>>): Promise<Got<T | null>> => {
    const answer = await asked
    return answer.kind === 'refused' && answer.code === 'site_not_found' ? got(null) : answer
  }
  const read = { writes: false }
  return {
    someDraft: () => call('GET', '/blog/v3/draft-posts?paging.limit=1', DraftsAnswer),
    members: () => call('GET', '/members/v1/members?fieldsets=PUBLIC&paging.limit=50', MembersAnswer),
    properties: () => call('GET', '/site-properties/v4/properties', PropertiesAnswer),
    draft: (id: string, ...more: string[]) =>
      orNull(call('GET', `/blog/v3/draft-posts/${encodeURIComponent(id)}?${withFields('URL', ...more)}`, DraftAnswer)),
    drafts: (query: object) =>
      call('POST', '/blog/v3/draft-posts/query', DraftsAnswer, { json: { query, fieldsets: ['URL'] }, ...read }),
    post: (id: string, ...more: string[]) =>
      orNull(call('GET', `/blog/v3/posts/${encodeURIComponent(id)}?${withFields('URL', ...more)}`, PostAnswer)),
    postBySlug: (slug: string) =>
      orNull(call('GET', `/blog/v3/posts/slugs/${encodeURIComponent(slug)}?${withFields('URL')}`, PostAnswer)),
    create: (draftPost: object) =>
      call('POST', '/blog/v3/draft-posts', DraftAnswer, {
        json: { draftPost, publish: false, fieldsets: ['URL'] },
        timeoutMs: POST_TIMEOUT_MS,
      }),
    change: (id: string, draftPost: object, action: WixAction) =>
      call('PATCH', `/blog/v3/draft-posts/${encodeURIComponent(id)}`, DraftAnswer, {
        json: { draftPost: { id, ...draftPost }, action, fieldsets: ['URL'] },
        timeoutMs: POST_TIMEOUT_MS,
      }),
    publish: (id: string) =>
      call('POST', `/blog/v3/draft-posts/${encodeURIComponent(id)}/publish`, PublishAnswer, {
        json: {},
        timeoutMs: POST_TIMEOUT_MS,
      }),
    /** Moves a draft to the trash. The content of the answer is ignored. */
    remove: (id: string) => call('DELETE', `/blog/v3/draft-posts/${encodeURIComponent(id)}`, AnyAnswer),
    /** Converts HTML of at most 30,000 characters to Ricos. */
    toRicos: (html: string) =>
      call('POST', '/ricos/v1/ricos-document/convert/to-ricos', RicosAnswer, {
        json: { html, options: { plugins: PLUGINS } },
        ...read,
      }),
    importFile: (url: string, displayName: string, mimeType: string | undefined) =>
      call('POST', '/site-media/v1/files/import', FileAnswer, {
        json: { url, displayName, mediaType: 'IMAGE', ...(mimeType ? { mimeType } : {}) },
      }),
    file: (id: string) =>
      call('GET', `/site-media/v1/files/get-file-by-id?fileId=${encodeURIComponent(id)}`, FileAnswer),
    tags: (labels: readonly string[]) =>
      call('POST', '/blog/v3/tags/query', TagsAnswer, {
        json: { query: { filter: { label: { $in: labels } }, paging: { limit: 100 } } },
        ...read,
      }),
    newTag: (label: string) => call('POST', '/blog/v3/tags', TagAnswer, { json: { label } }),
    categories: (label: string) =>
      call('POST', '/blog/v3/categories/query', CategoriesAnswer, { json: { query: { filter: { label } } }, ...read }),
    newCategory: (label: string) =>
      call('POST', '/blog/v3/categories', CategoryAnswer, { json: { category: { label } } }),
  }
}

export type WixApi = ReturnType<typeof wixApi>

/** Returns the public address and slug of a live post. If the post cannot be read, the address comes from the draft. */
export const liveUrl = async (
  api: WixApi,
  draft: DraftPost,
): Promise<{ url: string | null; slug: string | undefined; isThere: boolean }> => {
  const post = await api.post(draft.id)
  const value = post.kind === 'got' ? post.value?.post : undefined
  const url = urlOf(value?.url) ?? urlOf(draft.url)
  return { url, isThere: value !== undefined, slug: value?.slug ?? (value?.url && url ? slugOfUrl(url) : undefined) }
}

const known = async (api: WixApi, id: string): Promise<Got<DraftPost | null>> => {
  const draft = await api.draft(id)
  if (draft.kind !== 'got') return draft
  return got(draft.value && draft.value.draftPost.status !== 'DELETED' ? draft.value.draftPost : null)
}

/** Returns the post with this slug. Drafts cannot be searched by slug, so those with this title, then the latest edited, are compared. */
const bySlug = async (api: WixApi, { slug, title }: CmsQuery): Promise<Got<DraftPost | null>> => {
  const post = await api.postBySlug(slug)
  if (post.kind !== 'got') return post
  const live = post.value ? await known(api, post.value.post.id) : got(null)
  if (live.kind !== 'got') return live
  if (live.value) return got({ ...live.value, seoSlug: slug })
  const queries = [
    { filter: { title: { $eq: title } }, paging: { limit: 50 } },
    { sort: [{ fieldName: 'editedDate', order: 'DESC' }], paging: { limit: 50 } },
  ]
  for (const query of queries) {
    const listed = await api.drafts(query)
    if (listed.kind !== 'got') return listed
    const draft = listed.value.draftPosts?.find((d) => d.seoSlug === slug && d.status !== 'DELETED')
    if (draft) return got(draft)
  }
  return got(null)
}

/** Returns the post of an article: by id, else by slug. */
export const findPost = async (api: WixApi, query: CmsQuery): Promise<CmsResult<Found>> => {
  const byId = query.remoteId ? await known(api, query.remoteId) : got(null)
  if (byId.kind !== 'got') return byId
  const draft = byId.value ? byId : await bySlug(api, query)
  if (draft.kind !== 'got') return draft
  if (!draft.value) return done(null)
  const { url } = draft.value.status === 'PUBLISHED' ? await liveUrl(api, draft.value) : { url: null }
  return done({ ...toPost(draft.value, url), matchedBy: byId.value ? 'remote_id' : 'slug' })
}
