import { type PgColumn, type PgColumnBuilderBase, PgTable } from 'drizzle-orm/pg-core'

/** A column's builder, and what of it makes a column. */
type Builder = PgColumnBuilderBase & { setName: (name: string) => void; build: (table: PgTable) => PgColumn }
type Makers = Readonly<Record<string, () => PgColumnBuilderBase>>

/** Where drizzle looks for a table's columns. */
const COLUMNS = Symbol.for('drizzle:Columns')

const columnOf = (table: PgTable, key: string, make: () => PgColumnBuilderBase): PgColumn => {
  const builder = make() as Builder
  builder.setName(key)
  return builder.build(table)
}

/**
 * A table as `pgTable` makes it, each column of which is made when it is first read. In bundles it stands for `pgTable`
 * (`local/lean-tables.ts`), since a Worker reads few columns of the tables it names, and none while it starts.
 */
export const lateTable = (name: string, makers: Makers): PgTable => {
  const table = new PgTable(name, undefined, name)
  const columns = {}
  Object.assign(table, { [COLUMNS]: columns })
  for (const [key, make] of Object.entries(makers)) {
    const get = () => {
      const value = columnOf(table, key, make)
      for (const holder of [columns, table]) Object.defineProperty(holder, key, { value, enumerable: true })
      return value
    }
    for (const holder of [columns, table])
      Object.defineProperty(holder, key, { get, enumerable: true, configurable: true })
  }
  return table
}

/** Columns that several tables have alike, as `lateTable` takes them. */
export const columnsMade = (columns: Readonly<Record<string, PgColumnBuilderBase>>): Makers =>
  Object.fromEntries(Object.entries(columns).map(([key, column]) => [key, () => column]))
