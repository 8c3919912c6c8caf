import { sql } from 'drizzle-orm'
import { vi } from 'vitest'
import { rowsIn } from './client.ts'
import type { SharedStack } from './global.ts'
import { PATIENCE_MS } from './patience.ts'

/** Returns a checksum of the rows of every table; when keys were last used is left out. */
export const checksums = async (stack: SharedStack): Promise<Record<string, string>> => {
  const names = await rowsIn<{ name: string }>(
    stack,
    sql`select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const sums = names.map(
    ({ name }) =>
      sql`select ${name} as name, md5(coalesce(string_agg(row, ' ' order by row), '')) as sum from (select (to_jsonb(r) - 'last_used_at')::text as row from ${sql.raw(name)} r) t`,
  )
  const rows = await rowsIn<{ name: string; sum: string }>(stack, sql.join(sums, sql` union all `))
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]))
}

/** Waits until no work of earlier calls is due, so that every later change comes from the tested call. */
export const quiet = (stack: SharedStack) =>
  vi.waitFor(
    async () => {
      const [row] = await rowsIn<{ busy: number }>(
        stack,
        sql`select count(*)::int as busy from outbox where done_at is null and dead_at is null and run_at < now() + interval '2 minutes'`,
      )
      if (Number(row?.busy) > 0) throw new Error(`${row?.busy} jobs are not done`)
    },
    { timeout: PATIENCE_MS, interval: 200 },
  )
