import type { Scope } from '../../schema/values/accounts.ts'
import { DRY_RUN, paramNames } from '../platform/http/operation.ts'
import { invalidInput } from '../platform/lib/errors.ts'

/** Operation as the MCP server calls it: its path, its Worker, and which input goes where. */
export type Call = {
  method: string
  path: string
  worker: string
  scope: Scope
  acceptsBody: boolean
  /** Names of its query parameters. */
  queryNames: readonly string[]
}

/** Operations by method and path. */
export type Calls = Readonly<Record<string, Call>>

/** Arguments that the MCP server reads itself: the operation, the offset in a long text, and the Idempotency-Key. */
export const ACTION_ARGUMENT = 'action'
export const OFFSET_ARGUMENT = 'content_offset'
export const KEY_ARGUMENT = 'idempotency_key'

const OWN: readonly string[] = [ACTION_ARGUMENT, OFFSET_ARGUMENT, KEY_ARGUMENT]

/** Arguments of a tool's call, as the client sent them. */
export type Arguments = Readonly<Record<string, unknown>>

/** Request of an operation: the path with query below `/api/v1`, and the body if it accepts one. */
export type ApiRequest = { method: string; path: string; body?: Record<string, unknown>; idempotencyKey?: string }

/** Returns a value as it is written in a URL. Lists are joined with commas. */
const inAddress = (value: unknown): string =>
  Array.isArray(value) ? value.join(',') : typeof value === 'object' ? JSON.stringify(value) : String(value)

const missing = (name: string) => invalidInput([{ field: name, message: 'is required' }])

/** Path segments that would change the path, even if they are encoded. */
const DOTS = new Set(['.', '..'])

/** Returns the path with its parameters filled in. Throws 400 if one is missing or would change the path. */
const pathWith = (op: Call, ids: Readonly<Record<string, string>>, args: Arguments): string =>
  paramNames(op.path).reduce((path, name) => {
    const argument = ids[name] ?? name
    const value = args[argument]
    if (value === undefined || value === null || inAddress(value) === '') throw missing(argument)
    if (DOTS.has(inAddress(value))) throw invalidInput([{ field: argument, message: 'must be an id' }])
    return path.replace(`:${name}`, encodeURIComponent(inAddress(value).toWellFormed()))
  }, op.path)

/**
 * Returns the operation's request for a tool's arguments.
 *
 * Unknown names are sent like the operation's other input, so that the operation itself reports them as ignored.
 */
export const requestOf = (op: Call, ids: Readonly<Record<string, string>>, args: Arguments): ApiRequest => {
  const taken = new Set([...OWN, ...paramNames(op.path).map((name) => ids[name] ?? name)])
  const inQuery = op.method === 'GET' ? undefined : new Set([...op.queryNames, DRY_RUN])
  const query = new URLSearchParams()
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(args)) {
    if (taken.has(name) || value === undefined) continue
    if (inQuery && !inQuery.has(name)) body[name] = value
    else if (value !== null) query.set(name, inAddress(value))
  }
  const key = args[KEY_ARGUMENT] ?? undefined
  // Refuse an invalid key instead of dropping it: without the key the same call could be made twice. No header can
  // carry it.
  if (key !== undefined && !(typeof key === 'string' && /^[\x20-\x7e]*$/.test(key)))
    throw invalidInput([{ field: KEY_ARGUMENT, message: 'must be 1 to 255 printable ASCII characters' }])
  return {
    method: op.method,
    path: `${pathWith(op, ids, args)}${query.size > 0 ? `?${query}` : ''}`,
    ...(op.acceptsBody || Object.keys(body).length > 0 ? { body } : {}),
    ...(key !== undefined && op.method === 'POST' ? { idempotencyKey: key } : {}),
  }
}
