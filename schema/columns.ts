import { type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, customType, integer, timestamp } from 'drizzle-orm/pg-core'

/** Returns a column for an instant. Drivers return it as a Date; `present` converts it for answers. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

/** Returns a 32-bit identity key. With `by default`, a write can set an id that was drawn before. */
export const identity = () => integer('id').primaryKey().generatedByDefaultAsIdentity()

/** Returns a column for the number of the transaction that inserts the row. */
export const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' })

export const createdAt = () => instant('created_at').notNull().defaultNow()
export const updatedAt = () => instant('updated_at').notNull().defaultNow()

/** Words of a text in the form that full-text search compares. Only the database generates it. */
export const searchVector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/** Returns values as an SQL list in brackets, to follow `in`. */
export const literals = (values: readonly (string | number)[]): SQL =>
  sql.raw(`(${values.map((v) => (typeof v === 'number' ? String(v) : `'${v.replaceAll("'", "''")}'`)).join(', ')})`)

/** True if a column holds one of a closed list. A value the column cannot hold does not compile. */
export const oneOf = <C extends AnyPgColumn>(column: C, values: readonly (C['_']['data'] & (string | number))[]): SQL =>
  sql`${column} in ${literals(values)}`
