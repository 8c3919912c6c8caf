import { bySpecificity, DRY_RUN, type Operation } from '../../platform/http/operation.ts'
import { type FieldError, invalidInput } from '../../platform/lib/errors.ts'
import { MAX_ID } from '../../platform/lib/fields.ts'
import { fieldErrors } from '../../platform/lib/issues.ts'
import { nearestName } from '../../platform/lib/text.ts'
import type { IntendedCallInput } from './operations.ts'

/** Intended call with its operation. */
export type MatchedCall = {
  op: Operation
  path: string
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** Validated by the same rules as in the call itself. */
  body: Readonly<Record<string, unknown>>
  projectId: number | undefined
}

const BASE = '/api/v1'

/** Returns the parameters of a path that matches `pattern`; undefined if it does not match. */
const paramsIn = (pattern: string, path: string): Record<string, string> | undefined => {
  const [own, given] = [pattern.split('/'), path.split('/')]
  if (own.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [n, part] of own.entries()) {
    if (part.startsWith(':')) params[part.slice(1)] = given[n] ?? ''
    else if (part !== given[n]) return undefined
  }
  return params
}

const splitPath = (given: string): { path: string; query: URLSearchParams } => {
  const [whole = '', query = ''] = given.split('?', 2)
  const path = (whole.startsWith(`${BASE}/`) ? whole.slice(BASE.length) : whole).replace(/(.)\/$/, '$1')
  return { path, query: new URLSearchParams(query) }
}

type Found = Pick<MatchedCall, 'op' | 'path' | 'params' | 'query'>

const byPath = (call: IntendedCallInput, at: string, operations: readonly Operation[]): Found | FieldError => {
  const { path, query } = splitPath(call.path ?? '')
  if (call.method === undefined) return { field: `${at}.method`, message: 'is required with path' }
  const shaped = operations
    .filter(({ method }) => method === call.method)
    .flatMap((op) => [op.path, ...(op.aliases ?? [])].map((pattern) => ({ op, pattern })))
    .sort((a, b) => bySpecificity(a.pattern, b.pattern))
  for (const { op, pattern } of shaped) {
    const params = paramsIn(pattern, path)
    if (params) return { op, path, params, query }
  }
  return { field: `${at}.path`, message: `is not a path of ${call.method}; GET /account lists the operations` }
}

const byName = (name: string, at: string, operations: readonly Operation[]): Found | FieldError => {
  const op = operations.find(({ id }) => id === name)
  if (op) return { op, path: op.path, params: {}, query: new URLSearchParams() }
  const near = nearestName(
    name,
    operations.map(({ id }) => id),
  )
  const hint = near === undefined ? '; GET /account lists the operations' : `. Did you mean ${near}?`
  return { field: `${at}.operation`, message: `is not an operation${hint}` }
}

const find = (call: IntendedCallInput, at: string, operations: readonly Operation[]): Found | FieldError => {
  const { operation, path } = call
  if (path === undefined && operation === undefined)
    return { field: `${at}.operation`, message: 'is required, or method and path' }
  if (path === undefined) return byName(operation ?? '', at, operations)
  const found = byPath(call, at, operations)
  if ('field' in found || operation === undefined || found.op.id === operation) return found
  return { field: `${at}.operation`, message: `does not match the path, which is of ${found.op.id}` }
}

const ID = /^[1-9]\d{0,9}$/

const faultsOfParams = ({ op, params }: Found, at: string): FieldError[] =>
  Object.entries(params).flatMap(([name, value]) => {
    const schema = op.params?.[name]
    const isFit = schema ? schema.safeParse(value).success : ID.test(value) && Number(value) <= MAX_ID
    return isFit ? [] : [{ field: `${at}.path`, message: `has an invalid ${name}` }]
  })

/** Returns the parsed body for the operation, or its errors. */
const bodyOf = ({ op }: Found, given: Record<string, unknown> | undefined, at: string) => {
  if (!op.json || (given === undefined && op.bodyOptional)) return { body: {} }
  if (given === undefined) return { faults: [{ field: `${at}.body`, message: 'is required' }] }
  const { [DRY_RUN]: _, ...fields } = given
  const result = op.json.safeParse(fields)
  if (result.success) return { body: result.data as Record<string, unknown> }
  return {
    faults: fieldErrors(result.error.issues, fields).map((fault) => ({ ...fault, field: `${at}.body.${fault.field}` })),
  }
}

const numberIn = (value: unknown): number | undefined =>
  ID.test(String(value)) && Number(value) <= MAX_ID ? Number(value) : undefined

/** Finds the operation of each call and validates its body. Throws 400 that names every wrong field. */
export const matchCalls = (
  calls: readonly IntendedCallInput[],
  operations: readonly Operation[],
): readonly MatchedCall[] => {
  const faults: FieldError[] = []
  const matched = calls.flatMap((call, n): MatchedCall[] => {
    const at = `calls.${n}`
    const found = find(call, at, operations)
    if ('field' in found) {
      faults.push(found)
      return []
    }
    const read = bodyOf(found, call.body, at)
    faults.push(...faultsOfParams(found, at), ...(read.faults ?? []))
    const { op, params, query } = found
    const body = read.body ?? {}
    const inPath = op.path.startsWith('/projects/:id') ? params.id : undefined
    const projectId = call.project_id ?? numberIn(body.project_id ?? inPath ?? query.get('project_id'))
    return [{ ...found, body, projectId }]
  })
  if (faults.length > 0) throw invalidInput(faults)
  return matched
}

/** Returns the scope that a call needs. `what` is the part of the call that needs a wider scope than its operation. */
export const scopeOf = ({ op, body }: MatchedCall): { scope: Operation['scope']; what?: string } =>
  op.wider?.needs(body) ? { scope: op.wider.scope, what: op.wider.when } : { scope: op.scope }
