import * as z from 'zod/mini'
import { POLICY_RULES } from '../../../schema/values/policy.ts'
import { type AnswersOf, body, count, means, selfExplanatory } from '../../platform/http/answers.ts'
import { COST_UNITS } from '../../platform/http/operation.ts'
import { REFUSERS } from './judge.ts'
import type { planningOperations } from './operations.ts'

const unit = z.enum(COST_UNITS)
const amount = z.number().check(z.gte(0))

const call = z.strictObject({
  operation: means('ID of the operation, as in this reference.', z.string()),
  method: selfExplanatory(z.string()),
  path: means('Path below `/api/v1`.', z.string()),
  allowed: means('True if the call, or every call of the plan, would be allowed now.', z.boolean()),
  refused_by: means(
    'Rule that refuses the call. `access`: the object does not exist or belongs to another account. `scope`: the scope of the key. `policy`: the policy of the project. `limits`: rates and daily limits. `credits`: article credits, project slots or the plan. Null if allowed.',
    z.nullable(z.enum(REFUSERS)),
  ),
  rule: means('Rule of the policy that refuses the call.', z.optional(z.enum(POLICY_RULES))),
  reason: means('Reason why the call is refused.', z.nullable(z.string())),
  costs: means(
    'Costs of the call. For the plan: the sums of the allowed calls.',
    z.array(
      z.strictObject({
        unit: means('The same units as in `costs` of `GET /account`.', unit),
        amount: means('Amount. Null if it depends on what the call finds.', z.nullable(amount)),
        note: means('The cost in words.', z.string()),
      }),
    ),
  ),
  cost_usd: means('Most that the service’s own providers charge for the call, in US dollars.', amount),
  seconds: means(
    'Typical duration in seconds, including the work that the call starts. For the plan: the sum of the allowed calls.',
    count(),
  ),
})

export const planningAnswers: AnswersOf<typeof planningOperations> = {
  plan: {
    200: body({
      allowed: means('True if the call, or every call of the plan, would be allowed now.', z.boolean()),
      calls: means('Result for each call, in the order in which they were sent.', z.array(call)),
      costs: means(
        'Costs of the call. For the plan: the sums of the allowed calls.',
        z.array(
          z.strictObject({
            unit: means('The same units as in `costs` of `GET /account`.', unit),
            amount: means('Amount. Null if it depends on what the call finds.', amount),
            is_minimum: means('True if some amounts are unknown.', z.boolean()),
          }),
        ),
      ),
      cost_usd: means('Most that the service’s own providers charge for the allowed calls, in US dollars.', amount),
      seconds: means(
        'Typical duration in seconds, including the work that the call starts. For the plan: the sum of the allowed calls.',
        count(),
      ),
    }),
  },
}
