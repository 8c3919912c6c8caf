import { requestIdNow } from '../lib/request-scope.ts'
import type { EventAt } from './events.ts'

/** Fields that may be logged. Never a secret, a request body or article text: callers pass ids, codes and numbers. */
export type LogFields = Record<string, string | number | boolean | null | undefined>

type Level = 'info' | 'warn' | 'error'

/**
 * Writes one line of the log. `event` has the form `area.what`, as in `queue.refused`.
 *
 * A warning or an error is one of `EVENTS`, with the level that it has there.
 */
export type Log = <L extends Level>(
  level: L,
  event: [L] extends ['info'] ? string : EventAt<Exclude<L, 'info'>>,
  fields?: LogFields,
) => void

/** Returns a log that writes one JSON line per event, with the fields of `base` and the id of the current request. */
export const createLog =
  (base: LogFields = {}): Log =>
  (level, event, fields = {}) => {
    const line = JSON.stringify({ level, event, ...base, request_id: requestIdNow(), ...fields })
    if (level === 'error') console.error(line)
    else if (level === 'warn') console.warn(line)
    else console.log(line)
  }

/**
 * Returns the fields of an error that may be logged: name, database code, constraint and stack frames.
 *
 * Never its message, which can contain parameters.
 */
export const errorFields = (error: unknown): LogFields => {
  if (!(error instanceof Error)) return { error: typeof error }
  const cause = error.cause instanceof Error ? error.cause : error
  const code = (cause as { code?: unknown }).code
  const constraint = (cause as { constraint?: unknown }).constraint
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    error: cause.name,
    code: typeof code === 'string' ? code : undefined,
    constraint: typeof constraint === 'string' ? constraint : undefined,
    at: frames
      .slice(0, 4)
      .map((f) => f.trim())
      .join(' < '),
  }
}
