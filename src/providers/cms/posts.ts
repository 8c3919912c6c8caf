import type { Cms, CmsArticle, CmsBuild, CmsPost, CmsQuery, CmsVersion } from '../../publishing/target/cms-adapter.ts'
import type {
  FindOutcome,
  Keeping,
  PublishOutcome,
  PublishRequest,
  PublishTarget,
  UnpublishOutcome,
} from '../../publishing/target/publish-target.ts'
import { distinctNames, sends } from './fields.ts'
import { hostImages } from './host-images.ts'
import {
  failureOf,
  GONE,
  judge,
  missing,
  notFound,
  notFoundOut,
  notMade,
  proposedAt,
  slugTaken,
  stillShown,
} from './outcomes.ts'
import { checkOwnFields } from './own-fields.ts'
import { changeAt, hasUpdateAt, hasVersionAt, restoreAt, updateOf } from './replace.ts'

/**
 * Returns the article's mark in the CMS: the same for all its versions, different from another service's article 7.
 *
 * An article that was detached from its post gets a new mark, so that it does not take over the old post again.
 */
const markerOf = (serviceName: string, { origin, article, generation }: PublishRequest): string =>
  `${serviceName.toLowerCase()}-${origin}-${article.id}${generation > 0 ? `-${generation}` : ''}`

const articleOf = (serviceName: string, request: PublishRequest): CmsArticle => {
  const { article } = request
  return {
    marker: markerOf(serviceName, request),
    title: article.title,
    slug: article.slug,
    html: article.content_html,
    metaDescription: article.meta_description,
    status: article.status === 'Published' ? 'published' : 'draft',
    ...(article.published_at === undefined ? {} : { publishedAt: article.published_at }),
    ...(article.image_url === '' ? {} : { image: { url: article.image_url, alt: article.alt_text || article.title } }),
    tags: distinctNames(article.tags),
    category: article.category,
    author: article.author,
    ...(article.seo_title ? { seoTitle: article.seo_title } : {}),
    ...(article.canonical_url ? { canonicalUrl: article.canonical_url } : {}),
    ...(article.fields ? { fields: article.fields } : {}),
    ...(request.page === undefined ? {} : { page: request.page }),
    ...(request.isAdopted ? { isAdopted: true as const } : {}),
  }
}

const queryOf = (serviceName: string, request: PublishRequest): CmsQuery => ({
  marker: markerOf(serviceName, request),
  ...(request.article.external_id === undefined ? {} : { remoteId: request.article.external_id }),
  slug: request.article.slug,
  title: request.article.title,
})

/** Largest difference expected between our clock and another system's, ms. */
const CLOCK_SLACK_MS = 10 * 60_000

/**
 * True if a found post is the article's own: it has our marker or remote id.
 *
 * A post found by slug alone is someone else's, unless an attempt with a lost answer created it. Then it has our title and no marker, and
 * is not older than the first delivery.
 */
const isOurs = (post: CmsPost & { matchedBy: string }, request: PublishRequest): boolean => {
  if (post.matchedBy !== 'slug') return true
  if (post.marker !== null) return false
  const made = post.createdAt === null ? Number.NaN : Date.parse(post.createdAt)
  return post.title.trim() === request.article.title.trim() && made >= Date.parse(request.firstSentAt) - CLOCK_SLACK_MS
}

const isDone = (post: CmsPost, request: PublishRequest): boolean =>
  request.article.status === 'Published' ? post.status === 'published' : post.status !== 'trashed'

/** Returns the article as the CMS gets it. Its images are uploaded first, if the project or the CMS requires it. */
const prepare = async (cms: Cms, serviceName: string, request: PublishRequest, keeping: Keeping | undefined) => {
  const article = articleOf(serviceName, request)
  const update = updateOf(request)
  const showsImages = sends(update, 'html') || sends(update, 'image')
  if (!keeping || !showsImages || !(request.hostImages || cms.importsImages)) return { article, notes: [] }
  // The pictures of an adopted post stay where they are.
  const { notes, ...hosted } = await hostImages(cms, keeping, request.isAdopted ? { ...article, html: '' } : article)
  const image = hosted.image && request.hostImages ? { image: { ...hosted.image, toHost: true as const } } : {}
  return { article: { ...article, ...hosted, ...image }, notes }
}

const deliverTo = async (
  cms: Cms,
  serviceName: string,
  request: PublishRequest,
  keeping: Keeping | undefined,
): Promise<PublishOutcome> => {
  const own = await checkOwnFields(cms, request)
  if (own.kind !== 'checked') return own
  const known = await cms.find({ ...queryOf(serviceName, request), withVersion: keeping !== undefined })
  if (known.kind !== 'done') return request.isChange ? notMade(known) : notFoundOut(known)
  const post = known.value
  const isForeign = post !== null && !isOurs(post, request)
  if (request.updateOnly && (!post || isForeign)) return missing(request)
  if (isForeign) return slugTaken(request.article.slug)
  const { article, notes: prepared } = await prepare(cms, serviceName, request, keeping)
  const notes = [...own.notes, ...prepared]
  if (post) {
    const changed = await changeAt(cms, post, article, request, keeping)
    if (changed.kind !== 'changed') return changed
    if (changed.post !== null) return judge(changed.post, request, [...notes, ...changed.notes])
    if (request.updateOnly) return GONE
  }
  const made = await cms.create(article)
  if (made.kind === 'done') return judge(made.value, request, [...notes, ...(made.notes ?? [])])
  return made.kind === 'refused' && made.code === 'slug_taken' ? slugTaken(article.slug) : failureOf(made)
}

