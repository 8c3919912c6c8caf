import type { Operations } from '../../platform/http/operation.ts'
import { ListApprovals } from './schemas.ts'

/** Endpoints of approvals: those that wait, and those that were decided. No key decides: people do, on the pages. */
export const approvalOperations = {
  approvals: {
    id: 'approvals.list',
    method: 'GET',
    path: '/approvals',
    perMinute: 30,
    scope: 'read',
    summary: 'Lists what waits for a person to approve it, and what was decided, newest first.',
    query: ListApprovals,
    errors: ['not_found', 'forbidden'],
  },
  approval: {
    id: 'approvals.get',
    method: 'GET',
    path: '/approvals/:id',
    perMinute: 30,
    scope: 'read',
    summary: 'One approval: the text as it would go out, what is live now, and what a person decided.',
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Operations
