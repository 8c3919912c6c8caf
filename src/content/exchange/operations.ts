import * as z from 'zod/mini'
import { lengthOf, pagingParams } from '../../platform/db/paging.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { intParam, means, text } from '../../platform/lib/fields.ts'

const project = () => ({ project_id: means('ID of the project, as listed by `GET /projects`.', intParam(1)) })

const BacklinkTargetsQuery = z.object({ ...project(), keyword: means('Topic of the article.', text(500, 1)) })
const BacklinkStatusQuery = z.object(project())
const BacklinksQuery = z.object({
  ...project(),
  earned_limit: lengthOf({ default: 100, max: 500 }),
  earned_before_id: means(
    'Returns links after this one: `earned_before_id` of the previous response.',
    z.optional(intParam(1)),
    'starts with the newest',
  ),
  scheduled_limit: lengthOf({ default: 50, max: 200 }),
  scheduled_before_id: means(
    'Returns links after this one: `scheduled_before_id` of the previous response.',
    z.optional(intParam(1)),
    'starts with the newest',
  ),
})
const BacklinkLedgerQuery = z.object({ ...project(), ...pagingParams() })

export type BacklinkTargetsInput = z.infer<typeof BacklinkTargetsQuery>
export type BacklinksInput = z.infer<typeof BacklinksQuery>
export type BacklinkLedgerInput = z.infer<typeof BacklinkLedgerQuery>

/** Endpoints of the backlink exchange. */
export const exchangeOperations = {
  targets: {
    id: 'backlinks.targets',
    method: 'GET',
    path: '/backlink-targets',
    perMinute: 10,
    scope: 'read',
    summary: 'Lists partners’ pages to link to for a keyword, at most 5, best first.',
    query: BacklinkTargetsQuery,
    errors: ['not_found', 'forbidden'],
  },
  list: {
    id: 'backlinks.list',
    method: 'GET',
    path: '/backlinks',
    perMinute: 30,
    scope: 'read',
    summary: 'Lists links that the project received, newest first: links seen on live pages and links not live yet.',
    query: BacklinksQuery,
    errors: ['not_found', 'forbidden'],
  },
  status: {
    id: 'backlinks.status',
    method: 'GET',
    path: '/backlinks/status',
    perMinute: 30,
    scope: 'read',
    summary: 'Returns the project’s state in the backlink exchange: credits and links.',
    query: BacklinkStatusQuery,
    errors: ['not_found', 'forbidden'],
  },
  ledger: {
    id: 'backlinks.ledger',
    method: 'GET',
    path: '/backlinks/ledger',
    perMinute: 30,
    scope: 'read',
    summary:
      'Lists every change of the project’s backlink credits, newest first. Their sum is the balance minus the debt.',
    query: BacklinkLedgerQuery,
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Operations
