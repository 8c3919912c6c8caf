import * as z from 'zod/mini'
import type { Operations } from '../../platform/http/operation.ts'
import { intParam, means, text } from '../../platform/lib/fields.ts'

/** Query of `GET /internal-links`. */
const InternalLinksQuery = z.object({
  project_id: means('ID of the project, as listed by `GET /projects`.', intParam(1)),
  keyword: means('Topic that the links should be related to.', z.optional(text(500)), 'the newest pages'),
})

export type InternalLinksInput = z.infer<typeof InternalLinksQuery>

/** Endpoints that find pages to link to. */
export const siteOperations = {
  internalLinks: {
    id: 'research.internal_links',
    method: 'GET',
    path: '/internal-links',
    perMinute: 10,
    scope: 'read',
    summary:
      'Lists pages of the project’s own site to link to, at most 20. Its content pillars come first, then the pages most related to the keyword, those in the project’s language first. Without a keyword, the newest.',
    query: InternalLinksQuery,
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Operations
