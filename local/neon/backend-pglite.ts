import type { PGlite } from '@electric-sql/pglite'
import { DiskFull, isDiskFull, shortageAt } from '../disk.ts'
import {
  type Backend,
  copyRefused,
  createCollector,
  leavesSessionState,
  type RawField,
  type Row,
  SqlError,
  type StatementResult,
  toFailure,
  type Work,
} from './backend.ts'
import { openDataDir } from './data-dir.ts'
import {
  createPreparedStatements,
  encodeSequence,
  isStale,
  type PreparedStatements,
  plainStep,
  type Step,
} from './prepared-statements.ts'

type Reply = Awaited<ReturnType<PGlite['execProtocolStream']>>[number]

/** Sends one message sequence. Resolves with the results and the transaction status after it; throws SqlError. */
const exchange = async (
  db: PGlite,
  steps: readonly Step[],
  closing: readonly string[] = [],
): Promise<{ results: StatementResult[]; idle: boolean }> => {
  const replies = await db.execProtocolStream(encodeSequence(steps, closing), { throwOnError: false, syncToFs: false })
  const collector = createCollector()
  let idle = true
  let failure: Error | undefined
  const take = (reply: Reply) => {
    if (reply.name === 'rowDescription') collector.rowDescription((reply as Reply & { fields: RawField[] }).fields)
    else if (reply.name === 'dataRow') collector.dataRow((reply as Reply & { fields: Row }).fields)
    else if (reply.name === 'commandComplete') collector.complete((reply as Reply & { text: string }).text)
    else if (reply.name === 'emptyQuery') collector.complete('')
    else if (reply.name === 'readyForQuery') idle = (reply as Reply & { status: string }).status === 'I'
    else if (reply.name === 'copyInResponse') failure ??= copyRefused()
    else if (reply instanceof Error) failure ??= toFailure(reply)
  }
  for (const reply of replies) take(reply)
  if (!idle && failure) await exchange(db, [plainStep('ROLLBACK')])
  if (failure) throw failure
  if (collector.results.length !== steps.length) throw new Error('a statement ended without an answer')
  return { results: collector.results, idle }
}

/** Returns the words of an error. The engine reports its exit with an object that is not an Error. */
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : JSON.stringify(error))

const attempt = async (
  db: PGlite,
  { statements, begin }: Work,
  prepared: PreparedStatements,
  toStep: PreparedStatements['step'],
): Promise<{ results: StatementResult[]; idle: boolean }> => {
  const steps = statements.map(toStep)
  try {
    const sequence = begin ? [plainStep(begin), ...steps, plainStep('COMMIT')] : steps
    const answer = await exchange(db, sequence, prepared.closing())
    prepared.succeeded()
    return answer
  } catch (error) {
    prepared.failed()
    throw error
  }
}

const perform = async (db: PGlite, work: Work, prepared: PreparedStatements): Promise<StatementResult[]> => {
  const { results, idle } = await attempt(db, work, prepared, prepared.step).catch((error: unknown) => {
    if (!isStale(error)) throw error
    prepared.forgetAll()
    return attempt(db, work, prepared, ({ query, params }) => plainStep(query, params))
  })
  // All requests share one session. A BEGIN sent alone, or a setting, would affect every later request.
  if (!idle) await exchange(db, [plainStep('ROLLBACK')])
  if (leavesSessionState(results)) {
    await exchange(db, [plainStep('DISCARD ALL')])
    prepared.dropped()
  }
  return work.begin ? results.slice(1, -1) : results
}

const refusalOf = (shortage: DiskFull): SqlError => new SqlError(shortage.message, { severity: 'ERROR', code: '53100' })

/** Runs work that may only read. A statement that writes is refused, as PostgreSQL refuses one on a full disk. */
const readOnly = async (
  db: PGlite,
  { statements }: Work,
  prepared: PreparedStatements,
  shortage: DiskFull,
): Promise<StatementResult[]> => {
  try {
    return await perform(db, { statements, begin: 'BEGIN READ ONLY' }, prepared)
  } catch (error) {
    const isWrite = error instanceof SqlError && error.fields.code === '25006'
    throw isWrite ? refusalOf(shortage) : error
  }
}

/**
 * Runs SQL on an embedded PostgreSQL that is open.
 *
 * `dir` has its data. While that disk is full, only reads run. If it filled up during a write and the engine stopped,
 * the database is opened again as soon as there is space.
 */
export const backendOf = (opened: PGlite, dir?: string): Backend => {
  let db = opened
  let prepared = createPreparedStatements()
  let stopped: Error | undefined
  const reopen = async (place: string): Promise<void> => {
    db = await openDataDir({ dir: place })
    prepared = createPreparedStatements()
    stopped = undefined
  }
  const run = async (work: Work): Promise<StatementResult[]> => {
    const shortage = dir === undefined ? undefined : shortageAt(dir)
    if (stopped instanceof DiskFull && dir !== undefined) {
      if (shortage) throw refusalOf(shortage)
      await reopen(dir)
    }
    // The engine is one WebAssembly instance. After it has exited or trapped, a call to it may never return.
    if (stopped) throw stopped
    try {
      return await (shortage ? readOnly(db, work, prepared, shortage) : perform(db, work, prepared))
    } catch (error) {
      if (error instanceof SqlError) throw error
      stopped =
        dir !== undefined && isDiskFull(error)
          ? new DiskFull(dir)
          : new Error(`the embedded database has stopped: ${reasonOf(error)}`)
      throw stopped
    }
  }
  let last: Promise<unknown> = Promise.resolve()
  return {
    kind: 'pglite',
    run: (work) => {
      const result = last.then(() => run(work))
      last = result.catch(() => undefined)
      return result
    },
    close: async () => {
      await last
      if (!stopped) await db.close()
    },
  }
}

/** Opens an embedded PostgreSQL with its data in `dir`, or else in memory. `openDataDir` explains `template`. */
export const openPglite = async (place: { dir?: string; template?: string }): Promise<Backend> =>
  backendOf(await openDataDir(place), place.dir)
