import { neon, neonConfig } from '@neondatabase/serverless'
import type { SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { drizzle, type NeonHttpDatabase } from 'drizzle-orm/neon-http'
import { waitingFor } from '../lib/request-scope.ts'

/** Database over Neon's HTTP driver, without drizzle's relational queries. */
export type Db = NeonHttpDatabase<Record<string, never>>
/** A statement that can be sent by itself or in a batch. */
export type Query<Row = unknown> = BatchItem<'pg'> & { _: { result: Row } }

const WAIT_MS = 10_000

/**
 * Returns a database over Neon's SQL-over-HTTP. Every query is one request; a batch is one request and one transaction.
 *
 * `fetchEndpoint` replaces the address that Neon's driver derives from the connection string. A request ends after `waitMs`.
 */
export const createDb = (databaseUrl: string, fetchEndpoint?: string, waitMs = WAIT_MS): Db => {
  if (fetchEndpoint) neonConfig.fetchEndpoint = fetchEndpoint
  const ask = async (url: string, init: RequestInit) => {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(waitMs) })
    // Read the answer here: if it breaks off, that is a connection error, as if no answer had come.
    const text = await response.text()
    const { ok, status } = response
    return { ok, status, json: async () => JSON.parse(text), text: async () => text }
  }
  neonConfig.fetchFunction = (url: string, init: RequestInit) => waitingFor('database', () => ask(url, init))
  return drizzle(neon(databaseUrl))
}

/** Runs one raw statement and returns its rows. */
export const rowsOf = async <Row>(db: Db, statement: SQL): Promise<Row[]> =>
  (await db.execute(statement)).rows as unknown as Row[]

/** Runs one statement for an operator's command, with any driver, and returns its rows. */
export type SqlRunner = <Row>(statement: SQL) => Promise<Row[]>

type PgFault = Error & { code?: string; constraint?: string; sourceError?: Error }

const faultOf = (error: unknown): PgFault | undefined => {
  for (const candidate of [error, error instanceof Error ? error.cause : undefined]) {
    if (candidate instanceof Error && candidate.name === 'NeonDbError') return candidate as PgFault
  }
  return undefined
}

/**
 * Returns the SQLSTATE of a database error; undefined if the database did not report one.
 *
 * Neon answers 400 with an empty code if its own connection to the database broke, also during a commit.
 */
const codeOf = (error: unknown): string | undefined => faultOf(error)?.code || undefined

/** Returns the name of the unique constraint or index that an error reports as violated (SQLSTATE 23505), else undefined. */
export const violatedUnique = (error: unknown): string | undefined => {
  const fault = faultOf(error)
  return fault?.code === '23505' ? (fault.constraint ?? 'unknown') : undefined
}

/** SQLSTATE classes of temporary failures: connection, resources, shutdown, lock, serialisation, time-out. */
const PASSING = /^(08|53|57|40|55)/

/** True if the database could not be reached or could not serve at the moment, so that the call may be repeated. */
export const isDatabaseAway = (error: unknown): boolean => {
  const code = codeOf(error)
  return faultOf(error) !== undefined && (code === undefined || PASSING.test(code))
}

/** True if the database has no space for another write (SQLSTATE 53100). Reads may still work. */
export const isDatabaseFull = (error: unknown): boolean => codeOf(error) === '53100'

/** True if PostgreSQL rolled the transaction back because of another one (SQLSTATE 40001, 40P01), so that it can be retried. */
export const isUndone = (error: unknown): boolean => {
  const code = codeOf(error)
  return code === '40001' || code === '40P01'
}

/** Returns the fields of a database error that may be logged: its code, or the status of an endpoint that failed. */
export const databaseFields = (error: unknown) => {
  const fault = faultOf(error)
  const status = /HTTP status (\d+)/.exec(fault?.message ?? '')?.[1]
  return { cause: (fault?.sourceError ?? fault)?.name, code: codeOf(error), http_status: status && Number(status) }
}

/** SQLSTATEs of a connection or server that ended, perhaps after the commit. */
const ENDED = /^(08|57P0[12]|40003)/

/** True if the database itself refused the statement, so that it certainly changed nothing. */
export const isRefusal = (error: unknown): boolean => {
  const code = codeOf(error)
  return code !== undefined && !ENDED.test(code)
}

type Values = Record<string, string | number>
type Executable<Row> = { execute: (values: Values) => Promise<Row[]> }

/** A prepared query with its values. It cannot be part of a batch, so it is sent as its own request. */
export class PreparedQuery<Row> {
  declare readonly _: { readonly dialect: 'pg'; readonly result: Row[] }
  readonly run: () => Promise<Row[]>

  constructor(run: () => Promise<Row[]>) {
    this.run = run
  }
}

/** Returns a query that drizzle prepares once per database. `make` ends with drizzle's `.prepare()`. */
export const preparedOnce = <Row>(make: (db: Db) => Executable<Row>) => {
  const made = new WeakMap<Db, Executable<Row>>()
  return (db: Db, values: Values): PreparedQuery<Row> => {
    const query = made.get(db) ?? make(db)
    made.set(db, query)
    return new PreparedQuery(() => query.execute(values))
  }
}

/** Returns log fields on why the database is unavailable, also from a wrapped error; undefined for any other error. */
export const databaseFailureFields = (error: unknown): ReturnType<typeof databaseFields> | undefined => {
  if (!(error instanceof Error)) return undefined
  return isDatabaseAway(error) ? databaseFields(error) : databaseFailureFields(error.cause)
}
