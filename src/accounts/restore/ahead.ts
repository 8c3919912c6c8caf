import { sql } from 'drizzle-orm'
import type { SqlRunner } from '../../platform/db/client.ts'

/** More ids than are created in the longest time that is ever lost in a restore. */
const IDS_AHEAD = 100_000
const REVISIONS_AHEAD = 10_000

/** Counts after a restore: sequences moved, and articles with revisions that continue from a higher number. */
export type Moved = { sequences: number; articles: number }

/**
 * Moves a restored database past every id and revision that it may have given out after the moment it was restored to.
 *
 * Events from before the restore come before later ones, also if the database is on another server now. The keys of deliveries are made from revisions, and a receiver ignores a key that it has already seen. Running this twice moves
 * twice, which does no harm.
 */
export const moveAfterRestore = async (run: SqlRunner): Promise<Moved> => {
  const moved = await run(sql`select setval(format('%I.%I', schemaname, sequencename)::regclass,
    coalesce(last_value, 0) + ${IDS_AHEAD}::bigint) from pg_sequences where schemaname = 'public'`)
  const [articles] = await run<{ count: number }>(sql`with moved as (
      update articles set revision = revision + ${REVISIONS_AHEAD}::int returning id),
    revisions as (update article_revisions set revision = revision + ${REVISIONS_AHEAD}::int returning 1),
    sent as (update deliveries set revision = revision + ${REVISIONS_AHEAD}::int returning 1)
    select count(*)::int as count from moved`)
  // Another server counts transactions from a smaller number, so that new events would be before old ones.
  await run(sql`update audit_log set tx = '0' where tx <> '0'`)
  return { sequences: moved.length, articles: articles?.count ?? 0 }
}
