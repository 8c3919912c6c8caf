import { Column, is, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { instantOf } from './instant.ts'

type Selected = Record<string, PgColumn | SQL>
type ValueOf<Field> = Field extends PgColumn
  ? Field['_']['notNull'] extends true
    ? Field['_']['data']
    : Field['_']['data'] | null
  : Field extends SQL<infer Value>
    ? Value
    : never
type Row<Fields extends Selected> = { [Name in keyof Fields]: ValueOf<Fields[Name]> }

/** Types of which JSON says what the driver makes of their text. */
const AS_JSON: readonly string[] = ['PgInteger', 'PgText', 'PgBoolean', 'PgJsonb']

const isAsJson = (column: Column): boolean => {
  const { baseColumn } = column as Column & { baseColumn?: Column }
  return AS_JSON.includes((baseColumn ?? column).columnType)
}

const expressionOf = (field: PgColumn | SQL): PgColumn | SQL => {
  if (!is(field, Column)) return field
  if (field.columnType === 'PgTimestamp') return instantOf(field)
  if (!isAsJson(field)) throw new Error(`a column of the type ${field.columnType} cannot be packed`)
  return field
}

type Decoder = { mapFromDriverValue: (value: unknown) => unknown }

/** What reads an expression's value; undefined for a column, whose value is read already. */
const decoderOf = (field: PgColumn | SQL): Decoder | undefined =>
  is(field, Column) ? undefined : (field as unknown as { decoder: Decoder }).decoder

/**
 * Many columns as one JSON value that the database makes: each column of an answer is described in it by itself, which for a
 * single row is more than the row. Expressions must be of a type that JSON has.
 */
export const packed = <Fields extends Selected>(fields: Fields): SQL<Row<Fields>> => {
  const names = Object.keys(fields)
  const expressions = Object.values(fields).map(expressionOf)
  const decoders = expressions.map(decoderOf)
  const read = (values: readonly unknown[]): Row<Fields> => {
    const row: Record<string, unknown> = {}
    let n = 0
    for (const name of names) {
      const value = values[n] ?? null
      const decoder = decoders[n]
      row[name] = value === null || !decoder ? value : decoder.mapFromDriverValue(value)
      n += 1
    }
    return row as Row<Fields>
  }
  return sql`json_build_array(${sql.join(expressions, sql`, `)})`.mapWith(read) as SQL<Row<Fields>>
}
