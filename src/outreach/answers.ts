import * as z from 'zod/mini'
import { PLANS } from '../../schema/values/accounts.ts'
import type { AnswersOf } from '../http/answers.ts'
import { body, count } from '../lib/answer-fields.ts'
import type { outreachOperations } from './operations.ts'

const counts = z.strictObject({
  persons: count(),
  identities: count(),
  leads: count(),
  actions: count(),
  suppressions: count(),
})

/** What the operations of the outreach mirror answer. */
export const outreachAnswers = {
  entitlement: {
    200: body({ entitled: z.boolean(), plan: z.enum(PLANS), status: z.enum(['active', 'inactive']) }),
  },
  sync: { 200: body({ synced: counts, cursor: z.nullable(z.string()) }) },
} satisfies AnswersOf<typeof outreachOperations>
