import { z } from 'zod'

const Page = z.strictObject({
  title: z.string().optional(),
  site_name: z.string().optional(),
  description: z.string().optional(),
  lang: z.string().optional(),
  robots: z.string().optional(),
  headings: z.array(z.string()).optional(),
  links: z.array(z.string()).optional(),
  status: z.int().optional(),
  /** Where the page redirects to; with the status 301 unless one is given. */
  location: z.string().optional(),
  type: z.string().optional(),
  /** Padding after the page's text, bytes. */
  padding: z.int().nonnegative().optional(),
})

const Sitemap = z.strictObject({
  /** Paths of pages; absolute addresses stay as they are. */
  pages: z.array(z.string()).optional(),
  /** Pages `/pages/page-1` and so on. */
  count: z.int().nonnegative().optional(),
  /** Paths of further sitemaps: makes it an index. */
  sitemaps: z.array(z.string()).optional(),
  gzip: z.boolean().optional(),
  /** Sent instead of a sitemap. */
  raw: z.string().optional(),
})

/** The body of `POST /_site`: what the website is. Paths begin with a slash. */
export const SiteSpec = z.strictObject({
  /** The robots.txt; without it there is none. `{origin}` stands for the site's address. */
  robots: z.string().optional(),
  pages: z.record(z.string(), Page).optional(),
  sitemaps: z.record(z.string(), Sitemap).optional(),
})

export type SiteSpec = z.infer<typeof SiteSpec>
export type PageSpec = z.infer<typeof Page>
export type SitemapSpec = z.infer<typeof Sitemap>
