import type { Scope } from '../../schema/values/accounts.ts'
import { includesScope } from '../platform/accounts/scopes.ts'
import { DRY_RUN } from '../platform/http/operation.ts'
import { type FieldError, invalidInput } from '../platform/lib/errors.ts'
import { nearestName } from '../platform/lib/text.ts'
import { type Arguments, type Call, checkNames, KEY_ARGUMENT, REVISION_ARGUMENT } from './call.ts'
import { CALLS } from './calls.generated.ts'
import type { ToolDefinition } from './tool-schemas.ts'

/** Names of the tools that find, read and call any operation. */
export const FIND = 'find_operation'
export const READ = 'read_operation'
export const CALL = 'call_operation'

const OPERATION = { type: 'string', description: 'such as articles.revisions' }

/** Definitions of the tools for any operation, with the narrowest scope that may use each. */
export const ANY_OPERATION: readonly { scope: Scope; definition: ToolDefinition }[] = [
  {
    scope: 'read',
    definition: {
      name: FIND,
      description:
        'Finds operations that have no tool of their own, by words such as "restore revision", with their arguments. Without query: all names.',
      inputSchema: { type: 'object', properties: { query: { type: 'string' } } },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
  },
  {
    scope: 'read',
    definition: {
      name: READ,
      description: 'Calls an operation that only reads.',
      inputSchema: {
        type: 'object',
        properties: { operation: OPERATION, arguments: { type: 'object' } },
        required: ['operation'],
      },
      annotations: { readOnlyHint: true },
    },
  },
  {
    scope: 'draft',
    definition: {
      name: CALL,
      description: 'Calls an operation that writes. Ask the user before anything public or costly. Cannot delete.',
      inputSchema: {
        type: 'object',
        properties: {
          operation: OPERATION,
          arguments: { type: 'object' },
          [REVISION_ARGUMENT]: { type: 'integer' },
          [KEY_ARGUMENT]: { type: 'string' },
          [DRY_RUN]: { type: 'boolean' },
        },
        required: ['operation'],
      },
      annotations: { destructiveHint: true },
    },
  },
]

/** True if an operation deletes. No tool calls it. */
export const isDeletion = ({ method, id }: Call): boolean => method === 'DELETE' || id === 'outreach.erase'

const reachable = (): Call[] => Object.values(CALLS).filter((op) => !isDeletion(op))

const refused = (field: string, message: string, more: Partial<FieldError> = {}) =>
  invalidInput([{ field, message, ...more }])

/** Returns the operation with an id, or with a method and path. Throws 400 with near ids. */
const operationOf = (tool: string, given: unknown): Call => {
  const name = typeof given === 'string' ? given.trim() : ''
  const op = Object.values(CALLS).find(({ id }) => id === name) ?? CALLS[name]
  if (!op) {
    const near = nearestName(
      name,
      reachable().map(({ id }) => id),
    )
    throw refused('operation', `is no operation; ${near ? `did you mean ${near}?` : `${FIND} lists them`}`)
  }
  if (isDeletion(op)) throw refused('operation', 'deletes, which no tool does; the user deletes on the pages')
  const right = op.method === 'GET' ? READ : CALL
  if (tool !== right) throw refused('operation', `is called with ${right}`)
  return op
}

/** Returns the operation and the arguments of a call of `read_operation` or `call_operation`. Throws 400. */
export const askedOf = (tool: string, args: Arguments): { op: Call; args: Arguments } => {
  const own = ANY_OPERATION.find(({ definition }) => definition.name === tool)?.definition.inputSchema.properties ?? {}
  checkNames(args, Object.keys(own), tool)
  const { operation, arguments: inner, ...more } = args
  const op = operationOf(tool, operation)
  if (inner !== undefined && inner !== null && (typeof inner !== 'object' || Array.isArray(inner)))
    throw refused('arguments', 'must be an object')
  return { op, args: { ...(inner as Arguments | null | undefined), ...more } }
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]{2,}/g) ?? []

const areAlike = (a: string, b: string): boolean =>
  a === b || (a.length > 2 && b.length > 2 && (a.startsWith(b) || b.startsWith(a)))

/** Returns how well an operation fits the words of a query. A word counts most in the id and the path. */
const fitness = (op: Call, query: readonly string[]): number => {
  const places = [
    [4, wordsIn(`${op.id.replaceAll(/[._]/g, ' ')} ${op.path}`)],
    [2, wordsIn(op.summary)],
    [1, wordsIn(Object.keys(op.input.properties).join(' '))],
  ] as const
  return query.reduce(
    (sum, word) => sum + (places.find(([, words]) => words.some((one) => areAlike(one, word)))?.[0] ?? 0),
    0,
  )
}

const MAX_FOUND = 6
const MAX_QUERY = 20

/** Returns the operations within a scope that fit a query, best first; without one, the names of all. */
export const findOperations = (args: Arguments, scope: Scope): Record<string, unknown> => {
  checkNames(args, ['query'], FIND)
  const all = reachable().filter((op) => includesScope([scope], op.scope))
  const query = wordsIn(typeof args.query === 'string' ? args.query : '').slice(0, MAX_QUERY)
  if (query.length === 0)
    return { operations: all.map(({ id, summary }) => ({ operation: id, does: summary })), total: all.length }
  const found = all
    .map((op) => ({ op, score: fitness(op, query) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  const operations = found.slice(0, MAX_FOUND).map(({ op }) => ({
    operation: op.id,
    does: op.summary,
    call_with: op.method === 'GET' ? READ : CALL,
    scope: op.scope,
    arguments: op.input,
  }))
  return { operations, total: found.length }
}
