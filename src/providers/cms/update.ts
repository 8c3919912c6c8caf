import type { CmsArticle, CmsField, CmsUpdate } from '../../publishing/target/cms-adapter.ts'

/** A first publication, which takes status and date of the article. */
export const COMPLETE: CmsUpdate = { intent: 'complete' }

/** True if an update sends this part of the article. */
export const sends = (update: CmsUpdate, field: CmsField): boolean =>
  update.intent === 'complete' || update.only === undefined || update.only.includes(field)

/** True if an update makes the post public. */
export const goesLive = (update: CmsUpdate, article: CmsArticle): boolean =>
  update.intent === 'complete' && article.status === 'published'

/**
 * Returns the article without the parts that an update does not send, for looking up and making only what is needed. Its title and text
 * stay, and what is empty here must not be written.
 */
export const sentParts = (article: CmsArticle, update: CmsUpdate): CmsArticle => {
  const { seoTitle, canonicalUrl, image, ...rest } = article
  return {
    ...rest,
    metaDescription: sends(update, 'metaDescription') ? article.metaDescription : '',
    tags: sends(update, 'tags') ? article.tags : [],
    category: sends(update, 'category') ? article.category : '',
    author: sends(update, 'author') ? article.author : '',
    ...(seoTitle && sends(update, 'seoTitle') ? { seoTitle } : {}),
    ...(canonicalUrl && sends(update, 'canonicalUrl') ? { canonicalUrl } : {}),
    ...(image && sends(update, 'image') ? { image } : {}),
  }
}

/** The part of an article that a field of a collection holds, by the name mappings give the field. */
const PARTS: Readonly<Record<string, CmsField>> = {
  title: 'title',
  body: 'html',
  summary: 'metaDescription',
  meta_description: 'metaDescription',
  meta_title: 'seoTitle',
  seo_title: 'seoTitle',
  canonical_url: 'canonicalUrl',
  image: 'image',
  author: 'author',
  category: 'category',
  tags: 'tags',
}

/** True if an update sends the field of a mapping. Dates and states belong to first publications. */
export const sendsMapped = (update: CmsUpdate, part: string): boolean => {
  if (update.intent === 'complete' || part === 'marker') return true
  const field = PARTS[part]
  return field !== undefined && sends(update, field)
}
