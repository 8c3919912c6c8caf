import { createHash } from 'node:crypto'
import { openApi } from '../docs/openapi.ts'

type Json = Record<string, unknown>

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parts that do not affect types. The client repeats no examples, and reads no headers except `ETag`. */
const DROPPED = new Set([
  'example',
  'x-rate-limit-per-minute',
  'x-cost',
  'x-costs',
  'x-typical-seconds',
  'x-scope',
  'x-operation',
  'x-dry-run',
])
const KEPT_HEADERS = new Set(['ETag'])

const lean = (value: unknown, key = ''): unknown => {
  if (Array.isArray(value)) return value.map((one) => lean(one))
  if (!isJson(value)) return value
  const isHeaders = key === 'headers' && Object.keys(value).includes('X-Request-Id')
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => (isHeaders ? KEPT_HEADERS.has(name) : key === 'properties' || !DROPPED.has(name)))
      .map(([name, inner]) => [name, lean(inner, name)]),
  )
}

type Named = { method: string; path: string; operation: Json }

const operationsOf = (paths: Json): Named[] =>
  Object.entries(paths as Record<string, Record<string, Json>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )

const schemaIn = (answer: Json): Json | undefined =>
  ((answer.content as Json | undefined)?.['application/json'] as { schema?: Json } | undefined)?.schema

/** Returns the answers of success as one of all their types. The generator would use the type of the first alone. */
const joined = (answers: readonly [string, Json][]): readonly [string, Json][] => {
  const schemas = answers.flatMap(([, answer]) => schemaIn(answer) ?? [])
  const [first] = answers
  if (!first || answers.length === 1 || schemas.length < answers.length) return answers
  const anyOf = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
  return [[first[0], { ...first[1], content: { 'application/json': { schema: { anyOf } } } }]]
}

const REFUSAL = { $ref: '#/components/schemas/Refusal' }

/**
 * Returns the description from which the client is generated: the types of `docs/reference/openapi.json`.
 *
 * It omits parts that would only make the client longer. Refusals have one type, which `packages/client/src/error.ts`
 * reads.
 */
export const clientDescription = (): Json => {
  const { paths, components, ...rest } = lean(openApi()) as Json & { paths: Json; components: Json }
  const { ApiError, ...schemas } = components.schemas as Json
  const kept: Record<string, Json> = {}
  for (const { method, path, operation } of operationsOf(paths)) {
    const all = Object.entries(operation.responses as Record<string, Json>)
    const answers = joined(all.filter(([status]) => status.startsWith('2')))
    const refusal = { description: 'Refused.', content: { 'application/json': { schema: REFUSAL } } }
    kept[path] = {
      ...kept[path],
      [method]: {
        ...operation,
        responses: { ...Object.fromEntries(answers), default: refusal },
      },
    }
  }
  return {
    ...rest,
    paths: kept,
    components: { ...components, responses: {}, schemas: { ...schemas, Refusal: ApiError } },
  }
}

/** Path of the generated client. */
export const CLIENT = 'packages/client/src/api.generated.ts'

/** Returns the first line of the client, with the hash of what it is generated from. */
export const clientMark = (description: Json): string =>
  `// Written by \`npm run generate\` with Redocly's generate-client from ${createHash('sha256').update(JSON.stringify(description)).digest('hex').slice(0, 16)}. Do not edit.\n`
