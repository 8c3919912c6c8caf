import type { FoundFields } from '../../../schema/values/adopted.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { CmsFailure, CmsField } from '../target/cms-adapter.ts'
import type { StoredPost } from '../target/site-posts.ts'

/** Opening of an element that a paragraph cannot contain. Classic texts have such elements among their bare lines. */
const BLOCK =
  /^<\/?(?:address|article|aside|blockquote|dd|details|div|dl|dt|figcaption|figure|footer|form|h[1-6]|header|hr|iframe|li|main|nav|ol|p|pre|section|script|style|summary|table|tbody|td|tfoot|th|thead|tr|ul|video|!--)\b/i

/** Returns the HTML that WordPress shows for a classic text: paragraphs of its bare lines, and breaks within them. */
const fromBareLines = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n\s*/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) =>
      BLOCK.test(part) || /<\/?(?:pre|table|ul|ol)\b/i.test(part) ? part : `<p>${part.replaceAll('\n', '<br>\n')}</p>`,
    )
    .join('\n')

/** Returns a stored text as HTML that callers read. */
export const htmlOf = ({ format, text, html }: Pick<StoredPost, 'format' | 'text' | 'html'>): string => {
  if (html !== undefined) return html
  return format === 'classic' ? fromBareLines(text) : text
}

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

/** Parts of an adopted post that are never sent: its text belongs to the site’s editor, and it may have several categories. */
const KEPT: readonly CmsField[] = ['html', 'category']

const KEPT_WORDS: Partial<Record<CmsField, string>> = {
  html: 'its text is in the form of the site’s own editor, which is not rewritten whole',
  category: 'a post may have several categories, which one name would replace',
}

/** Throws `unsupported_for_sync` if a sync of an adopted article would replace a part that the site keeps, or sends nothing. */
export const checkAdoptedParts = (id: number, parts: readonly CmsField[]): void => {
  const kept = parts.find((part) => KEPT.includes(part))
  if (kept === undefined && parts.length > 0) return
  const reason =
    kept === undefined
      ? 'An adopted post is changed in its parts only: send the fields to change.'
      : `The post was adopted, and ${KEPT_WORDS[kept]}.`
  throw new ApiError('unsupported_for_sync', `${reason} Nothing was saved or sent.`, {
    details: [
      {
        field: kept === 'category' ? 'category' : 'content',
        message: 'is not changed on an adopted post',
        allowed: ['title', 'meta_description', 'seo_title', 'canonical_url', 'feature_image', 'alt_text', 'tags'],
      },
    ],
    next_calls: [{ method: 'GET', path: `/articles/${id}`, why: 'Shows the post in `Adopted`.' }],
  })
}
