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
import type { ArchiveCounts } from '../../../schema/values/archives.ts'
import type { Db } from '../../platform/db/client.ts'
import { insertWhere } from '../../platform/db/writes.ts'
import { type Ctx, sendBatch } from '../../platform/runtime/ctx.ts'
import type { HostedImage } from '../media/store.ts'
import { holdImages } from '../media/writes.ts'

type Import = typeof projectImports.$inferSelect
type New<T extends PgTable> = Partial<Record<keyof T['$inferInsert'], unknown>>

/** Rows of a part of an archive, as they are written. */
export type NewRows = {
  project?: { row: New<typeof projects>; policy?: New<typeof policies>; version?: New<typeof policyVersions> }
  integrations: New<typeof integrations>[]
  connections: New<typeof connections>[]
  keywords: New<typeof projectKeywords>[]
  pages: New<typeof sitePages>[]
  articles: New<typeof articles>[]
  revisions: New<typeof articleRevisions>[]
  deliveries: New<typeof deliveries>[]
  attempts: New<typeof deliveryAttempts>[]
  images: HostedImage[]
  /** The page that a published article is, by its key. */
  published: { articleId: number; urlKey: string }[]
  ids: readonly { kind: string; oldId: number; newId: number }[]
}

/** Returns rows that are handed in as JSON, as a row source for `from`: lists and JSON columns too. They are `given.name`. */
const givenRows = (table: PgTable, rows: readonly object[]): SQL => {
  const columns = getTableColumns(table)
  const types = Object.keys(rows[0] ?? {}).map((key) => {
    const column = columns[key]
    if (!column) throw new Error(`the table has no column ${key}`)
    return sql`${sql.identifier(key)} ${sql.raw(column.getSQLType())}`
  })
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (${sql.join(types, sql`, `)})`
}

/** Inserts rows if a condition is met; undefined if there are none. With `onConflict` the first of equal ones stays. */
const inserted = <T extends PgTable>(table: T, rows: readonly New<T>[], condition: SQL, onConflict?: SQL) => {
  if (rows.length === 0) return undefined
  const values = Object.keys(rows[0] ?? {}).map((key) => [key, sql`given.${sql.identifier(key)}`])
  const options = { if: condition, from: givenRows(table, rows), ...(onConflict ? { onConflict } : {}) }
  return insertWhere(table, Object.fromEntries(values) as never, options)
}

/** Condition: the import is at this part. */
export const isStill = (one: Import): SQL =>
  sql`${and(
    eq(projectImports.id, one.id),
    eq(projectImports.partsRead, one.partsRead),
    eq(projectImports.state, 'importing'),
  )}`

/** Locks an import. */
export const lockImport = (db: Db, one: Import) =>
  db.select({ id: projectImports.id }).from(projectImports).where(eq(projectImports.id, one.id)).for('no key update')

type Part = { projectId: number; counts: ArchiveCounts; rows: NewRows }

/**
 * Writes the rows of the next part of an archive, and that it was read. Nothing is written if another run has read it already or the
 * import has ended.
 */
export const writePart = async ({ db, now }: Ctx, one: Import, { projectId, counts, rows }: Part): Promise<void> => {
  const isNext = sql`exists (select 1 from ${projectImports} where ${isStill(one)})`
  const ids = rows.ids.map((pair) => ({ importId: one.id, ...pair }))
  await sendBatch(
    db,
    [
      lockImport(db, one),
      inserted(projectImportIds, ids, isNext),
      rows.project && inserted(projects, [rows.project.row], isNext),
      rows.project?.policy && inserted(policies, [rows.project.policy], isNext),
      rows.project?.version && inserted(policyVersions, [rows.project.version], isNext),
      inserted(integrations, rows.integrations, isNext),
      inserted(connections, rows.connections, isNext),
      inserted(projectKeywords, rows.keywords, isNext, sql`do nothing`),
      inserted(sitePages, rows.pages, isNext, sql`do nothing`),
      inserted(articles, rows.articles, isNext),
      rows.published.length > 0 &&
        db
          .update(sitePages)
          .set({ articleId: sql`given."articleId"` })
          .from(givenRows(sitePages, rows.published))
          .where(and(eq(sitePages.projectId, projectId), eq(sitePages.urlKey, sql`given."urlKey"`), isNext)),
      inserted(articleRevisions, rows.revisions, isNext),
      inserted(deliveries, rows.deliveries, isNext),
      inserted(deliveryAttempts, rows.attempts, isNext),
      holdImages({ accountId: one.accountId, images: rows.images, now: now(), if: isNext }),
      db
        .update(projectImports)
        .set({ partsRead: one.partsRead + 1, counts, projectId })
        .where(isStill(one)),
    ],
    { unaudited: 'the import has its entry' },
  )
}
