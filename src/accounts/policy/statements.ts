import { and, eq, type SQL, sql } from 'drizzle-orm'
import { policies, policyVersions } from '../../../schema/policies.ts'
import { projects } from '../../../schema/projects.ts'
import type { PolicyClauses } from '../../../schema/values/policy.ts'
import { audit } from '../../platform/db/audit.ts'
import { select } from '../../platform/db/read-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import { insert } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { columnsOf } from './columns.ts'

type NewVersion = { accountId: number; projectId: number; readVersion: number; from: PolicyClauses; to: PolicyClauses }

/** Saves the next version of a project's policy. No row if the version that was read is not the one in force any more. */
export const savePolicy = (ctx: Ctx, { accountId, projectId, readVersion, from, to }: NewVersion): SQL => {
  const now = ctx.now()
  const version = readVersion + 1
  const changes = {
    version,
    ...columnsOf(to),
    changedBy: ctx.actor(),
    changedAt: now,
  }
  const project = select(
    'project',
    { id: projects.id },
    sql`from ${projects} where ${and(eq(projects.id, projectId), eq(projects.accountId, accountId))}`,
  )
  const saved = insert(
    'saved',
    policies,
    { projectId: project.c.id, accountId, ...changes },
    {
      from: [project],
      onConflict: { columns: [policies.projectId], set: changes, setWhere: sql`${eq(policies.version, readVersion)}` },
      returning: { projectId: policies.projectId },
    },
  )
  const kept = insert(
    'kept',
    policyVersions,
    { projectId: saved.c.projectId, version, clauses: to, changedBy: ctx.actor(), changedAt: now },
    { from: [saved] },
  )
  return statement({
    parts: [project, saved, kept],
    audit: audit(ctx, {
      of: saved,
      account: accountId,
      action: 'project.policy',
      on: ['project', saved.c.projectId],
      detail: { version, from, to },
    }),
    answer: { id: saved.c.projectId },
  })
}
