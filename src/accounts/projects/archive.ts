import { owned } from '../../platform/accounts/check-owner.ts'
import { violatedUnique } from '../../platform/db/client.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { archiveStatement, unarchiveStatement } from './archive-statements.ts'
import { limitReached } from './limit.ts'
import { activeByWebsite, importing, projectById, slotUse, statusOf } from './queries.ts'
import { needsScan } from './rules.ts'

type Slots = { used: number; total: number }

const load = async (ctx: Ctx, id: number) => {
  const [rows, slots, imports] = await ctx.read((owner) => [
    projectById(ctx.db, owner, id),
    slotUse(ctx.db, owner),
    importing(ctx.db, id),
  ])
  const project = owned(rows[0] && { row: rows[0].project, mine: rows[0].mine }, 'project')
  const { used = 0, total = 0 } = slots.rows[0] ?? {}
  return { project, slots: { used: Number(used), total: Number(total) }, isImporting: imports.rows.length > 0 }
}

const archived = (id: number, slots: Slots) => ({
  project_id: id,
  status: 'Archived' as const,
  project_slots: slots,
  message: `The project is archived: nothing of it is published or scanned, GET /projects leaves it out, and its data stays: lists of articles and integrations still show it. Bring it back with POST /projects/${id}/unarchive.`,
})

const active = (id: number, slots: Slots) => ({
  project_id: id,
  status: 'Active' as const,
  project_slots: slots,
  message: 'The project is active. Planned articles go out on their dates; those whose date has passed go next.',
})

/** Archives a project and frees its slot. The same answer again when it is archived. Throws 404, 403, 409 while an article of it is being published. */
export const archiveProject = async (ctx: Ctx, id: number) => {
  const { project, slots } = await load(ctx, id)
  if (project.status === 'Archived') return archived(id, slots)
  const account = await ctx.account()
  const answer = archived(id, { ...slots, used: slots.used - 1 })
  const [done] = await ctx.write(archiveStatement(ctx, account.id, id, answer))
  if (done) return answer
  const now = await load(ctx, id)
  if (now.project.status === 'Archived') return archived(id, now.slots)
  throw new ApiError(
    'publish_in_progress',
    'Articles of the project are being published, changed at their site, or wait for a retry. Archive it when they are done; GET /articles?publish_state=publishing,retrying,unknown lists them.',
    { retry_after: 30 },
  )
}

/** The refusal of a project whose site another active one has, with that one's number where it still has it. */
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

/** Makes an archived project active again, taking a slot. Throws 404, 403, 402 without a free slot, 409 when its site has another active project. */
export const unarchiveProject = async (ctx: Ctx, id: number) => {
  const { project, slots } = await load(ctx, id)
  if (project.status === 'Active') return active(id, slots)
  const account = await ctx.account()
  const answer = active(id, { ...slots, used: slots.used + 1 })
  try {
    const [done] = await ctx.write(
      unarchiveStatement(ctx, account.id, id, { answer, scan: needsScan(project, ctx.now()) }),
    )
    if (done) {
      ctx.defer(ctx.wakeQueue())
      return answer
    }
  } catch (error) {
    if (violatedUnique(error) !== 'projects_active_website_unique') throw error
    const [[other]] = await ctx.read((owner) => [activeByWebsite(ctx.db, owner, project.websiteKey)])
    throw siteTaken(other?.id)
  }
  const now = await load(ctx, id)
  if (now.project.status === 'Active') return active(id, now.slots)
  if (now.isImporting)
    throw new ApiError('edit_conflict', 'The project is still being imported. It becomes active by itself.', {
      retry_after: 10,
    })
  throw limitReached(ctx, now.slots.used, now.slots.total)
}

/**
 * Makes the project of an import active, taking a slot. Returns the reason for which it stays archived; null if it is active.
 */
export const activateImported = async (ctx: Ctx, accountId: number, id: number): Promise<string | null> => {
  const back = `Bring it back with POST /projects/${id}/unarchive.`
  try {
    const answer = undefined
    const [done] = await ctx.write(unarchiveStatement(ctx, accountId, id, { answer, scan: false, isImport: true }))
    if (done) ctx.defer(ctx.wakeQueue())
  } catch (error) {
    if (violatedUnique(error) !== 'projects_active_website_unique') throw error
    return `The project is archived: another active project has its website. Archive that one first. ${back}`
  }
  const [found] = await statusOf(ctx.db, id)
  return found?.status === 'Active' ? null : `The project is archived: no project slot is free. ${back}`
}
