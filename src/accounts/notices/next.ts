import { type SQL, sql } from 'drizzle-orm'

/** Queries for the time of the next notice and of the next digest. */
export const nextNotice = (): SQL[] => [
  sql`(select min(due_at) from notices where ended_at is null)`,
  sql`(select min(digest_at) from notice_settings)`,
]
