import { clip } from '../../../platform/lib/text.ts'
import { decoded } from '../../../platform/lib/urls.ts'
import type { CmsArticle, CmsPost, CmsUpdate, CmsWords } from '../../../publishing/target/cms-adapter.ts'
import { COMPLETE, sends } from '../fields.ts'
import { statusIn } from '../states.ts'
import { mediaUrl, textOfNodes } from './ricos.ts'
import { type DraftPost, Media, RicosDocument, SeoData, type WixError } from './types.ts'

/** Wix's limits for a post: characters of title and excerpt, numbers of tags and categories. */
export const MAX = { title: 200, excerpt: 500, tags: 30, categories: 10 }

/** Returns an address as text. Wix sends a text, or an object of base and path. */
export const urlOf = (url: DraftPost['url']): string | null => {
  if (!url) return null
  if (typeof url === 'string') return url
  return url.base ? `${url.base.replace(/(?<!\/)\/+$/, '')}/${(url.path ?? '').replace(/^\/+/, '')}` : null
}

/** Returns the last part of an address's path, decoded. */
export const slugOfUrl = (url: string): string =>
  decoded((URL.parse(url)?.pathname ?? '').split('/').filter(Boolean).at(-1) ?? '')

/** Returns a draft post as the port describes posts. Only a published post has an address. */
export const toPost = (draft: DraftPost, url: string | null = urlOf(draft.url)): CmsPost => {
  const status = statusIn('wix', draft.status ?? '')
  return {
    remoteId: draft.id,
    slug: draft.seoSlug ?? '',
    title: draft.title ?? '',
    status,
    url: status === 'published' ? url : null,
    marker: null,
    // The first publication may be backdated. Only the time of creation or editing shows if the post can be ours.
    createdAt: draft.createdDate ?? draft.editedDate ?? null,
  }
}

type SeoTag = SeoData['tags'][number]
type SeoPart = 'title' | 'description' | 'canonical'

const partOf = ({ type, props }: SeoTag): SeoPart | undefined => {
  if (type === 'title') return 'title'
  if (type === 'meta' && props?.name === 'description') return 'description'
  return type === 'link' && props?.rel === 'canonical' ? 'canonical' : undefined
}

const tagText = (tag: SeoTag | undefined): string => {
  const text = tag?.type === 'title' ? tag.children : (tag?.props?.content ?? tag?.props?.href)
  return typeof text === 'string' ? text : ''
}

const seoOf = ({ seoData }: Pick<DraftPost, 'seoData'>) => {
  const parsed = SeoData.safeParse(seoData)
  const data: SeoData = parsed.success ? parsed.data : { tags: [] }
  const textOf = (part: SeoPart) => tagText(data.tags.find((tag) => partOf(tag) === part))
  return { data, textOf }
}

/** Returns the words of a draft post that an update replaces. */
export const postWords = ({ title, excerpt, richContent, seoData }: DraftPost): CmsWords => {
  const document = RicosDocument.safeParse(richContent)
  const { textOf } = seoOf({ seoData })
  return {
    seoTitle: textOf('title'),
    canonicalUrl: textOf('canonical'),
    title: title ?? '',
    ...(document.success ? { text: textOfNodes(document.data.nodes) } : {}),
    metaDescription: excerpt ?? '',
    isConverted: true,
  }
}

/** Returns the cover of a post; null without a picture. */
export const coverOf = ({ media }: DraftPost): { url: string; alt: string } | null => {
  const read = Media.safeParse(media)
  const image = read.success ? read.data.wixMedia?.image : undefined
  return image?.id ? { url: mediaUrl(image.id), alt: (read.data?.altText || image.altText) ?? '' } : null
}

/** Parts of a post that were stored at Wix or converted before it. `cover` is the id of a file. */
export type Parts = {
  richContent: unknown
  cover?: string | undefined
  tagIds: string[]
  categoryIds: string[]
  memberId?: string | undefined
}

/** True if an entry for search engines is empty or the post's own text, which may have been cut. Otherwise a person wrote it. */
const isOwn = (entry: string, own: string | null | undefined, max: number): boolean =>
  entry === '' || entry === own || (own != null && own.length >= max - 1 && entry.startsWith(own))

/**
 * Returns a post's entries for search engines with the article's entries in them.
 *
 * Other entries stay: people may have written them, and Wix stores all of them in one list.
 */
export const seoDataOf = (
  article: CmsArticle,
  before: Pick<DraftPost, 'title' | 'excerpt' | 'seoData'> = {},
  update: CmsUpdate = COMPLETE,
): { data: SeoData; keepsDescription: boolean } => {
  const { data, textOf } = seoOf(before)
  // Title and description are the post's own title and excerpt until a person writes others.
  const follows = {
    title: isOwn(textOf('title'), before.title, MAX.title),
    description: isOwn(textOf('description'), before.excerpt, MAX.excerpt),
  }
  const next: Partial<Record<SeoPart | 'none', SeoTag>> = {}
  const sendsTitle = article.seoTitle ? sends(update, 'seoTitle') : sends(update, 'title') && follows.title
  if (sendsTitle) next.title = { type: 'title', children: article.seoTitle ?? article.title }
  const content = article.metaDescription
  const sendsDescription = sends(update, 'metaDescription') && content !== ''
  if (sendsDescription && follows.description)
    next.description = { type: 'meta', props: { name: 'description', content } }
  if (sends(update, 'canonicalUrl') && article.canonicalUrl)
    next.canonical = { type: 'link', props: { rel: 'canonical', href: article.canonicalUrl } }
  const rest = data.tags.filter((tag) => next[partOf(tag) ?? 'none'] === undefined)
  return {
    data: { ...data, tags: [...Object.values(next), ...rest] },
    keepsDescription: sendsDescription && !follows.description,
  }
}

/**
 * Returns the fields of a draft post.
 *
 * Wix accepts `media` without `displayed` and `custom`, but does not show it. Wix's own tools disagree whether the visible cover is `media`
 * or `heroImage`, so both are sent.
 */
export const draftOf = (article: CmsArticle, parts: Parts, seoData = seoDataOf(article)): Record<string, unknown> => ({
  title: clip(article.title, MAX.title),
  excerpt: clip(article.metaDescription, MAX.excerpt),
  richContent: parts.richContent,
  tagIds: parts.tagIds,
  categoryIds: parts.categoryIds,
  seoData: seoData.data,
  ...(parts.memberId ? { memberId: parts.memberId } : {}),
  ...(parts.cover
    ? {
        heroImage: { id: parts.cover },
        media: {
          wixMedia: { image: { id: parts.cover } },
          displayed: true,
          custom: true,
          // Wix refuses an empty text.
          ...(article.image?.alt ? { altText: article.image.alt } : {}),
        },
      }
    : {}),
})

/** Returns the words for people in an error. */
export const wordsOf = ({ message, details }: WixError): string =>
  [
    message,
    details?.applicationError?.description,
    ...(details?.validationError?.fieldViolations ?? []).map((v) => `${v.field ?? ''}: ${v.description ?? ''}`),
  ]
    .filter((part) => part)
    .join('; ')

/** True if an error is about a slug that another post has. Wix does not document its code. */
export const isSlugTaken = (error: WixError): boolean => {
  const words = `${error.details?.applicationError?.code ?? ''} ${wordsOf(error)}`
  return /slug/i.test(words) && /exist|taken|unique|duplicate|already/i.test(words)
}
