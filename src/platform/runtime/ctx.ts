import { SQL, sql } from 'drizzle-orm'
import type { Plan, Scope } from '../../../schema/values/accounts.ts'
import {
  type Db,
  isDatabaseAway,
  isDatabaseFull,
  isRefusal,
  isUndone,
  PreparedQuery,
  type Query,
} from '../db/client.ts'
import { wakePushes } from '../db/push.ts'
import { type Reading, type ResultOf, resultsOf, type Statement, type Steps, statementsOf } from '../db/steps.ts'
import { AuditStatement, type If } from '../db/writes.ts'
import { ApiError } from '../lib/errors.ts'
import { setCause } from '../lib/request-scope.ts'
import type { Texts } from '../lib/text-work.ts'
import type { Bucket } from './bucket.ts'
import { currentDryRun } from './dry-run.ts'
import type { Settings } from './env.ts'
import type { Log } from './log.ts'
import type { Outbound } from './outbound.ts'

/** The account that work is done for. */
export type Account = {
  id: number
  plan: Plan
  projectSlots: number
  /** Id of the API key of the request; absent if there is none. */
  keyId?: number
  key?: { name: string; scopes: readonly Scope[]; expiresAt: Date | null }
}

/** One run of an outbox row. Its attempt number and lease show whether the run still has the row. */
export type Run = { id: number; attempts: number; leaseUntil: Date }

/** Services of a Worker, built once. Domain code gets its clock, ids, network and settings only from here. */
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
  /** Waits this number of milliseconds. */
  wait: (ms: number) => Promise<void>
  /** Offers new outbox rows to the queue. Called after a commit. */
  wakeQueue: () => Promise<void>
  /** Sends work on texts to the Worker that has the tables for it. */
  texts: Texts
  /** Converts HTML to Markdown, for Workers that publish. */
  toMarkdown: (html: string) => Promise<string>
  /** Marks that something changed, so that the next minute's work is not skipped. Callers do not wait for it. */
  noteChange: () => Promise<void>
  /** Marks a named point between two steps. A test can stop the process there; in production it does nothing. */
  step: (name: string) => Promise<void>
}

/** Builds a query, or queries with names, that are sent as one request. */
type Build<S extends Reading> = (owner: SQL, keyHash?: string) => S

/** Runs steps in order in one transaction and one request. `unaudited`: the reason for having no audit entry. */
type Batch = <const S extends Steps>(steps: S, options?: { unaudited: string }) => Promise<ResultOf<S>>

/**
 * Statements that store the answer to a request with an Idempotency-Key, in the same batch as its effect.
 *
 * Each gets its condition from `when`, and is undefined without a key. `status` defaults to the operation's usual one.
 */
type KeepStatements = {
  /** Stores the answer. A body that is text, or an SQL expression for text, is stored unchanged. */
  keepAnswer: (body: unknown, options?: { status?: number }) => Kept
  /** Marks the key as running until `leaseUntil`, for work that takes several batches. */
  keepRunning: (leaseUntil: Date) => Kept
  /** Stores the answer of a key that is marked as running. */
  keepDone: (body: unknown, options?: { status?: number }) => Kept
  /** Frees a key that is marked as running, so that the same call is judged again. */
  keepDropped: () => Kept
}
type Kept = (isMet: If) => Statement

/** Stores no answer. For work without a request, and for verbs that are a step of another verb. */
export const KEEPS_NOTHING: KeepStatements = {
  keepAnswer: () => () => undefined,
  keepRunning: () => () => undefined,
  keepDone: () => () => undefined,
  keepDropped: () => () => undefined,
}

/** Context of a verb: the caller and the services. The first `read` of a request also admits the caller. */
export type Ctx = Deps &
  KeepStatements & {
    /** Returns the actor for the audit log: `key:12`, `job:publishing.deliver`, `operator`. */
    actor: () => string
    /**
     * Sends the account's queries in one round trip and returns their results by name; of a single query, its result. Throws if
     * admission refuses the request.
     *
     * `owner` is an SQL expression for the account's id. `keyHash` is given if the caller has an API key; prepared queries use
     * it.
     */
    read: <const S extends Reading>(build: Build<S>) => Promise<ResultOf<S>>
    /** Returns the admitted account. Costs a round trip only if nothing was read before. */
    account: () => Promise<Account>
    /**
     * Runs steps in order in one transaction and returns their results by name. Each sees the effects of those before it.
     *
     * Throws `unavailable` if the database cannot be reached. See docs/design/writes.md.
     */
    batch: Batch
    /** Versions named in the caller's `If-Match`; undefined if any version is accepted. */
    ifMatch?: readonly string[] | undefined
    /** Ids of the audit entries that the verb undoes. Its own entry names them. */
    undoes?: readonly number[] | undefined
    /** Id of the approval, if a person approved exactly this call. */
    approval?: number
    /** Run of the job, for writes to its own outbox row. Such a write changes nothing if the run has lost the row. */
    run?: Run
    /** Lets work continue after the answer was sent. Failures are logged. */
    defer: (work: Promise<unknown>) => void
  }

const NOTHING_CHANGED = 'Nothing was changed; repeat the same call shortly.'
const NOT_KNOWN =
  'It is not known whether the call was carried out. Read what it was to change before you repeat it, or repeat it with the same Idempotency-Key if it had one.'

