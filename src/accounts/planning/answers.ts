import * as z from 'zod/mini'
import { POLICY_RULES } from '../../../schema/values/policy.ts'
import { type AnswersOf, body, count } from '../../platform/http/answers.ts'
import { COST_UNITS } from '../../platform/http/operation.ts'
import { REFUSERS } from './judge.ts'
import type { planningOperations } from './operations.ts'

const unit = z.enum(COST_UNITS)
const amount = z.number().check(z.gte(0))

const call = z.strictObject({
  operation: z.string(),
  method: z.string(),
  path: z.string(),
  allowed: z.boolean(),
  refused_by: z.nullable(z.enum(REFUSERS)),
  rule: z.optional(z.enum(POLICY_RULES)),
  reason: z.nullable(z.string()),
  costs: z.array(z.strictObject({ unit, amount: z.nullable(amount), note: z.string() })),
  cost_usd: amount,
  seconds: count(),
})

export const planningAnswers: AnswersOf<typeof planningOperations> = {
  plan: {
    200: body({
      allowed: z.boolean(),
      calls: z.array(call),
      costs: z.array(z.strictObject({ unit, amount, is_minimum: z.boolean() })),
      cost_usd: amount,
      seconds: count(),
    }),
  },
}
