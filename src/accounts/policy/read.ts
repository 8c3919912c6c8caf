import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { policies, policyVersions } from '../../../schema/policies.ts'
import { projects } from '../../../schema/projects.ts'
import type { WantedApproval } from '../../../schema/values/approvals.ts'
import type { PolicyClauses, PolicyRule, PolicyTarget } from '../../../schema/values/policy.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import type { Db } from '../../platform/db/client.ts'
import { ACCOUNT_CLOSED } from '../../platform/jobs/job.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { NeedsApproval } from '../../platform/runtime/needs-approval.ts'
import { creditsThisMonth, crowdworkThisMonth, type Outward, publishedToday, ruleOf } from './parts.ts'
import { ACTIVITIES, type Activity, mayPassLater, type Obstacle, OPEN_POLICY, sentencesOf } from './rules.ts'

/** Returns a project of any account with its policy, and its usage until now. */
const projectPolicy = (db: Db, owner: SQL, projectId: number, now: Date) =>
  db
    .select({
      mine: sql<boolean>`coalesce(${projects.accountId} = ${owner}, false)`,
      timezone: projects.timezone,
      policy: policies,
      deputy: sql<{
        email: string
        until: string
      } | null>`(select jsonb_build_object('email', p.email, 'until', d.away_until)
        from deputies d join people p on p.id = d.person_id where d.project_id = ${projects.id} and d.away_until > now())`,
      publications: publishedToday(now) as SQL<number>,
      credits: creditsThisMonth(now) as SQL<number>,
      crowdworkCents: crowdworkThisMonth(now) as SQL<number>,
    })
    .from(projects)
    .leftJoin(policies, eq(policies.projectId, projects.id))
    .where(eq(projects.id, projectId))

/** Returns the newest versions of a project's policy. */
export const policyHistory = (db: Db, projectId: number, most: number) =>
  db
    .select()
    .from(policyVersions)
    .where(eq(policyVersions.projectId, projectId))
    .orderBy(desc(policyVersions.version))
    .limit(most)

type Row = typeof policies.$inferSelect

/** Returns the clauses of a row. */
export const clausesOf = (row: Row): PolicyClauses => ({
  needs_approval: row.needsApproval,
  approve_adopted: row.approveAdopted,
  max_publications_per_day: row.maxPublicationsPerDay,
  quiet_hours: row.quietFrom === null || row.quietTo === null ? null : { from: row.quietFrom, to: row.quietTo },
  allowed_targets: row.allowedTargets as PolicyTarget[] | null,
  monthly_budget: {
    article_credits: row.monthlyArticleCredits,
    crowdwork_dollars: row.monthlyCrowdworkCents === null ? null : row.monthlyCrowdworkCents / 100,
  },
  frozen: row.frozen,
  timezone: row.timezone,
})

/** Returns the columns of clauses. */
export const columnsOf = (clauses: PolicyClauses) => ({
  needsApproval: clauses.needs_approval,
  approveAdopted: clauses.approve_adopted ?? true,
  maxPublicationsPerDay: clauses.max_publications_per_day,
  quietFrom: clauses.quiet_hours?.from ?? null,
  quietTo: clauses.quiet_hours?.to ?? null,
  allowedTargets: clauses.allowed_targets,
  monthlyArticleCredits: clauses.monthly_budget.article_credits,
  monthlyCrowdworkCents:
    clauses.monthly_budget.crowdwork_dollars === null
      ? null
      : Math.round(clauses.monthly_budget.crowdwork_dollars * 100),
  frozen: clauses.frozen,
  timezone: clauses.timezone ?? null,
})

/** Returns the current policy of a project of the account, and its usage. Version 0 means that none was set. Throws 404, 403. */
export const readPolicy = async (ctx: Ctx, projectId: number) => {
  const now = ctx.now()
  const [row] = await ctx.read((owner) => projectPolicy(ctx.db, owner, projectId, now))
  const { policy, timezone, publications, credits, crowdworkCents, deputy } = owned(
    row && { row, mine: row.mine },
    'project',
  )
  return {
    version: policy?.version ?? 0,
    clauses: policy === null ? OPEN_POLICY : clausesOf(policy),
    timezone,
    changedAt: policy?.changedAt ?? null,
    deputy: deputy && { email: deputy.email, away_until: new Date(deputy.until).toISOString() },
    used: { publications, credits, crowdworkCents },
  }
}

