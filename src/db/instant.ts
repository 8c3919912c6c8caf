import { type SQL, sql } from 'drizzle-orm'

/** An instant as a parameter with its cast; null stays null. */
export const at = (instant: Date | null): SQL => sql`${instant?.toISOString() ?? null}::timestamptz`