const unavailable = (outcome: string, cause: unknown): ApiError => {
  const reason = isDatabaseFull(cause)
    ? 'The database has no free space, so it takes no writes at the moment.'
    : 'The database does not answer at the moment.'
  return new ApiError('unavailable', `${reason} ${outcome}`, { retry_after: 5 }, cause)
}

/**
 * Runs database work. Throws `unavailable` if the database cannot be reached.
 *
 * For a write that may have arrived (`wasWrite`), the message says that its outcome is unknown.
 */
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

/** Repeats the earlier writes of a dry run, sends the queries, and rolls everything back in the same transaction. */
const sendUndone = async (db: Db, earlier: readonly SQL[], queries: readonly Query[]): Promise<unknown[]> => {
  const before = [BEFORE_DRY_RUN, ...earlier].map((one) => db.execute(one))
  const batch = [...before, ...queries, db.execute(UNDO_DRY_RUN)]
  const results = (await guardDatabase(db.batch(batch as never))) as unknown[]
  return results.slice(before.length, -1)
}

/**
 * Sends queries as one request and one transaction. A single query gets no transaction.
 *
 * Prepared queries are sent at the same time, each as its own request. In a dry run, reads see its writes, which are rolled back.
 */
export const sendQueries = async (db: Db, queries: readonly Query[], wasWrite = false): Promise<unknown[]> => {
  const dryRun = currentDryRun()
  if (dryRun && (wasWrite || dryRun.writes.length > 0)) return await sendUndone(db, dryRun.writes, queries)
  const batch = queries.filter((query) => !(query instanceof PreparedQuery))
  const sendBatch = async (): Promise<unknown[]> =>
    batch.length > 1 ? await db.batch(batch as never) : await Promise.all(batch)
  const sent = sendBatch()
  const results = queries.map(async (query) =>
    query instanceof PreparedQuery ? await query.run() : (await sent)[batch.indexOf(query)],
  )
  return await guardDatabase(Promise.all(results), wasWrite)
}

/** Sends a query, or queries with names, as one request, and returns their results by name. */
export const sendReading = async <const S extends Reading>(
  db: Db,
  reading: S,
  send: (queries: readonly Query[]) => Promise<unknown[]> = (queries) => sendQueries(db, queries),
): Promise<ResultOf<S>> => resultsOf(reading, await send(statementsOf(reading) as Query[]))

const wrapped = (query: Query): SQL => (query as unknown as { getSQL: () => SQL }).getSQL()

const sendStatements = async (db: Db, statements: readonly (Query | SQL)[]): Promise<unknown[]> => {
  const queries = statements.map((one) => (one instanceof SQL ? db.execute(one) : one))
  const results = await sendQueries(db, queries, true)
  currentDryRun()?.writes.push(...queries.map(wrapped))
  return results
}

type BatchOptions = {
  /** Gets the result of each statement of the batch. */
  note?: (statement: Query | SQL, result: unknown) => void
  /** Called if the batch queued the job that pushes its events. */
  pushes?: () => void
}

/**
 * Runs steps in order in one transaction and one request, and returns their results by name.
 *
 * A batch with an audit entry also queues the jobs that push it to event endpoints. Retries once if PostgreSQL rolled the
 * transaction back because of another one. Throws if there is neither an audit entry nor a reason for having none.
 */
export const sendBatch = async <const S extends Steps>(
  db: Db,
  steps: S,
  options?: { unaudited: string },
  { note = () => undefined, pushes = () => undefined }: BatchOptions = {},
): Promise<ResultOf<S>> => {
  const isAudited = statementsOf(steps).some((one) => one instanceof AuditStatement)
  if (!options && !isAudited) throw new Error('A batch has an audit entry, or says why it has none.')
  const batch = { steps, pushed: isAudited && wakePushes() }
  const statements = statementsOf(batch)
  const send = () => sendStatements(db, statements)
  const sent = await send().catch((error: unknown) => {
    if (!(error instanceof ApiError) || !isUndone(error.cause)) throw error
    return send()
  })
  const results = statements.map((one, place) => {
    const result = one instanceof SQL ? (sent[place] as { rows: unknown[] }).rows : sent[place]
    note(one, result)
    return result
  })
  const byName = resultsOf(batch, results)
  if (byName.pushed && byName.pushed.length > 0) pushes()
  return byName.steps
}

/** Returns a context that calls `noteChange` after every batch, even a failed one. For callers and people, not for jobs. */
export const recordingFailures = (ctx: Ctx): Ctx => {
  const noted = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } finally {
      ctx.defer(ctx.noteChange())
    }
  }
  return {
    ...ctx,
    batch: (steps, options) => noted(ctx.batch(steps, options)),
  }
}

/** Returns an account's id as an SQL expression, as `read` passes it to its queries. */
export const ownerOfId = (id: number): SQL => sql`${id}::int`

/**
 * Returns a context for work without a key: a job, a cron run, a signed-in person.
 *
 * Its actor is the cause of the jobs that it queues. What a job queues has the cause of the job.
 */
export const systemCtx = (
  deps: Deps,
  actor: string,
  account: Account,
  defer: (work: Promise<unknown>) => void,
): Ctx => {
  if (!actor.startsWith('job:')) setCause(actor)
  return {
    ...deps,
    actor: () => actor,
    read: async (build) => await sendReading(deps.db, build(ownerOfId(account.id))),
    account: async () => account,
    batch: (steps, options) => sendBatch(deps.db, steps, options, { pushes: () => defer(deps.wakeQueue()) }),
    ...KEEPS_NOTHING,
    defer,
  }
}
