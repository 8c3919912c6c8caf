import { and, desc, eq, gt, type SQL, sql } from 'drizzle-orm'
import { projectExports } from '../../../schema/archives.ts'
import { projects } from '../../../schema/projects.ts'
import {
  ARCHIVE_KINDS,
  type ArchiveCounts,
  type ArchiveKind,
  type ArchivePosition,
} from '../../../schema/values/archives.ts'
import { checkOwner, ownerRefusal } from '../../accounts/people/members.ts'
import { type Administrator, administratorOf, isMemberOf } from '../../accounts/people/roles.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { holdAccount } from '../../platform/accounts/parts.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { streamed } from '../../platform/http/route.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { makeInParts } from '../../platform/jobs/file-in-parts.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import { base64Url } from '../../platform/lib/crypto.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { partName } from '../../platform/runtime/bucket.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { exportProjectJob } from './jobs.ts'
import { FORMAT } from './lines.ts'
import { ROWS } from './rows.ts'

const KEPT_MS = 7 * 86_400_000
/** Shortest time between two archives of one project. */
const APART_MS = 60_000
/** Characters of one part. A run holds one part and one image in memory. */
const PART_CHARACTERS = 2 * 1024 * 1024
const FOLDER = 'project-exports'

type Export = typeof projectExports.$inferSelect

const nextExportId = (ctx: Ctx) => ctx.db.execute<{ id: string }>(sql`select nextval('project_exports_id_seq') as id`)

const projectIn = (ctx: Ctx, owner: SQL, id: number) =>
  ctx.db
    .select({ row: { id: projects.id }, mine: sql<boolean>`coalesce(${projects.accountId} = ${owner}, false)` })
    .from(projects)
    .where(eq(projects.id, id))

const startExport = async (ctx: Ctx, by: Administrator, projectId: number, id: number) => {
  const now = ctx.now()
  const { accountId } = by
  const name = base64Url(crypto.getRandomValues(new Uint8Array(24)))
  const expiresAt = new Date(now.getTime() + KEPT_MS)
  const answer = {
    export_id: id,
    project_id: projectId,
    status: 'making' as const,
    kept_until: expiresAt.toISOString(),
    message: 'The archive is being made. GET /exports/:id says when it is ready; GET /exports/:id/archive sends it.',
  }
  const since = new Date(now.getTime() - APART_MS)
  const lately = and(eq(projectExports.projectId, projectId), gt(projectExports.createdAt, since))
  const isMade = sql`exists (select 1 from ${projectExports} where ${eq(projectExports.id, id)})`
  const { made } = await ctx.batch({
    account: holdAccount(accountId),
    made: insertWhere(
      projectExports,
      { id, accountId, projectId, name, requestedBy: by.email, state: 'making', createdAt: now, expiresAt },
      {
        if: sql`not exists (select 1 from ${projectExports} where ${lately}) and ${isMemberOf(accountId, by.id, 'owner')}`,
        onConflict: sql`do nothing`,
      },
    ),
    ...when(isMade, {
      exportProjectJob: enqueue(exportProjectJob, { export_id: id }, { account: accountId, runAt: now, open: 'keep' }),
      kept: ctx.keepAnswer(answer),
      audit: audit(ctx, {
        account: accountId,
        action: 'project.export',
        on: ['project', projectId],
        detail: { export_id: id },
      }),
    }),
  })
  const why = 'An archive of this project is being made, or was requested less than a minute ago.'
  if (made.length === 0) throw await ownerRefusal(ctx, by, why, 'edit_conflict', { retry_after: 60 })
  ctx.defer(ctx.wakeQueue())
  return answer
}

/**
 * Starts an archive of a project for an owner. Throws 404 or 403 for the project, and 403 if the person is not an owner.
 *
 * Throws 409 if an archive of the project is being made or was requested within the last minute.
 */
export const exportProjectAs = async (ctx: Ctx, by: Administrator, projectId: number) => {
  checkOwner(by)
  const {
    project: [project],
    ids,
  } = await ctx.read((owner) => ({ project: projectIn(ctx, owner, projectId), ids: nextExportId(ctx) }))
  owned(project, 'project')
  return await startExport(ctx, by, projectId, Number(ids.rows[0]?.id))
}

/** Starts an archive of a project for a caller with the scope `admin`. Throws the same errors. */
export const exportProject = async (ctx: Ctx, projectId: number) => {
  const {
    by,
    results: {
      project: [project],
      ids,
    },
  } = await administratorOf(ctx, (owner) => ({ project: projectIn(ctx, owner, projectId), ids: nextExportId(ctx) }))
  owned(project, 'project')
  return await startExport(ctx, by, projectId, Number(ids.rows[0]?.id))
}

/** Returns archives of an account's projects that are being made or kept, newest first. */
export const listProjectExports = async ({ db, now }: Pick<Ctx, 'db' | 'now'>, accountId: number) =>
  await db
    .select()
    .from(projectExports)
    .where(and(eq(projectExports.accountId, accountId), gt(projectExports.expiresAt, now())))
    .orderBy(desc(projectExports.id))
    .limit(20)

const exportById = async (ctx: Ctx, id: number): Promise<Export> => {
  const [found] = await ctx.read((owner) =>
    ctx.db
      .select({ row: projectExports, mine: sql<boolean>`coalesce(${projectExports.accountId} = ${owner}, false)` })
      .from(projectExports)
      .where(eq(projectExports.id, id)),
  )
  return owned(found, 'export')
}

