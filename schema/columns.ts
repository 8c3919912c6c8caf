import { type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, integer, timestamp } from 'drizzle-orm/pg-core'

/** An instant. Drivers hand it over as a Date; the wire form is made in `present`. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

/** A 32-bit identity key. `by default`, so that a write can be given an id drawn beforehand. */
export const identity = () => integer('id').primaryKey().generatedByDefaultAsIdentity()

export const createdAt = () => instant('created_at').notNull().defaultNow()
export const updatedAt = () => instant('updated_at').notNull().defaultNow()

/** SQL for a check that a text column holds one of a closed list. */
export const oneOf = (column: AnyPgColumn, values: readonly (string | number)[]): SQL =>
  sql`${column} in (${sql.raw(values.map((v) => (typeof v === 'number' ? String(v) : `'${v.replaceAll("'", "''")}'`)).join(', '))})`
