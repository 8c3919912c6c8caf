import { and, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Paging } from '../lib/paging.ts'
import type { Place } from './kept-query.ts'
import { newestIds } from './newest-ids.ts'

type Page = { limit: number | Place; beforeId?: number | Place | undefined }

/**
 * The newest rows that have one value in a column, by the index of column and id: a condition, and the order with the number of rows.
 *
 * Two things keep the planner from another way, whatever it takes the value's rows for. The value stands in a list, which leaves the
 * column in the order, and only this index has that order; by `column = value order by id` it may walk down the primary key, past
 * everybody's newer rows. And it does not know the number, so that it never finds all rows and sorts them.
 */
export const newestRows = (
  { id }: { id: AnyPgColumn },
  [column, value]: readonly [AnyPgColumn, SQL],
  { limit, beforeId }: Page,
): { where: SQL | undefined; order: SQL } => ({
  where: and(sql`${column} = any(array(select ${value}))`, beforeId === undefined ? undefined : lt(id, beforeId)),
  order: sql`${desc(column)}, ${desc(id)} limit (select ${limit}::int)`,
})

/**
 * A page of the rows that have one value in a column, newest first, one more than the page shows: a condition, and the order.
 *
 * Without filters and rows to skip it is `newestRows`, else ids first. `kinds` as in `newestIds`.
 */
export const newestPage = (
  table: PgTable & { id: AnyPgColumn },
  of: readonly [AnyPgColumn, SQL],
  filters: readonly (SQL | undefined)[],
  { limit, offset, beforeId }: Paging,
  kinds: readonly SQL[] = [],
): { where: SQL | undefined; order: SQL } => {
  const given = [...filters, ...kinds].filter((one) => one !== undefined)
  if (given.length === 0 && offset === 0) return newestRows(table, of, { limit: limit + 1, beforeId })
  const where = [eq(...of), ...filters, beforeId === undefined ? undefined : lt(table.id, beforeId)]
  return { where: inArray(table.id, newestIds(table, where, { limit, offset }, kinds)), order: desc(table.id) }
}
