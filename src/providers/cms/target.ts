import { withoutHidden } from '../../content/html/shown.ts'
import type {
  Cms,
  CmsArticle,
  CmsFailure,
  CmsFound,
  CmsPost,
  CmsQuery,
  CmsUpdate,
  CmsVersion,
  CmsWords,
} from '../../publishing/target/cms-adapter.ts'
import type {
  FindOutcome,
  Keeping,
  PublishOutcome,
  PublishRequest,
  PublishTarget,
  UnpublishOutcome,
} from '../../publishing/target/publish-target.ts'
import { COMPLETE, distinctNames, sends } from './fields.ts'
import { hostImages } from './host-images.ts'
import {
  acceptedOf,
  failureOf,
  GONE,
  hiddenNote,
  judge,
  missing,
  notFound,
  notMade,
  readerNotes,
  slugTaken,
  stillShown,
  withWords,
} from './outcomes.ts'
import { hasOwnWords, overwrittenNotes, rollbackReplacedNotes } from './overwritten.ts'

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
    html: withoutHidden(article.content_html),
    metaDescription: article.meta_description,
    status: article.status === 'Published' ? 'published' : 'draft',
    ...(article.published_at === undefined ? {} : { publishedAt: article.published_at }),
    ...(article.image_url === '' ? {} : { image: { url: article.image_url, alt: article.alt_text || article.title } }),
    tags: distinctNames(article.tags),
    category: article.category,
    author: article.author,
    ...(article.seo_title ? { seoTitle: article.seo_title } : {}),
    ...(article.canonical_url ? { canonicalUrl: article.canonical_url } : {}),
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

const updateOf = ({ isChange, only }: PublishRequest): CmsUpdate =>
  isChange ? { intent: 'change', ...(only ? { only } : {}) } : COMPLETE

/** Returns the post's present content. If this fails, nothing has been changed. */
const readShown = async (
  cms: Cms,
  remoteId: string,
  known?: CmsVersion,
): Promise<{ kind: 'read'; version: CmsVersion | null; words: CmsWords } | CmsFailure> => {
  const shown = known || !cms.read ? undefined : await cms.read(remoteId)
  if (shown && shown.kind !== 'done') return shown
  const { words = {}, ...version } = known ?? shown?.value ?? {}
  return { kind: 'read', version: Object.keys(version).length > 0 ? version : null, words }
}

/**
 * Stores the version that an update will replace, and returns warnings about words that people wrote at the site.
 *
 * A post that readers never saw is stored only if it has such words.
 */
const keepReplaced = async (
  cms: Cms,
  post: CmsFound,
  request: PublishRequest,
  keeping: Keeping | undefined,
): Promise<{ kind: 'kept'; notes: readonly string[] } | CmsFailure> => {
  if (!keeping) return { kind: 'kept', notes: [] }
  const [shown, before] = await Promise.all([readShown(cms, post.remoteId, post.version), keeping.sentBefore()])
  if (shown.kind !== 'read') return shown
  const canRestore = cms.restore !== undefined && request.article.status === 'Published'
  const update = updateOf(request)
  const notes = overwrittenNotes(shown.words, request.article, before, { update, canRestore })
  const isSeen = post.status === 'published' || request.isChange
  if (shown.version && (isSeen || notes.length > 0)) await keeping.version(shown.version)
  return { kind: 'kept', notes }
}

/** Returns the article as the CMS gets it. Its images are uploaded first, if the project or the CMS requires it. */
const prepare = async (cms: Cms, serviceName: string, request: PublishRequest, keeping: Keeping | undefined) => {
  const article = articleOf(serviceName, request)
  const update = updateOf(request)
  const showsImages = sends(update, 'html') || sends(update, 'image')
  if (!keeping || !showsImages || !(request.hostImages || cms.importsImages)) return { article, notes: [] }
  const { notes, ...hosted } = await hostImages(cms, keeping, article)
  const image = hosted.image && request.hostImages ? { image: { ...hosted.image, toHost: true as const } } : {}
  return { article: { ...article, ...hosted, ...image }, notes }
}

