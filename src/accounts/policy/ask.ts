import type { PolicyRule } from '../../../schema/values/policy.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Outward } from './parts.ts'
import { ruleOf } from './writes.ts'

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
