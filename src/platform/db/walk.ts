import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Db } from './client.ts'

/** Number of rows that one statement looks at: few, because their texts are long. */
const BATCH = 200
const MAX_BATCHES = 20
const AGAIN = sql.raw("interval '7 days'")

/** A walk over all rows of a table by their ids, once a week. */
export type Walk = {
  /** Name of the walk, by which its place is kept. */
  name: string
  /** Table with a column `id`. Rows are older, the smaller it is. */
  table: string
  /** Column with the time after which a row is too young; the walk ends there. */
  until: { column: string; before: Date }
  /** Returns the statement that handles the rows with these ids, an array. It checks by itself what it may change. */
  handle: (ids: SQL) => SQLWrapper
}

/**
 * Handles old rows from where the last call ended, in batches. Returns how many were changed.
 *
 * A rule that needs other tables cannot find its rows by an index, so the walk looks at each row once a week.
 */
export const walkOn = async (db: Db, now: Date, { name, table, until, handle }: Walk): Promise<number> => {
  const { rows } = await db.execute<{ after: string }>(sql`insert into retention_walks (name) values (${name})
    on conflict (name) do update set
      after = case when retention_walks.ended_at is null then retention_walks.after else 0 end, ended_at = null
      where retention_walks.ended_at is null or retention_walks.ended_at <= ${now.toISOString()}::timestamptz - ${AGAIN}
    returning after`)
  if (!rows[0]) return 0
  let after = Number(rows[0].after)
  let changed = 0
  for (let n = 0; n < MAX_BATCHES; n += 1) {
    const found = await db.execute<{ id: string }>(sql`select id from (select id, ${sql.identifier(until.column)} as at
        from ${sql.identifier(table)} where id > ${after}::bigint order by id limit ${BATCH}::int) next
      where at < ${until.before.toISOString()}::timestamptz order by id`)
    const ids = found.rows.map(({ id }) => Number(id))
    if (ids.length > 0) changed += (await db.execute(handle(sql`${sql.param(ids)}::bigint[]`))).rowCount ?? 0
    after = ids.at(-1) ?? after
    const isEnd = ids.length < BATCH
    await db.execute(
      sql`update retention_walks set after = ${after}::bigint, ended_at = ${isEnd ? sql`${now.toISOString()}::timestamptz` : sql`null`} where name = ${name}`,
    )
    if (isEnd) break
  }
  return changed
}
