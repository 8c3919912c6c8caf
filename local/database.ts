import { type SQL, sql } from 'drizzle-orm'
import type { SqlRunner } from '../src/platform/db/client.ts'
import { createDb, rowsOf } from '../src/platform/db/client.ts'
import { missingAfter } from './migrations.ts'

/** Returns a statement runner over a Neon SQL-over-HTTP endpoint. `waitMs`: how long an answer may take. */
export const neonRunner = (connectionString: string, neonUrl: string, waitMs?: number): SqlRunner => {
  const db = createDb(connectionString, `${neonUrl}/sql`, waitMs)
  return <Row>(statement: SQL) => rowsOf<Row>(db, statement)
}

const LAST = sql`select created_at from drizzle.__drizzle_migrations order by created_at desc limit 1`

/**
 * Returns a statement that builds its index within the transaction. Nothing else uses the table here, so that it may be
 * locked.
 */
export const withinTransaction = (statement: string): string => statement.replace(/\bindex\s+concurrently\b/i, 'index')

/**
 * Applies the migrations that are missing, in order, over a Neon SQL-over-HTTP endpoint. Each is one transaction with its
 * mark, as drizzle's own migrator keeps it, so that a start cut short leaves nothing half done. Throws TooOld.
 */
export const migrateOverNeon = async (connectionString: string, neonUrl: string): Promise<void> => {
  const db = createDb(connectionString, `${neonUrl}/sql`)
  await db.execute(sql`create schema if not exists drizzle`)
  await db.execute(
    sql`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`,
  )
  const lastApplied = async () => Number((await rowsOf<{ created_at: string }>(db, LAST))[0]?.created_at ?? 0)
  for (const { hash, when, statements } of missingAfter(await lastApplied())) {
    const mark = sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${when})`
    const steps = [
      ...statements.map((statement) => db.execute(sql.raw(withinTransaction(statement)))),
      db.execute(mark),
    ]
    try {
      await db.batch(steps as unknown as Parameters<typeof db.batch>[0])
    } catch (error) {
      // Another start may have applied it at the same moment. Then this transaction was rolled back.
      if ((await lastApplied()) < when) throw error
    }
  }
}
