import * as z from 'zod/mini'
import type { Cms, CmsPost, CmsQuery, CmsResult, CmsSite, CmsVersion } from '../../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../../publishing/target/publish-target.ts'
import { hidingSecrets } from '../adapter.ts'
import { type CmsDeps, done, type Found, fetchImage, got, misfit } from '../http.ts'
import { ALL_TEXT, inLanguages } from '../languages.ts'
import { type GhostApi, ghostApi } from './api.ts'
import { listSitePosts, readSitePost, storedText } from './list.ts'
import { changeSeen, createPost, unpublishPost, updatePost } from './save.ts'
import { chooseOwn, isNumbered, tagSlug, toPost, toVersion, wordsOf } from './transform.ts'

const OLDEST_VERSION = 5

const probe = async (api: GhostApi): Promise<CmsResult<CmsSite>> => {
  // This call needs no key. It proves that the site is Ghost before the key is checked.
  const site = await api.site()
  if (site.kind !== 'got') return site
  const users = await api.users(1)
  if (users.kind !== 'got') return users
  const { title, url, version } = site.value.site
  const isOld = version ? Number.parseInt(version, 10) < OLDEST_VERSION : false
  return done(
    { name: title, url: url ?? null },
    isOld ? [`This is Ghost ${version}; the adapter is made for Ghost ${OLDEST_VERSION} and later.`] : [],
  )
}

const find = async (api: GhostApi, { marker, remoteId, slug }: CmsQuery): Promise<CmsResult<Found>> => {
  const known = remoteId ? await api.post(remoteId) : got(null)
  if (known.kind !== 'got') return known
  if (known.value) return done({ ...toPost(known.value, marker), matchedBy: 'remote_id' })
  const marked = await api.postsByTag(tagSlug(marker))
  if (marked.kind !== 'got') return marked
  const own = chooseOwn(marked.value, slug)
  // A draft under a numbered slug may be left over from an attempt whose slug was taken. A post under the slug itself comes first.
  const isLeftover = own !== undefined && own.status === 'draft' && isNumbered(own.slug, slug)
  if (own && !isLeftover) return done({ ...toPost(own, marker), matchedBy: 'marker' })
  const named = await api.postBySlug(slug)
  if (named.kind !== 'got') return named
  if (named.value) return done({ ...toPost(named.value, marker), matchedBy: 'slug' })
  return done(own ? { ...toPost(own, marker), matchedBy: 'marker' } : null)
}

const Version = z.looseObject({ title: z.string(), tags: z.array(z.unknown()), authors: z.array(z.unknown()) })

const restore = async (
  api: GhostApi,
  remoteId: string,
  version: CmsVersion,
  seenAt: string | undefined,
): Promise<CmsResult<CmsPost | null>> => {
  const kept = Version.safeParse(version)
  if (!kept.success) return misfit('The kept version cannot be read.')
  const known = await api.post(remoteId)
  if (known.kind !== 'got') return known
  if (known.value === null) return done(null)
  const changed = await changeSeen(api, known.value, () => kept.data, seenAt)
  return changed.kind === 'got' ? done(changed.value && toPost(changed.value, '')) : changed
}

const hostImage = async (api: GhostApi, deps: CmsDeps, url: string): Promise<CmsResult<string>> => {
  const file = await fetchImage(deps, url)
  if ('kind' in file) return file
  const form = new FormData()
  form.set('file', new Blob([file.bytes], { type: file.type }), file.filename)
  form.set('purpose', 'image')
  const uploaded = await api.upload(form)
  if (uploaded.kind !== 'got') return uploaded
  return done(uploaded.value.images[0]?.url ?? '')
}

/**
 * Returns the adapter for Ghost's Admin API with the key of a custom integration, made for Ghost 5 and 6.
 *
 * An article's mark is an internal tag, which readers do not see. Its category is the first tag, which Ghost calls the primary one. The
 * image is linked by its address.
 *
 * Drafts under a slug that Ghost changed are deleted.
 *
 * Not confirmed by documentation: rate limits at the edge of Ghost(Pro) (429 and Retry-After are obeyed), and the answer of plans without
 * custom integrations (HostLimitError is recognized).
 */
export const ghostCms = (connection: Connection, deps: CmsDeps): Cms => {
  const key = connection.secrets.admin_api_key ?? ''
  const api = ghostApi(deps, connection.url, key)
  const cms: Cms = {
    probe: () => probe(api),
    find: (query) => find(api, query),
    create: (article) => createPost(api, deps.now(), article),
    update: (remoteId, article, update, seenAt) => updatePost(api, deps.now(), remoteId, article, update, seenAt),
    unpublish: (remoteId) => unpublishPost(api, remoteId),
    read: async (remoteId) => {
      const post = await api.postWithContent(remoteId)
      if (post.kind !== 'got') return post
      const { value } = post
      if (!value) return done(value)
      const stored = storedText(value)
      return done({ ...toVersion(value), words: wordsOf(value), stored, changedAt: value.updated_at })
    },
    listPosts: (cursor) => listSitePosts(api, cursor),
    readPost: (ref) => readSitePost(api, ref),
    restore: (remoteId, version, _, seenAt) => restore(api, remoteId, version, seenAt),
    discard: (remoteId) => api.remove(remoteId),
    linksCover: true,
    hostImage: ({ url }) => hostImage(api, deps, url),
  }
  return hidingSecrets(inLanguages(ALL_TEXT, cms), key.split(':'))
}
