import type { PolicyClauses } from '../../../schema/values/policy.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { policyHistory } from './queries.ts'
import { readPolicy } from './read.ts'
import { savePolicy } from './statements.ts'

/** Versions that the page of a policy shows. */
const SHOWN = 50

const conflict = (): ApiError =>
  new ApiError(
    'edit_conflict',
    'Somebody else changed the policy meanwhile. Nothing was saved. Look at it, then change it again.',
  )

/**
 * Sets the policy of a project, if `readVersion` is still in force; for persons alone. The version that is in force from now on.
 * Throws 404, 403, 409.
 */
export const changePolicy = async (
  ctx: Ctx,
  projectId: number,
  { readVersion, clauses }: { readVersion: number; clauses: PolicyClauses },
): Promise<number> => {
  const before = await readPolicy(ctx, projectId)
  if (before.version !== readVersion) throw conflict()
  if (JSON.stringify(before.clauses) === JSON.stringify(clauses)) return readVersion
  const { id: accountId } = await ctx.account()
  const [saved] = await ctx.write(
    savePolicy(ctx, { accountId, projectId, readVersion, from: before.clauses, to: clauses }),
  )
  if (!saved) throw conflict()
  return readVersion + 1
}

/** The newest versions of the policy of a project of the account, the one in force first. */
export const listVersions = async (ctx: Ctx, projectId: number) => {
  const [rows] = await ctx.read(() => [policyHistory(ctx.db, projectId, SHOWN)])
  return rows
}
