import * as z from 'zod/mini'
import type { CmsPost, CmsResult, CmsVersion } from '../../../publishing/target/cms-adapter.ts'
import { misfit } from '../got.ts'
import { done } from '../http.ts'
import type { WixApi } from './api.ts'
import { liveUrl } from './look.ts'
import { postWords, toPost } from './transform.ts'

const Version = z.object({ live: z.boolean(), draftPost: z.record(z.string(), z.unknown()) })
const KEPT = ['title', 'excerpt', 'richContent', 'media', 'heroImage', 'categoryIds', 'tagIds', 'seoData'] as const

/** Reads the version of a post that readers see; of one that is not live, the draft. */
export const readVersion = async (api: WixApi, remoteId: string): Promise<CmsResult<CmsVersion | null>> => {
  const draft = await api.draft(remoteId, 'RICH_CONTENT')
  if (draft.kind !== 'got') return draft
  const own = draft.value?.draftPost
  if (!own || own.status === 'DELETED') return done(null)
  const live = own.status === 'PUBLISHED'
  // Readers see the post; the draft may have changes that were never published.
  const post = live ? await api.post(remoteId, 'RICH_CONTENT', 'SEO') : undefined
  if (post && post.kind !== 'got') return post
  const source: Record<string, unknown> = { ...own, ...post?.value?.post }
  const draftPost = Object.fromEntries(KEPT.filter((k) => source[k] != null).map((k) => [k, source[k]]))
  return done({ live, draftPost, words: postWords(own) })
}

/** Puts a kept version back. */
export const restoreVersion = async (
  api: WixApi,
  remoteId: string,
  version: CmsVersion,
): Promise<CmsResult<CmsPost | null>> => {
  const kept = Version.safeParse(version)
  if (!kept.success) return misfit('The kept version cannot be read.')
  const { draftPost } = kept.data
  const known = await api.draft(remoteId)
  if (known.kind !== 'got') return known
  // A post that people took down meanwhile stays down.
  const live = kept.data.live && known.value?.draftPost.status === 'PUBLISHED'
  const changed = await api.change(remoteId, draftPost, live ? 'UPDATE_PUBLISH' : 'UPDATE')
  if (changed.kind !== 'got') return changed.kind === 'refused' && changed.httpStatus === 404 ? done(null) : changed
  const draft = { ...changed.value.draftPost, ...(live ? { status: 'PUBLISHED' } : {}) }
  return done(toPost(draft, live ? (await liveUrl(api, draft)).url : null))
}
