import * as z from 'zod/mini'
import type { Cms, CmsPost, CmsResult, CmsSite, CmsVersion } from '../../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../../publishing/target/publish-target.ts'
import { hidingSecrets } from '../adapter.ts'
import { type CmsDeps, done, misfit } from '../http.ts'
import { ALL_TEXT, inLanguages } from '../languages.ts'
import { findPost, liveUrl, type WixApi, wixApi } from './api.ts'
import { listSitePosts, readSitePost } from './list.ts'
import { importImage } from './media.ts'
import { authorOf, createPost, unpublishPost, updatePost, type Wix } from './save.ts'
import { postWords, toPost } from './transform.ts'

const Version = z.object({ live: z.boolean(), draftPost: z.record(z.string(), z.unknown()) })
const KEPT = ['title', 'excerpt', 'richContent', 'media', 'heroImage', 'categoryIds', 'tagIds', 'seoData'] as const

/** Reads the version of a post that readers see, or the draft if the post is not live. */
const readVersion = async (api: WixApi, remoteId: string): Promise<CmsResult<CmsVersion | null>> => {
  const draft = await api.draft(remoteId, 'RICH_CONTENT')
  if (draft.kind !== 'got') return draft
  const own = draft.value?.draftPost
  if (!own || own.status === 'DELETED') return done(null)
  const live = own.status === 'PUBLISHED'
  // Readers see the post. The draft may have unpublished changes.
  const post = live ? await api.post(remoteId, 'RICH_CONTENT', 'SEO') : undefined
  if (post && post.kind !== 'got') return post
  const source: Record<string, unknown> = { ...own, ...post?.value?.post }
  const draftPost = Object.fromEntries(KEPT.filter((k) => source[k] != null).map((k) => [k, source[k]]))
  return done({ live, draftPost, words: postWords(own) })
}

/** Restores a stored version. Returns null if the post is gone. */
const restoreVersion = async (
  api: WixApi,
  remoteId: string,
  version: CmsVersion,
): Promise<CmsResult<CmsPost | null>> => {
  const kept = Version.safeParse(version)
  if (!kept.success) return misfit('The kept version cannot be read.')
  const { draftPost } = kept.data
  const known = await api.draft(remoteId)
  if (known.kind !== 'got') return known
  // A post that people took down in between stays down.
  const live = kept.data.live && known.value?.draftPost.status === 'PUBLISHED'
  const changed = await api.change(remoteId, draftPost, live ? 'UPDATE_PUBLISH' : 'UPDATE')
  if (changed.kind !== 'got')
    return changed.kind === 'refused' && changed.code === 'site_not_found' ? done(null) : changed
  const draft = { ...changed.value.draftPost, ...(live ? { status: 'PUBLISHED' } : {}) }
  return done(toPost(draft, live ? (await liveUrl(api, draft)).url : null))
}

const probe = async ({ api, memberId }: Wix): Promise<CmsResult<CmsSite>> => {
  const drafts = await api.someDraft()
  if (drafts.kind !== 'got') return drafts
  const author = await authorOf(api, '', memberId)
  if (author.kind !== 'got') return author
  const converted = await api.toRicos('<p>Test</p>')
  const notes =
    converted.kind === 'refused' && !converted.retryable
      ? [`Texts will be converted without Wix, players as links: ${converted.reason}`]
      : []
  const properties = await api.properties()
  const { siteDisplayName, businessName } = properties.kind === 'got' ? properties.value.properties : {}
  return done({ name: siteDisplayName || businessName || 'Wix', url: null }, notes)
}

/**
 * Returns the adapter for Wix Blog v3, which writes draft posts. A post has its draft's id.
 *
 * Wix has no place for our mark, and drafts cannot be searched by slug. A post is found by id. Else its slug is searched among live posts,
 * drafts with its title, and the 50 latest edited drafts.
 *
 * Not confirmed by documentation:
 * - if a taken slug is refused or changed (both are handled)
 * - the type of `url` (both are handled), and which field is the cover (both are sent)
 * - the error without the Blog app
 * - the path of the site's name
 */
export const wixCms = (connection: Connection, deps: CmsDeps): Cms => {
  const { secrets, url } = connection
  const api = wixApi(deps, url, secrets.api_key ?? '', secrets.site_id ?? '')
  const wix: Wix = { api, deps, memberId: secrets.member_id }
  const cms: Cms = {
    probe: () => probe(wix),
    find: (query) => findPost(api, query),
    create: (article) => createPost(wix, article),
    update: (remoteId, article, update) => updatePost(wix, remoteId, article, update),
    unpublish: (remoteId) => unpublishPost(wix, remoteId),
    read: (remoteId) => readVersion(api, remoteId),
    restore: (remoteId, version) => restoreVersion(api, remoteId, version),
    listPosts: (cursor) => listSitePosts(api, cursor),
    readPost: (ref) => readSitePost(api, ref),
    discard: async (remoteId) => (await api.remove(remoteId)).kind === 'got',
    importsImages: true,
    hostImage: async (image) => {
      const file = await importImage(api, deps, image.url)
      return file.kind === 'done' ? done(file.value.url) : file
    },
  }
  return hidingSecrets(inLanguages(ALL_TEXT, cms), [secrets.api_key])
}
