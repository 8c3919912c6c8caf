import * as z from 'zod/mini'
import type { Operations } from '../../platform/http/operation.ts'
import { intParam, means } from '../../platform/lib/fields.ts'

/** Query of `GET /projects/:id/crawlers`. */
const CrawlersQuery = z.object({
  article_id: means('ID of a published article of the project.', z.optional(intParam(1)), 'the site’s start page'),
})

export type CrawlersInput = z.infer<typeof CrawlersQuery>

/** Operation that reports which agents a site lets in. */
export const crawlerOperations = {
  report: {
    id: 'crawlers.report',
    method: 'GET',
    path: '/projects/:id/crawlers',
    perMinute: 10,
    typicalSeconds: 3,
    scope: 'read',
    summary:
      'Reports which search and AI agents may read the site or one article: what robots.txt says to each, what is known of walls, and how our own request was answered. The site is asked now.',
    query: CrawlersQuery,
    errors: ['not_found', 'forbidden', 'not_published'],
  },
} as const satisfies Operations
