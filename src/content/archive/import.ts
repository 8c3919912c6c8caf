import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { projectExports, projectImports } from '../../../schema/archives.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { holdAccount } from '../../platform/accounts/parts.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { importProjectJob } from './jobs.ts'
import type { ImportProject, TakenArchive } from './operations.ts'

type Import = typeof projectImports.$inferSelect

const KEPT_MS = 7 * 86_400_000

/** Parts in the bucket that become a project. */
type Source = Pick<Import, 'folder' | 'name' | 'parts' | 'sourceUrl'>

const nextImportId = (ctx: Ctx) => ctx.db.execute<{ id: string }>(sql`select nextval('project_imports_id_seq') as id`)

const importById = (ctx: Ctx, owner: SQL, id: number) =>
  ctx.db
    .select({ row: projectImports, mine: sql<boolean>`coalesce(${projectImports.accountId} = ${owner}, false)` })
    .from(projectImports)
    .where(eq(projectImports.id, id))

const runningOf = (ctx: Ctx, owner: SQL) =>
  ctx.db
    .select({ id: projectImports.id })
    .from(projectImports)
    .where(and(eq(projectImports.accountId, owner), eq(projectImports.state, 'importing')))

const exportOf = (ctx: Ctx, owner: SQL, id: number) =>
  ctx.db
    .select({ row: projectExports, mine: sql<boolean>`coalesce(${projectExports.accountId} = ${owner}, false)` })
    .from(projectExports)
    .where(eq(projectExports.id, id))

const busy = (id: number | undefined) =>
  new ApiError('edit_conflict', 'Another import of the account is running. Wait until it has ended.', {
    retry_after: 10,
    ...(id === undefined
      ? {}
      : { next_calls: [{ method: 'GET', path: `/imports/${id}`, why: 'Shows how far it is.' }] }),
  })

const begin = async (ctx: Ctx, id: number, source: Source) => {
  const { id: accountId } = await ctx.account()
  const now = ctx.now()
  const answer = {
    import_id: id,
    status: 'importing' as const,
    message: 'The archive is being read. GET /imports/:id says how far it is, and which project it became.',
  }
  const expiresAt = new Date(now.getTime() + KEPT_MS)
  const isMade = sql`exists (select 1 from ${projectImports} where ${eq(projectImports.id, id)})`
  const { made } = await ctx.batch({
    account: holdAccount(accountId),
    made: insertWhere(
      projectImports,
      { ...source, id, accountId, requestedBy: ctx.actor(), state: 'importing', createdAt: now, expiresAt },
      { if: 'always', onConflict: sql`do nothing` },
    ),
    ...when(isMade, {
      importProjectJob: enqueue(importProjectJob, { import_id: id }, { account: accountId, runAt: now, open: 'keep' }),
      kept: ctx.keepAnswer(answer),
      audit: audit(ctx, { account: accountId, action: 'project.import', on: ['import', id] }),
    }),
  })
  if (made.length === 0) throw busy(undefined)
  ctx.defer(ctx.wakeQueue())
  return answer
}

const importFile = async (ctx: Ctx, { name, parts, sourceUrl, hold }: TakenArchive) => {
  const {
    running: [running],
    ids,
  } = await ctx.read((owner) => ({ running: runningOf(ctx, owner), ids: nextImportId(ctx) }))
  if (running) throw busy(running.id)
  try {
    const begun = await begin(ctx, Number(ids.rows[0]?.id), { folder: 'project-imports', name, parts, sourceUrl })
    hold()
    return begun
  } catch (error) {
    // The row may have been written, so its parts stay.
    if (error instanceof ApiError && error.code === 'unavailable') hold()
    throw error
  }
}

const importExport = async (ctx: Ctx, id: number) => {
  const {
    running: [running],
    found: [found],
    ids,
  } = await ctx.read((owner) => ({
    running: runningOf(ctx, owner),
    found: exportOf(ctx, owner, id),
    ids: nextImportId(ctx),
  }))
  const { state, name, parts } = owned(found, 'export')
  if (state !== 'ready')
    throw new ApiError('edit_conflict', 'The archive is not ready, or it could not be made.', { retry_after: 5 })
  if (running) throw busy(running.id)
  const source = { folder: 'project-exports', name, parts, sourceUrl: ctx.settings.publicUrl } as const
  return await begin(ctx, Number(ids.rows[0]?.id), source)
}

/**
 * Starts an import from a sent archive, or from an export of the account. Throws 400 unless exactly one is given.
 *
 * Throws 404 and 403 for the export. Throws 409 while it is being made, or while another import of the account runs.
 */
export const importProject = async (ctx: Ctx, { file, export_id: exportId }: z.infer<typeof ImportProject>) => {
  if ((file === undefined) === (exportId === undefined)) {
    const message = file === undefined ? 'give a file or export_id' : 'give only one of file and export_id'
    throw invalidInput(['file', 'export_id'].map((field) => ({ field, message })))
  }
  return file === undefined ? await importExport(ctx, exportId ?? 0) : await importFile(ctx, file.file)
}

/** Returns the imports of an account, newest first. */
export const listImports = async ({ db }: Pick<Ctx, 'db'>, accountId: number) =>
  await db
    .select()
    .from(projectImports)
    .where(eq(projectImports.accountId, accountId))
    .orderBy(desc(projectImports.id))
    .limit(10)

/** Returns the progress of an import. Throws 403 and 404. */
export const showImport = async (ctx: Ctx, id: number) => {
  const [found] = await ctx.read((owner) => importById(ctx, owner, id))
  const one = owned(found, 'import')
  const isDone = one.state === 'completed'
  return {
    import_id: one.id,
    status: one.state,
    parts: one.parts,
    parts_read: one.partsRead,
    counts: one.counts,
    project_id: isDone ? one.projectId : null,
    error: one.error,
    note: one.note,
    created_at: one.createdAt.toISOString(),
    kept_until: one.expiresAt.toISOString(),
  }
}
