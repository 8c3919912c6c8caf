import * as z from 'zod/mini'
import { APPROVAL_KINDS, APPROVAL_STATUSES } from '../../../schema/values/approvals.ts'
import { pagingParams } from '../../platform/db/paging.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { intParam, labels, means } from '../../platform/lib/fields.ts'

const ListApprovals = z.object({
  project_id: means('Returns only approvals of this project.', z.optional(intParam(1)), 'all projects'),
  status: means(
    'Returns only approvals with these statuses, separated by commas.',
    z.optional(labels(APPROVAL_STATUSES)),
    'all',
  ),
  kind: means('Returns only approvals of these kinds, separated by commas.', z.optional(labels(APPROVAL_KINDS)), 'all'),
  article_id: means('Returns only approvals of this article.', z.optional(intParam(1)), 'all'),
  ...pagingParams(),
})

export type ListApprovalsInput = z.infer<typeof ListApprovals>

/** Endpoints of approvals, open and decided. No key can decide: only people do, on the pages. */
export const approvalOperations = {
  approvals: {
    id: 'approvals.list',
    method: 'GET',
    path: '/approvals',
    perMinute: 30,
    scope: 'read',
    summary: 'Lists approvals, open and decided, newest first.',
    query: ListApprovals,
    errors: ['not_found', 'forbidden'],
  },
  approval: {
    id: 'approvals.get',
    method: 'GET',
    path: '/approvals/:id',
    perMinute: 30,
    scope: 'read',
    summary: 'Returns an approval: the content that would go out, the content that is live now, and the decision.',
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Operations
