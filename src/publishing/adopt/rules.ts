import type { FoundFields, StoredFormat } from '../../../schema/values/adopted.ts'
import { isStoredForm } from '../../content/stored/forms.ts'
import type { Spliced } from '../../content/stored/refusals.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { CmsFailure, CmsField } from '../target/cms-adapter.ts'
import type { StoredPost } from '../target/site-posts.ts'

/** Returns the fields of a post that are kept as they were found. */
export const foundFields = (post: StoredPost): FoundFields => ({
  title: post.title,
  slug: post.slug,
  author: post.author,
  language: post.language,
  excerpt: post.excerpt,
  metaDescription: post.metaDescription,
  seoTitle: post.seoTitle,
  canonicalUrl: post.canonicalUrl,
  tags: post.tags,
  categories: post.categories,
  image: post.image,
  onlyFor: post.onlyFor ?? null,
})

/** Returns what the caller should know about an adopted post. */
export const warningsOf = ({ owner, onlyFor, categories }: StoredPost): string[] => [
  ...(owner === null
    ? []
    : [
        `The page builder ${owner} owns the text: it shows its own data instead, and its next save replaces the text. The text is read only here; title, description and tags can be changed.`,
      ]),
  ...(onlyFor === undefined ? [] : [`At the site only ${onlyFor} can read the post.`]),
  ...(categories.length > 1
    ? [
        `The post has ${categories.length} categories: ${categories.join(', ')}. The article names the first, and the post keeps all.`,
      ]
    : []),
]

/** Returns the error for a site whose posts could not be read. A retryable one may pass by itself. */
export const notRead = (platform: string, failure: CmsFailure): ApiError => {
  const isPassing = failure.kind === 'unknown' || failure.retryable
  const { reason, httpStatus } = failure
  return new ApiError(isPassing ? 'provider_unavailable' : 'cms_rejected', `${reason} Nothing was changed.`, {
    upstream: { name: platform, ...(httpStatus === undefined ? {} : { status: httpStatus }), message: reason },
    ...(failure.kind === 'refused' && failure.retryAfterS !== undefined ? { retry_after: failure.retryAfterS } : {}),
  })
}

/** Returns the error for a platform whose posts cannot be listed. */
export const notListed = (platform: string): ApiError =>
  new ApiError('unsupported_platform', `The posts of ${platform} cannot be listed or adopted by its API.`)

/** Returns the refusal of a post that readers do not see. */
export const notPublic = ({ postId, siteStatus, status }: StoredPost): ApiError =>
  new ApiError(
    'cms_rejected',
    `The post ${postId} has the status "${siteStatus ?? status}" at the site. Only published posts are adopted. Nothing was changed.`,
  )

/** Reason why a text is not sent. */
export const TEXT_KEPT = 'The text of the post is in a form of the site’s own editor that is not changed in parts.'

const NEVER_OPENED =
  'Nobody has opened the post in Ghost’s present editor yet, so its text is in the form of the old one. Open and save it there once, release the article here, and adopt it again.'

/** Post that an adopted article was made of, as far as its text can be changed. */
export type AdoptedForm = { format: StoredFormat; owner: string | null }

const textReason = ({ format, owner }: AdoptedForm): string | undefined => {
  if (owner !== null)
    return `The post belongs to the page builder ${owner}, which shows its own data instead of the text.`
  if (format === 'mobiledoc') return NEVER_OPENED
  return isStoredForm(format) ? undefined : TEXT_KEPT
}

const ALLOWED = [
  'title',
  'meta_description',
  'seo_title',
  'canonical_url',
  'feature_image',
  'alt_text',
  'tags',
  'fields',
]

/**
 * Throws `unsupported_for_sync` if a sync of an adopted article would replace a part that the site keeps, or sends nothing. Of several
 * categories the article has the first.
 */
export const checkAdoptedParts = (id: number, parts: readonly CmsField[], form: AdoptedForm): void => {
  const reason = parts.includes('category')
    ? 'The post was adopted, and may have several categories, which one name would replace.'
    : parts.includes('html')
      ? textReason(form)
      : parts.length === 0
        ? 'An adopted post is changed in its parts only: send the fields to change.'
        : undefined
  if (reason === undefined) return
  throw new ApiError('unsupported_for_sync', `${reason} Nothing was saved or sent.`, {
    details: [
      {
        field: parts.includes('category') ? 'category' : 'content',
        message: 'is not changed on this adopted post',
        allowed: textReason(form) === undefined ? ['content', ...ALLOWED] : ALLOWED,
      },
    ],
    next_calls: [{ method: 'GET', path: `/articles/${id}`, why: 'Shows the post in `Adopted`.' }],
  })
}

/** Returns the error for a text that cannot be put into the stored text of its post. */
export const notSpliced = (id: number, { code, reason, parts }: Extract<Spliced, { kind: 'refused' }>): ApiError =>
  new ApiError(
    code === 'changed_at_site' ? 'changed_at_site' : 'unsupported_for_sync',
    `${reason} Nothing was saved or sent.`,
    {
      details: [{ field: 'content', message: reason }],
      ...(parts.length > 0 ? { parts } : {}),
      next_calls: [{ method: 'GET', path: `/articles/${id}`, why: 'Shows the text with its kept blocks.' }],
    },
  )
