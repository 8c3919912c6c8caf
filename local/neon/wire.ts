import { serialize } from 'pg-protocol'
import { copyRefused, SqlError } from './backend.ts'

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
