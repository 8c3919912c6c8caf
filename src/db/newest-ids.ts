import { and, desc, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'

type Length = { limit: number; offset: number }

/**
 * The ids of a page of a list, newest first, one more than the page shows, as a subquery: asked for whole rows, the planner walks
 * through everybody's newest rows where it takes an account or project for a large one.
 *
 * `of`: a condition for each kind that is listed, of which each has an index that holds its rows by id, so that none reads past
 * another's.
 */
export const newestIds = (
  table: PgTable & { id: AnyPgColumn },
  where: readonly (SQL | undefined)[],
  { limit, offset }: Length,
  of: readonly SQL[] = [],
): SQL => {
  const newest = (kind: SQL | undefined, most: SQL): SQL =>
    sql`(select ${table.id} as id from ${table} where ${and(...where, kind)} order by ${desc(table.id)} limit ${most})`
  const page = sql`${limit + 1}::int offset ${offset}::int`
  if (of.length <= 1) return newest(of[0], page)
  const most = sql`${limit + offset + 1}::int`
  const kinds = sql.join(
    of.map((kind) => newest(kind, most)),
    sql` union all `,
  )
  return sql`(select id from (${kinds}) newest order by id desc limit ${page})`
}
