export type PageSpec = {
  title?: string
  site_name?: string
  description?: string
  lang?: string
  robots?: string
  headings?: string[]
  links?: string[]
  status?: number
  /** Target of the page's redirect; with the status 301 unless one is given. */
  location?: string
  type?: string
  /** Padding after the page's text, bytes. */
  padding?: number
  /** Elements that are opened around the page's text and never closed. */
  nested?: number
}

export type SitemapSpec = {
  /** Paths of pages; absolute addresses stay as they are. */
  pages?: string[]
  /** Pages `/pages/page-1` and so on. */
  count?: number
  /** Paths of further sitemaps: makes it an index. */
  sitemaps?: string[]
  gzip?: boolean
  /** Sent instead of a sitemap. */
  raw?: string
}

/** Description of a website. Paths begin with a slash. */
export type SiteSpec = {
  /** The robots.txt; without it there is none. `{origin}` stands for the site's address. */
  robots?: string
  pages?: Record<string, PageSpec>
  sitemaps?: Record<string, SitemapSpec>
}
