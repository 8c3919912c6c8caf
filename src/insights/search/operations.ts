import * as z from 'zod/mini'
import { lengthParam } from '../../platform/db/paging.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { flag, intParam, means, noBlanks, text } from '../../platform/lib/fields.ts'

/** Search Console returns no more rows than this. */
const MAX_START_ROW = 50_000

const PerformanceQuery = z.object({
  project_id: means('ID of the project, as listed by `GET /projects`.', intParam(1)),
  days: means(
    'Number of days. The last day is three days ago. Values above 90 are reduced to 90.',
    z.optional(lengthParam()),
    '28',
  ),
  limit: means(
    'Maximum number of queries and of pages. Values above 1,000 are reduced to 1,000.',
    z.optional(lengthParam()),
    '25',
  ),
  start_row: means(
    'Number of rows to skip: `pagination.next_start_row` of the previous response.',
    z.optional(intParam(0, MAX_START_ROW)),
    '0',
  ),
  compare: means(
    'True: also returns the changes against the previous period of the same length.',
    z.optional(flag()),
    '`false`',
  ),
})

const HistoryQuery = z.object({
  project_id: means('ID of the project, as listed by `GET /projects`.', intParam(1)),
  page: means('URL of one page.', z.optional(text(2_000, 1).check(noBlanks())), 'the whole site'),
  days: means('Number of days. Values above 488 are reduced to 488.', z.optional(lengthParam()), '90'),
})

/** Body of `PUT /projects/:id/search-console`. */
const ChooseProperty = z.object({
  property: means('One of `properties` in `GET /projects/:id/search-console`.', text(2_000, 1)),
})

/** Query of `GET /projects/:id/indexing`. */
const IndexingQuery = z.object({
  limit: means('Maximum length of `not_indexed`. Values above 50 are reduced to 50.', z.optional(lengthParam()), '20'),
})

export type IndexingInput = z.infer<typeof IndexingQuery>
export type PerformanceInput = z.infer<typeof PerformanceQuery>
export type HistoryInput = z.infer<typeof HistoryQuery>
export type ChoosePropertyInput = z.infer<typeof ChooseProperty>

/** Endpoints of search performance. */
export const searchOperations = {
  performance: {
    id: 'search.performance',
    method: 'GET',
    path: '/search-console',
    aliases: ['/rankings', '/analytics'],
    perMinute: 10,
    scope: 'read',
    summary:
      'Returns queries and pages of the site in Google Search, with totals. `compare` adds the changes against the previous period.',
    query: PerformanceQuery,
    errors: ['not_found', 'forbidden', 'provider_unavailable'],
  },
  history: {
    id: 'search.history',
    method: 'GET',
    path: '/search-console/history',
    perMinute: 30,
    scope: 'read',
    summary:
      'Returns clicks, impressions and position by day, for the whole site or one page. Data is kept for 16 months.',
    query: HistoryQuery,
    errors: ['not_found', 'forbidden'],
  },
  standing: {
    id: 'search.standing',
    method: 'GET',
    path: '/projects/:id/search-console',
    perMinute: 30,
    scope: 'read',
    summary: 'Returns the project’s connection to Google Search Console and the available properties.',
    errors: ['not_found', 'forbidden'],
  },
  indexing: {
    id: 'search.indexing',
    method: 'GET',
    path: '/projects/:id/indexing',
    perMinute: 30,
    scope: 'read',
    summary:
      'Reports which published articles Google lists: the share after 7 and 28 days, those that it does not list with the cause that our checks find, and the sitemaps that it knows.',
    query: IndexingQuery,
    errors: ['not_found', 'forbidden'],
  },
  inspect: {
    id: 'articles.inspect',
    method: 'POST',
    path: '/articles/:id/inspect',
    perMinute: 10,
    typicalSeconds: 5,
    scope: 'write',
    scopeReason: 'it uses the daily inspections that Google allows for the site',
    summary:
      'Asks Google whether it lists the page of a published article. A question repeated within ten minutes gets the stored answer.',
    errors: ['not_found', 'forbidden', 'not_published', 'provider_unavailable'],
  },
  connect: {
    id: 'search.connect',
    method: 'POST',
    path: '/projects/:id/search-console/connect',
    perMinute: 10,
    scope: 'write',
    summary: 'Creates a URL at which a person connects the project to Google Search Console, valid for an hour.',
    errors: ['not_found', 'forbidden'],
  },
  choose: {
    id: 'search.choose_property',
    method: 'PUT',
    path: '/projects/:id/search-console',
    perMinute: 10,
    scope: 'write',
    summary: 'Sets the Search Console property of the project.',
    json: ChooseProperty,
    errors: ['not_found', 'forbidden', 'edit_conflict', 'provider_unavailable'],
  },
  disconnect: {
    id: 'search.disconnect',
    method: 'DELETE',
    path: '/projects/:id/search-console',
    perMinute: 10,
    scope: 'write',
    summary: 'Disconnects Google Search Console and revokes the access at Google.',
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Operations
