import {
  type Column,
  getTableColumns,
  getTableName,
  type Name,
  SQL,
  type SQLChunk,
  StringChunk,
  sql,
} from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { type AnyPart, type Part, partOf } from './part.ts'

/** New row: for each column a value of its type, or an expression. Required columns are required here too. */
type RowOf<Insert> = { [Key in keyof Insert]: Insert[Key] | SQL }
export type NewRow<T extends PgTable> = RowOf<T['$inferInsert']>
/** Columns to change with their new values. What is undefined stays. */
export type Changes<T extends PgTable> = Partial<NewRow<T>>

/** Columns a part hands on: the name others use, and the column or expression behind it. */
export type Returning = Record<string, SQL | Column>
/** The names among them. */
export type Names<R extends Returning> = Extract<keyof R, string>

/** A value as a parameter with the column's type, so that PostgreSQL never has to guess it. */
export const typedValue = (column: Column, value: unknown): SQL =>
  value instanceof SQL
    ? value
    : sql.fromList([
        value === null ? sql.param(null) : sql.param(value, column),
        new StringChunk(`::${column.getSQLType()}`),
      ])

const assigned = (table: PgTable, values: object): [Column, SQL][] => {
  const columns = getTableColumns(table) as Record<string, Column>
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => {
      const column = columns[key]
      if (!column) throw new Error(`${getTableName(table)} has no column ${key}`)
      return [column, typedValue(column, value)]
    })
}

const COMMA = new StringChunk(', ')
const EQUALS = new StringChunk(' = ')
const AS = new StringChunk(' as ')

const listed = (pieces: readonly SQLChunk[]): SQL => sql.join([...pieces], COMMA)
const nameOf = (column: Column): Name => sql.identifier(column.name)
const set = ([column, value]: readonly [Column, SQL]): SQL => sql.fromList([nameOf(column), EQUALS, value])
const rowsOfAll = (parts: readonly AnyPart[]): SQL => listed(parts.map((part) => part.rows))

/** Named columns as a list for `select` and `returning`. */
export const columnsOf = (returning: Returning): SQL =>
  listed(Object.entries(returning).map(([name, value]) => sql.fromList([value, AS, sql.identifier(name)])))

const fromClause = (parts: readonly AnyPart[] | undefined): SQL =>
  parts && parts.length > 0 ? sql` from ${rowsOfAll(parts)}` : sql``
const whereClause = (where: SQL | undefined): SQL => (where ? sql` where ${where}` : sql``)

/** Action if the row exists already: keep it, or change it. */
type OnConflict<T extends PgTable> =
  | { constraint: string; set?: undefined }
  | { expression: SQL; set?: undefined }
  | { columns: readonly Column[]; where?: SQL; set?: Changes<T>; setWhere?: SQL }
  | 'ignore'

const conflictClause = <T extends PgTable>(table: T, on: OnConflict<T> | undefined): SQL => {
  if (!on) return sql``
  if (on === 'ignore') return sql` on conflict do nothing`
  if ('constraint' in on) return sql` on conflict on constraint ${sql.identifier(on.constraint)} do nothing`
  if ('expression' in on) return sql` on conflict (${on.expression}) do nothing`
  const target = sql` on conflict (${listed(on.columns.map(nameOf))})${whereClause(on.where)}`
  if (!on.set) return sql`${target} do nothing`
  const sets = assigned(table, on.set).map(set)
  return sql`${target} do update set ${listed(sets)}${whereClause(on.setWhere)}`
}

/** The value a row that is there already would have been given. */
export const excluded = (column: Column): SQL => sql`excluded.${nameOf(column)}`

/** Changes that give each of these columns the value the row would have been inserted with. */
export const overwritten = <C extends Record<string, Column>>(columns: C): Record<keyof C, SQL> =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, excluded(column)])) as Record<keyof C, SQL>

type InsertOptions<T extends PgTable, R extends Returning> = {
  /** A row is made for each row of these parts; without them, exactly one. */
  from?: readonly AnyPart[]
  where?: SQL
  orderBy?: SQL
  limit?: number
  onConflict?: OnConflict<T>
  returning?: R
}

const ID_ONLY = { one: sql`1` }

/** A part that inserts rows. */
export const insert = <T extends PgTable, R extends Returning = { one: SQL }>(
  name: string,
  table: T,
  row: NewRow<T>,
  options: InsertOptions<T, R> = {},
): Part<Names<R>> => {
  const values = assigned(table, row)
  const returning = options.returning ?? (ID_ONLY as unknown as R)
  const order = options.orderBy ? sql` order by ${options.orderBy}` : sql``
  const limit = options.limit === undefined ? sql`` : sql` limit ${options.limit}::int`
  const body = sql`insert into ${table} (${listed(values.map(([column]) => nameOf(column)))})
    select ${listed(values.map(([, value]) => value))}${fromClause(options.from)}${whereClause(options.where)}${order}${limit}${conflictClause(table, options.onConflict)}
    returning ${columnsOf(returning)}`
  return partOf({ name, body, columns: Object.keys(returning) as Names<R>[], writes: getTableName(table) })
}

type UpdateOptions<R extends Returning> = { from?: readonly AnyPart[]; where: SQL; returning?: R }

/** A part that changes rows. `where` may use the table's columns and those of the parts in `from`. */
export const update = <T extends PgTable, R extends Returning = { one: SQL }>(
  name: string,
  table: T,
  changes: Changes<T>,
  { from, where, returning = ID_ONLY as unknown as R }: UpdateOptions<R>,
): Part<Names<R>> => {
  const sets = assigned(table, changes).map(set)
  const body = sql`update ${table} set ${listed(sets)}${fromClause(from)} where ${where} returning ${columnsOf(returning)}`
  return partOf({ name, body, columns: Object.keys(returning) as Names<R>[], writes: getTableName(table) })
}

/** A part that deletes rows. */
export const remove = <R extends Returning = { one: SQL }>(
  name: string,
  table: PgTable,
  { from, where, returning = ID_ONLY as unknown as R }: UpdateOptions<R>,
): Part<Names<R>> => {
  const using = from && from.length > 0 ? sql` using ${rowsOfAll(from)}` : sql``
  const body = sql`delete from ${table}${using} where ${where} returning ${columnsOf(returning)}`
  return partOf({ name, body, columns: Object.keys(returning) as Names<R>[], writes: getTableName(table) })
}
