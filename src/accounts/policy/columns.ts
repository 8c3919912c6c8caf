import type { policies } from '../../../schema/policies.ts'
import type { PolicyClauses, PolicyTarget } from '../../../schema/values/policy.ts'

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
