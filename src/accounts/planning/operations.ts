import * as z from 'zod/mini'
import type { Operations } from '../../platform/http/operation.ts'
import { id, label, means, text } from '../../platform/lib/fields.ts'

const MAX_CALLS = 50
const MAX_PATH = 2_000

const IntendedCall = z.object({
  operation: means(
    'ID of the operation, as in this reference. Send this, or `method` and `path`.',
    z.optional(text(100, 1)),
    'from `method` and `path`',
  ),
  method: means(
    'HTTP method of the call. Send it with `path`.',
    z.optional(label(['GET', 'POST', 'PUT', 'DELETE'])),
    'from `operation`',
  ),
  path: means(
    'Path of the call below `/api/v1`, with its query. IDs in it select the project’s policy. If an ID is not known yet, send `operation`.',
    z.optional(text(MAX_PATH, 1)),
    'from `operation`',
  ),
  body: means(
    'Body of the call, validated as in the call itself.',
    z.optional(z.record(z.string(), z.unknown())),
    'no body',
  ),
  project_id: means('ID of the project whose policy applies.', z.optional(id()), 'from the body or the path'),
})

/** Body of `POST /plan`. */
const PlanCalls = z.object({
  calls: means(
    'Calls in the order in which you intend to make them, at most 50.',
    z.array(IntendedCall).check(z.minLength(1), z.maxLength(MAX_CALLS)),
  ),
})

export type IntendedCallInput = z.infer<typeof IntendedCall>
export type PlanCallsInput = z.infer<typeof PlanCalls>

/** Endpoint that judges calls before they are made. */
export const planningOperations = {
  plan: {
    id: 'calls.plan',
    method: 'POST',
    path: '/plan',
    perMinute: 10,
    scope: 'read',
    scopeReason: 'it makes none of the calls',
    summary: 'Checks planned calls: which are allowed, what they cost and how long they take. Makes none of them.',
    json: PlanCalls,
    errors: [],
  },
} as const satisfies Operations
