import type { Operations } from '../../platform/http/operation.ts'
import { PlanCalls } from './schemas.ts'

/** Endpoint that judges calls before they are made. */
export const planningOperations = {
  plan: {
    id: 'calls.plan',
    method: 'POST',
    path: '/plan',
    perMinute: 10,
    scope: 'read',
    scopeReason: 'it makes none of the calls',
    summary: 'Says of intended calls which are allowed, what they cost and how long they take. Makes none of them.',
    json: PlanCalls,
    errors: [],
  },
} as const satisfies Operations