const deliverTo = async (
  cms: Cms,
  serviceName: string,
  request: PublishRequest,
  keeping: Keeping | undefined,
): Promise<PublishOutcome> => {
  const known = await cms.find({ ...queryOf(serviceName, request), withVersion: keeping !== undefined })
  if (known.kind !== 'done') return notMade(known)
  const post = known.value
  const isForeign = post !== null && !isOurs(post, request)
  if (request.updateOnly && (!post || isForeign)) return missing(request)
  if (isForeign) return slugTaken(request.article.slug)
  const kept = post && (await keepReplaced(cms, post, request, keeping))
  if (kept && kept.kind !== 'kept') return notMade(kept)
  const { article, notes } = await prepare(cms, serviceName, request, keeping)
  if (post && kept) {
    const changed = await cms.update(post.remoteId, article, updateOf(request))
    if (changed.kind === 'unknown') return failureOf(withWords(changed, kept.notes))
    if (changed.kind !== 'done') return failureOf(changed)
    if (changed.value !== null)
      return judge(changed.value, request, [...kept.notes, ...notes, ...(changed.notes ?? [])])
    if (request.updateOnly) return GONE
  }
  const made = await cms.create(article)
  if (made.kind === 'done') return judge(made.value, request, [...notes, ...(made.notes ?? [])])
  return made.kind === 'refused' && made.code === 'slug_taken' ? slugTaken(article.slug) : failureOf(made)
}

/** Unpublishes the article's post. A draft is left as it is. */
const unpublishAt = async (cms: Cms, serviceName: string, request: PublishRequest): Promise<UnpublishOutcome> => {
  const known = await cms.find(queryOf(serviceName, request))
  if (known.kind !== 'done') return notMade(known)
  const post = known.value
  if (!post || !isOurs(post, request))
    return request.article.external_id === undefined ? notFound(request.article.slug) : { kind: 'gone' }
  if (post.status === 'draft') return { kind: 'taken_down', remoteId: post.remoteId }
  const changed = await cms.unpublish?.(post.remoteId, { ...articleOf(serviceName, request), status: 'draft' })
  if (!changed || (changed.kind === 'done' && changed.value === null)) return { kind: 'gone' }
  if (changed.kind !== 'done') return failureOf(changed)
  if (changed.value?.status === 'published') return stillShown(changed.value)
  return { kind: 'taken_down', remoteId: post.remoteId, ...(changed.notes ? { notes: changed.notes } : {}) }
}

/** Restores a stored version after storing the one it replaces. Warns about people's words that the rollback replaced. */
const restoreAt = async (
  cms: Cms,
  remoteId: string,
  version: CmsVersion,
  keeping: Keeping | undefined,
): Promise<PublishOutcome> => {
  const [shown, sent] = keeping
    ? await Promise.all([readShown(cms, remoteId), keeping.sentBefore('lately')])
    : [{ kind: 'read' as const, version: null, words: {} }, []]
  if (shown.kind !== 'read') return notMade(shown)
  if (shown.version) await keeping?.version(shown.version)
  const result = await cms.restore?.(remoteId, version)
  if (!result || (result.kind === 'done' && result.value === null)) return GONE
  const isAtStake = hasOwnWords(shown.words, sent)
  if (result.kind === 'unknown')
    return failureOf(isAtStake ? withWords(result, rollbackReplacedNotes(shown.words, sent, {})) : result)
  if (result.kind !== 'done' || result.value === null) return failureOf(result as CmsFailure)
  const after = isAtStake ? await readShown(cms, remoteId) : undefined
  const lost = isAtStake ? rollbackReplacedNotes(shown.words, sent, after?.kind === 'read' ? after.words : {}) : []
  const post = result.value
  const notes = [...lost, ...(result.notes ?? []), ...readerNotes(post)]
  if (post.status === 'published') return acceptedOf(post, notes)
  return { ...acceptedOf(post, [...notes, hiddenNote(post)]), isHidden: true }
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
    const { url } = result.value
    return { kind: 'accepted', ...(url === null ? {} : { url }), ...(result.notes ? { notes: result.notes } : {}) }
  }
  const restore = (remoteId: string, version: CmsVersion, keeping?: Keeping) =>
    restoreAt(cms, remoteId, version, keeping)
  return {
    deliver: (request, keeping) => deliverTo(cms, serviceName, request, keeping),
    find,
    probe,
    ...(cms.unpublish ? { unpublish: (request: PublishRequest) => unpublishAt(cms, serviceName, request) } : {}),
    ...(cms.restore && cms.read ? { restore } : {}),
  }
}
