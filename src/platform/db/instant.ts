import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** Returns an instant as a parameter with a cast; null stays null. */
export const at = (instant: Date | null): SQL => sql`${instant?.toISOString() ?? null}::timestamptz`

type Instant<Column extends PgColumn> = Column['_']['notNull'] extends true ? Date : Date | null

/**
 * Selects an instant column as whole milliseconds since 1970, which take half the bytes of its text.
 *
 * The result has a type that the driver reads as a number. `extract` calculates in decimals and takes three times as long as
 * `date_part`.
 *
 * Instants are stored to the millisecond, so rounding gives each one exactly, up to the year 9999.
 */
export const instantOf = <Column extends PgColumn>(column: Column): SQL<Instant<Column>> =>
  sql`round(date_part('epoch', ${column}) * 1000)`.mapWith((ms: number) => new Date(ms)) as SQL<Instant<Column>>
