import type { Operations } from '../../platform/http/operation.ts'

/** Endpoints of the policy of a project. A person sets it on a page; no key can. */
export const policyOperations = {
  get: {
    id: 'policy.get',
    method: 'GET',
    path: '/projects/:id/policy',
    perMinute: 30,
    scope: 'read',
    summary:
      'Returns the policy of a project: what may go out, when, where and at what cost. Only a person can change it.',
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Operations
