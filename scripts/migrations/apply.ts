import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { type Migration, missingAfter, readMigrations } from '../../local/migrations.ts'
import { reasonOf } from '../reason.ts'
import { isConcurrent } from './rules.ts'

/** Arbitrary number, which must be the same everywhere. The process that holds this lock migrates, and others wait. */
const LOCK = 7_104_115_321
const WAIT_FOR_OTHERS_MS = 300_000
const LOOK_AGAIN_MS = 250
/**
 * Longest wait for a busy table. A waiting migration blocks every request behind it, so it should fail and be repeated.
 */
const WAIT_FOR_TABLES = '10s'

const LAST = 'select created_at from drizzle.__drizzle_migrations order by created_at desc limit 1'
const MARK = 'insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)'

const TABLE = `create schema if not exists drizzle;
  create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`

const pendingIn = async (client: pg.Client, known: readonly Migration[]): Promise<Migration[]> => {
  const { rows } = await client.query<{ created_at: string }>(LAST)
  return missingAfter(Number(rows[0]?.created_at ?? 0), known)
}

const inTransaction = async (client: pg.Client, work: () => Promise<void>): Promise<void> => {
  await client.query('begin')
  try {
    // The role's own limit is meant for requests. The wait for locks is short, because callers of the service wait
    // behind this transaction.
    await client.query(`set local statement_timeout = 0; set local lock_timeout = '${WAIT_FOR_TABLES}'`)
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

const applyTogether = async (
  client: pg.Client,
  group: readonly Migration[],
  done: readonly string[],
): Promise<void> => {
  const kept = done.length === 0 ? 'nothing was changed' : `only ${done.join(', ')} stays applied`
  await inTransaction(client, async () => {
    for (const { tag, when, hash, statements } of group) {
      try {
        for (const statement of statements) await client.query(statement)
      } catch (error) {
        throw new Error(`Migration ${tag} failed, and ${kept}: ${reasonOf(error)}`)
      }
      await client.query(MARK, [hash, when])
    }
  })
}

const indexIn = (statement: string): string =>
  /\bconcurrently\s+(?:if\s+(?:not\s+)?exists\s+)?"?(?:public"?\."?)?(\w+)"?/i.exec(statement)?.[1] ?? ''

/** Returns the state of an index: 'invalid' if its building was interrupted, and 'absent' if there is none. */
const stateOf = async (client: pg.Client, index: string): Promise<'absent' | 'valid' | 'invalid'> => {
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [`"${index}"`],
  )
  const [row] = rows
  return row ? (row.valid ? 'valid' : 'invalid') : 'absent'
}

/**
 * Runs one statement outside any transaction. Skips it if an earlier try finished it; builds a half-built index again.
 */
const applyConcurrent = async (client: pg.Client, statement: string): Promise<void> => {
  const index = indexIn(statement)
  const state = await stateOf(client, index)
  const isDrop = /^\s*drop\b/im.test(statement)
  if (isDrop ? state === 'absent' : state === 'valid') return
  if (!isDrop && state === 'invalid') await client.query(`drop index concurrently "${index}"`)
  await client.query(statement)
}

const applyOutside = async (client: pg.Client, { tag, when, hash, statements }: Migration): Promise<void> => {
  // Building an index waits for every transaction that uses the table. That is no reason to give up.
  await client.query('set statement_timeout = 0; set lock_timeout = 0')
  try {
    for (const statement of statements) await applyConcurrent(client, statement)
  } catch (error) {
    throw new Error(`Migration ${tag} stopped. Run it again to continue: ${reasonOf(error)}`)
  }
  await client.query(MARK, [hash, when])
}

/** Returns the migrations in groups: those that share a transaction together, those that need none alone. */
const groupsOf = (pending: readonly Migration[]): Migration[][] => {
  const groups: Migration[][] = []
  for (const migration of pending) {
    const last = groups.at(-1)
    const joins = last?.every((one) => !one.statements.some(isConcurrent)) && !migration.statements.some(isConcurrent)
    if (last && joins) last.push(migration)
    else groups.push([migration])
  }
  return groups
}

/**
 * Takes the lock after others have released it, in a transaction that stays open. It polls, each time in a transaction of its own.
 *
 * Anyone who builds an index waits for the end of every transaction that had a snapshot at a certain moment. A waiting statement has
 * one, and so does each try while it runs.
 */
const acquireLock = async (holder: pg.Client): Promise<void> => {
  const until = Date.now() + WAIT_FOR_OTHERS_MS
  for (;;) {
    await holder.query('begin')
    await holder.query('set local idle_in_transaction_session_timeout = 0')
    const { rows } = await holder.query<{ ours: boolean }>(`select pg_try_advisory_xact_lock(${LOCK}) as ours`)
    if (rows[0]?.ours) return
    await holder.query('rollback')
    if (Date.now() > until)
      throw new Error('Another migration of this database is still running. Try again when it has ended.')
    await wait(LOOK_AGAIN_MS)
  }
}

/**
 * Applies the missing migrations and returns their names. Throws an error that names the failed migration, or TooOld.
 *
 * `holder`, another connection, holds a lock meanwhile, in a transaction that uses no table. With a pooler, a lock of
 * the session would outlive this process.
 */
export const migratePostgres = async (
  client: pg.Client,
  holder: pg.Client,
  known: readonly Migration[] = readMigrations(),
): Promise<string[]> => {
  await acquireLock(holder)
  try {
    await client.query(TABLE)
    const done: string[] = []
    for (const group of groupsOf(await pendingIn(client, known))) {
      const [first] = group
      if (first?.statements.some(isConcurrent)) await applyOutside(client, first)
      else await applyTogether(client, group, done)
      done.push(...group.map(({ tag }) => tag))
    }
    return done
  } finally {
    await holder.query('rollback').catch(() => undefined)
  }
}
