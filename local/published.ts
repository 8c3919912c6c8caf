import { readFileSync } from 'node:fs'
import { fromJSONSchema, type z } from 'zod'
import type { StandInRequest } from './stand-in-request.ts'

type Schema = Exclude<Parameters<typeof fromJSONSchema>[0], boolean>

type Operation = { query?: Schema; body?: Schema; type?: string }

/** A provider's published schema, cut to the operations that the service sends: a file of `schemas/`. */
type Document = {
  source: string
  date: string
  licence: string
  /** Fields that the source lacks, each with the page that documents it. */
  byHand?: Record<string, string>
  operations: Record<string, Operation>
  $defs?: Record<string, Schema>
}

/** First fault of a request by the provider's published schema. */
export type Unfit = {
  kind: 'operation' | 'type' | 'unknown' | 'missing' | 'wrong'
  /** Names of fields and numbers of entries that lead to the fault. */
  path: readonly (string | number)[]
  message: string
}

/** Published schema of a provider's API, cut to the operations that the service sends. */
export type Published = Pick<Document, 'source' | 'date' | 'licence'> & {
  byHand: Record<string, string>
  operations: readonly string[]
  /**
   * Returns the first fault of a request; undefined if it fits, or if it is not for the provider's API.
   *
   * The entries of a body that is a list are not checked, because their provider answers for each.
   */
  unfit: (request: StandInRequest) => Unfit | undefined
  /** Returns the first fault of one entry of an operation's body, which is a list. */
  unfitEntry: (operation: string, entry: unknown) => Unfit | undefined
}

/** Returns the fields of a form or a query: `a[b][0]=c` is an entry of a list in an object. */
const nested = (entries: Iterable<readonly [string, unknown]>): Record<string, unknown> => {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of entries) {
    const parts = name.split(/[[\]]+/).filter((part) => part !== '')
    const last = parts.pop() ?? ''
    let at = fields
    for (const part of parts) {
      at[part] ??= {}
      at = at[part] as Record<string, unknown>
    }
    at[last] = value
  }
  return fields
}

/** Returns a value with its texts converted to the types of the schema. Forms and queries have only texts. */
const typed = (schema: Schema | undefined, value: unknown): unknown => {
  if (typeof value === 'string') {
    if (schema?.type === 'boolean' && /^(?:true|false)$/.test(value)) return value === 'true'
    const isNumber = schema?.type === 'number' || schema?.type === 'integer'
    return isNumber && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
  }
  if (typeof value !== 'object' || value === null) return value
  if (schema?.type === 'array') return Object.values(value).map((one) => typed(schema.items as Schema, one))
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      typed((schema?.properties?.[name] ?? schema?.additionalProperties) as Schema | undefined, one),
    ]),
  )
}

const JSON_TYPE = 'application/json'

/** Returns the fields of a multipart form; a file counts as text. */
const partsOf = (raw: Buffer): [string, string][] =>
  [...raw.toString('latin1').matchAll(/name="([^"]*)"[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n([\s\S]*?)\r\n--/g)].map(
    ([, name = '', value = '']) => [name, value],
  )

const bodyOf = ({ type = JSON_TYPE, body }: Operation, { raw, body: parsed }: StandInRequest): unknown => {
  if (type === JSON_TYPE) return parsed
  const entries = type === 'multipart/form-data' ? partsOf(raw) : new URLSearchParams(raw.toString('utf8'))
  return typed(body, nested(entries))
}

const unfitOf = (schema: z.ZodType, value: unknown): Unfit | undefined => {
  const [issue] = schema.safeParse(value).error?.issues ?? []
  if (!issue) return undefined
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))
  const { message } = issue
  if (issue.code === 'unrecognized_keys') return { kind: 'unknown', path: [...path, issue.keys[0] ?? ''], message }
  const given = path.reduce<unknown>((at, part) => (at as Record<string | number, unknown> | undefined)?.[part], value)
  return { kind: given === undefined ? 'missing' : 'wrong', path, message }
}

const segmentsOf = (path: string): string[] => path.split('/').slice(1)

/** Reads a file of `schemas/`, against which requests are checked. */
export const published = (name: string): Published => {
  const {
    operations,
    $defs,
    byHand = {},
    ...about
  } = JSON.parse(readFileSync(new URL(`./schemas/${name}.json`, import.meta.url), 'utf8')) as Document
  const read = (schema: Schema | undefined) => schema && fromJSONSchema({ ...schema, ...($defs ? { $defs } : {}) })
  const known = Object.entries(operations).map(([operation, one]) => {
    const [method = '', path = ''] = operation.split(' ')
    const entry = one.body?.type === 'array' ? (one.body.items as Schema) : undefined
    return {
      operation,
      method,
      segments: segmentsOf(path),
      one,
      query: read(one.query ?? { type: 'object', additionalProperties: false }),
      body: read(entry ? { type: 'array' } : one.body),
      entry: read(entry),
    }
  })
  const roots = new Set(known.map(({ segments }) => segments[0]))
  const find = ({ method, path }: StandInRequest) => {
    const given = segmentsOf(path)
    return known.find(
      ({ segments, ...of }) =>
        of.method === method &&
        // A last segment such as `{path*}` stands for all that follow.
        (segments.at(-1)?.endsWith('*}') ? segments.length <= given.length : segments.length === given.length) &&
        segments.every((segment, n) => segment.startsWith('{') || segment === given[n]),
    )
  }
  const unfit = (request: StandInRequest): Unfit | undefined => {
    if (!roots.has(segmentsOf(request.path)[0])) return undefined
    const found = find(request)
    const call = `${request.method} ${request.path}`
    if (!found) return { kind: 'operation', path: [], message: `${call} is not in the schema.` }
    const { one, query, body } = found
    const wrong = query && unfitOf(query, typed(one.query, nested(request.query)))
    if (wrong) return wrong
    const isEmpty = request.raw.length === 0
    if (!body) return isEmpty ? undefined : { kind: 'unknown', path: ['body'], message: `${call} takes no body.` }
    if (isEmpty && !one.body?.required?.length) return undefined
    const type = request.headers['content-type'] ?? ''
    if (!isEmpty && !type.startsWith(one.type ?? JSON_TYPE))
      return { kind: 'type', path: [], message: `The content type ${type} is not ${one.type ?? JSON_TYPE}.` }
    return unfitOf(body, isEmpty ? {} : bodyOf(one, request))
  }
  return {
    ...about,
    byHand,
    operations: Object.keys(operations),
    unfit,
    unfitEntry: (operation, value) => {
      const entry = known.find((one) => one.operation === operation)?.entry
      if (!entry) throw new Error(`${operation} has no list in the schema`)
      return unfitOf(entry, value)
    },
  }
}
