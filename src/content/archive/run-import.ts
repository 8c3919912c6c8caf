import { and, eq, type SQL, sql } from 'drizzle-orm'
import { projectImportIds, projectImports } from '../../../schema/archives.ts'
import { articles } from '../../../schema/articles.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import { policies } from '../../../schema/policies.ts'
import { projects } from '../../../schema/projects.ts'
import type { ArchiveKind } from '../../../schema/values/archives.ts'
import type { ARTICLE_STATUSES } from '../../../schema/values/articles.ts'
import { freezeImported } from '../../accounts/policy/change.ts'
import { isPerson } from '../../accounts/policy/rules.ts'
import { activateImported } from '../../accounts/projects/archive.ts'
import { violatedUnique } from '../../platform/db/client.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import { hasCallsLeft } from '../../platform/lib/request-scope.ts'
import { clip } from '../../platform/lib/text.ts'
import { deleteParts, partName } from '../../platform/runtime/bucket.ts'
import { type Ctx, sendBatch } from '../../platform/runtime/ctx.ts'
import { BadArchive, type ReadLine, readLine } from './lines.ts'
import { addLine, emptyImportOf, importedBy } from './new-rows.ts'
import { idsFor, isAtPart, lockImport, writePart } from './write.ts'

/** Time limit of one run. The next run follows at once. */
const RUN_MS = 45_000

type Import = typeof projectImports.$inferSelect

const linesOf = async (ctx: Ctx, one: Import): Promise<string[]> => {
  const part = await ctx.media.get(partName(one.folder, one.name, one.partsRead))
  if (!part) throw new Error(`part ${one.partsRead} of the archive is missing`)
  const lines = (await new Response(part.body).text()).split('\n').filter((line) => line !== '')
  // The first line was checked when the archive arrived.
  return one.partsRead === 0 ? lines.slice(1) : lines
}

/** Calls to another Worker for one line: its HTML is made safe, and that of an article also judged. */
const CALLS: Partial<Record<ArchiveKind, number>> = { article: 2, revision: 1, delivery: 1 }
const MOST_CALLS_OF_LINE = 2

/** Returns the lines that the calls of the run last for; at least one. */
const affordable = (lines: readonly ReadLine[]): readonly ReadLine[] => {
  let calls = 0
  const end = lines.findIndex(({ kind }, n) => {
    calls += CALLS[kind] ?? 0
    return n > 0 && !hasCallsLeft(calls)
  })
  return end < 0 ? lines : lines.slice(0, end)
}

/** Writes the rows of the next lines of a part, as far as the calls of a run last. Throws `BadArchive`. */
const readPart = async (ctx: Ctx, one: Import): Promise<void> => {
  const lines = (await linesOf(ctx, one)).map(readLine)
  const isFirst = one.partsRead === 0
  if (isFirst !== (lines[0]?.kind === 'project') || lines.slice(1).some(({ kind }) => kind === 'project'))
    throw new BadArchive('its second line is the project, and no other line is')
  const next = affordable(lines.slice(one.linesRead))
  const ids = await idsFor(ctx, one.id, next)
  const projectId = one.projectId ?? ids.project
  const making = emptyImportOf(ctx, one, ids, projectId)
  const counts = { ...one.counts }
  for (const line of next) {
    counts[line.kind] = (counts[line.kind] ?? 0) + 1
    await addLine(making, line)
  }
  try {
    const linesRead = one.linesRead + next.length
    await writePart(ctx, one, {
      projectId,
      counts,
      rows: making.rows,
      linesRead: linesRead < lines.length ? linesRead : undefined,
    })
  } catch (error) {
    const constraint = violatedUnique(error)
    throw constraint === undefined ? error : new BadArchive(`two rows are the same one (${constraint})`)
  }
}

/** Deletes the parts of an uploaded archive. An export of this service stays. */
const dropParts = async (ctx: Ctx, one: Import): Promise<void> => {
  if (one.folder === 'project-imports') await deleteParts(ctx.media, one.folder, one)
}

const dropIds = ({ db }: Ctx, one: Import) => db.delete(projectImportIds).where(eq(projectImportIds.importId, one.id))

