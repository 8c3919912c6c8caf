import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { projectImportIds, projectImports } from '../../../schema/archives.ts'
import { articleRevisions, articles } from '../../../schema/articles.ts'
import { connections } from '../../../schema/connections.ts'
import { deliveries, deliveryAttempts } from '../../../schema/deliveries.ts'
import { integrations } from '../../../schema/integrations.ts'
import { policies, policyVersions } from '../../../schema/policies.ts'
import { projects } from '../../../schema/projects.ts'
import { projectKeywords, sitePages } from '../../../schema/site.ts'
import { articleTranslations } from '../../../schema/translations.ts'
import { type ArchiveCounts, NUMBERED_KINDS, type NumberedKind } from '../../../schema/values/archives.ts'
import { type Db, rowsOf } from '../../platform/db/client.ts'
import { insertWhere } from '../../platform/db/writes.ts'
import { type Ctx, sendBatch } from '../../platform/runtime/ctx.ts'
import { type HostedImage, holdImages } from '../media/store.ts'
import { BadArchive, type ReadLine } from './lines.ts'

const SEQUENCES: Record<NumberedKind | 'project', string> = {
  project: 'projects_id_seq',
  integration: 'integrations_id_seq',
  article: 'articles_id_seq',
  delivery: 'deliveries_id_seq',
}

type Known = [kind: NumberedKind, oldId: number, newId: number][]

/** New ids of the rows of an archive. */
export type Ids = {
  /** Returns the new id of a row. Throws `BadArchive` if no line up to this part has the row. */
  of: (kind: NumberedKind, oldId: number) => number
  /** Ids that this part adds. */
  added: Known
  project: number
}

const ownId = ({ kind, row }: ReadLine): [NumberedKind, number] | undefined =>
  kind === 'integration' || kind === 'article' || kind === 'delivery' ? [kind, row.id] : undefined

const refersTo = ({ kind, row }: ReadLine): [NumberedKind, number | null][] => {
  if (kind === 'revision' || kind === 'translation') return [['article', row.article_id]]
  if (kind !== 'delivery') return []
  return [
    ['integration', row.integration_id],
    ['article', row.article_id],
    ['delivery', row.replay_of],
  ]
}

const keyOf = (kind: NumberedKind, id: number): string => `${kind}:${id}`

const drawn = (kind: NumberedKind | 'project', count: number): SQL =>
  sql`(select coalesce(json_agg(nextval(${SEQUENCES[kind]}::regclass)), '[]') from generate_series(1, ${count}::int))`

/** Allocates ids for the rows of a part, and reads the ids of rows it refers to. Throws `BadArchive` for a repeated id. */
export const idsFor = async (ctx: Ctx, importId: number, lines: readonly ReadLine[]): Promise<Ids> => {
  const own = lines.map(ownId).filter((pair) => pair !== undefined)
  const asked = [...own, ...lines.flatMap(refersTo)].filter((pair): pair is [NumberedKind, number] => pair[1] !== null)
  const counts = Object.fromEntries(NUMBERED_KINDS.map((kind) => [kind, own.filter(([one]) => one === kind).length]))
  const { importId: ofImport, kind, oldId, newId } = projectImportIds
  const [found] = await rowsOf<{ fresh: Record<NumberedKind | 'project', number[]>; known: Known }>(
    ctx.db,
    sql`select json_build_object(
        'project', ${drawn('project', lines.some((line) => line.kind === 'project') ? 1 : 0)},
        'integration', ${drawn('integration', counts.integration ?? 0)},
        'article', ${drawn('article', counts.article ?? 0)},
        'delivery', ${drawn('delivery', counts.delivery ?? 0)}) as fresh,
      (select coalesce(json_agg(json_build_array(${kind}, ${oldId}, ${newId})), '[]') from ${projectImportIds}
        where ${ofImport} = ${importId}::int and (${kind}, ${oldId}) in (select * from unnest(
          ${sql.param(asked.map(([one]) => one))}::text[], ${sql.param(asked.map(([, one]) => one))}::int[]))) as known`,
  )
  if (!found) throw new Error('the ids of a part are one row')
  const ids = new Map(found.known.map(([one, from, to]) => [keyOf(one, from), Number(to)]))
  const added: Known = []
  for (const [one, from] of own) {
    if (ids.has(keyOf(one, from))) throw new BadArchive(`two rows of the type ${one} have the id ${from}`)
    const to = Number(found.fresh[one].shift())
    ids.set(keyOf(one, from), to)
    added.push([one, from, to])
  }
  return {
    of: (one, from) => {
      const to = ids.get(keyOf(one, from))
      if (to === undefined) throw new BadArchive(`a row names the ${one} ${from}, which is not before it`)
      return to
    },
    added,
    project: Number(found.fresh.project[0] ?? 0),
  }
}

type Import = typeof projectImports.$inferSelect
type New<T extends PgTable> = Partial<Record<keyof T['$inferInsert'], unknown>>

