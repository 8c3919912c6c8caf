import { eq, type SQL, sql } from 'drizzle-orm'
import { projects } from '../../../schema/projects.ts'
import type { PolicyRule } from '../../../schema/values/policy.ts'
import { JOIN_POLICY, type Outward, ruleFor } from './parts.ts'

/** Selects the rule of the project's policy that forbids a call now; `rule` is null if none does. */
export const ruleOf = (projectId: number | SQL, outward: Outward): SQL<{ rule: PolicyRule | null }> =>
  sql`select ${ruleFor(outward)} as rule from ${projects} ${JOIN_POLICY} where ${eq(projects.id, projectId)}`

/** Condition: no rule of the project's policy forbids a call now. */
export const policyAllows = (projectId: number | SQL, outward: Outward): SQL =>
  sql`exists (select 1 from ${projects} ${JOIN_POLICY} where ${eq(projects.id, projectId)} and ${ruleFor(outward)} is null)`
