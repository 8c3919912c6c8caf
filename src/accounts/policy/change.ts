import { and, eq, exists, type SQL, sql } from 'drizzle-orm'
import { policies, policyVersions } from '../../../schema/policies.ts'
import { projects } from '../../../schema/projects.ts'
import type { PolicyClauses } from '../../../schema/values/policy.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { columnsOf } from './columns.ts'
import { policyHistory } from './queries.ts'
import { readPolicy } from './read.ts'

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
  const now = ctx.now()
  const version = readVersion + 1
  const changed = { changedBy: ctx.actor(), changedAt: now }
  const row = { version, ...columnsOf(clauses), ...changed }
  const project = () =>
    ctx.db
      .select({ id: projects.id })
      .from(projects)
      .where(and(eq(projects.id, projectId), eq(projects.accountId, accountId)))
  const isInForce = and(
    exists(project()),
    sql`coalesce((select ${policies.version} from ${policies} where ${eq(policies.projectId, projectId)}), 0) = ${readVersion}::int`,
  ) as SQL
  const [, kept] = await ctx.batch([
    // Batches that obey the policy in several statements lock the project, too: it does not change between them.
    project().for('no key update'),
    insertWhere(policyVersions, { projectId, version, clauses, ...changed }, { if: isInForce }),
    audit(ctx, {
      account: accountId,
      action: 'project.policy',
      on: ['project', projectId],
      detail: { version, from: before.clauses, to: clauses },
      if: isInForce,
    }),
    readVersion === 0
      ? insertWhere(policies, { projectId, accountId, ...row }, { if: isInForce })
      : ctx.db
          .update(policies)
          .set(row)
          .where(and(eq(policies.projectId, projectId), isInForce)),
  ])
  if (kept.length === 0) throw conflict()
  return version
}

/** Returns the newest versions of the policy of a project of the account, the one in force first. */
export const listVersions = async (ctx: Ctx, projectId: number) => {
  const [rows] = await ctx.read(() => [policyHistory(ctx.db, projectId, SHOWN)])
  return rows
}
