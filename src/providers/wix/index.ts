import * as z from 'zod/mini'
import type {
  Cms,
  CmsArticle,
  CmsFailure,
  CmsPost,
  CmsQuery,
  CmsResult,
  CmsSite,
  CmsVersion,
} from '../../publishing/cms.ts'
import type { Connection } from '../../publishing/port.ts'
import { type Found, type Got, got, misfit } from '../cms/got.ts'
import { type CmsMeans, done, refused } from '../cms/http.ts'
import { hidingSecrets } from '../cms/secrets.ts'
import { type WixApi, wixApi } from './api.ts'
import { importImage } from './media.ts'
import { memberOf, prepareParts } from './parts.ts'
import { draftOf, slugOfUrl, toPost, urlOf } from './transform.ts'
import type { DraftPost } from './types.ts'

type Wix = { api: WixApi; means: CmsMeans; memberId: string | undefined }

const slugTaken = (slug: string): CmsFailure =>
  refused('slug_taken', `The blog already has a post with the slug "${slug}".`, 409)

/** Ids that Wix does not know are dropped without a word. */
const droppedNotes = (draft: DraftPost, sent: { tagIds: string[]; categoryIds: string[] }): string[] => {
  const lost = (['tagIds', 'categoryIds'] as const).filter((name) => (draft[name]?.length ?? 0) < sent[name].length)
  return lost.length > 0
    ? [`Wix did not keep all ${lost.map((n) => (n === 'tagIds' ? 'tags' : 'categories')).join(' and ')}.`]
    : []
}

/** The public address of a post that is live; what the draft says of it where the post cannot be asked. */
const liveUrl = async (api: WixApi, draft: DraftPost): Promise<{ url: string | null; slug: string | undefined }> => {
  const post = await api.post(draft.id)
  const value = post.kind === 'got' ? post.value?.post : undefined
  const url = urlOf(value?.url) ?? urlOf(draft.url)
  return { url, slug: value?.slug ?? (value?.url && url ? slugOfUrl(url) : undefined) }
}

/**
 * Made as a draft first and published when its slug is right, so that no reader ever sees it under another. A crash in
 * between leaves a draft with our title and slug, which `find` knows and `update` publishes.
 */
const create = async ({ api, means, memberId }: Wix, article: CmsArticle): Promise<CmsResult<CmsPost>> => {
  const member = await memberOf(api, article.author, memberId)
  if (member.kind !== 'got') return member
  const prepared = await prepareParts(api, means, article)
  if ('kind' in prepared) return prepared
  const made = await api.create({
    ...draftOf(article, { ...prepared.parts, memberId: member.value.id }),
    seoSlug: article.slug,
    ...(article.publishedAt === undefined ? {} : { firstPublishedDate: article.publishedAt }),
  })
  if (made.kind !== 'got') return made
  const draft = made.value.draftPost
  const notes = [...member.value.notes, ...prepared.notes, ...droppedNotes(draft, prepared.parts)]
  const drop = async (): Promise<CmsFailure> => {
    await api.remove(draft.id)
    return slugTaken(article.slug)
  }
  if ((draft.seoSlug ?? article.slug) !== article.slug) return await drop()
  if (article.status === 'draft') return done(toPost({ ...draft, seoSlug: article.slug }), notes)
  const published = await api.publish(draft.id)
  if (published.kind !== 'got') return published
  const { url, slug } = await liveUrl(api, draft)
  if (slug !== undefined && slug !== article.slug) return await drop()
  return done(toPost({ ...draft, status: 'PUBLISHED', seoSlug: article.slug }, url), notes)
}

/** A live post's new content is published with it; a draft of a live post waits beside it, and the post stays live. */
const update = async (
  { api, means, memberId }: Wix,
  remoteId: string,
  article: CmsArticle,
): Promise<CmsResult<CmsPost | null>> => {
  const known = await api.draft(remoteId)
  if (known.kind !== 'got') return known
  const before = known.value?.draftPost
  if (!before || before.status === 'DELETED') return done(null)
  const member = article.author === '' ? got(undefined) : await memberOf(api, article.author, memberId)
  if (member.kind !== 'got') return member
  const prepared = await prepareParts(api, means, article)
  if ('kind' in prepared) return prepared
  const isLive = before.status === 'PUBLISHED'
  const goesLive = article.status === 'published'
  const date = isLive || article.publishedAt === undefined ? {} : { firstPublishedDate: article.publishedAt }
  const changed = await api.change(
    remoteId,
    { ...draftOf(article, { ...prepared.parts, memberId: member.value?.id }), ...date },
    goesLive ? 'UPDATE_PUBLISH' : 'UPDATE',
  )
  if (changed.kind !== 'got') return changed.kind === 'refused' && changed.httpStatus === 404 ? done(null) : changed
  const draft = changed.value.draftPost
  const notes = [...(member.value?.notes ?? []), ...prepared.notes, ...droppedNotes(draft, prepared.parts)]
  const status = goesLive || isLive ? 'PUBLISHED' : (draft.status ?? 'UNPUBLISHED')
  const { url } = status === 'PUBLISHED' ? await liveUrl(api, draft) : { url: null }
  return done(toPost({ ...draft, status, seoSlug: draft.seoSlug ?? before.seoSlug }, url), notes)
}

