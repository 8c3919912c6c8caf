import type { SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { NeonHttpDatabase } from 'drizzle-orm/neon-http'
import { waitingFor } from '../lib/request-scope.ts'
import { DatabaseFault, openNeon } from './neon.ts'

export type Db = NeonHttpDatabase<Record<string, never>>
/** One statement that can be sent by itself or in a batch. */
export type Query<Row = unknown> = BatchItem<'pg'> & { _: { result: Row } }

const TIMEOUT_MS = 10_000

/**
 * A database over Neon's SQL-over-HTTP: every query is one request, a batch is one request and one transaction.
 * `endpoint` replaces the address that follows from the connection string.
 */
export const createDb = (databaseUrl: string, endpoint?: string): Db =>
  openNeon(databaseUrl, {
    endpoint,
    send: (url, init) =>
      waitingFor('database', { 'db.system.name': 'postgresql' }, () =>
        fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }),
      ),
  })

/** Runs one raw statement; its rows. */
export const rowsOf = async <Row>(db: Db, statement: SQL): Promise<Row[]> =>
  (await db.execute(statement)).rows as unknown as Row[]

const faultOf = (error: unknown): DatabaseFault | undefined =>
  [error, error instanceof Error ? error.cause : undefined].find((candidate) => candidate instanceof DatabaseFault)

/** The name of the unique constraint or index an error reports as violated (SQLSTATE 23505), else undefined. */
export const violatedUnique = (error: unknown): string | undefined => {
  const fault = faultOf(error)
  return fault?.code === '23505' ? (fault.constraint ?? 'unknown') : undefined
}

/** SQLSTATE classes that mean "not now": connection, resources, shutdown, lock and serialisation failures, time-out. */
const PASSING = /^(08|53|57|40|55)/

/** Whether an error means that the database could not be reached or could not serve now, so that the call may be repeated. */
export const isDatabaseAway = (error: unknown): boolean => {
  const fault = faultOf(error)
  if (!fault) return false
  return fault.code === undefined || PASSING.test(fault.code)
}

/** Whether the database itself said no, so that the statement certainly changed nothing. */
export const isRefusal = (error: unknown): boolean => faultOf(error)?.code !== undefined
