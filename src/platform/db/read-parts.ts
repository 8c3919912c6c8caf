import { type Column, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { type AnyPart, type Part, partOf } from './part.ts'
import { columnsOf, type Names, type Returning } from './write-parts.ts'

type ReadOptions = {
  /** Parts to read beside the table. */
  from?: readonly AnyPart[]
  where?: SQL
  orderBy?: SQL
  limit?: number
  /** Holds the table's rows until the transaction ends. `no key update` lets others insert rows that refer to them. */
  lock?: 'update' | 'no key update'
  /** Leaves out rows that another transaction holds, instead of waiting for them. */
  skipLocked?: boolean
}

/** A part that reads rows of a table, evaluated once, and holds them where `lock` is given. */
export const read = <R extends Returning>(
  name: string,
  table: PgTable,
  columns: R,
  { from = [], where, orderBy, limit, lock, skipLocked }: ReadOptions,
): Part<Names<R>> => {
  const pieces = [
    sql`select ${columnsOf(columns)} from ${sql.join([sql`${table}`, ...from.map((part) => part.rows)], sql`, `)}`,
    where && sql`where ${where}`,
    orderBy && sql`order by ${orderBy}`,
    limit !== undefined && sql`limit ${limit}::int`,
    lock && sql`for ${sql.raw(lock)} of ${table}`,
    skipLocked && sql`skip locked`,
  ].filter((piece) => piece !== undefined && piece !== false)
  const body = sql.join(pieces, sql` `)
  return partOf({ name, body, columns: Object.keys(columns) as Names<R>[], materialized: true })
}

/** A part that selects named columns; `rest` is all that follows them, from `from` on. `materialized`: evaluated once. */
export const select = <R extends Returning>(
  name: string,
  columns: R,
  rest: SQL,
  { materialized = false }: { materialized?: boolean } = {},
): Part<Names<R>> => {
  const names = Object.keys(columns) as Names<R>[]
  return partOf({ name, body: sql`select ${columnsOf(columns)} ${rest}`, columns: names, materialized })
}

/** A part that is any other query: its columns are named beside it. */
export const query = <N extends string>(
  name: string,
  columns: readonly N[],
  body: SQL,
  { materialized = false }: { materialized?: boolean } = {},
): Part<N> => partOf({ name, body, columns, materialized })

type List = { column: Column; values: readonly unknown[] } | { type: string; values: readonly unknown[] }

/**
 * A part made of rows that are handed in, one list per column, all of the same length: `list(column, values)`. Its column `n`
 * counts the rows from 1.
 */
export const given = <L extends Record<string, List>>(name: string, lists: L): Part<Extract<keyof L, string> | 'n'> => {
  const names = Object.keys(lists) as Extract<keyof L, string>[]
  const arrays = Object.values(lists).map((list) => {
    const type = 'column' in list ? list.column.getSQLType() : list.type
    return sql`${sql.param([...list.values])}::${sql.raw(type)}[]`
  })
  const aliases = sql.join(
    [...names, 'n'].map((one) => sql`${sql.identifier(one)}`),
    sql`, `,
  )
  const body = sql`select * from unnest(${sql.join(arrays, sql`, `)}) with ordinality as given (${aliases})`
  return partOf({ name, body, columns: [...names, 'n'] })
}

/** The values of one column of rows that are handed in, in the column's type. */
export const list = (column: Column, values: readonly unknown[]): List => ({
  column,
  values: values.map((value) => (value === null ? null : column.mapToDriverValue(value))),
})

/** A part made of rows that are handed in: of each, the fields that have a column here. Its column `n` counts them from 1. */
export const givenRows = <C extends Record<string, Column>>(
  name: string,
  columns: C,
  rows: readonly { [Key in keyof C]: unknown }[],
): Part<Extract<keyof C, string> | 'n'> => {
  const lists = Object.entries(columns).map(([key, column]) => {
    const values = rows.map((row) => row[key])
    return [key, list(column, values)] as const
  })
  return given(name, Object.fromEntries(lists) as Record<Extract<keyof C, string>, List>)
}
