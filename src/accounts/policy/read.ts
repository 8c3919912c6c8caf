import type { PolicyRule } from '../../../schema/values/policy.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { clausesOf } from './columns.ts'
import type { Outward } from './parts.ts'
import { projectPolicy } from './queries.ts'
import { OPEN_POLICY, sentencesOf } from './rules.ts'
import { ruleOf } from './writes.ts'

/** Returns the policy in force of a project of the account: its version (0 for a project without one) and clauses. Throws 404, 403. */
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

/** Returns the policy of a project as keys see it. Throws 404, 403. */
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

/** Returns the rule of the project's policy that forbids it now, or null: for work that is done at once and claims no row. */
export const askPolicy = async (
  ctx: Ctx,
  projectId: number,
  outward: Omit<Outward, 'now'>,
): Promise<PolicyRule | null> => {
  const asked = ruleOf(projectId, { ...outward, now: ctx.now() })
  const [{ rows }] = await ctx.read(() => [ctx.db.execute<{ rule: PolicyRule | null }>(asked)])
  return rows[0]?.rule ?? null
}
