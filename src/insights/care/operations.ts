import * as z from 'zod/mini'
import { ORIGINS } from '../../../schema/values/adopted.ts'
import { CARE_RULES } from '../../../schema/values/care.ts'
import { lengthOf } from '../../platform/db/paging.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { label, labels, means } from '../../platform/lib/fields.ts'

/** Length of each rule's list. */
export const SHOWN = { default: 10, max: 100 }

/** Query of `GET /projects/:id/care`. */
const CareReport = z.object({
  rule: means('Returns only these rules, separated by commas.', z.optional(labels(CARE_RULES)), 'all'),
  origin: means(
    '`own`: only articles made here. `adopted`: only those made of posts that the site had before.',
    z.optional(label(ORIGINS)),
    'both',
  ),
  limit: lengthOf(SHOWN),
})

export type CareReportInput = z.infer<typeof CareReport>

/** Operation that reports which posts of a site need care. */
export const careOperations = {
  report: {
    id: 'care.report',
    method: 'GET',
    path: '/projects/:id/care',
    perMinute: 10,
    scope: 'read',
    summary:
      'Reports which published articles need care, by rule: falling in search, thin, broken links and others. Each has the call that mends it. Nothing is changed.',
    query: CareReport,
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Operations
