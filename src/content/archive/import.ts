import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { projectExports, projectImports } from '../../../schema/archives.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { holdAccount } from '../../platform/accounts/parts.ts'
import { audit } from '../../platform/db/audit.ts'
import { jsonText } from '../../platform/db/json-text.ts'
import { statement } from '../../platform/db/statement.ts'
import { insert } from '../../platform/db/write-parts.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { importProjectJob } from './jobs.ts'
import type { ImportProject, TakenArchive } from './schemas.ts'

type Import = typeof projectImports.$inferSelect

const KEPT_MS = 7 * 86_400_000

/** Parts in the bucket that become a project. */
type Source = Pick<Import, 'folder' | 'name' | 'parts' | 'sourceUrl'>

type New = { source: Source; expiresAt: Date; body: (id: SQL) => Record<string, unknown> }

const asked = (ctx: Ctx, accountId: number, { source, expiresAt, body }: New): SQL => {
  const now = ctx.now()
  const made = insert(
    'made',
    projectImports,
    { ...source, accountId, state: 'importing', createdAt: now, expiresAt },
    { onConflict: 'ignore', returning: { id: projectImports.id } },
  )
  const payload = { import_id: made.c.id }
  return statement({
    parts: [
      made,
      importProjectJob.enqueue({ from: made, account: accountId, payload, runAt: now, open: 'keep' }),
      ctx.keep.answer([made], jsonText(body(made.c.id))),
    ],
    audit: audit(ctx, { of: made, account: accountId, action: 'project.import', on: ['import', made.c.id] }),
    answer: made.c,
  })
}

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

const begin = async (ctx: Ctx, source: Source) => {
  const { id: accountId } = await ctx.account()
  const expiresAt = new Date(ctx.now().getTime() + KEPT_MS)
  const body = (id: SQL | number) => ({
    import_id: id,
    status: 'importing' as const,
    message: 'The archive is being read. GET /imports/:id says how far it is, and which project it became.',
  })
  const statement = asked(ctx, accountId, { source, expiresAt, body })
  const [made] = await ctx.write<{ id: number }>(statement, [holdAccount(accountId)])
  if (!made) throw busy(undefined)
  ctx.defer(ctx.wakeQueue())
  return { ...body(0), import_id: Number(made.id) }
}

const importFile = async (ctx: Ctx, { name, parts, sourceUrl, hold }: TakenArchive) => {
  const [[running]] = await ctx.read((owner) => [runningOf(ctx, owner)])
  if (running) throw busy(running.id)
  try {
    const begun = await begin(ctx, { folder: 'project-imports', name, parts, sourceUrl })
    hold()
    return begun
  } catch (error) {
    // It is not known whether the row was written: its parts stay.
    if (error instanceof ApiError && error.code === 'unavailable') hold()
    throw error
  }
}

const importExport = async (ctx: Ctx, id: number) => {
  const [[running], [found]] = await ctx.read((owner) => [runningOf(ctx, owner), exportOf(ctx, owner, id)])
  const { state, name, parts } = owned(found, 'export')
  if (state !== 'ready')
    throw new ApiError('edit_conflict', 'The archive is not ready, or it could not be made.', { retry_after: 5 })
  if (running) throw busy(running.id)
  return await begin(ctx, { folder: 'project-exports', name, parts, sourceUrl: ctx.settings.publicUrl })
}

/**
 * Starts an import from an archive that was sent, or from one of the account's own. Throws 400 unless exactly one is given,
 * 404 and 403 for the export, and 409 while it is being made or another import of the account runs.
 */
export const importProject = async (ctx: Ctx, { file, export_id: exportId }: z.infer<typeof ImportProject>) => {
  if ((file === undefined) === (exportId === undefined)) {
    const message = file === undefined ? 'give a file or export_id' : 'give only one of file and export_id'
    throw invalidInput(['file', 'export_id'].map((field) => ({ field, message })))
  }
  return file === undefined ? await importExport(ctx, exportId ?? 0) : await importFile(ctx, file.file)
}

/** Imports of an account, newest first. */
export const listImports = async ({ db }: Pick<Ctx, 'db'>, accountId: number) =>
  await db
    .select()
    .from(projectImports)
    .where(eq(projectImports.accountId, accountId))
    .orderBy(desc(projectImports.id))
    .limit(10)

/** Returns the progress of an import. Throws 403 and 404. */
export const showImport = async (ctx: Ctx, id: number) => {
  const [[found]] = await ctx.read((owner) => [importById(ctx, owner, id)])
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
