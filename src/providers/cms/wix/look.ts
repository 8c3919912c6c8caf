import type { CmsQuery, CmsResult } from '../../../publishing/target/cms-adapter.ts'
import { done, type Found, type Got, got } from '../http.ts'
import type { WixApi } from './api.ts'
import { slugOfUrl, toPost, urlOf } from './transform.ts'
import type { DraftPost } from './types.ts'

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
