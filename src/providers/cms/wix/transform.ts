import { decoded } from '../../../platform/lib/decoded.ts'
import { clip } from '../../../platform/lib/text.ts'
import type { CmsArticle, CmsPost, CmsPostStatus, CmsWords } from '../../../publishing/target/cms-adapter.ts'
import { textOfNodes } from './ricos.ts'
import { type DraftPost, RicosDocument, type WixError } from './types.ts'

/** Wix's limits of a post. */
export const MAX = { title: 200, excerpt: 500, tags: 30, categories: 10 }

const STATUSES: Record<string, CmsPostStatus> = {
  PUBLISHED: 'published',
  SCHEDULED: 'scheduled',
  DELETED: 'trashed',
}

/** An address that is a text, or an object of base and path. */
export const urlOf = (url: DraftPost['url']): string | null => {
  if (!url) return null
  if (typeof url === 'string') return url
  return url.base ? `${url.base.replace(/(?<!\/)\/+$/, '')}/${(url.path ?? '').replace(/^\/+/, '')}` : null
}

/** The last part of an address. */
export const slugOfUrl = (url: string): string =>
  decoded((URL.parse(url)?.pathname ?? '').split('/').filter(Boolean).at(-1) ?? '')

export const toPost = (draft: DraftPost, url: string | null = urlOf(draft.url)): CmsPost => {
  const status = STATUSES[draft.status ?? ''] ?? 'draft'
  return {
    remoteId: draft.id,
    slug: draft.seoSlug ?? '',
    title: draft.title ?? '',
    status,
    url: status === 'published' ? url : null,
    marker: null,
    // A post's first publication may be backdated, so only when it was made or edited tells whether it can be ours.
    createdAt: draft.createdDate ?? draft.editedDate ?? null,
  }
}

/** The words of a draft post that an update replaces. */
export const postWords = ({ title, excerpt, richContent }: DraftPost): CmsWords => {
  const document = RicosDocument.safeParse(richContent)
  return {
    title: title ?? '',
    ...(document.success ? { text: textOfNodes(document.data.nodes) } : {}),
    metaDescription: excerpt ?? '',
    isConverted: true,
  }
}

export type Parts = {
  richContent: unknown
  cover?: string | undefined
  tagIds: string[]
  categoryIds: string[]
  memberId?: string | undefined
}

/**
 * The fields of a draft post. `media` without `displayed` and `custom` is taken and shown nowhere; Wix's own tools disagree
 * whether the cover readers see is `media` or `heroImage`, so both are sent.
 */
export const draftOf = (article: CmsArticle, parts: Parts): Record<string, unknown> => ({
  title: clip(article.title, MAX.title),
  excerpt: clip(article.metaDescription, MAX.excerpt),
  richContent: parts.richContent,
  tagIds: parts.tagIds,
  categoryIds: parts.categoryIds,
  seoData: {
    tags: [
      { type: 'title', children: article.seoTitle ?? article.title },
      ...(article.metaDescription === ''
        ? []
        : [{ type: 'meta', props: { name: 'description', content: article.metaDescription } }]),
      ...(article.canonicalUrl ? [{ type: 'link', props: { rel: 'canonical', href: article.canonicalUrl } }] : []),
    ],
  },
  ...(parts.memberId ? { memberId: parts.memberId } : {}),
  ...(parts.cover
    ? {
        heroImage: { id: parts.cover },
        media: {
          wixMedia: { image: { id: parts.cover } },
          displayed: true,
          custom: true,
          altText: article.image?.alt ?? '',
        },
      }
    : {}),
})

export const wordsOf = ({ message, details }: WixError): string =>
  [
    message,
    details?.applicationError?.description,
    ...(details?.validationError?.fieldViolations ?? []).map((v) => `${v.field ?? ''}: ${v.description ?? ''}`),
  ]
    .filter((part) => part)
    .join('; ')

/** True if an error says that the slug is another post's. The code of it is documented nowhere. */
export const isSlugTaken = (error: WixError): boolean => {
  const words = `${error.details?.applicationError?.code ?? ''} ${wordsOf(error)}`
  return /slug/i.test(words) && /exist|taken|unique|duplicate|already/i.test(words)
}
