import type { PGlite } from '@electric-sql/pglite'
import type { Backend, Row, StatementResult, Work } from './backend.ts'
import { copyRefused, leavesSessionState, SqlError, toFailure } from './backend.ts'
import { createCollector, type RawField } from './collector.ts'
import { openDataDir } from './data-dir.ts'
import { createPreparedStatements, isStale, type PreparedStatements } from './prepared-statements.ts'
import { encodeSequence, plainStep, type Step } from './wire.ts'

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

/** The engine reports its exit with an object that is not an Error. */
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

/** Runs SQL on an embedded PostgreSQL that is open. */
export const backendOf = (db: PGlite): Backend => {
  let stopped: Error | undefined
  const prepared = createPreparedStatements()
  const run = async (work: Work): Promise<StatementResult[]> => {
    // The engine is one WebAssembly instance. After it has exited or trapped, a call to it may never return.
    if (stopped) throw stopped
    try {
      return await perform(db, work, prepared)
    } catch (error) {
      if (!(error instanceof SqlError)) stopped = new Error(`the embedded database has stopped: ${reasonOf(error)}`)
      throw stopped ?? error
    }
  }
  return {
    kind: 'pglite',
    run: (work) => db.runExclusive(() => run(work)),
    close: async () => (stopped ? undefined : db.close()),
  }
}

/** Runs SQL on an embedded PostgreSQL, its data in `dir` or, when absent, in memory; see openDataDir for `template`. */
export const openPglite = async (place: { dir?: string; template?: string }): Promise<Backend> =>
  backendOf(await openDataDir(place))
