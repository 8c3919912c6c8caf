import { fieldNames } from '../http/ignored.ts'
import { GROUPS, type GroupedOperation, OPERATIONS } from '../operations.ts'
import type { Call } from './call.ts'

const callOf = ({ method, path, group, scope, json, bodyOptional, query }: GroupedOperation): Call => ({
  method,
  path,
  group,
  scope,
  takesBody: json !== undefined && bodyOptional !== true,
  queryNames: fieldNames(query) ?? [],
})

/** Every operation that is built, by method and path. */
export const CALLS: Readonly<Record<string, Call>> = Object.fromEntries(
  OPERATIONS.filter(({ group }) => Object.hasOwn(GROUPS, group)).map((op) => [`${op.method} ${op.path}`, callOf(op)]),
)
