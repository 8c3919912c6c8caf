import { copyRefused, SqlError } from './backend.ts'

/** One statement of a message sequence. `name` is '' for the unnamed prepared statement. */
export type Step = {
  name: string
  /** Absent when the statement called `name` is already prepared. */
  query?: string
  params: readonly (string | null)[]
}

/** A step that leaves nothing prepared. */
export const plainStep = (query: string, params: Step['params'] = []): Step => ({ name: '', query, params })

const SYNC_BYTES = 5
const EXECUTE_BYTES = 10
const DESCRIBE_BYTES = 7
/** The parameter count is an unsigned 16-bit field of the Bind message. */
const MAX_PARAMS = 65_535

const refusedCopy = /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*copy\b[\s\S]*\b(?:from\s+stdin|from\s+program|to\s+program)\b/i

const check = (step: Step) => {
  // Refused before it is sent: the server would read all later messages as rows, and the embedded one exits.
  if (step.query !== undefined && refusedCopy.test(step.query)) throw copyRefused()
  if (step.query?.includes('\0')) {
    throw new SqlError('invalid byte sequence for encoding "UTF8": 0x00', { severity: 'ERROR', code: '22021' })
  }
  if (step.params.length > MAX_PARAMS) {
    throw new SqlError(`a statement has at most ${MAX_PARAMS} parameters`, { severity: 'ERROR', code: '08P01' })
  }
}

const bytesOf = ({ name, query, params }: Step): number => {
  let bytes = DESCRIBE_BYTES + EXECUTE_BYTES + 5 + 1 + name.length + 1 + 2 + 2 + 2
  if (query !== undefined) bytes += 5 + name.length + 1 + Buffer.byteLength(query) + 1 + 2
  for (const param of params) bytes += param === null ? 4 : 4 + Buffer.byteLength(param)
  return bytes
}

/** Writes type and body at `at`; the length field counts itself but not the type byte. Returns the end of the message. */
const message = (buffer: Buffer, at: number, type: string, body: (at: number) => number): number => {
  buffer.write(type, at, 'latin1')
  const end = body(at + 5)
  buffer.writeInt32BE(end - at - 1, at + 1)
  return end
}

const text = (buffer: Buffer, at: number, value: string): number => {
  const end = at + buffer.write(value, at)
  buffer[end] = 0
  return end + 1
}

const parse = (buffer: Buffer, start: number, name: string, query: string): number =>
  message(buffer, start, 'P', (at) => buffer.writeInt16BE(0, text(buffer, text(buffer, at, name), query)))

const bind = (buffer: Buffer, start: number, { name, params }: Step): number =>
  message(buffer, start, 'B', (body) => {
    let at = text(buffer, text(buffer, body, ''), name)
    at = buffer.writeInt16BE(0, at)
    at = buffer.writeUInt16BE(params.length, at)
    for (const param of params) {
      if (param === null) {
        at = buffer.writeInt32BE(-1, at)
        continue
      }
      const written = buffer.write(param, at + 4)
      buffer.writeInt32BE(written, at)
      at += 4 + written
    }
    return buffer.writeInt16BE(0, at)
  })

const describePortal = (buffer: Buffer, start: number): number =>
  message(buffer, start, 'D', (at) => text(buffer, at, 'P'))

const execute = (buffer: Buffer, start: number): number =>
  message(buffer, start, 'E', (at) => buffer.writeInt32BE(0, text(buffer, at, '')))

const closeStatement = (buffer: Buffer, start: number, name: string): number =>
  message(buffer, start, 'C', (at) => text(buffer, at, `S${name}`))

/**
 * The frontend messages that close the prepared statements in `closing` and then run the steps, ended by ONE Sync: after
 * an error the server skips the rest. Extended protocol with text formats (PostgreSQL manual, "Message Formats"). Throws
 * SqlError for what the messages cannot carry.
 */
export const encodeSequence = (steps: readonly Step[], closing: readonly string[] = []): Buffer => {
  let bytes = SYNC_BYTES
  for (const step of steps) {
    check(step)
    bytes += bytesOf(step)
  }
  for (const name of closing) bytes += 5 + 1 + name.length + 1
  const buffer = Buffer.allocUnsafe(bytes)
  let at = 0
  for (const name of closing) at = closeStatement(buffer, at, name)
  for (const step of steps) {
    if (step.query !== undefined) at = parse(buffer, at, step.name, step.query)
    at = bind(buffer, at, step)
    at = execute(buffer, describePortal(buffer, at))
  }
  message(buffer, at, 'S', (end) => end)
  return buffer
}
