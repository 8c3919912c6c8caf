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
  status: 'Published' | 'Draft'
}
