import * as z from 'zod/mini'
import { PLANS } from '../../../schema/values/accounts.ts'
import { OUTREACH_KINDS } from '../../../schema/values/outreach.ts'
import { type AnswersOf, body, count } from '../../platform/http/answers.ts'
import type { outreachOperations } from './operations.ts'

const counts = z.strictObject({
  persons: count(),
  identities: count(),
  leads: count(),
  actions: count(),
  suppressions: count(),
})

/** Answers of the operations of the outreach mirror. */
export const outreachAnswers = {
  entitlement: {
    200: body({ entitled: z.boolean(), plan: z.enum(PLANS), status: z.enum(['active', 'inactive']) }),
  },
  export: {
    200: z.union([
      z.strictObject({
        kind: z.enum(OUTREACH_KINDS),
        row: z.looseObject({ id: z.string() }),
        suppressed: z.optional(z.literal(true)),
      }),
      z.strictObject({ kind: z.literal('end'), cursor: z.nullable(z.string()), counts }),
    ]),
  },
  erase: { 200: body({ erased: counts, message: z.string() }) },
  sync: { 200: body({ synced: counts, cursor: z.nullable(z.string()) }) },
} satisfies AnswersOf<typeof outreachOperations>
