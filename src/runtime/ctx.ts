import { type SQL, sql } from 'drizzle-orm'
import type { BatchResponse } from 'drizzle-orm/batch'
import type { Account } from '../accounts/account.ts'
import { type Db, isDatabaseAway, type Query } from '../db/client.ts'
import { ApiError } from '../lib/errors.ts'
import type { Settings } from './env.ts'
import type { Log } from './log.ts'
import type { Outbound } from './outbound.ts'

/** What a Worker is made of, handed in once; domain code takes clock, ids, network and settings from here only. */
export type Deps = {
  settings: Settings
  db: Db
  outbound: Outbound
  log: Log
  now: () => Date
  newId: () => string
  /** A number from 0 to 1, for jitter. */
  random: () => number
  /** Passes so many milliseconds. */
  wait: (ms: number) => Promise<void>
  /** Offers new outbox rows to the queue; called after a commit, never waited for. */
  wakeQueue: () => Promise<void>
  /** Named points between the steps of publishing. Does nothing in production; a test can stop the process there. */
  step: (name: string) => Promise<void>
}

/** Rows of several queries sent as one request. */
type Build<T extends readonly [Query, ...Query[]]> = (owner: SQL) => T

/** What a verb gets: who is asking, and the means. The first `read` of a request also carries its admission. */
export type Ctx = Deps & {
  /** Who is acting, for the audit log: `key:12`, `job:publishing.deliver`, `operator`. */
  actor: () => string
  /** One round trip: the account's queries. `owner` is an expression for the account's id. Throws what admission refuses. */
  read: <T extends readonly [Query, ...Query[]]>(build: Build<T>) => Promise<BatchResponse<T>>
  /** The account, admitted. Costs a round trip only when nothing was read before. */
  account: () => Promise<Account>
  /** Runs a check that needs no data; what it throws is told only after admission, so that 401 and 429 come before 400. */
  check: <T>(decide: () => T) => Promise<T>
  /**
   * Runs one writing statement; its rows. `locks` run before it in the same request and transaction: the statement then
   * sees what those wrote who held the locked rows before. Throws `unavailable` when the database is away.
   */
  write: <Row>(statement: SQL, locks?: readonly SQL[]) => Promise<Row[]>
  /** A CTE that keeps this answer under the request's Idempotency-Key, in the statement whose CTE `from` made the effect; empty without a key. An answer with a secret is given as `sealedAnswer` text, one that only the statement knows as an SQL text over `from`. */
  record: (from: SQL, status: number, body: unknown) => SQL
  /** The key's record while the work goes on: `begin` in the statement that claims, `end` in the one that finishes. */
  recordRunning: (from: SQL, leaseUntil: Date) => SQL
  recordDone: (from: SQL, status: number, body: unknown) => SQL
  /** Frees a running key: the answer is an error that the same call may overcome. */
  recordForgotten: (from: SQL) => SQL
  /** Runs after the answer was sent; failures are logged. */
  defer: (work: Promise<unknown>) => void
}

const unavailable = (): ApiError =>
  new ApiError(
    'unavailable',
    'The database does not answer at the moment. Nothing was changed; repeat the same call shortly.',
    {
      retry_after: 5,
    },
  )

/** Runs database work; an unreachable database becomes the error `unavailable`. */
export const guardDatabase = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (isDatabaseAway(error)) throw unavailable()
    throw error
  }
}

/** Sends queries as one request and one transaction (one query: without the transaction). */
export const sendQueries = async <T extends readonly [Query, ...Query[]]>(
  db: Db,
  queries: T,
): Promise<BatchResponse<T>> => {
  if (queries.length === 1)
    return [await guardDatabase(Promise.resolve(queries[0] as unknown as PromiseLike<unknown>))] as BatchResponse<T>
  return await guardDatabase(db.batch(queries as never))
}

/** Runs one writing statement, after its locks in the same transaction; its rows. */
export const sendWrite = async <Row>(db: Db, statement: SQL, locks: readonly SQL[] = []): Promise<Row[]> => {
  if (locks.length === 0) return (await guardDatabase(db.execute(statement))).rows as Row[]
  const results = await sendQueries(db, [...locks, statement].map((one) => db.execute(one)) as never)
  return (results as unknown as { rows: Row[] }[]).at(-1)?.rows ?? []
}

/** A context for work that no request asked for: a job, a cron run, an operator's command. */
export const systemCtx = (
  deps: Deps,
  actor: string,
  account: Account,
  defer: (work: Promise<unknown>) => void,
): Ctx => ({
  ...deps,
  actor: () => actor,
  read: (build) => sendQueries(deps.db, build(sql`${account.id}::int`)),
  account: async () => account,
  check: async (decide) => decide(),
  write: (statement, locks) => sendWrite(deps.db, statement, locks),
  record: () => sql``,
  recordRunning: () => sql``,
  recordDone: () => sql``,
  recordForgotten: () => sql``,
  defer,
})
