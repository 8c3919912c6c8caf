import type { Cms, CmsArticle, CmsFailure, CmsPost, CmsQuery, CmsResult } from '../../publishing/cms.ts'
import type { FindOutcome, PublishOutcome, PublishRequest, PublishTarget } from '../../publishing/port.ts'

/** The article's mark in the CMS: the same for all its versions, different for another service's article 7. */
const markerOf = (serviceName: string, request: PublishRequest): string =>
  `${serviceName.toLowerCase()}-${request.origin}-${request.article.id}`

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
    tags: article.tags,
    category: article.category,
    author: article.author,
  }
}

const queryOf = (serviceName: string, request: PublishRequest): CmsQuery => ({
  marker: markerOf(serviceName, request),
  ...(request.article.external_id === undefined ? {} : { remoteId: request.article.external_id }),
  slug: request.article.slug,
  title: request.article.title,
})

const failureOf = (failure: CmsFailure): PublishOutcome =>
  failure.kind === 'unknown'
    ? { kind: 'unknown', reason: failure.reason, ...seen(failure) }
    : {
        kind: 'refused',
        reason: failure.reason,
        retryable: failure.retryable,
        ...(failure.retryAfterS === undefined ? {} : { retryAfterS: failure.retryAfterS }),
        ...seen(failure),
      }

const seen = ({ httpStatus }: CmsFailure) => (httpStatus === undefined ? {} : { httpStatus })

const acceptedOf = (post: CmsPost, notes: readonly string[] = []): PublishOutcome => ({
  kind: 'accepted',
  remoteId: post.remoteId,
  ...(post.url === null ? {} : { url: post.url }),
  ...(notes.length > 0 ? { notes } : {}),
})

/** Clocks of strangers may be off by this much, ms. */
const CLOCK_SLACK_MS = 10 * 60_000

/**
 * Whether a post found is the article's own. A post with our marker or remote id is; one that only has the slug is a
 * stranger's, unless it has our title and was made since the delivery was first sent, by an attempt whose answer was lost.
 */
const isOurs = (post: CmsPost & { matchedBy: string }, request: PublishRequest): boolean => {
  if (post.matchedBy !== 'slug') return true
  if (post.marker !== null) return false
  const made = post.createdAt === null ? Number.NaN : Date.parse(post.createdAt)
  return post.title.trim() === request.article.title.trim() && made >= Date.parse(request.firstSentAt) - CLOCK_SLACK_MS
}

const slugTaken = (slug: string): PublishOutcome => ({
  kind: 'refused',
  reason: `The CMS already has a post of someone else under the slug "${slug}". Change the article's keyword or that post's slug, then publish again.`,
  retryable: false,
})

const isDone = (post: CmsPost, request: PublishRequest): boolean =>
  request.article.status === 'Published' ? post.status === 'published' : post.status !== 'trashed'

/**
 * Publishing to a CMS that can be asked: what is there already is changed in place, a post is created only when the CMS
 * said that it has none. One call makes at most one post.
 */
export const cmsTarget = (cms: Cms, serviceName: string): PublishTarget => {
  const put = async (request: PublishRequest, remoteId: string): Promise<PublishOutcome | 'gone'> => {
    const result = await cms.update(remoteId, articleOf(serviceName, request))
    if (result.kind !== 'done') return failureOf(result)
    return result.value === null ? 'gone' : acceptedOf(result.value, result.notes)
  }
  const make = async (request: PublishRequest): Promise<PublishOutcome> => {
    const result: CmsResult<CmsPost> = await cms.create(articleOf(serviceName, request))
    if (result.kind === 'done') return acceptedOf(result.value, result.notes)
    return result.kind === 'refused' && result.code === 'slug_taken'
      ? slugTaken(request.article.slug)
      : failureOf(result)
  }
  const deliver = async (request: PublishRequest): Promise<PublishOutcome> => {
    const known = await cms.find(queryOf(serviceName, request))
    if (known.kind !== 'done') return failureOf(known)
    if (known.value && !isOurs(known.value, request)) return slugTaken(request.article.slug)
    const outcome = known.value ? await put(request, known.value.remoteId) : 'gone'
    if (outcome !== 'gone') return outcome
    if (request.updateOnly)
      return {
        kind: 'refused',
        reason: 'The post is no longer at the CMS, so there is nothing to update.',
        retryable: false,
      }
    return await make(request)
  }
  const find = async (request: PublishRequest): Promise<FindOutcome> => {
    const known = await cms.find({ ...queryOf(serviceName, request), maybeMadeSince: request.firstSentAt })
    if (known.kind !== 'done') return { kind: 'unsure', reason: known.reason }
    const post = known.value
    // A post in another state than asked for is changed in place by the next attempt, so that attempt is safe.
    if (!post || !isOurs(post, request) || !isDone(post, request)) return { kind: 'absent' }
    return { kind: 'found', remoteId: post.remoteId, ...(post.url === null ? {} : { url: post.url }) }
  }
  const probe = async (): Promise<PublishOutcome> => {
    const result = await cms.probe()
    if (result.kind !== 'done') return failureOf(result)
    const { url } = result.value
    return { kind: 'accepted', ...(url === null ? {} : { url }), ...(result.notes ? { notes: result.notes } : {}) }
  }
  return { deliver, find, probe }
}
