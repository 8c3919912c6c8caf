import type { Operations } from '../../platform/http/operation.ts'

/** Endpoint that reads the policy of a project. Only people can set it, on a page. */
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
