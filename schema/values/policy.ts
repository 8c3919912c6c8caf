import { PUBLISHING_PLATFORMS } from './publishing.ts'
import { SOCIAL_PLATFORMS } from './social.ts'

/** Publications that need a person's approval: none, only first ones, or all. */
export const APPROVAL_NEEDS = ['off', 'first', 'every'] as const
type ApprovalNeed = (typeof APPROVAL_NEEDS)[number]

/** Targets that a policy can allow: publishing targets, social networks, and the crowdwork provider. */
export const POLICY_TARGETS = [...PUBLISHING_PLATFORMS, ...SOCIAL_PLATFORMS, 'crowdwork'] as const
export type PolicyTarget = (typeof POLICY_TARGETS)[number]

/** Clauses of a policy that can refuse an action, in the order in which they are checked. */
export const POLICY_RULES = [
  'frozen',
  'allowed_targets',
  'monthly_budget',
  'quiet_hours',
  'max_publications_per_day',
  'needs_approval',
] as const
export type PolicyRule = (typeof POLICY_RULES)[number]

/** Clauses of a policy as stored in its versions. `null`: the clause is not set. */
export type PolicyClauses = {
  needs_approval: ApprovalNeed
  /** Each change of a post that the service did not make needs an approval. Absent in versions from before it was a clause. */
  approve_adopted?: boolean
  max_publications_per_day: number | null
  /** Zone of the quiet hours and of the days. `null`: the project's. Absent in versions from before it was a clause. */
  timezone?: string | null
  /** Wall-clock times `HH:MM` in that zone; `from` is quiet, `to` is not. */
  quiet_hours: { from: string; to: string } | null
  allowed_targets: PolicyTarget[] | null
  monthly_budget: { article_credits: number | null; crowdwork_dollars: number | null }
  frozen: boolean
}
