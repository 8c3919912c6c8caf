import type { OwnFields } from './own-fields.ts'

/** The article as a publishing target gets it: a snapshot, so that every attempt of one delivery sends the same. */
export type DeliveredArticle = {
  id: string
  title: string
  slug: string
  url?: string
  external_id?: string
  content_html: string
  content_markdown: string
  meta_description: string
  published_at?: string
  created_at: string
  updated_at: string
  image_url: string
  alt_text: string
  tags: string[]
  category: string
  author: string
  seo_title?: string
  canonical_url?: string
  /** Values of the platform's own fields. */
  fields?: OwnFields
  status: 'Published' | 'Draft'
}

/** Stored article of a delivery. After 90 days its Markdown is made from `content_html`, which is empty if it is gone. */
export type SentArticle = Omit<DeliveredArticle, 'content_markdown'> & { content_markdown?: string }
