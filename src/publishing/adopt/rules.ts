import type { FoundFields, StoredFormat } from '../../../schema/values/adopted.ts'
import { getsWholeTexts, isStoredForm } from '../../content/stored/forms.ts'
import type { ChangedPreview } from '../../content/stored/previews.ts'
import type { Spliced } from '../../content/stored/refusals.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import { clip } from '../../platform/lib/text.ts'
import { checkPublicUrl, isOfSite, pageKey, siteKey } from '../../platform/lib/urls.ts'
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

const FROM_PAGE =
  'The text was read from the live page: its main text alone. What the page has beyond it, such as embeds, tags and fields, is not known here. A receiver gets whole texts, so the first change replaces the whole text of the post, and cannot be taken back from here.'

/** Returns what the caller should know about an adopted post. */
export const warningsOf = ({ owner, unread, onlyFor, categories, pageKeys }: StoredPost): string[] => [
  ...(pageKeys === undefined ? [] : [FROM_PAGE]),
  ...(unread === undefined ? [] : [`${unread} The text is read only here until the page can be read.`]),
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

/** Returns the error for a post of which it is not known if a page builder draws it. */
export const notSeen = (reason: string): ApiError =>
  new ApiError('provider_unavailable', `${reason} Nothing was changed. Repeat the call when the page can be read.`)

const noList = (): ApiError =>
  new ApiError(
    'unsupported_platform',
    'A webhook has no list of posts. Search the pages of the site with q, and adopt posts by their addresses: url, or urls for many.',
  )

/** Returns the error for a platform whose posts cannot be listed. */
export const notListed = (platform: string): ApiError =>
  platform === 'webhook'
    ? noList()
    : new ApiError('unsupported_platform', `The posts of ${platform} cannot be listed or adopted by its API.`)

/** Addresses of a project's site: the key of the site, and the root of its blog if that is elsewhere. */
type SiteAddresses = { websiteKey: string; blogRootUrl: string }

/** True if a page is on the site of a project. */
const isOnSite = (url: string, { websiteKey, blogRootUrl }: SiteAddresses): boolean => {
  const key = pageKey(new URL(url))
  const blog = URL.parse(blogRootUrl)
  return isOfSite(key, websiteKey) || (blog !== null && isOfSite(key, siteKey(blog)))
}

/** Throws 400 if an address is not on the site of its project, or the service may not call it. */
export const checkOnSite = (
  field: string,
  url: string,
  site: SiteAddresses,
  { allowPrivateHosts }: { allowPrivateHosts: boolean },
): void => {
  if (!isOnSite(url, site))
    throw invalidInput([
      { field, message: `must be addresses of the site ${site.websiteKey}: ${clip(url, 200)} is not` },
    ])
  if (!('url' in checkPublicUrl(url, allowPrivateHosts)))
    throw new ApiError('forbidden_url', `${field}: must be a public address`, {
      details: [{ field, message: 'must be a public address' }],
    })
}

/** Throws 422 if a page that was read is on another site, or has no slug by which a receiver finds its post. */
export const checkPage = ({ url, slug }: StoredPost, site: SiteAddresses): void => {
  if (url !== null && !isOnSite(url, site))
    throw new ApiError('cms_rejected', `The page redirects to another site: ${clip(url, 200)}. Nothing was changed.`)
  if (slug === '')
    throw new ApiError(
      'cms_rejected',
      'The address does not end in the slug of a post, by which a receiver finds it. Nothing was changed.',
    )
}

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

/** Post that an adopted article was made of, as far as its text can be changed. `site`: in the form of `articles.remote_site`. */
export type AdoptedForm = { format: StoredFormat; owner: string | null; site?: string }

const textReason = ({ format, owner, site }: AdoptedForm): string | undefined => {
  if (site !== undefined && getsWholeTexts(site)) return undefined
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

/** Returns the reason against a receiver that did not answer 404 to an update of a post that it does not have. */
export const strictReason = (integrationId: number, status: number): string =>
  `The receiver answered HTTP ${status} to an update of a post that does not exist, so a change of an adopted post could make a second one. It must answer 404 to update_articles with update_only for a post that it does not have, and make none. When that is mended, POST /integrations/${integrationId}/test has it asked again with the next change.`

/** Returns the error for a receiver that did not answer 404 to an update of a post that it does not have. */
export const notStrict = (integrationId: number, status: number): ApiError =>
  new ApiError('unsupported_for_sync', `${strictReason(integrationId, status)} Nothing was saved or sent.`, {
    next_calls: [
      {
        method: 'POST',
        path: `/integrations/${integrationId}/test`,
        why: 'When the receiver is mended: has it asked again with the next change.',
      },
    ],
  })

/** Returns the error for a change that would send the text as it was read from the page. */
export const notWritten = (id: number): ApiError => {
  const message =
    'is required: the receiver gets whole texts, and the text here was read from the page, which may have more. Send the whole text that the post shall have'
  return new ApiError('unsupported_for_sync', `content ${message}. Nothing was saved or sent.`, {
    details: [{ field: 'content', message }],
    next_calls: [{ method: 'GET', path: `/articles/${id}`, why: 'Shows the text as it was read.' }],
  })
}

const namesOf = (previews: readonly ChangedPreview[]): string =>
  previews.map(({ id, label }) => `${label} (${id})`).join(', ')

/** Returns the error for a text with which the site would show the same. `previews`: kept blocks whose previews it changes. */
export const sameText = (id: number, previews: readonly ChangedPreview[]): ApiError => {
  const reason =
    previews.length > 0
      ? `The text differs only in the preview of blocks that only the site’s editor can change: ${namesOf(previews)}.`
      : 'The site would show the same text: its own classes, styles and notation stay.'
  return new ApiError('unsupported_for_sync', `${reason} Nothing was saved or sent.`, {
    details: [{ field: 'content', message: reason }],
    ...(previews.length > 0 ? { parts: previews.map((one) => ({ ...one, text: '' })) } : {}),
    next_calls: [{ method: 'GET', path: `/articles/${id}`, why: 'Shows the text with its kept blocks.' }],
  })
}

/** Returns the warning about previews that a caller changed beside other things. */
export const previewNotes = (previews: readonly ChangedPreview[]): string[] =>
  previews.length > 0
    ? [
        `Changes in the preview of blocks that only the site’s editor can change were left out: ${namesOf(previews)}. The blocks stay as they are.`,
      ]
    : []

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
