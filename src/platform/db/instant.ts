import { type SQL, sql } from 'drizzle-orm'

/** Returns an instant as a parameter with a cast; null stays null. */
export const at = (instant: Date | null): SQL => sql`${instant?.toISOString() ?? null}::timestamptz`
