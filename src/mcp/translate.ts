import { CALL, isDeletion, READ } from './any-operation.ts'
import { type Arguments, type Call, KEY_ARGUMENT, REVISION_ARGUMENT } from './call.ts'
import { CALLS } from './calls.generated.ts'
import { ONLY } from './served.ts'
import { TOOLS } from './tools.ts'

type ToolCall = { tool: string; arguments: Arguments }

/** The tool of each operation that has one of its own, with the value of `action`. */
const OWN_TOOLS = new Map(
  TOOLS.flatMap((spec) =>
    Object.entries(typeof spec.calls === 'string' ? { [ONLY]: spec.calls } : spec.calls).map(
      ([action, call]) => [call, { spec, action }] as const,
    ),
  ),
)

/** Returns the values of a path's parameters; undefined if the path is another one. */
const paramsIn = (template: string, path: string): Record<string, string> | undefined => {
  const [names, values] = [template.split('/'), path.split('/')]
  if (names.length !== values.length) return undefined
  const params: Record<string, string> = {}
  for (const [n, name] of names.entries()) {
    const value = values[n] ?? ''
    if (!name.startsWith(':') && name !== value) return undefined
    if (name.startsWith(':')) params[name.slice(1)] = value
  }
  return params
}

type Found = { op: Call; params: Record<string, string> }

/** Returns the operation of a path. One with fixed words wins over one with parameters. */
const operationFor = (method: string, path: string): Found | undefined =>
  Object.values(CALLS)
    .flatMap((op): Found[] => {
      const params = op.method === method ? paramsIn(op.path, path) : undefined
      return params ? [{ op, params }] : []
    })
    .sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0]

const typed = (text: string): unknown => (/^\d{1,10}$/.test(text) ? Number(text) : text)

/** Returns the values that are given, by the tool's names. A placeholder such as `:id` is none. */
const givenIn = (values: Readonly<Record<string, string>>, ids: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => !/^[:{]/.test(value))
      .map(([name, value]) => [ids[name] ?? name, typed(value)]),
  )

/** Returns a call of an operation as a call of a tool; undefined if no tool makes it. */
export const asToolCall = (method: string, address: string, body: Arguments = {}): ToolCall | undefined => {
  const [path = '', query = ''] = address.split('?')
  const found = operationFor(method, path)
  if (!found || isDeletion(found.op)) return undefined
  const { op, params } = found
  const more = { ...givenIn(Object.fromEntries(new URLSearchParams(query))), ...body }
  const own = OWN_TOOLS.get(`${op.method} ${op.path}`)
  if (!own) {
    const args = { ...givenIn(params), ...more }
    const inner = Object.keys(args).length > 0 ? { arguments: args } : {}
    return { tool: op.method === 'GET' ? READ : CALL, arguments: { operation: op.id, ...inner } }
  }
  const action = own.action === ONLY ? {} : { action: own.action }
  return { tool: own.spec.name, arguments: { ...action, ...givenIn(params, own.spec.ids), ...more } }
}

const IN_TEXT = /\b(GET|POST|PUT|DELETE) (\/[\w:./-]*\w(?:\?[\w=&%,:-]*\w)?)/g

/** Returns a sentence of the service with tools instead of HTTP calls, and arguments instead of headers. */
const inWords = (text: string): string =>
  text
    .replace(IN_TEXT, (whole, method: string, address: string) => {
      const call = asToolCall(method, address)
      if (call)
        return Object.keys(call.arguments).length > 0 ? `${call.tool} ${JSON.stringify(call.arguments)}` : call.tool
      return method === 'DELETE' ? `${whole} (of the HTTP API; no tool deletes)` : whole
    })
    .replace(/\bIf-Match\b/g, REVISION_ARGUMENT)
    .replace(/\bIdempotency-Key\b/g, KEY_ARGUMENT)
    .replace(/\bETag\b/g, 'Revision')

/** Fields with sentences of the service. Texts of users, websites and providers have other names. */
const SENTENCES =
  /^(?:message|error|instructions_for_agent|why|fix|hint|next_step|reason|warnings?|notes?|PublishError|GenerationError|\w+_(?:note|warning|hint))$/

type NextCall = { method: string; path: string; body?: Arguments; why: string }

/** Returns the calls that tools can make, with the tool's name and arguments. */
const nextCalls = (calls: readonly NextCall[]): object[] =>
  calls.flatMap(({ method, path, body, why }) => {
    const call = asToolCall(method, path, body)
    return call ? [{ ...call, why: inWords(why) }] : []
  })

const translated = (value: unknown, isSentence: boolean): unknown => {
  if (typeof value === 'string') return isSentence ? inWords(value) : value
  if (Array.isArray(value)) return value.map((one) => translated(one, isSentence))
  return typeof value === 'object' && value !== null ? inToolWords(value as Record<string, unknown>, isSentence) : value
}

/** Returns an answer of the API whose messages and `next_calls` name tools instead of HTTP calls. */
export const inToolWords = (body: Readonly<Record<string, unknown>>, isSentence = false): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) =>
      name === 'next_calls' && Array.isArray(value)
        ? [name, nextCalls(value as NextCall[])]
        : [name, translated(value, isSentence || SENTENCES.test(name))],
    ),
  )