/**
 * Unpublishes the article's post. The write is sent whatever state was read, because only its answer proves the state.
 */
const unpublishAt = async (cms: Cms, serviceName: string, request: PublishRequest): Promise<UnpublishOutcome> => {
  const known = await cms.find(queryOf(serviceName, request))
  if (known.kind !== 'done') return notMade(known)
  const post = known.value
  if (!post || !isOurs(post, request))
    return request.article.external_id === undefined ? notFound(request.article.slug) : { kind: 'gone' }
  const changed = await cms.unpublish?.(post.remoteId, { ...articleOf(serviceName, request), status: 'draft' })
  if (!changed || (changed.kind === 'done' && changed.value === null)) return { kind: 'gone' }
  if (changed.kind !== 'done') return failureOf(changed)
  if (changed.value?.mergeAt !== undefined) return proposedAt(changed.value.mergeAt)
  if (changed.value?.status === 'published') return stillShown(changed.value)
  const { siteStatus } = changed.value ?? {}
  const isDraft = siteStatus === undefined || siteStatus === 'draft'
  return {
    kind: 'taken_down',
    remoteId: post.remoteId,
    ...(isDraft ? {} : { siteStatus }),
    ...(changed.notes ? { notes: changed.notes } : {}),
  }
}

const pullsOf = (cms: Cms, serviceName: string): Pick<PublishTarget, 'pull' | 'closePull'> => {
  const { pull, closePull } = cms
  if (!pull || !closePull) return {}
  return {
    pull: (request, change) => pull(articleOf(serviceName, request), change ?? updateOf(request)),
    closePull: (request, comment) => closePull(markerOf(serviceName, request), comment),
  }
}

const buildAt = async (cms: Cms, remoteId: string): Promise<CmsBuild | undefined> => {
  const build = await cms.build?.(remoteId)
  return build?.kind === 'done' ? build.value : undefined
}

/**
 * Returns the publishing target of a CMS that can be searched.
 *
 * An existing post is changed in place; a post is created only if the CMS reports none.
 *
 * One delivery creates at most one post. It stores the version that readers see before it changes a live post.
 */
export const cmsTarget = (cms: Cms, serviceName: string): PublishTarget => {
  const find = async (request: PublishRequest): Promise<FindOutcome> => {
    const known = await cms.find({ ...queryOf(serviceName, request), maybeMadeSince: request.firstSentAt })
    if (known.kind !== 'done') return { kind: 'unsure', reason: known.reason }
    const post = known.value
    // The next attempt changes a post that has another state than requested in place, so that attempt is safe.
    if (!post || !isOurs(post, request)) return { kind: 'absent' }
    if (!isDone(post, request)) return { kind: 'absent', remoteId: post.remoteId }
    return { kind: 'found', remoteId: post.remoteId, ...(post.url === null ? {} : { url: post.url }) }
  }
  const probe = async (): Promise<PublishOutcome> => {
    const result = await cms.probe()
    if (result.kind !== 'done') return failureOf(result)
    const { url, found } = result.value
    return {
      kind: 'accepted',
      ...(url === null ? {} : { url }),
      ...(found ? { found } : {}),
      ...(result.notes ? { notes: result.notes } : {}),
    }
  }
  const restore = async (request: PublishRequest, version: CmsVersion, keeping?: Keeping) => {
    const { external_id: remoteId } = request.article
    if (remoteId === undefined) return notFound(request.article.slug)
    const { marker, page } = articleOf(serviceName, request)
    return await restoreAt(cms, remoteId, version, page === undefined ? { marker } : { marker, page }, keeping)
  }
  return {
    deliver: (request, keeping) => deliverTo(cms, serviceName, request, keeping),
    find,
    probe,
    ...(cms.read
      ? {
          hasUpdate: (remoteId: string, request: PublishRequest, keeping: Keeping) =>
            hasUpdateAt(cms, { remoteId, article: articleOf(serviceName, request) }, request, keeping),
        }
      : {}),
    ...pullsOf(cms, serviceName),
    ...(cms.schema ? { schema: cms.schema } : {}),
    ...(cms.placeKey ? { placeKey: cms.placeKey } : {}),
    ...(cms.traffic ? { traffic: cms.traffic } : {}),
    ...(cms.build ? { build: (remoteId: string) => buildAt(cms, remoteId) } : {}),
    ...(cms.unpublish ? { unpublish: (request: PublishRequest) => unpublishAt(cms, serviceName, request) } : {}),
    ...(cms.listPosts && cms.readPost ? { posts: { list: cms.listPosts, read: cms.readPost } } : {}),
    ...(cms.restore && cms.read
      ? { restore, hasVersion: (remoteId: string, version: CmsVersion) => hasVersionAt(cms, remoteId, version) }
      : {}),
  }
}
