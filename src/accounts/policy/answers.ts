import * as z from 'zod/mini'
import { APPROVAL_NEEDS, POLICY_TARGETS } from '../../../schema/values/policy.ts'
import { type AnswersOf, body, count, id, instant } from '../../platform/http/answers.ts'
import type { policyOperations } from './operations.ts'

const time = () => z.string().check(z.regex(/^\d\d:\d\d$/))

/** Answers of the operations of policies. */
export const policyAnswers = {
  get: {
    200: body({
      project_id: id(),
      version: count(),
      changed_at: z.nullable(instant()),
      timezone: z.string(),
      frozen: z.boolean(),
      needs_approval: z.enum(APPROVAL_NEEDS),
      max_publications_per_day: z.nullable(count()),
      quiet_hours: z.nullable(z.strictObject({ from: time(), to: time() })),
      allowed_targets: z.nullable(z.array(z.enum(POLICY_TARGETS))),
      monthly_budget: z.strictObject({
        article_credits: z.nullable(count()),
        crowdwork_dollars: z.nullable(z.number()),
      }),
      says: z.strictObject({
        frozen: z.string(),
        needs_approval: z.string(),
        max_publications_per_day: z.string(),
        quiet_hours: z.string(),
        allowed_targets: z.string(),
        monthly_budget: z.string(),
        timezone: z.string(),
      }),
      used: z.strictObject({
        publications_today: count(),
        article_credits_this_month: count(),
        crowdwork_dollars_this_month: z.number(),
      }),
      page: z.string(),
    }),
  },
} satisfies AnswersOf<typeof policyOperations>
