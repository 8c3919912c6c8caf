import type { WantedApproval } from '../../../schema/values/approvals.ts'
import type { PolicyRule } from '../../../schema/values/policy.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { NeedsApproval } from '../../platform/runtime/needs-approval.ts'
import { type ReadPolicy, readPolicy } from './read.ts'
import { ACTIVITIES, type Activity, mayPassLater, sentencesOf } from './rules.ts'

const WHAT_TO_DO: Readonly<Record<PolicyRule, string>> = {
  frozen: 'Send nothing for this project until a person has taken the freeze away.',
  quiet_hours: 'Send the call again after the quiet hours, or plan the article for a date after them.',
  max_publications_per_day: 'Send the call again on another day, or plan the article for one.',
  allowed_targets: 'Do not send it anywhere else instead. Ask whether this target is to be allowed.',
  monthly_budget: 'Ask whether the budget is to be raised, or wait for the next month (UTC).',
  needs_approval: 'Ask a person to approve it.',
}

/** Returns a sentence on the usage, if the rule is a maximum or a budget; empty for other rules. */
const usedOf = (rule: PolicyRule, { used }: ReadPolicy): string => {
  if (rule === 'max_publications_per_day') return ` Today ${used.publications} went live or are on their way.`
  if (rule !== 'monthly_budget') return ''
  return ` This month took ${used.credits} article credits and $${(used.crowdworkCents / 100).toFixed(2)} of crowdwork.`
}

/** Returns the reason for a refusal: the clause in words, and its usage. */
export const reasonOf = (rule: PolicyRule, policy: ReadPolicy): string =>
  `${sentencesOf(policy.clauses, policy.timezone)[rule]}${usedOf(rule, policy)}`

/** Returns the 403 of a call that the project's policy refuses. */
export const policyRefusal = async (
  ctx: Ctx,
  projectId: number,
  rule: PolicyRule,
  activity: Activity | 'write',
): Promise<ApiError> => {
  const policy = await readPolicy(ctx, projectId)
  const what = activity === 'write' ? 'Writing an article' : ACTIVITIES[activity].what
  return new ApiError(
    'policy',
    `${what} is against the policy of the project. ${reasonOf(rule, policy)} Nothing was changed.`,
    {
      rule,
      project: projectId,
      policy_version: policy.version,
      instructions_for_agent: `Tell the user which clause refused it. ${WHAT_TO_DO[rule]} Only a person changes the policy, at ${ctx.settings.publicUrl}/p/${projectId}/policy.`,
      next_calls: [{ method: 'GET', path: `/projects/${projectId}/policy`, why: 'Shows what the policy says.' }],
    },
  )
}

/** True if a policy refused a call by a rule that makes work wait, other than a missing approval. */
export const isRefusedForNow = ({ code, extras: { rule } }: ApiError): boolean =>
  code === 'policy' && typeof rule === 'string' && rule !== 'needs_approval' && mayPassLater(rule as PolicyRule)

/** Returns the error for a call that a rule refuses now. If it needs approval, the error requests the one that `wanted` describes. */
export const refusalOrQuestion = async (
  ctx: Ctx,
  projectId: number,
  rule: PolicyRule,
  activity: Activity,
  wanted: () => WantedApproval | Promise<WantedApproval>,
): Promise<ApiError> =>
  rule === 'needs_approval' ? new NeedsApproval(await wanted()) : await policyRefusal(ctx, projectId, rule, activity)
