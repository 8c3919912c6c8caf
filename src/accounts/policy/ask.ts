import { sql } from 'drizzle-orm'
import { projects } from '../../../schema/projects.ts'
import type { PolicyRule } from '../../../schema/values/policy.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { JOIN_POLICY, type Outward, ruleFor } from './parts.ts'

/** Returns the rule of the project's policy that forbids it now, or null: for work that is done at once and claims no row. */
export const askPolicy = async (
  ctx: Ctx,
  projectId: number,
  outward: Omit<Outward, 'now'>,
): Promise<PolicyRule | null> => {
  const rule = ruleFor({ ...outward, now: ctx.now() })
  const [{ rows }] = await ctx.read(() => [
    ctx.db.execute<{ rule: PolicyRule | null }>(
      sql`select ${rule} as rule from ${projects} ${JOIN_POLICY} where ${projects.id} = ${projectId}::int`,
    ),
  ])
  return rows[0]?.rule ?? null
}
