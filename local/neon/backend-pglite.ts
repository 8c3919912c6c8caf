import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
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
import {
  createPreparedStatements,
  encodeSequence,
  isStale,
  type PreparedStatements,
  plainStep,
  type Step,
} from './prepared-statements.ts'

/**
 * PostgreSQL's own default is 128 MB of buffers, and the embedded one keeps every page it touched. A small database
 * needs fewer.
 */
const START = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']

const create = async (dir: string | undefined, dump?: Blob): Promise<PGlite> =>
  PGlite.create({
    extensions: { btree_gin, pg_trgm },
    startParams: START,
    ...(dir === undefined ? {} : { dataDir: dir }),
    ...(dump === undefined ? {} : { loadDataDir: dump }),
  })

/** File that returns its own bytes. A plain Blob copies them when it is made, and again when it is read. */
class FileBytes extends Blob {
  readonly #bytes: Uint8Array<ArrayBuffer>

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    super([])
    this.#bytes = bytes
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    const { buffer, byteOffset, byteLength } = this.#bytes
    return byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)
  }
}

/** Writes a database into a file, renamed into place: another process starting now sees the whole file or none. */
export const writeTemplate = async (db: PGlite, template: string) => {
  const dump = await db.dumpDataDir('none')
  const unfinished = `${template}.${process.pid}`
  await mkdir(dirname(template), { recursive: true })
  await writeFile(unfinished, Buffer.from(await dump.arrayBuffer()))
  await rename(unfinished, template)
}

const createFresh = async (dir: string | undefined, template: string | undefined): Promise<PGlite> => {
  if (template === undefined) return create(dir)
  const dump = await readFile(template).catch(() => undefined)
  if (dump) {
    try {
      return await create(dir, new FileBytes(dump))
    } catch {
      // The template is damaged or of another PostgreSQL version: initialise as if there were none, and replace it.
      if (dir !== undefined) await rm(dir, { recursive: true, force: true })
    }
  }
  const db = await create(dir)
  // The template only saves time. If it cannot be written, the next start works without it too.
  await writeTemplate(db, template).catch(() => {})
  return db
}

/**
 * Opens the database in `dir` (in memory if absent), and makes it first if there is none. Throws if it cannot be
 * opened.
 *
 * `template` is a file with an initialised empty database, which makes this ten times faster. It is written if it does
 * not exist.
 */
export const openDataDir = async ({ dir, template }: { dir?: string; template?: string }): Promise<PGlite> => {
  if (dir === undefined) return createFresh(undefined, template)
  // Exists while the directory is being filled. An interrupted start begins again and does not continue.
  const unfinished = `${dir}.unfinished`
  if (!existsSync(unfinished)) {
    if (existsSync(join(dir, 'PG_VERSION'))) return create(dir)
    // The folder may have someone's data, so it is not removed.
    if (existsSync(dir) && readdirSync(dir).length > 0) throw new Error('it has no PG_VERSION')
  }
  await mkdir(dirname(dir), { recursive: true })
  await writeFile(unfinished, '')
  await rm(dir, { recursive: true, force: true })
  const db = await createFresh(dir, template)
  await rm(unfinished)
  return db
}

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

/** Opens an embedded PostgreSQL with its data in `dir`, or else in memory. `openDataDir` explains `template`. */
export const openPglite = async (place: { dir?: string; template?: string }): Promise<Backend> =>
  backendOf(await openDataDir(place))
