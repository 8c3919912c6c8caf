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
import type { AnyPart, Part } from '../../platform/db/part.ts'
import { query } from '../../platform/db/read-parts.ts'
import { type Parts, statement } from '../../platform/db/statement.ts'
import { insert, type NewRow, update } from '../../platform/db/write-parts.ts'
import { holdImages } from '../media/parts.ts'
import type { HostedImage } from '../media/store.ts'

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

/** A part of rows that are handed in as JSON: lists and JSON columns too. */
const jsonRows = (name: string, table: PgTable, rows: readonly object[]): Part<string> => {
  const columns = getTableColumns(table)
  const keys = Object.keys(rows[0] ?? {})
  const types = keys.map((key) => {
    const column = columns[key]
    if (!column) throw new Error(`${name} has no column ${key}`)
    return sql`${sql.identifier(key)} ${sql.raw(column.getSQLType())}`
  })
  const list = sql.join(types, sql`, `)
  return query(name, keys, sql`select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given(${list})`)
}

/** Parts that insert rows once `moved` has its row. */
const inserted = <T extends PgTable>(name: string, table: T, rows: readonly New<T>[], moved: AnyPart): Parts => {
  if (rows.length === 0) return []
  const given = jsonRows(`${name}_given`, table, rows)
  return [given, insert(name, table, given.c as unknown as NewRow<T>, { from: [moved, given] })]
}

/** The same for rows of which the first of equal ones stays. */
const merged = <T extends PgTable>(name: string, table: T, rows: readonly New<T>[], moved: AnyPart): Parts => {
  if (rows.length === 0) return []
  const given = jsonRows(`${name}_given`, table, rows)
  return [given, insert(name, table, given.c as unknown as NewRow<T>, { from: [moved, given], onConflict: 'ignore' })]
}

const linked = (rows: NewRows['published'], projectId: number, moved: AnyPart): Parts => {
  if (rows.length === 0) return []
  const given = jsonRows('published', sitePages, rows)
  const link = update(
    'linked',
    sitePages,
    { articleId: given.c.articleId as SQL },
    {
      from: [moved, given],
      where: sql`${eq(sitePages.projectId, projectId)} and ${sitePages.urlKey} = ${given.c.urlKey}`,
    },
  )
  return [given, link]
}

/**
 * Writes the rows of the next part of an archive, and that it was read. No row, and nothing written, if another run has read it
 * already or the import has ended.
 */
export const writePart = (
  one: Import,
  { projectId, counts, rows, now }: { projectId: number; counts: ArchiveCounts; rows: NewRows; now: Date },
): SQL => {
  const { accountId } = one
  const moved = update(
    'moved',
    projectImports,
    { partsRead: one.partsRead + 1, counts, projectId },
    {
      where: sql`${and(
        eq(projectImports.id, one.id),
        eq(projectImports.partsRead, one.partsRead),
        eq(projectImports.state, 'importing'),
      )}`,
      returning: { id: projectImports.id },
    },
  )
  const ids = rows.ids.map((pair) => ({ importId: one.id, ...pair }))
  return statement({
    unaudited: 'the import has its entry',
    parts: [
      moved,
      inserted('ids', projectImportIds, ids, moved),
      rows.project ? inserted('project', projects, [rows.project.row], moved) : [],
      rows.project?.policy ? inserted('policy', policies, [rows.project.policy], moved) : [],
      rows.project?.version ? inserted('version', policyVersions, [rows.project.version], moved) : [],
      inserted('integrations_new', integrations, rows.integrations, moved),
      inserted('connections_new', connections, rows.connections, moved),
      merged('keywords', projectKeywords, rows.keywords, moved),
      merged('pages', sitePages, rows.pages, moved),
      inserted('articles_new', articles, rows.articles, moved),
      linked(rows.published, projectId, moved),
      inserted('revisions', articleRevisions, rows.revisions, moved),
      inserted('deliveries_new', deliveries, rows.deliveries, moved),
      inserted('attempts', deliveryAttempts, rows.attempts, moved),
      holdImages('images', { accountId, images: rows.images, now, from: [moved] }),
    ],
    answer: moved.c,
  })
}
