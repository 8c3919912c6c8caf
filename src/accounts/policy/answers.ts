import * as z from 'zod/mini'
import { APPROVAL_NEEDS, POLICY_TARGETS } from '../../../schema/values/policy.ts'
import { type AnswersOf, body, count, instant, means, projectId, selfExplanatory } from '../../platform/http/answers.ts'
import type { policyOperations } from './operations.ts'

const time = () => z.string().check(z.regex(/^\d\d:\d\d$/))

/** Answers of the operations of policies. */
export const policyAnswers = {
  get: {
    200: body({
      project_id: projectId(),
      version: means('Number of changes. 0 if no policy was ever set; everything is then allowed.', count()),
      changed_at: means('Time of the last change. Null if no policy was ever set.', z.nullable(instant())),
      timezone: means('Time zone for quiet hours and days.', z.string()),
      frozen: means('True: nothing goes out.', z.boolean()),
      needs_approval: means(
        'Changes that a person must approve: nothing, first publications, or every publication and change.',
        z.enum(APPROVAL_NEEDS),
      ),
      approve_adopted: means(
        'True: a person also approves each change of an adopted post. Taking such a post down always needs an approval.',
        z.boolean(),
      ),
      max_publications_per_day: means(
        'Maximum number of articles published per day in `timezone`. Null: no limit.',
        z.nullable(count()),
      ),
      quiet_hours: means(
        'Hours in `timezone` in which nothing goes out. They may include midnight. Null: none.',
        z.nullable(
          z.strictObject({
            from: means('Start of the quiet hours.', time()),
            to: means('End of the quiet hours.', time()),
          }),
        ),
      ),
      allowed_targets: means(
        'Platforms that content may be sent to. Null: all.',
        z.nullable(z.array(z.enum(POLICY_TARGETS))),
      ),
      monthly_budget: means(
        'Limits for each calendar month (UTC).',
        z.strictObject({
          article_credits: means(
            'Maximum number of credits for articles of the project. Null: no limit.',
            z.nullable(count()),
          ),
          crowdwork_dollars: means(
            'Maximum cost of the project’s campaigns, in addition to `crowdwork_budget`. Null: no limit.',
            z.nullable(z.number()),
          ),
        }),
      ),
      deputy: means(
        'Person who also decides approvals, while an owner is away. Only an owner names one, on the page. Null: there is none.',
        z.nullable(
          z.strictObject({
            email: selfExplanatory(z.string()),
            away_until: means('End of the owner’s last day away.', instant()),
          }),
        ),
      ),
      says: means(
        'Each rule in one sentence, for the user.',
        z.strictObject({
          frozen: selfExplanatory(z.string()),
          needs_approval: selfExplanatory(z.string()),
          approve_adopted: selfExplanatory(z.string()),
          max_publications_per_day: selfExplanatory(z.string()),
          quiet_hours: selfExplanatory(z.string()),
          allowed_targets: selfExplanatory(z.string()),
          monthly_budget: selfExplanatory(z.string()),
          timezone: means('Time zone for quiet hours and days.', z.string()),
        }),
      ),
      used: selfExplanatory(
        z.strictObject({
          publications_today: means('Number of articles that were published today or are being published.', count()),
          article_credits_this_month: selfExplanatory(count()),
          crowdwork_dollars_this_month: means('Dollars reserved or spent.', z.number()),
        }),
      ),
      page: means('Page on which a person changes the policy.', z.string()),
    }),
  },
} satisfies AnswersOf<typeof policyOperations>
