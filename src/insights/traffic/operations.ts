import * as z from 'zod/mini'
import { lengthParam } from '../../platform/db/paging.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { intParam, means } from '../../platform/lib/fields.ts'

const days = () =>
  means(
    'Number of days (UTC). The last one is yesterday. Values above 365 are reduced to 365.',
    z.optional(lengthParam()),
    '28',
  )

/** Query of `GET /articles/:id/traffic`. */
const ArticleTraffic = z.object({ days: days() })

/** Query of `GET /traffic`. */
const SiteTraffic = z.object({
  project_id: means('ID of the project, as listed by `GET /projects`.', intParam(1)),
  days: days(),
  limit: means('Maximum length of `articles`. Values above 100 are reduced to 100.', z.optional(lengthParam()), '20'),
})

export type ArticleTrafficInput = z.infer<typeof ArticleTraffic>
export type SiteTrafficInput = z.infer<typeof SiteTraffic>

/** Operations that report visits from AI assistants and crawls by agents. */
export const trafficOperations = {
  site: {
    id: 'traffic',
    method: 'GET',
    path: '/traffic',
    perMinute: 30,
    scope: 'read',
    summary:
      'Returns visits from AI assistants and crawls by AI agents by day, for all articles of a project. Its site counted them.',
    query: SiteTraffic,
    errors: ['not_found', 'forbidden'],
  },
  article: {
    id: 'articles.traffic',
    method: 'GET',
    path: '/articles/:id/traffic',
    perMinute: 30,
    scope: 'read',
    summary:
      'Returns visits from AI assistants and crawls by AI agents by day, for one article. Its site counted them.',
    query: ArticleTraffic,
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Operations