/** Ends an import as failed and deletes its unfinished project. */
const fail = async (ctx: Ctx, one: Import, error: string): Promise<void> => {
  const unfinished = and(
    eq(projects.id, one.projectId ?? 0),
    eq(projects.accountId, one.accountId),
    eq(projects.status, 'Archived'),
    sql`exists (select 1 from ${projectImports} where ${isAtPart(one)})`,
  )
  await sendBatch(
    ctx.db,
    {
      import: lockImport(ctx.db, one),
      deletedProjects: ctx.db.delete(projects).where(unfinished),
      changedProjectImports: ctx.db
        .update(projectImports)
        .set({ state: 'failed', error: clip(error, 1_000), projectId: null })
        .where(isAtPart(one)),
      dropIds: dropIds(ctx, one),
    },
    { unaudited: 'what an import left' },
  )
  await dropParts(ctx, one)
}

const PUBLISHED: (typeof ARTICLE_STATUSES)[number] = 'Published'

/** Condition: the archive brought a policy, deliveries, or posts of articles. A file can say anything of them. */
const bringsHistory = (projectId: number): SQL =>
  sql`(exists (select 1 from ${policies} where ${eq(policies.projectId, projectId)})
    or exists (select 1 from ${deliveries} where ${eq(deliveries.projectId, projectId)})
    or exists (select 1 from ${articles} where ${eq(articles.projectId, projectId)} and (${eq(articles.status, PUBLISHED)}
      or ${articles.remoteId} is not null or ${articles.url} is not null or ${articles.sentAsDraftAt} is not null)))`

/** Freezes a project that a key imported with a history, until a person confirms it. Returns the note that says so, or null. */
const freeze = async (ctx: Ctx, one: Import): Promise<string | null> => {
  const projectId = one.projectId ?? 0
  if (isPerson(one.requestedBy ?? '')) return null
  const imported = { projectId, accountId: one.accountId, changedBy: importedBy(one) }
  const { policy } = await sendBatch(ctx.db, freezeImported(ctx, imported, bringsHistory(projectId)), {
    unaudited: 'the import has its entry',
  })
  if (policy.length === 0) return null
  return `The project is frozen: its policy, deliveries and posts are those of the file. A person confirms them by turning the freeze off at ${ctx.settings.publicUrl}/p/${projectId}/policy.`
}

/** Ends an import after its last part, and activates the project if the account allows it. */
const complete = async (ctx: Ctx, one: Import): Promise<void> => {
  const frozen = await freeze(ctx, one)
  const archived = await activateImported(ctx, one.accountId, one.projectId ?? 0)
  const note = [frozen, archived].filter((part) => part !== null).join(' ') || null
  await sendBatch(
    ctx.db,
    {
      changedProjectImports: ctx.db.update(projectImports).set({ state: 'completed', note }).where(isAtPart(one)),
      dropIds: dropIds(ctx, one),
    },
    { unaudited: 'the import has its entry' },
  )
  await dropParts(ctx, one)
}

const forget = async (ctx: Ctx, one: Import): Promise<void> => {
  await dropParts(ctx, one)
  await ctx.db.delete(projectImports).where(eq(projectImports.id, one.id))
}

const importOf = async (ctx: Ctx, id: number): Promise<Import | undefined> =>
  (await ctx.db.select().from(projectImports).where(eq(projectImports.id, id)))[0]

/**
 * Creates a project from an archive, part by part. The project stays archived until every part is written.
 *
 * One batch writes rows and counts their lines as read, so a run that crashed duplicates nothing. A run begins no further line after
 * 24 calls to other Workers.
 */
export const runProjectImport = async (ctx: Ctx, importId: number): Promise<JobResult> => {
  const endsAt = ctx.now().getTime() + RUN_MS
  let one = await importOf(ctx, importId)
  while (one?.state === 'importing') {
    if (ctx.now().getTime() > endsAt || !hasCallsLeft(MOST_CALLS_OF_LINE)) return { kind: 'later', at: ctx.now() }
    try {
      if (one.partsRead < one.parts) await readPart(ctx, one)
      else await complete(ctx, one)
    } catch (error) {
      if (!(error instanceof BadArchive)) throw error
      await fail(ctx, one, error.message)
    }
    one = await importOf(ctx, importId)
  }
  if (!one) return { kind: 'done' }
  if (one.expiresAt > ctx.now()) return { kind: 'later', at: one.expiresAt }
  await forget(ctx, one)
  return { kind: 'done' }
}

/** Fails an import whose runs failed too often. */
export const giveUpProjectImport = async (ctx: Ctx, importId: number): Promise<void> => {
  const one = await importOf(ctx, importId)
  if (one?.state === 'importing')
    await fail(ctx, one, 'The service could not finish the import. No data of it was kept.')
}
