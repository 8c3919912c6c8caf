import { and, eq, exists, gt, inArray, isNull, lt, not, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import { projects } from '../../../schema/projects.ts'
import { OPEN_DELIVERY_STATUSES } from '../../../schema/values/publishing.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { holdAccount } from '../../platform/accounts/parts.ts'
import { violatedUnique } from '../../platform/db/client.ts'
import { at } from '../../platform/db/instant.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, decideOnce } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { onboardJob, SCAN_ASKED, scanJob } from './jobs.ts'
import { activeByWebsite, importing, listArchivedRows, projectById, slotUse, statusOf } from './queries.ts'
import { needsScan } from './rules.ts'
import { limitReached } from './scope.ts'
import { lockProject } from './writes.ts'

type Slots = { used: number; total: number }

const load = async (ctx: Ctx, id: number) => {
  const { rows, slots, imports } = await ctx.read((owner) => ({
    rows: projectById(ctx.db, owner, id),
    slots: slotUse(ctx.db, owner),
    imports: importing(ctx.db, id),
  }))
  const project = owned(rows[0] && { row: rows[0].project, mine: rows[0].mine }, 'project')
  const { used = 0, total = 0 } = slots.rows[0] ?? {}
  return { project, slots: { used: Number(used), total: Number(total) }, isImporting: imports.rows.length > 0 }
}

const archived = (id: number, slots: Slots) => ({
  project_id: id,
  status: 'Archived' as const,
  project_slots: slots,
  message: `The project is archived. Nothing of it is published or scanned. GET /projects omits it, but lists of articles and integrations still show its data. Make it active again with POST /projects/${id}/unarchive.`,
})

const active = (id: number, slots: Slots) => ({
  project_id: id,
  status: 'Active' as const,
  project_slots: slots,
  message: 'The project is active. Planned articles are published on their dates; overdue ones are published next.',
})

/** Condition: something of the project is being published, or changed at its site. */
const isPublishing = (now: Date): SQL =>
  sql`(${projects.publishingUntil} > ${at(now)}
    or exists (select 1 from ${deliveries} where ${deliveries.projectId} = ${projects.id} and ${oneOf(deliveries.status, OPEN_DELIVERY_STATUSES)})
    or exists (select 1 from ${articles} where ${articles.projectId} = ${projects.id} and ${oneOf(articles.publishState, ['publishing'])}
      and ${articles.publishLeaseUntil} > ${at(now)}))`

/** Archives an active project and frees its slot. Returns false if it is not active, or something of it is being published. */
const archive = async (ctx: Ctx, accountId: number, id: number, answer: unknown): Promise<boolean> => {
  const now = ctx.now()
  const mine = and(eq(projects.id, id), eq(projects.accountId, accountId))
  const isActive = and(mine, eq(projects.status, 'Active'), sql`${isPublishing(now)} is not true`)
  const may = decideOnce(exists(ctx.db.select({ id: projects.id }).from(projects).where(isActive)))
  const { archived } = await ctx.batch({
    account: holdAccount(accountId),
    project: lockProject(ctx.db, id),
    decided: may.statement,
    ...when(may.isMet, {
      audit: audit(ctx, { account: accountId, action: 'project.archive', on: ['project', id] }),
      kept: ctx.keepAnswer(answer),
      changedAccounts: (isMet) =>
        ctx.db
          .update(accounts)
          .set({ activeProjects: sql`${accounts.activeProjects} - 1` })
          .where(and(eq(accounts.id, accountId), gt(accounts.activeProjects, 0), isMet)),
      archived: (isMet) =>
        ctx.db
          .update(projects)
          .set({ status: 'Archived', updatedAt: now })
          .where(and(mine, isMet))
          .returning({ id: projects.id }),
    }),
  })
  return archived.length > 0
}

/**
 * Makes an archived project active and claims a slot. Returns false if no slot is free, it is active, or an import still writes it.
 *
 * Restarts the scan and the onboarding that archiving interrupted. `scan` starts a scan in any case. `isImport` is true if the
 * import itself calls.
 */
const unarchive = async (
  ctx: Ctx,
  accountId: number,
  id: number,
  { answer, scan, isImport = false }: { answer?: unknown; scan: boolean; isImport?: boolean },
): Promise<boolean> => {
  const now = ctx.now()
  const mine = and(eq(projects.id, id), eq(projects.accountId, accountId))
  const account = eq(accounts.id, accountId)
  const hasSlot = and(account, lt(accounts.activeProjects, accounts.projectSlots))
  const isImporting = sql`exists (select 1 from project_imports i where i.project_id = ${projects.id} and i.state = 'importing')`
  const isArchived = and(
    mine,
    eq(projects.status, 'Archived'),
    isNull(projects.eraseAt),
    isImport ? undefined : not(isImporting),
  )
  const may = decideOnce(
    sql`${exists(ctx.db.select({ id: accounts.id }).from(accounts).where(hasSlot))}
      and ${exists(ctx.db.select({ id: projects.id }).from(projects).where(isArchived))}`,
  )
  const work = { account: accountId, runAt: now, open: 'move', from: sql`${projects}` } as const
  const payload = { project_id: sql`${projects.id}` }
  const { active } = await ctx.batch({
    account: holdAccount(accountId),
    project: lockProject(ctx.db, id),
    decided: may.statement,
    ...when(may.isMet, {
      changedAccounts: (isMet) =>
        ctx.db
          .update(accounts)
          .set({ activeProjects: sql`${accounts.activeProjects} + 1` })
          .where(and(account, isMet)),
      active: (isMet) =>
        ctx.db
          .update(projects)
          .set({ status: 'Active', ...(scan ? SCAN_ASKED : {}), updatedAt: now })
          .where(and(mine, isMet))
          .returning({ id: projects.id }),
      scanJob: (isMet) =>
        enqueue(scanJob, payload, {
          ...work,
          if: sql`${and(mine, inArray(projects.siteScanState, ['pending', 'running']), isMet)}`,
        }),
      onboardJob: (isMet) =>
        enqueue(onboardJob, payload, {
          ...work,
          if: sql`${and(mine, eq(projects.onboardingState, 'running'), isMet)}`,
        }),
      kept: answer !== undefined && ctx.keepAnswer(answer),
      audit: audit(ctx, { account: accountId, action: 'project.unarchive', on: ['project', id] }),
    }),
  })
  if (active.length > 0) ctx.defer(ctx.wakeQueue())
  return active.length > 0
}

/**
 * Archives a project and frees its slot. Gives the same answer if it is archived already. Throws 404, 403, and 409 while something
 * of it is being published.
 */
export const archiveProject = async (ctx: Ctx, id: number) => {
  const { project, slots } = await load(ctx, id)
  if (project.status === 'Archived') return archived(id, slots)
  const account = await ctx.account()
  const answer = archived(id, { ...slots, used: slots.used - 1 })
  if (await archive(ctx, account.id, id, answer)) return answer
  const now = await load(ctx, id)
  if (now.project.status === 'Archived') return archived(id, now.slots)
  throw new ApiError(
    'publish_in_progress',
    'Articles of the project are being published, changed at their site, or waiting for a retry. Nothing was changed. Archive the project when they are done; GET /articles?publish_state=publishing,retrying,unknown lists them.',
    { retry_after: 30 },
  )
}

/** Returns the error for a project whose site belongs to another active project, with the other's id if it is known. */
const siteTaken = (other: number | undefined): ApiError => {
  const which = other === undefined ? 'Another active project' : `Project ${other}, which is active,`
  return new ApiError('edit_conflict', `${which} has this website. Archive that one first.`, {
    ...(other === undefined
      ? {}
      : {
          retryable: false,
          next_calls: [{ method: 'POST', path: `/projects/${other}/archive`, why: 'Archives the other project.' }],
        }),
  })
}

/**
 * Makes an archived project active again, which takes a slot. Throws 404, 403, 402 if no slot is free, and 409 if another active
 * project has its site, or it is still being imported, or is to be erased.
 */
export const unarchiveProject = async (ctx: Ctx, id: number) => {
  const { project, slots } = await load(ctx, id)
  if (project.status === 'Active') return active(id, slots)
  const account = await ctx.account()
  const answer = active(id, { ...slots, used: slots.used + 1 })
  try {
    if (await unarchive(ctx, account.id, id, { answer, scan: needsScan(project, ctx.now()) })) return answer
  } catch (error) {
    if (violatedUnique(error) !== 'projects_active_website_unique') throw error
    const [other] = await ctx.read((owner) => activeByWebsite(ctx.db, owner, project.websiteKey))
    throw siteTaken(other?.id)
  }
  const now = await load(ctx, id)
  if (now.project.status === 'Active') return active(id, now.slots)
  if (now.project.eraseAt !== null)
    throw new ApiError(
      'edit_conflict',
      `An owner of the account deleted this project, and it is erased on ${now.project.eraseAt.toISOString().slice(0, 10)}. Nothing was changed.`,
      {
        retryable: false,
        instructions_for_agent: `Tell the user. Until then an owner can keep it at ${ctx.settings.publicUrl}/settings/projects; after that this call works.`,
      },
    )
  if (now.isImporting)
    throw new ApiError('edit_conflict', 'The project is still being imported. It becomes active by itself.', {
      retry_after: 10,
    })
  throw limitReached(ctx, now.slots.used, now.slots.total)
}

/**
 * Makes an imported project active, which takes a slot. Returns the reason if it stays archived; null if it is active.
 */
export const activateImported = async (ctx: Ctx, accountId: number, id: number): Promise<string | null> => {
  const back = `Make it active again with POST /projects/${id}/unarchive.`
  try {
    await unarchive(ctx, accountId, id, { scan: false, isImport: true })
  } catch (error) {
    if (violatedUnique(error) !== 'projects_active_website_unique') throw error
    return `The project is archived: another active project has its website. Archive that one first. ${back}`
  }
  const [found] = await statusOf(ctx.db, id)
  return found?.status === 'Active' ? null : `The project is archived: no project slot is free. ${back}`
}

/** Returns the account's archived projects, newest first, at most 200. */
export const listArchived = async (ctx: Ctx) => {
  const rows = await ctx.read((owner) => listArchivedRows(ctx.db, owner))
  return rows
}
