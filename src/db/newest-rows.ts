import { and, between, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Paging } from '../lib/paging.ts'
import type { Place } from './kept-query.ts'
import { newestIds } from './newest-ids.ts'

type Page = { limit: number | Place; beforeId?: number | Place | undefined }

/** A second column, whose rows of one value an index holds by id behind the first. */
type Kind = readonly [AnyPgColumn, string]

/**
 * The newest rows that have one value in a column, by the index of column and id: a condition, and the order with the number of rows.
 * With `kind` those that have one value in that column, too, by the index of both and id.
 *
 * Two things keep the planner from another way, whatever it takes the value's rows for. The value stands in a list, and the kind
 * between its value and the same, which leaves both columns in the order, and only this index has that order; by
 * `column = value order by id` it may walk down the primary key, past everybody's newer rows. And it does not know the number, so
 * that it never finds all rows and sorts them.
 */
export const newestRows = (
  { id }: { id: AnyPgColumn },
  [column, value]: readonly [AnyPgColumn, SQL],
  { limit, beforeId }: Page,
  kind?: Kind,
): { where: SQL | undefined; order: SQL } => ({
  where: and(
    sql`${column} = any(array(select ${value}))`,
    kind && between(kind[0], kind[1], kind[1]),
    beforeId === undefined ? undefined : lt(id, beforeId),
  ),
  order: sql`${desc(column)}, ${kind ? sql`${desc(kind[0])}, ` : sql``}${desc(id)} limit (select ${limit}::int)`,
})

/** What a page is narrowed to: conditions, and a column of which an index holds the rows of one value. */
type Narrowed = { filters?: readonly (SQL | undefined)[]; kind?: Kind | undefined; kinds?: readonly SQL[] }

/**
 * A page of the rows that have one value in a column, newest first, one more than the page shows: a condition, and the order.
 *
 * Without filters and rows to skip it is `newestRows`, else ids first. `kinds` as in `newestIds`.
 */
export const newestPage = (
  table: PgTable & { id: AnyPgColumn },
  of: readonly [AnyPgColumn, SQL],
  { filters = [], kind, kinds = [] }: Narrowed,
  { limit, offset, beforeId }: Paging,
): { where: SQL | undefined; order: SQL } => {
  const given = [...filters, ...kinds].filter((one) => one !== undefined)
  if (given.length === 0 && offset === 0) return newestRows(table, of, { limit: limit + 1, beforeId }, kind)
  const where = [
    eq(...of),
    ...filters,
    kind && eq(...kind),
    beforeId === undefined ? undefined : lt(table.id, beforeId),
  ]
  return { where: inArray(table.id, newestIds(table, where, { limit, offset }, kinds)), order: desc(table.id) }
}
