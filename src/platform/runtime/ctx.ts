import { SQL, sql } from 'drizzle-orm'
import type { BatchResponse } from 'drizzle-orm/batch'
import type { Plan, Scope } from '../../../schema/values/accounts.ts'
import { type Db, isDatabaseAway, isRefusal, isUndone, PreparedQuery, type Query } from '../db/client.ts'
import { AuditStatement, type If } from '../db/writes.ts'
import { ApiError } from '../lib/errors.ts'
import type { Texts } from '../lib/text-work.ts'
import type { Bucket } from './bucket.ts'
import { dryRunNow } from './dry-run.ts'
import type { Settings } from './env.ts'
import type { Log } from './log.ts'
import type { Outbound } from './outbound.ts'

/** The account on whose behalf something runs, as the kernel knows it. */
export type Account = {
  id: number
  plan: Plan
  projectSlots: number
  /** The key that was presented; absent for work that no request asked for. */
  keyId?: number
  key?: { name: string; scopes: readonly Scope[]; expiresAt: Date | null }
}

/** One run of an outbox row: its number and its lease say whether the row is still in its hands. */
export type Run = { id: number; attempts: number; leaseUntil: Date }

/** Services of a Worker, passed in once; domain code takes clock, ids, network and settings from here only. */
export type Deps = {
  settings: Settings
  db: Db
  outbound: Outbound
  /** Bucket of hosted images. */
  media: Bucket
  log: Log
  now: () => Date
  newId: () => string
  /** A number from 0 to 1, for jitter. */
  random: () => number
  /** Passes so many milliseconds. */
  wait: (ms: number) => Promise<void>
  /** Offers new outbox rows to the queue; called after a commit, never waited for. */
  wakeQueue: () => Promise<void>
  /** Sends work on texts to the Worker that has the tables for it. */
  texts: Texts
  /** HTML as Markdown, for Workers that publish. */
  toMarkdown: (html: string) => Promise<string>
  /** Wakes the minute's clock after a change. Nobody waits for it. */
  noteChange: () => Promise<void>
  /** Named points between the steps of publishing. Does nothing in production; a test can stop the process there. */
  step: (name: string) => Promise<void>
}

/** Rows of several queries sent as one request. */
type Build<T extends readonly [Query, ...Query[]]> = (owner: SQL, keyHash?: string) => T

/** A statement of a batch: drizzle's, or a template. What is undefined or false is left out. */
export type Statement = Query | SQL | undefined | false
/** Result of a statement: drizzle's own, the rows of a template, nothing of one that was left out. */
type ResultOf<S> = S extends SQL<infer Row> ? Row[] : S extends { _: { result: infer Result } } ? Result : undefined
type Results<T extends readonly Statement[]> = { [Key in keyof T]: ResultOf<T[Key]> }

/** Runs statements in order in one transaction and one request. `unaudited`: the reason why no entry of the audit log is among them. */
type Batch = <const T extends readonly Statement[]>(
  statements: T,
  options?: { unaudited: string },
) => Promise<Results<T>>

/**
 * Statements that keep the answer of a request that carries an Idempotency-Key, in the batch that makes the effect. Undefined
 * without a key. `status` is the operation's usual one unless it is given.
 */
type KeepStatements = {
  /** Keeps the answer. A body that is text already, or an expression for it, is kept as it is. */
  keepAnswer: (body: unknown, options: { if: If; status?: number }) => Statement
  /** Marks the key as running until `leaseUntil`, for work of several batches … */
  keepRunning: (leaseUntil: Date, options: { if: If }) => Statement
  /** … gives it its answer … */
  keepDone: (body: unknown, options: { if: If; status?: number }) => Statement
  /** … or frees it, so that the same call is judged again. */
  keepDropped: (options: { if: If }) => Statement
}

/** Keeps no answer: for work that no request asked for, and verbs that are a step of another one. */
export const KEEPS_NOTHING: KeepStatements = {
  keepAnswer: () => undefined,
  keepRunning: () => undefined,
  keepDone: () => undefined,
  keepDropped: () => undefined,
}

/** Context of a verb: the caller, and the services. The first `read` of a request also carries its admission. */
export type Ctx = Deps &
  KeepStatements & {
    /** Returns the actor, for the audit log: `key:12`, `job:publishing.deliver`, `operator`. */
    actor: () => string
    /**
     * Sends the account's queries in one round trip. `owner` is an expression for the account's id; `keyHash` is given if a key
     * asks, for prepared queries. Throws what admission refuses.
     */
    read: <T extends readonly [Query, ...Query[]]>(build: Build<T>) => Promise<BatchResponse<T>>
    /** The account, admitted. Costs a round trip only when nothing was read before. */
    account: () => Promise<Account>
    /**
     * Runs statements in order in one transaction: each sees what the ones before it did. Returns their results. Throws
     * `unavailable` when the database is away. See docs/design/writes.md.
     */
    batch: Batch
    /** The versions the caller's `If-Match` names; undefined where any will do. */
    ifMatch?: readonly string[] | undefined
    /** Ids of the entries of the audit log that the verb takes back: its own entry names them. */
    undoes?: readonly number[] | undefined
    /** The approval by which the verb is carried out, if a person approved exactly this call. */
    approval?: number
    /** The run of a job, for what writes its own outbox row: such a write names the run and changes nothing when it lost the row. */
    run?: Run
    /** Runs after the answer was sent; failures are logged. */
    defer: (work: Promise<unknown>) => void
  }