type ReadPolicy = Awaited<ReturnType<typeof readPolicy>>

/** Returns the policy of a project in the form of the API. Throws 404, 403. */
export const showPolicy = async (ctx: Ctx, projectId: number) => {
  const { version, clauses, timezone, changedAt, deputy, used } = await readPolicy(ctx, projectId)
  return {
    project_id: projectId,
    version,
    changed_at: changedAt?.toISOString() ?? null,
    ...clauses,
    timezone: clauses.timezone ?? timezone,
    deputy,
    says: sentencesOf(clauses, timezone),
    used: {
      publications_today: used.publications,
      article_credits_this_month: used.credits,
      crowdwork_dollars_this_month: used.crowdworkCents / 100,
    },
    page: `${ctx.settings.publicUrl}/p/${projectId}/policy`,
  }
}

/** Returns what forbids a call now, or null. For work that claims no row. */
export const askPolicy = async (
  ctx: Ctx,
  projectId: number,
  outward: Omit<Outward, 'now'>,
): Promise<Obstacle | null> => {
  const asked = ruleOf(projectId, { ...outward, now: ctx.now() })
  const { rows } = await ctx.read(() => ctx.db.execute<{ rule: Obstacle | null }>(asked))
  return rows[0]?.rule ?? null
}

const WHAT_TO_DO: Readonly<Record<PolicyRule, string>> = {
  frozen: 'Send nothing for this project until a person removes the freeze.',
  quiet_hours: 'Send the call again after the quiet hours, or plan the article for a date after them.',
  max_publications_per_day: 'Send the call again on another day, or plan the article for one.',
  allowed_targets: 'Do not send it to another target instead. Ask the user whether to allow this target.',
  monthly_budget: 'Ask the user whether to raise the budget, or wait for the next month (UTC).',
  needs_approval: 'Ask a person to approve it.',
}

/** Returns a sentence on the usage, if the rule is a maximum or a budget; empty for other rules. */
const usedOf = (rule: PolicyRule, { used }: ReadPolicy): string => {
  if (rule === 'max_publications_per_day') return ` Today ${used.publications} went live or are on their way.`
  if (rule !== 'monthly_budget') return ''
  return ` This month used ${used.credits} article credits and $${(used.crowdworkCents / 100).toFixed(2)} of crowdwork.`
}

/** Returns the reason for a refusal: the clause in words, and its usage. */
const clauseReason = (rule: PolicyRule, policy: ReadPolicy): string =>
  `${sentencesOf(policy.clauses, policy.timezone)[rule]}${usedOf(rule, policy)}`

/** Returns why work that was to go out ended: the clause in words with its usage, or that the account is closed. */
export const obstacleReason = async (ctx: Ctx, projectId: number, obstacle: Obstacle): Promise<string> =>
  obstacle === 'account_inactive' ? ACCOUNT_CLOSED : clauseReason(obstacle, await readPolicy(ctx, projectId))

/** Returns the error of a call that is forbidden: 403 by the project's policy, 401 if the account is closed. */
export const policyRefusal = async (
  ctx: Ctx,
  projectId: number,
  rule: Obstacle,
  activity: Activity | 'write',
): Promise<ApiError> => {
  if (rule === 'account_inactive') return new ApiError('account_inactive', 'Account is not active.')
  const policy = await readPolicy(ctx, projectId)
  const what = activity === 'write' ? 'Writing an article' : ACTIVITIES[activity].what
  return new ApiError(
    'policy',
    `${what} is against the policy of the project. ${clauseReason(rule, policy)} Nothing was changed.`,
    {
      rule,
      project: projectId,
      policy_version: policy.version,
      instructions_for_agent: `Tell the user which rule refused it. ${WHAT_TO_DO[rule]} Only a person can change the policy, at ${ctx.settings.publicUrl}/p/${projectId}/policy.`,
      next_calls: [{ method: 'GET', path: `/projects/${projectId}/policy`, why: 'Shows the policy.' }],
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
  rule: Obstacle,
  activity: Activity,
  wanted: () => WantedApproval | Promise<WantedApproval>,
): Promise<ApiError> =>
  rule === 'needs_approval' ? new NeedsApproval(await wanted()) : await policyRefusal(ctx, projectId, rule, activity)
