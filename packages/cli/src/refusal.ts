import type { GalleyError, NextCall } from '../../client/src/error.ts'
import { type Commands, pathNames } from './operation.ts'
import { paint, readable } from './output.ts'

/** Exit codes, one for each thing that a script can do about a refusal. 1 is any other error. */
export const EXIT = { usage: 2, access: 3, missing: 4, conflict: 5, payment: 6, later: 7, upstream: 8 } as const

/** Returns the exit code of a refusal. */
export const exitCodeOf = ({ status, retryable }: GalleyError): number => {
  if (status === 400 || status === 413 || status === 415 || status === 422) return EXIT.usage
  if (status === 401 || status === 403) return EXIT.access
  if (status === 404) return EXIT.missing
  if (status === 402) return EXIT.payment
  if (status === 429 || (status === 503 && retryable)) return EXIT.later
  if (status === 409 || status === 412) return EXIT.conflict
  return status === 502 || status === 504 ? EXIT.upstream : 1
}

const quoted = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

const optionsOf = (fields: Record<string, unknown>): string[] =>
  Object.entries(fields).map(([name, value]) => `--${name} ${quoted(value)}`)

/** Returns a call as a command to paste; undefined if no operation has its method and path. */
export const commandFor = (commands: Commands, { method, path, body }: NextCall): string | undefined => {
  const { pathname, searchParams } = new URL(path, 'http://galley')
  const parts = pathname.split('/')
  const found = Object.entries(commands)
    .filter(([, one]) => {
      const own = one.path.split('/')
      const fits = own.length === parts.length && own.every((part, n) => part.startsWith(':') || part === parts[n])
      return one.method === method && fits
    })
    .sort(([, a], [, b]) => pathNames(a.path).length - pathNames(b.path).length)[0]
  if (!found) return undefined
  const [id, operation] = found
  const given = operation.path.split('/').flatMap((part, n) => (part.startsWith(':') ? [quoted(parts[n] ?? '')] : []))
  const options = optionsOf({ ...Object.fromEntries(searchParams), ...(body ?? {}) })
  return ['galley', id, ...given, ...options].join(' ')
}

/** Returns a refusal as lines for people: the reason, the fields, and commands that help. */
export const refusalText = (commands: Commands, error: GalleyError): string => {
  const red = (text: string): string => paint(process.stderr, 'red', text)
  const dim = (text: string): string => paint(process.stderr, 'dim', text)
  const details = error.details
    .filter(({ message }) => message !== error.message)
    .map(({ field, message, allowed }) => {
      const values = allowed === undefined ? '' : ` (allowed: ${quoted(allowed).replace(/^'|'$/g, '')})`
      return `  ${field}: ${message}${values}`
    })
  const next = error.nextCalls.map(
    (call) => `  ${commandFor(commands, call) ?? `${call.method} ${call.path}`}  ${dim(`# ${call.why}`)}`,
  )
  return [
    `${red('Refused:')} ${readable(error.message).trimEnd()} ${dim(`(${error.code}, ${error.status})`)}`,
    ...details,
    ...(error.retryAfter === undefined ? [] : [`  The same command may succeed in ${error.retryAfter} s.`]),
    ...(error.instructionsForAgent ? [`  ${error.instructionsForAgent}`] : []),
    ...(next.length > 0 ? ['Next:', ...next] : []),
    ...(error.docsUrl ? [dim(error.docsUrl)] : []),
    ...(error.requestId ? [dim(`Request ${error.requestId}`)] : []),
    '',
  ].join('\n')
}
