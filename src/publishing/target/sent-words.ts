import type { DeliveredArticle } from '../../../schema/values/delivered-article.ts'

/** Text fields of an article as an earlier delivery sent them. */
export type SentWords = Pick<
  DeliveredArticle,
  'title' | 'content_html' | 'meta_description' | 'tags' | 'category' | 'seo_title' | 'canonical_url'
> &
  Partial<Pick<DeliveredArticle, 'image_url' | 'alt_text' | 'fields'>> & {
    /** False if it is not known whether the delivery arrived. */
    arrived?: boolean
  }