/** Rows of one part, ready to be inserted. */
export type NewRows = {
  project?: { row: New<typeof projects>; policy?: New<typeof policies>; version?: New<typeof policyVersions> }
  integrations: New<typeof integrations>[]
  connections: New<typeof connections>[]
  keywords: New<typeof projectKeywords>[]
  pages: New<typeof sitePages>[]
  articles: New<typeof articles>[]
  revisions: New<typeof articleRevisions>[]
  translations: New<typeof articleTranslations>[]
  deliveries: New<typeof deliveries>[]
  attempts: New<typeof deliveryAttempts>[]
  images: HostedImage[]
  /** Published articles, with the key of their page. */
  published: { articleId: number; urlKey: string }[]
  ids: readonly { kind: string; oldId: number; newId: number }[]
}

/** Returns JSON rows as a row source for `from`, named `given`. JSON allows columns with lists and JSON too. */
const givenRows = (table: PgTable, rows: readonly object[]): SQL => {
  const columns = getTableColumns(table)
  const types = Object.keys(rows[0] ?? {}).map((key) => {
    const column = columns[key]
    if (!column) throw new Error(`the table has no column ${key}`)
    return sql`${sql.identifier(key)} ${sql.raw(column.getSQLType())}`
  })
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (${sql.join(types, sql`, `)})`
}

/** Inserts rows if a condition is met; undefined if there are no rows. With `onConflict`, the first of equal rows stays. */
const inserted = <T extends PgTable>(table: T, rows: readonly New<T>[], condition: SQL, onConflict?: SQL) => {
  if (rows.length === 0) return undefined
  const values = Object.keys(rows[0] ?? {}).map((key) => [key, sql`given.${sql.identifier(key)}`])
  const options = { if: condition, from: givenRows(table, rows), ...(onConflict ? { onConflict } : {}) }
  return insertWhere(table, Object.fromEntries(values) as never, options)
}

/** Condition: the import has not read these lines yet. */
export const isAtPart = (one: Import): SQL =>
  sql`${and(
    eq(projectImports.id, one.id),
    eq(projectImports.partsRead, one.partsRead),
    eq(projectImports.linesRead, one.linesRead),
    eq(projectImports.state, 'importing'),
  )}`

/** Locks the row of an import. */
export const lockImport = (db: Db, one: Import) =>
  db.select({ id: projectImports.id }).from(projectImports).where(eq(projectImports.id, one.id)).for('no key update')

/** Rows of some lines of a part. `linesRead`: lines of the part that are then read; undefined if all are. */
type Part = { projectId: number; counts: ArchiveCounts; rows: NewRows; linesRead: number | undefined }

/**
 * Writes the rows of the next lines, and counts them as read.
 *
 * Writes nothing if another run has read them already or the import has ended.
 */
export const writePart = async (
  { db, now }: Ctx,
  one: Import,
  { projectId, counts, rows, linesRead }: Part,
): Promise<void> => {
  const isNext = sql`exists (select 1 from ${projectImports} where ${isAtPart(one)})`
  const ids = rows.ids.map((pair) => ({ importId: one.id, ...pair }))
  await sendBatch(
    db,
    {
      import: lockImport(db, one),
      projectImportIds: inserted(projectImportIds, ids, isNext),
      projects: rows.project && inserted(projects, [rows.project.row], isNext),
      policies: rows.project?.policy && inserted(policies, [rows.project.policy], isNext),
      policyVersions: rows.project?.version && inserted(policyVersions, [rows.project.version], isNext),
      integrations: inserted(integrations, rows.integrations, isNext),
      connections: inserted(connections, rows.connections, isNext),
      projectKeywords: inserted(projectKeywords, rows.keywords, isNext, sql`do nothing`),
      sitePages: inserted(sitePages, rows.pages, isNext, sql`do nothing`),
      articles: inserted(articles, rows.articles, isNext),
      changedSitePages:
        rows.published.length > 0 &&
        db
          .update(sitePages)
          .set({ articleId: sql`given."articleId"` })
          .from(givenRows(sitePages, rows.published))
          .where(and(eq(sitePages.projectId, projectId), eq(sitePages.urlKey, sql`given."urlKey"`), isNext)),
      articleRevisions: inserted(articleRevisions, rows.revisions, isNext),
      articleTranslations: inserted(articleTranslations, rows.translations, isNext),
      deliveries: inserted(deliveries, rows.deliveries, isNext),
      deliveryAttempts: inserted(deliveryAttempts, rows.attempts, isNext),
      holdImages: holdImages({ accountId: one.accountId, images: rows.images, now: now(), if: isNext }),
      changedProjectImports: db
        .update(projectImports)
        .set({
          ...(linesRead === undefined ? { partsRead: one.partsRead + 1, linesRead: 0 } : { linesRead }),
          counts,
          projectId,
        })
        .where(isAtPart(one)),
    },
    { unaudited: 'the import has its entry' },
  )
}