const known = async (api: WixApi, id: string): Promise<Got<DraftPost | null>> => {
  const draft = await api.draft(id)
  if (draft.kind !== 'got') return draft
  return got(draft.value && draft.value.draftPost.status !== 'DELETED' ? draft.value.draftPost : null)
}

/** Drafts cannot be searched by slug: those of this title, then the latest edited, are compared here. */
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

const find = async (api: WixApi, query: CmsQuery): Promise<CmsResult<Found>> => {
  const byId = query.remoteId ? await known(api, query.remoteId) : got(null)
  if (byId.kind !== 'got') return byId
  const draft = byId.value ? byId : await bySlug(api, query)
  if (draft.kind !== 'got') return draft
  if (!draft.value) return done(null)
  const { url } = draft.value.status === 'PUBLISHED' ? await liveUrl(api, draft.value) : { url: null }
  return done({ ...toPost(draft.value, url), matchedBy: byId.value ? 'remote_id' : 'slug' })
}

const probe = async ({ api, memberId }: Wix): Promise<CmsResult<CmsSite>> => {
  const drafts = await api.someDraft()
  if (drafts.kind !== 'got') return drafts
  const member = await memberOf(api, '', memberId)
  if (member.kind !== 'got') return member
  const converted = await api.toRicos('<p>Test</p>')
  const notes =
    converted.kind === 'refused' && !converted.retryable
      ? [`Texts will be converted without Wix, tables and frames as plain text: ${converted.reason}`]
      : []
  const properties = await api.properties()
  const { siteDisplayName, businessName } = properties.kind === 'got' ? properties.value.properties : {}
  return done({ name: siteDisplayName || businessName || 'Wix', url: null }, notes)
}

const Version = z.object({ live: z.boolean(), draftPost: z.record(z.string(), z.unknown()) })
const KEPT = ['title', 'excerpt', 'richContent', 'media', 'categoryIds', 'tagIds', 'seoData'] as const

const read = async (api: WixApi, remoteId: string): Promise<CmsResult<CmsVersion | null>> => {
  const draft = await api.draft(remoteId, 'RICH_CONTENT')
  if (draft.kind !== 'got') return draft
  const own = draft.value?.draftPost
  if (!own || own.status === 'DELETED') return done(null)
  const live = own.status === 'PUBLISHED'
  // What readers see is the post; the draft may hold changes that were never published.
  const post = live ? await api.post(remoteId, 'RICH_CONTENT', 'SEO') : undefined
  if (post && post.kind !== 'got') return post
  const source: Record<string, unknown> = { ...own, ...post?.value?.post }
  return done({ live, draftPost: Object.fromEntries(KEPT.filter((k) => source[k] != null).map((k) => [k, source[k]])) })
}

const restore = async (api: WixApi, remoteId: string, version: CmsVersion): Promise<CmsResult<CmsPost | null>> => {
  const kept = Version.safeParse(version)
  if (!kept.success) return misfit('The kept version cannot be read.')
  const { live, draftPost } = kept.data
  const changed = await api.change(remoteId, draftPost, live ? 'UPDATE_PUBLISH' : 'UPDATE')
  if (changed.kind !== 'got') return changed.kind === 'refused' && changed.httpStatus === 404 ? done(null) : changed
  const draft = { ...changed.value.draftPost, ...(live ? { status: 'PUBLISHED' } : {}) }
  return done(toPost(draft, live ? (await liveUrl(api, draft)).url : null))
}

/**
 * Wix Blog v3 through draft posts. There is no place for our mark, and drafts cannot be searched by slug: a post is found by
 * id, then by slug among live posts, drafts of its title and the 50 latest edited. Images are imported, each attempt anew.
 * Not confirmed by documentation: that a post has its draft's id, what happens to a slug that is taken (refused and made
 * another are handled), the type of `url` (both are), the error without the Blog app, the path of the site's name.
 */
export const wixCms = (connection: Connection, means: CmsMeans): Cms => {
  const { secrets, url } = connection
  const api = wixApi(means, url, secrets.api_key ?? '', secrets.site_id ?? '')
  const wix: Wix = { api, means, memberId: secrets.member_id }
  const cms: Cms = {
    probe: () => probe(wix),
    find: (query) => find(api, query),
    create: (article) => create(wix, article),
    update: (remoteId, article) => update(wix, remoteId, article),
    read: (remoteId) => read(api, remoteId),
    restore: (remoteId, version) => restore(api, remoteId, version),
    hostImage: async (image) => {
      const file = await importImage(api, means, image.url)
      return file.kind === 'done' ? done(file.value.url) : file
    },
  }
  return hidingSecrets(cms, [secrets.api_key])
}
