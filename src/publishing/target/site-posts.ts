import type { StoredFormat } from '../../../schema/values/adopted.ts'

/**
 * Text without markup. Readers see it as written: `<b>` in it is three characters, and so is `&lt;` four.
 *
 * A CMS may read the field as another language. `inLanguages` of the adapters encodes and decodes it.
 */
export type PlainText = string

export type CmsPostStatus = 'published' | 'draft' | 'scheduled' | 'trashed'

/** Post of a site as its CMS lists it. */
export type SitePost = {
  postId: string
  title: PlainText
  /** Public address; null if readers cannot open the post, or the CMS does not return it. */
  url: string | null
  status: CmsPostStatus
  /** The CMS's own status, if it is more precise: `private`, `pending`. */
  siteStatus?: string
  /** ISO 8601; null for a post that was never published. */
  publishedAt: string | null
  /** ISO 8601; null if the CMS does not return it. */
  changedAt: string | null
  /** Names of the authors; null if the connected user may not see them. */
  author: string | null
  /** BCP 47 code; null if the CMS does not return it. */
  language: string | null
}

/** One page of a site's posts. */
export type SitePostPage = {
  posts: SitePost[]
  /** Cursor of the next page; null after the last one. */
  next: string | null
  /** Posts that the CMS counts on this page and does not show to the connected user. */
  hidden: number
  /** Posts of the whole list; null if the CMS does not count them. */
  total: number | null
}

/** Post to read: by the CMS's id, or by its public address. */
export type PostRef = { postId: string } | { url: string }

/** Post with its text in the platform's own form. */
export type StoredPost = SitePost & {
  slug: string
  format: StoredFormat
  /** The text as the CMS stores it, byte for byte. */
  text: string
  /** The same text as HTML, if the CMS converts it. */
  html?: string
  excerpt: PlainText
  metaDescription: PlainText
  seoTitle: PlainText
  canonicalUrl: string
  tags: readonly PlainText[]
  /** Names, if the CMS has categories besides tags. */
  categories: readonly PlainText[]
  image: { url: string; alt: PlainText } | null
  /** The CMS's time of change that a write must name; null if a hash of the text is compared. */
  lock: string | null
  /** Page builder that the text belongs to; null if the CMS's own editor has it. */
  owner: string | null
  /** Reason why it is not known if a page builder owns the text; absent if it is known. */
  unread?: string
  /** Group that the post is limited to, if not everybody may read it. */
  onlyFor?: string
  /** Keys of its page, its own and the canonical one, if the text was read from there. */
  pageKeys?: readonly string[]
}
