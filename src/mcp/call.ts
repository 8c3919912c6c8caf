import type { Scope } from '../../schema/values/accounts.ts'
import { DRY_RUN, paramNames } from '../platform/http/operation.ts'
import { invalidInput } from '../platform/lib/errors.ts'
import { nearestName } from '../platform/lib/text.ts'

/** Shortest usable JSON Schema of a value. */
export type Field = {
  type?: string
  description?: string
  enum?: readonly unknown[]
  items?: Field
  properties?: Readonly<Record<string, Field>>
  required?: readonly string[]
}

/** JSON Schema of an object, such as the arguments of a tool. */
export type ObjectSchema = { type: 'object'; properties: Readonly<Record<string, Field>>; required?: readonly string[] }

/** Operation as the MCP server calls it: its path, its Worker, its input, and which input goes where. */
export type Call = {
  id: string
  method: string
  path: string
  worker: string
  scope: Scope
  summary: string
  acceptsBody: boolean
  /** Names of its query parameters. */
  queryNames: readonly string[]
  /** Path parameters, query and body together. */
  input: ObjectSchema
  /** True if it also reads fields that `input` does not name. */
  isOpen: boolean
  /** True if it can require that the article still has a revision. */
  takesRevision: boolean
}

/** Operations by method and path. */
export type Calls = Readonly<Record<string, Call>>

/** Arguments that the MCP server reads itself: the operation, the offset in a long text, the Idempotency-Key, and the revision. */
export const ACTION_ARGUMENT = 'action'
export const OFFSET_ARGUMENT = 'content_offset'
export const KEY_ARGUMENT = 'idempotency_key'
export const REVISION_ARGUMENT = 'if_revision'

const OWN: readonly string[] = [ACTION_ARGUMENT, OFFSET_ARGUMENT, KEY_ARGUMENT, REVISION_ARGUMENT]

/** Arguments of a tool's call, as the client sent them. */
export type Arguments = Readonly<Record<string, unknown>>

/** Request of an operation: the path with query below `/api/v1`, and the body if it accepts one. */
export type ApiRequest = {
  method: string
  path: string
  body?: Record<string, unknown>
  idempotencyKey?: string
  ifMatch?: string
}

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

/** Returns the names of an operation's arguments, with a tool's names for path parameters. */
export const argumentNames = (op: Call, ids: Readonly<Record<string, string>>): string[] => {
  const inPath = new Set(paramNames(op.path))
  return [
    ...Object.keys(op.input.properties).map((name) => (inPath.has(name) ? (ids[name] ?? name) : name)),
    ...(op.method === 'GET' ? [] : [DRY_RUN]),
    ...(op.method === 'POST' ? [KEY_ARGUMENT] : []),
    ...(op.takesRevision ? [REVISION_ARGUMENT] : []),
  ]
}

/** Throws 400 with the allowed names if there are arguments with other names. */
export const checkNames = (args: Arguments, allowed: readonly string[], tool: string): void => {
  const unknown = Object.keys(args).filter((name) => !allowed.includes(name))
  if (unknown.length === 0) return
  throw invalidInput(
    unknown.map((name) => {
      const near = nearestName(name, allowed)
      const hint = near === undefined ? '' : `. Did you mean ${near}?`
      return { field: name, message: `is no argument of ${tool}${hint}`, allowed }
    }),
  )
}

/** Returns the header value for the revision that an article must still have. Throws 400 if it is not a revision. */
const ifMatchOf = (revision: unknown): string => {
  if (typeof revision === 'number' && Number.isSafeInteger(revision) && revision > 0) return `"${revision}"`
  throw invalidInput([{ field: REVISION_ARGUMENT, message: 'must be the Revision of an article, an integer' }])
}

/** Returns the operation's request for a tool's arguments. */
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
  const revision = args[REVISION_ARGUMENT] ?? undefined
  return {
    method: op.method,
    path: `${pathWith(op, ids, args)}${query.size > 0 ? `?${query}` : ''}`,
    ...(op.acceptsBody || Object.keys(body).length > 0 ? { body } : {}),
    ...(key !== undefined && op.method === 'POST' ? { idempotencyKey: key } : {}),
    ...(revision === undefined ? {} : { ifMatch: ifMatchOf(revision) }),
  }
}
