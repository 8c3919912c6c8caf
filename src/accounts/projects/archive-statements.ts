import { and, eq, gt, lt, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import { projects } from '../../../schema/projects.ts'
import { OPEN_DELIVERY_STATUSES } from '../../../schema/values/publishing.ts'
import { audit } from '../../platform/db/audit.ts'
import { statement } from '../../platform/db/statement.ts'
import { update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { onboardJob, SCAN_ASKED, scanJob } from './jobs.ts'

/** Archives an active project of which nothing is being published or changed at its target, and frees its slot. No row otherwise. */
export const archiveStatement = (ctx: Ctx, accountId: number, id: number, answer: unknown): SQL => {
  const now = ctx.now()
  const isPublishing = sql`(${projects.publishingUntil} > ${now.toISOString()}::timestamptz or exists (select 1 from ${deliveries}
    where ${deliveries.projectId} = ${projects.id} and ${oneOf(deliveries.status, OPEN_DELIVERY_STATUSES)})
    or exists (select 1 from ${articles} where ${articles.projectId} = ${projects.id} and ${oneOf(articles.publishState, ['publishing'])}
      and ${articles.publishLeaseUntil} > ${now.toISOString()}::timestamptz))`
  const mine = and(eq(projects.id, id), eq(projects.accountId, accountId), eq(projects.status, 'Active'))
  const changed = update(
    'changed',
    projects,
    { status: 'Archived', updatedAt: now },
    { where: sql`${mine} and ${isPublishing} is not true`, returning: { id: projects.id } },
  )
  const freed = update(
    'freed',
    accounts,
    { activeProjects: sql`${accounts.activeProjects} - 1` },
    { from: [changed], where: sql`${and(eq(accounts.id, accountId), gt(accounts.activeProjects, 0))}` },
  )
  return statement({
    parts: [changed, freed, ctx.keep.answer([changed], answer)],
    audit: audit(ctx, { of: changed, account: accountId, action: 'project.archive', on: ['project', changed.c.id] }),
    answer: { id: changed.c.id },
  })
}

/**
 * Takes a free slot and makes the project active. No row when no slot is free, it is active, or an import still writes it.
 *
 * Archiving ended the scan and the onboarding that ran then: both begin again. `scan`: the site is scanned again in
 * any case. `isImport`: the import itself asks.
 */
export const unarchiveStatement = (
  ctx: Ctx,
  accountId: number,
  id: number,
  { answer, scan, isImport = false }: { answer: unknown; scan: boolean; isImport?: boolean },
): SQL => {
  const now = ctx.now()
  const isWhole = isImport
    ? sql`true`
    : sql`not exists (select 1 from project_imports i where i.project_id = ${projects.id} and i.state = 'importing')`
  const isArchived = sql`exists (select 1 from ${projects}
    where ${projects.id} = ${id}::int and ${projects.accountId} = ${accounts.id} and ${projects.status} = 'Archived' and ${isWhole})`
  const slot = update(
    'slot',
    accounts,
    { activeProjects: sql`${accounts.activeProjects} + 1` },
    {
      where: sql`${and(eq(accounts.id, accountId), lt(accounts.activeProjects, accounts.projectSlots))} and ${isArchived}`,
      returning: { id: accounts.id },
    },
  )
  const changed = update(
    'changed',
    projects,
    { status: 'Active', ...(scan ? SCAN_ASKED : {}), updatedAt: now },
    {
      from: [slot],
      where: sql`${and(eq(projects.id, id), eq(projects.accountId, slot.c.id), eq(projects.status, 'Archived'))}`,
      returning: { id: projects.id, scan: projects.siteScanState, onboarding: projects.onboardingState },
    },
  )
  const work = {
    from: changed,
    account: accountId,
    payload: { project_id: changed.c.id },
    runAt: now,
    open: 'move',
  } as const
  return statement({
    parts: [
      slot,
      changed,
      scanJob.enqueue({ ...work, where: sql`${changed.c.scan} in ('pending', 'running')` }),
      onboardJob.enqueue({ ...work, where: sql`${changed.c.onboarding} = 'running'` }),
      ctx.keep.answer([changed], answer),
    ],
    audit: audit(ctx, { of: changed, account: accountId, action: 'project.unarchive', on: ['project', changed.c.id] }),
    answer: { id: changed.c.id },
  })
}
