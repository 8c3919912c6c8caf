import * as z from 'zod/mini'
import type { Operations } from '../../platform/http/operation.ts'
import { id, label, text } from '../../platform/lib/fields.ts'

const MAX_CALLS = 50
const MAX_PATH = 2_000

const IntendedCall = z.object({
  operation: z.optional(text(100, 1)),
  method: z.optional(label(['GET', 'POST', 'PUT', 'DELETE'])),
  path: z.optional(text(MAX_PATH, 1)),
  body: z.optional(z.record(z.string(), z.unknown())),
  project_id: z.optional(id()),
})

/** Body of `POST /plan`. */
const PlanCalls = z.object({
  calls: z.array(IntendedCall).check(z.minLength(1), z.maxLength(MAX_CALLS)),
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