const rowsIn = (counts: ArchiveCounts): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Returns the progress of an archive. Throws 403 and 404. */
export const showExport = async (ctx: Ctx, id: number) => {
  const one = await exportById(ctx, id)
  return {
    export_id: one.id,
    project_id: one.projectId,
    status: one.state,
    step: one.state === 'making' ? (one.position?.kind ?? ARCHIVE_KINDS[0]) : null,
    rows: rowsIn(one.counts),
    counts: one.counts,
    bytes: one.bytes,
    created_at: one.createdAt.toISOString(),
    kept_until: one.expiresAt.toISOString(),
  }
}

async function* linesOf(
  ctx: Pick<Ctx, 'media'>,
  one: Pick<Export, 'name' | 'parts' | 'counts'>,
): AsyncGenerator<string> {
  for (let n = 0; n < one.parts; n += 1) {
    const part = await ctx.media.get(partName(FOLDER, one.name, n))
    if (!part) throw new Error(`part ${n} of the archive is missing`)
    yield await new Response(part.body).text()
  }
  yield `${JSON.stringify({ type: 'end', counts: one.counts })}\n`
}

const notReady = (state: Export['state']): ApiError =>
  state === 'making'
    ? new ApiError('edit_conflict', 'The archive is still being made.', { retry_after: 5 })
    : new ApiError('not_found', 'The archive could not be made. Ask for another.')

/** Sends an archive as lines of JSON, one row each. Throws 403, 404, and 409 while it is being made. */
export const sendArchive = async (ctx: Ctx, id: number) => {
  const one = await exportById(ctx, id)
  if (one.state !== 'ready') throw notReady(one.state)
  return streamed(linesOf(ctx, one))
}

/** Returns the pieces of an archive that is ready, for an owner. Throws 403 and 404. */
export const readArchive = async (
  ctx: Ctx,
  by: Pick<Administrator, 'role' | 'accountId'>,
  id: number,
): Promise<AsyncIterable<string>> => {
  checkOwner(by)
  const one = (await listProjectExports(ctx, by.accountId)).find((row) => row.id === id && row.state === 'ready')
  if (!one) throw new ApiError('not_found', 'There is no such archive: it is not ready yet, or it was deleted.')
  return linesOf(ctx, one)
}

const headOf = (ctx: Ctx, one: Export): string =>
  `${JSON.stringify({
    type: 'archive',
    format: FORMAT,
    source_url: ctx.settings.publicUrl,
    project_id: one.projectId,
    exported_at: one.createdAt.toISOString(),
  })}\n`

type NextRows = Awaited<ReturnType<(typeof ROWS)[ArchiveKind]>>
type Reading = { lines: string[]; position: ArchivePosition | null; counts: ArchiveCounts }

/** Reads rows until the part is full or everything is read. `position` is null at the end. */
const readPart = async (ctx: Ctx, one: Export): Promise<Reading> => {
  const counts: ArchiveCounts = { ...one.counts }
  const lines = one.parts === 0 ? [headOf(ctx, one)] : []
  let size = 0
  let position: ArchivePosition | null = one.position ?? { kind: ARCHIVE_KINDS[0], after: [] }
  // The project is a part of its own, because an import needs it to judge articles.
  const isOver = () => size >= PART_CHARACTERS || (one.parts === 0 && size > 0)
  while (position && !isOver()) {
    const { kind, after }: ArchivePosition = position
    const { rows, limit }: NextRows = await ROWS[kind](ctx, one, after)
    for (const { row } of rows) {
      const line = `${JSON.stringify({ type: kind, ...row })}\n`
      lines.push(line)
      size += line.length
    }
    counts[kind] = (counts[kind] ?? 0) + rows.length
    const next = ARCHIVE_KINDS[ARCHIVE_KINDS.indexOf(kind) + 1]
    const last = rows.at(-1)
    position =
      last !== undefined && rows.length === limit
        ? { kind, after: last.key }
        : next === undefined
          ? null
          : { kind: next, after: [] }
  }
  return { lines, position, counts }
}

/** Makes an archive part by part. Deletes it when it has expired. */
export const runProjectExport = (ctx: Ctx, exportId: number): Promise<JobResult> =>
  makeInParts(ctx, {
    folder: FOLDER,
    contentType: 'application/x-ndjson',
    read: async () => (await ctx.db.select().from(projectExports).where(eq(projectExports.id, exportId)))[0],
    next: async (one) => {
      const { lines, position, counts } = await readPart(ctx, one)
      const bytes = Uint8Array.from(new TextEncoder().encode(lines.join('')))
      const progress = {
        ...(position === null ? { state: 'ready' as const } : { position }),
        parts: one.parts + 1,
        counts,
        bytes: one.bytes + bytes.length,
      }
      return { bytes, progress }
    },
    save: async (one, progress) => {
      const isStill = and(eq(projectExports.id, one.id), eq(projectExports.parts, one.parts))
      await ctx.db.update(projectExports).set(progress).where(isStill)
    },
    drop: async (one) => await ctx.db.delete(projectExports).where(eq(projectExports.id, one.id)),
  })

/** Marks an archive as failed. */
export const giveUpProjectExport = async (ctx: Ctx, exportId: number): Promise<void> => {
  await ctx.db.update(projectExports).set({ state: 'failed' }).where(eq(projectExports.id, exportId))
}
