import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { policies, policyVersions } from '../../../schema/policies.ts'
import { projects } from '../../../schema/projects.ts'
import type { PolicyClauses, PolicyRule, PolicyTarget } from '../../../schema/values/policy.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import type { Db } from '../../platform/db/client.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { creditsThisMonth, crowdworkThisMonth, type Outward, publishedToday, ruleOf } from './parts.ts'
import { OPEN_POLICY, sentencesOf } from './rules.ts'

/** Returns a project of any account with its policy, and its usage until now. */
const projectPolicy = (db: Db, owner: SQL, projectId: number, now: Date) =>
  db
    .select({
      mine: sql<boolean>`coalesce(${projects.accountId} = ${owner}, false)`,
      timezone: projects.timezone,
      policy: policies,
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
  max_publications_per_day: row.maxPublicationsPerDay,
  quiet_hours: row.quietFrom === null || row.quietTo === null ? null : { from: row.quietFrom, to: row.quietTo },
  allowed_targets: row.allowedTargets as PolicyTarget[] | null,
  monthly_budget: {
    article_credits: row.monthlyArticleCredits,
    crowdwork_dollars: row.monthlyCrowdworkCents === null ? null : row.monthlyCrowdworkCents / 100,
  },
  frozen: row.frozen,
})

/** Returns the columns of clauses. */
export const columnsOf = (clauses: PolicyClauses) => ({
  needsApproval: clauses.needs_approval,
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
})

/** Returns the current policy of a project of the account, and its usage. Version 0 means that none was set. Throws 404, 403. */
export const readPolicy = async (ctx: Ctx, projectId: number) => {
  const now = ctx.now()
  const [[row]] = await ctx.read((owner) => [projectPolicy(ctx.db, owner, projectId, now)])
  const { policy, timezone, publications, credits, crowdworkCents } = owned(row && { row, mine: row.mine }, 'project')
  return {
    version: policy?.version ?? 0,
    clauses: policy === null ? OPEN_POLICY : clausesOf(policy),
    timezone,
    changedAt: policy?.changedAt ?? null,
    used: { publications, credits, crowdworkCents },
  }
}

export type ReadPolicy = Awaited<ReturnType<typeof readPolicy>>

/** Returns the policy of a project in the form of the API. Throws 404, 403. */
export const showPolicy = async (ctx: Ctx, projectId: number) => {
  const { version, clauses, timezone, changedAt, used } = await readPolicy(ctx, projectId)
  return {
    project_id: projectId,
    version,
    changed_at: changedAt?.toISOString() ?? null,
    timezone,
    ...clauses,
    says: sentencesOf(clauses, timezone),
    used: {
      publications_today: used.publications,
      article_credits_this_month: used.credits,
      crowdwork_dollars_this_month: used.crowdworkCents / 100,
    },
    page: `${ctx.settings.publicUrl}/p/${projectId}/policy`,
  }
}

/** Returns the rule of the project's policy that forbids a call now, or null. For work that claims no row. */
export const askPolicy = async (
  ctx: Ctx,
  projectId: number,
  outward: Omit<Outward, 'now'>,
): Promise<PolicyRule | null> => {
  const asked = ruleOf(projectId, { ...outward, now: ctx.now() })
  const [{ rows }] = await ctx.read(() => [ctx.db.execute<{ rule: PolicyRule | null }>(asked)])
  return rows[0]?.rule ?? null
}
