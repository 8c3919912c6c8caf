import { sql } from 'drizzle-orm'
import type { PolicyClauses } from '../../../schema/values/policy.ts'
import { OPEN_POLICY } from '../../../src/accounts/policy/rules.ts'
import { rowsIn, type Target } from '../../support/client.ts'

/** Puts a policy in force for a project, as its page would; clauses that are not named say nothing. */
export const setPolicy = async (
  target: Target,
  project: number,
  clauses: Partial<PolicyClauses> = {},
): Promise<void> => {
  const to = { ...OPEN_POLICY, ...clauses }
  const { article_credits: credits, crowdwork_dollars: dollars } = to.monthly_budget
  const allowed = to.allowed_targets === null ? null : sql.param([...to.allowed_targets])
  await rowsIn(
    target,
    sql`insert into policies (project_id, account_id, version, needs_approval, approve_adopted, max_publications_per_day, quiet_from, quiet_to,
        allowed_targets, monthly_article_credits, monthly_crowdwork_cents, frozen, changed_by, changed_at)
      select id, account_id, 1, ${to.needs_approval}, ${to.approve_adopted ?? true}, ${to.max_publications_per_day}::int, ${to.quiet_hours?.from ?? null}::text,
        ${to.quiet_hours?.to ?? null}::text, ${allowed}::text[], ${credits}::int, ${dollars === null ? null : dollars * 100}::int,
        ${to.frozen}, 'test', now() from projects where id = ${project}::int
      on conflict (project_id) do update set version = policies.version + 1, needs_approval = excluded.needs_approval, approve_adopted = excluded.approve_adopted,
        max_publications_per_day = excluded.max_publications_per_day, quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to,
        allowed_targets = excluded.allowed_targets, monthly_article_credits = excluded.monthly_article_credits,
        monthly_crowdwork_cents = excluded.monthly_crowdwork_cents, frozen = excluded.frozen`,
  )
}
