import { waitsText } from '../../publishing/pulls/rules.ts'
import type { CmsFailure, CmsPost } from '../../publishing/target/cms-adapter.ts'
import type { PublishOutcome, PublishRequest } from '../../publishing/target/publish-target.ts'

/** Outcome of a failed call. */
type Failed = Extract<PublishOutcome, { kind: 'refused' | 'unknown' }>

/** Returns a failure of the CMS as the outcome of a publication. */
export const failureOf = (failure: CmsFailure): Failed =>
  failure.kind === 'unknown'
    ? { kind: 'unknown', reason: failure.reason, ...seen(failure) }
    : {
        kind: 'refused',
        reason: failure.reason,
        retryable: failure.retryable,
        ...(failure.retryAfterS === undefined ? {} : { retryAfterS: failure.retryAfterS }),
        ...(failure.unreachable ? { unreachable: true as const } : {}),
        ...(failure.wasWritten ? { wasWritten: true as const } : {}),
        ...seen(failure),
      }

/** Returns the failure of a read. A read changes nothing, so an `unknown` result becomes a refusal that is retried. */
export const notMade = (failure: CmsFailure): Failed =>
  failure.kind === 'unknown'
    ? { kind: 'refused', reason: failure.reason, retryable: true, ...seen(failure) }
    : failureOf(failure)

/**
 * Returns the failure of the look-up before a post is made. If a cache answered, it is unknown whether there is a post, so the site is
 * asked until another answer comes.
 */
export const notFoundOut = (failure: CmsFailure): Failed =>
  failure.kind === 'refused' && failure.code === 'cached'
    ? { kind: 'unknown', reason: failure.reason, ...seen(failure) }
    : notMade(failure)

const seen = ({ httpStatus }: CmsFailure) => (httpStatus === undefined ? {} : { httpStatus })

/** Returns the outcome for a post that the CMS accepted. */
export const acceptedOf = (
  post: CmsPost,
  notes: readonly string[] = [],
): Extract<PublishOutcome, { kind: 'accepted' }> => ({
  kind: 'accepted',
  remoteId: post.remoteId,
  ...(post.url === null ? {} : { url: post.url }),
  ...(notes.length > 0 ? { notes } : {}),
})

const statusAt = (post: CmsPost): string => post.siteStatus ?? post.status

/** Returns the warning for a change of a post that readers do not see. */
export const hiddenNote = (post: CmsPost): string =>
  `The post has the status "${statusAt(post)}" at the site, which was set there. It keeps that status, so readers do not see the change. Unpublish the article and publish it again to show the post.`

/** Returns warnings about a public post that not everybody can read. */
export const readerNotes = ({ status, onlyFor }: CmsPost): string[] =>
  status === 'published' && onlyFor !== undefined
    ? [`At the site only ${onlyFor} can read the post. That was set there and stays.`]
    : []

/** Returns the outcome of a publication that the site accepted but did not show. */
const heldAs = (post: CmsPost, id: string, notes: readonly string[]): PublishOutcome => ({
  kind: 'held',
  remoteId: post.remoteId,
  reason: `The site accepted the post and gave it the status "${statusAt(post)}" instead of publishing it, so readers do not see it. A plugin or a rule there holds it back: approve or publish the post at the site, then POST /articles/${id}/publish, which finds the same post.`,
  ...(notes.length > 0 ? { notes } : {}),
})

/** Returns the outcome of a change that is in a pull request. */
export const proposedAt = (url: string) => ({
  kind: 'proposed' as const,
  url,
  reason: waitsText(url),
})

/** Returns the outcome of a save from the status that the site returned. */
export const judge = (post: CmsPost, request: PublishRequest, notes: readonly string[]): PublishOutcome => {
  const { id, status } = request.article
  if (post.mergeAt !== undefined) return { ...proposedAt(post.mergeAt), ...(notes.length > 0 ? { notes } : {}) }
  if (post.status === 'published') return acceptedOf(post, [...notes, ...readerNotes(post)])
  if (request.isChange) return { ...acceptedOf(post, [...notes, hiddenNote(post)]), isHidden: true }
  return status === 'Published' ? heldAs(post, id, notes) : acceptedOf(post, notes)
}

/** Returns the refusal of a slug that someone else's post has. */
export const slugTaken = (slug: string): Failed => ({
  kind: 'refused',
  reason: `The CMS already has a post of someone else under the slug "${slug}". Change the article's keyword or that post's slug, then publish again.`,
  retryable: false,
})

/** Adds warnings about words that may be lost to a failure that may have replaced them. */
export const withWords = (failure: CmsFailure, notes: readonly string[]): CmsFailure => ({
  ...failure,
  reason: [failure.reason, ...notes].join(' '),
})

/** Refusal to change a post that no longer exists. */
export const GONE: PublishOutcome = {
  kind: 'refused',
  reason: 'The post is no longer at the CMS, so there is nothing to change.',
  retryable: false,
}

/** Returns the refusal for a post without a known id that was found by neither mark nor slug. It may still exist. */
export const notFound = (slug: string): Failed => ({
  kind: 'refused',
  reason: `The CMS has no post with the article's mark or under the slug "${slug}", and its id there is not known. The post may have another address: look at the site.`,
  retryable: false,
})

/** Returns the refusal to change a post that was not found. Only a search by its own id proves that it is gone. */
export const missing = ({ article }: PublishRequest): PublishOutcome =>
  article.external_id === undefined ? notFound(article.slug) : GONE

/** Returns the refusal for a post that is still public after it was unpublished. */
export const stillShown = (post: CmsPost): Failed => ({
  kind: 'refused',
  reason: `The site accepted the call and still has the post as "${statusAt(post)}": a plugin or a rule there keeps it public. Take it down there.`,
  retryable: false,
})