const NOTHING_CHANGED = 'Nothing was changed; repeat the same call shortly.'
const NOT_KNOWN =
  'It is not known whether the call was carried out. Read what it was to change before you repeat it, or repeat it with the same Idempotency-Key if it had one.'

const unavailable = (outcome: string, cause: unknown): ApiError =>
  new ApiError('unavailable', `The database does not answer at the moment. ${outcome}`, { retry_after: 5 }, cause)

/** Runs database work that changes nothing of the caller's; an unreachable database becomes the error `unavailable`. */
export const guardDatabase = async <T>(work: Promise<T>, wasWrite = false): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (isDatabaseAway(error)) throw unavailable(wasWrite && !isRefusal(error) ? NOT_KNOWN : NOTHING_CHANGED, error)
    throw error
  }
}

const BEFORE_DRY_RUN = sql`savepoint before_dry_run`
const UNDO_DRY_RUN = sql`rollback to savepoint before_dry_run`

/** Sends queries after the earlier writes of a dry run, and undoes it all as the last statement of the same transaction. */
const sendUndone = async <T extends readonly [Query, ...Query[]]>(
  db: Db,
  earlier: readonly SQL[],
  queries: T,
): Promise<BatchResponse<T>> => {
  const before = [BEFORE_DRY_RUN, ...earlier].map((one) => db.execute(one))
  const batch = [...before, ...queries, db.execute(UNDO_DRY_RUN)]
  const results = (await guardDatabase(db.batch(batch as never))) as unknown[]
  return results.slice(before.length, -1) as BatchResponse<T>
}

/**
 * Sends queries as one request and one transaction (one query: without the transaction), and beside it each prepared query as a
 * request of its own. In a dry run reads see what it wrote, and nothing that it writes is left.
 */
export const sendQueries = async <T extends readonly [Query, ...Query[]]>(
  db: Db,
  queries: T,
  wasWrite = false,
): Promise<BatchResponse<T>> => {
  const dryRun = dryRunNow()
  if (dryRun && (wasWrite || dryRun.writes.length > 0)) return await sendUndone(db, dryRun.writes, queries)
  const batch = queries.filter((query) => !(query instanceof PreparedQuery))
  const sendBatch = async (): Promise<unknown[]> =>
    batch.length > 1 ? await db.batch(batch as never) : await Promise.all(batch)
  const sent = sendBatch()
  const results = queries.map(async (query) =>
    query instanceof PreparedQuery ? await query.run() : (await sent)[batch.indexOf(query)],
  )
  return (await guardDatabase(Promise.all(results), wasWrite)) as BatchResponse<T>
}

const wrapped = (query: Query): SQL => (query as unknown as { getSQL: () => SQL }).getSQL()

const sendStatements = async (db: Db, statements: readonly (Query | SQL)[]): Promise<unknown[]> => {
  const queries = statements.map((one) => (one instanceof SQL ? db.execute(one) : one))
  const results = (await sendQueries(db, queries as never, true)) as unknown[]
  dryRunNow()?.writes.push(...queries.map(wrapped))
  return results
}

/**
 * Runs statements in order in one transaction and one request; their results. Once more where PostgreSQL undid it for the sake of
 * another transaction. Throws if no audit entry is among them and no reason is given.
 */
export const sendBatch = async <const T extends readonly Statement[]>(
  db: Db,
  statements: T,
  options?: { unaudited: string },
): Promise<Results<T>> => {
  const present = statements.filter((one) => one !== undefined && one !== false)
  if (!options && !present.some((one) => one instanceof AuditStatement))
    throw new Error('A batch has an audit entry, or says why it has none.')
  const send = () => sendStatements(db, present)
  const results = await send().catch((error: unknown) => {
    if (!(error instanceof ApiError) || !isUndone(error.cause)) throw error
    return send()
  })
  return statements.map((one) => {
    if (one === undefined || one === false) return undefined
    const result = results[present.indexOf(one)]
    return one instanceof SQL ? (result as { rows: unknown[] }).rows : result
  }) as Results<T>
}

/** Returns a context whose every write is told to the minute's work, whatever became of it: for callers and people, not for jobs. */
export const noting = (ctx: Ctx): Ctx => {
  const noted = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } finally {
      ctx.defer(ctx.noteChange())
    }
  }
  return {
    ...ctx,
    batch: (statements, options) => noted(ctx.batch(statements, options)),
  }
}

/** Returns an account's id as an expression, as `read` hands it to its queries. */
export const ownerOfId = (id: number): SQL => sql`${id}::int`

/** Returns a context for work that no request asked for: a job, a cron run, an operator's command. */
export const systemCtx = (
  deps: Deps,
  actor: string,
  account: Account,
  defer: (work: Promise<unknown>) => void,
): Ctx => ({
  ...deps,
  actor: () => actor,
  read: (build) => sendQueries(deps.db, build(ownerOfId(account.id))),
  account: async () => account,
  batch: (statements, options) => sendBatch(deps.db, statements, options),
  ...KEEPS_NOTHING,
  defer,
})
