import { Column, is, SQL } from 'drizzle-orm'

type Decoder = { mapFromDriverValue: (value: unknown) => unknown }
/** A selected field as drizzle lists it: where its value goes in the row, and what it was selected from. */
type Field = { path: readonly string[]; field: unknown }
type MapRows = (rows: readonly (readonly unknown[])[]) => unknown

const decoderOf = (field: unknown): Decoder => {
  if (is(field, Column)) return field
  if (is(field, SQL)) return (field as unknown as { decoder: Decoder }).decoder
  return (field as { sql: { decoder: Decoder } }).sql.decoder
}

/** Makes rows of an answer into objects. What decodes a column is found once for all rows, where drizzle looks for it in each. */
const rowMapper = (fields: readonly Field[] | undefined): MapRows | undefined => {
  if (
    !fields?.every(
      ({ path, field }) => path.length === 1 && (is(field, Column) || is(field, SQL) || is(field, SQL.Aliased)),
    )
  )
    return undefined
  const columns = fields.map(({ path, field }) => [path[0] ?? '', decoderOf(field)] as const)
  return (rows) =>
    rows.map((values) => {
      const row: Record<string, unknown> = {}
      let n = 0
      for (const [name, decoder] of columns) {
        const value = values[n]
        row[name] = value === null ? null : decoder.mapFromDriverValue(value)
        n += 1
      }
      return row
    })
}

type Prepare = (
  query: unknown,
  fields: Field[] | undefined,
  name: unknown,
  isArray: boolean,
  map: unknown,
  ...rest: unknown[]
) => unknown

/** Has a database's flat selections made into objects by `rowMapper`; selections with objects in them stay with drizzle. */
export const mapRowsQuickly = <D extends { _: { session: unknown } }>(db: D): D => {
  const session = db._.session as { prepareQuery: Prepare }
  const prepare = session.prepareQuery.bind(session)
  session.prepareQuery = (query, fields, name, isArray, map, ...rest) =>
    prepare(query, fields, name, isArray, map ?? rowMapper(fields), ...rest)
  return db
}
