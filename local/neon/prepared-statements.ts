import { serialize } from 'pg-protocol'
import { copyRefused, SqlError, type Statement } from './backend.ts'

/** One statement of a message sequence. `name` is '' for the unnamed prepared statement. */
export type Step = {
  name: string
  /** Absent when the statement called `name` is already prepared. */
  query?: string
  params: readonly (string | null)[]
}

/** Returns a step that leaves nothing prepared. */
export const plainStep = (query: string, params: Step['params'] = []): Step => ({ name: '', query, params })

/** The parameter count is an unsigned 16-bit field of the Bind message. */
const MAX_PARAMS = 65_535

const refusedCopy = /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*copy\b[\s\S]*\b(?:from\s+stdin|from\s+program|to\s+program)\b/i

const check = (step: Step) => {
  // Refused before it is sent: the server would read all later messages as rows, and the embedded engine would exit.
  if (step.query !== undefined && refusedCopy.test(step.query)) throw copyRefused()
  if (step.query?.includes('\0')) {
    throw new SqlError('invalid byte sequence for encoding "UTF8": 0x00', { severity: 'ERROR', code: '22021' })
  }
  if (step.params.length > MAX_PARAMS) {
    throw new SqlError(`a statement has at most ${MAX_PARAMS} parameters`, { severity: 'ERROR', code: '08P01' })
  }
}

const messagesOf = (step: Step): Buffer[] => {
  check(step)
  const { name, query, params } = step
  return [
    ...(query === undefined ? [] : [serialize.parse({ name, text: query })]),
    serialize.bind({ statement: name, values: [...params] }),
    serialize.describe({ type: 'P' }),
    serialize.execute(),
  ]
}

/**
 * Returns the frontend messages that close the prepared statements in `closing` and then run the steps, ended by ONE Sync: after
 * an error the server skips the rest. Extended protocol with text formats (PostgreSQL manual, "Message Formats").
 *
 * Throws SqlError for what the messages cannot carry.
 */
export const encodeSequence = (steps: readonly Step[], closing: readonly string[] = []): Buffer =>
  Buffer.concat([
    ...closing.map((name) => serialize.close({ type: 'S', name })),
    ...steps.flatMap(messagesOf),
    serialize.sync(),
  ])

const MAX_PREPARED = 500
const MAX_SQL_CHARS = 16_384

/** The statements one connection has prepared on the server, so that repeated SQL is parsed and planned once. */
export type PreparedStatements = {
  /** The step that runs a statement: prepared under a name the first time, by that name afterwards. */
  step: (statement: Statement) => Step
  /** Names to be closed on the server with the next sequence. */
  closing: () => readonly string[]
  /** Called after the last sequence succeeded: all it prepared exists, and all it closed is gone. */
  succeeded: () => void
  /** Called after the last sequence failed: what it prepared may or may not exist. */
  failed: () => void
  /** Stops using all statements. The next sequence closes them. */
  forgetAll: () => void
  /** Called after the server dropped them all (DISCARD ALL). */
  dropped: () => void
}

/** True if a statement may run often. Long texts are mostly inserts of many rows that run once. */
const worthPreparing = (sql: string) =>
  sql.length <= MAX_SQL_CHARS && /^\s*(select|insert|update|delete|with)\b/i.test(sql)

export const createPreparedStatements = (): PreparedStatements => {
  /** Names by SQL text, least recently used first. */
  const names = new Map<string, string>()
  let added: string[] = []
  let closing: string[] = []
  let made = 0

  const forget = (sql: string, name: string) => {
    names.delete(sql)
    closing.push(name)
  }

  const step = ({ query, params }: Statement): Step => {
    if (!worthPreparing(query)) return { name: '', query, params }
    const known = names.get(query)
    if (known !== undefined) {
      names.delete(query)
      names.set(query, known)
      return { name: known, params }
    }
    made += 1
    const name = `s${made}`
    names.set(query, name)
    added.push(query)
    return { name, query, params }
  }

  const succeeded = () => {
    added = []
    closing = []
    for (const [sql, name] of names) {
      if (names.size <= MAX_PREPARED) break
      forget(sql, name)
    }
  }

  const failed = () => {
    for (const sql of added) {
      const name = names.get(sql)
      if (name !== undefined) forget(sql, name)
    }
    added = []
  }

  const forgetAll = () => {
    for (const [sql, name] of names) forget(sql, name)
  }

  const dropped = () => {
    names.clear()
    closing = []
  }

  return { step, closing: () => closing, succeeded, failed, forgetAll, dropped }
}

/** True if the server no longer has a prepared statement, or its result changed with the schema. */
export const isStale = (error: unknown): boolean =>
  error instanceof SqlError && (error.fields.code === '26000' || error.fields.routine === 'RevalidateCachedQuery')
