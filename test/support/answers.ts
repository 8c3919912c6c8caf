import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { ROOT } from '../../local/root.ts'
import { answerSchemas, type GroupedOperation, OPERATIONS } from '../../src/operations.ts'

type Schemas = ReturnType<typeof answerSchemas>

const SCHEMAS = answerSchemas()

let schemasBefore = (_operation: GroupedOperation): Schemas | undefined => undefined

/**
 * Compares answers with the schemas of the release before from now on, if `choose` returns them.
 *
 * Such an answer may have more fields, and new words in a list of words: an older Worker returns data that newer ones
 * wrote.
 */
export const holdAnswersAgainst = (choose: (operation: GroupedOperation) => Schemas | undefined): void => {
  schemasBefore = choose
}

const matches = (path: string, parts: readonly string[]): boolean => {
  const own = path.split('/')
  return own.length === parts.length && own.every((part, n) => part.startsWith(':') || part === parts[n])
}

const paramCount = ({ path }: GroupedOperation): number => path.split(':').length

/** Returns the operation that a request is for. Fixed paths come before those with parameters, whatever their methods are. */
const operationOf = (method: string, path: string): GroupedOperation | undefined => {
  const parts = (path.split('?')[0] ?? '').replace(/(.)\/$/, '$1').split('/')
  const found = OPERATIONS.filter((op) => [op.path, ...(op.aliases ?? [])].some((own) => matches(own, parts)))
  const fewest = Math.min(...found.map(paramCount))
  return found.find((op) => op.method === method && paramCount(op) === fewest)
}

type Ref = { $ref: string }
type Described = { headers: Record<string, Ref> }
type Refusals = Described & {
  content: Record<string, { schema: { properties: { code: { enum: string[] } } } }>
}

/** The description that the service serves. */
const DESCRIPTION = JSON.parse(readFileSync(join(ROOT, 'docs/reference/openapi.json'), 'utf8')) as {
  'x-dry-run': { response: { content: { 'application/json': { schema: object } } } }
  paths: Record<string, Record<string, { responses: Record<string, Ref | Described> }>>
  components: {
    responses: Record<string, Refusals>
    schemas: { ApiError: object }
    headers: Record<string, { schema: { type: string; pattern?: string; const?: string } }>
  }
}

const { responses: RESPONSES, headers: HEADERS, schemas } = DESCRIPTION.components
const inSchema = (schema: object) => z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
const API_ERROR = inSchema(schemas.ApiError)
const DRY_RUN = inSchema(DESCRIPTION['x-dry-run'].response.content['application/json'].schema)

/** Returns the description of an operation's answers with a status. */
const describedFor = ({ method, path }: GroupedOperation, status: number): Described | Refusals | undefined => {
  const found = DESCRIPTION.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.responses[status]
  return found && '$ref' in found ? RESPONSES[found.$ref.split('/').at(-1) ?? ''] : found
}

/** Checks that the described headers of an answer are declared for it, each of the form that the description says. */
const checkHeaders = (described: Described, { id }: GroupedOperation, call: string, headers: Headers): void => {
  for (const [name, { schema }] of Object.entries(HEADERS)) {
    const value = headers.get(name)
    if (value === null) continue
    if (!(name in described.headers)) throw new Error(`${call}: ${id} declares no header ${name}`)
    const form = schema.pattern ?? (schema.type === 'integer' ? '^\\d+$' : `^${schema.const ?? '.*'}$`)
    if (!new RegExp(form).test(value)) throw new Error(`${call}: the header ${name} is ${value}`)
  }
}

type RefusalBody = { code: string; retry_after?: number }

/** Returns a refusal, which must have the form that every one is described with. */
const refusalIn = (call: string, text: string): RefusalBody => {
  const result = z.safeParse(API_ERROR, JSON.parse(text))
  if (result.success) return result.data as RefusalBody
  const faults = z.prettifyError(result.error)
  throw new Error(`${call}: the refusal is otherwise than described:\n${faults}\n${text.slice(0, 500)}`)
}

/** Checks that a code is declared for the status of its answer, and that body and header agree on when to come back. */
const checkRefusal = (
  { code, retry_after: seconds }: RefusalBody,
  described: Described | Refusals | undefined,
  { id }: GroupedOperation,
  call: string,
  headers?: Headers,
): void => {
  const content = described && 'content' in described ? described.content : {}
  const codes = content['application/json']?.schema.properties.code.enum ?? []
  if (!codes.includes(code))
    throw new Error(`${call}: ${id} declares no ${code}, only ${codes.join(', ') || 'nothing'}`)
  if (headers && (seconds !== undefined) !== headers.has('retry-after'))
    throw new Error(`${call}: retry_after is ${seconds}, and Retry-After ${headers.get('retry-after')}`)
}

/**
 * Checks an answer against the operation's declaration: a success against its schema, a refusal and the headers against
 * the description.
 *
 * Throws an error that names the difference. Without headers, only the status and the body are checked.
 */
export const checkAnswer = (method: string, path: string, status: number, text: string, headers?: Headers): void => {
  const operation = operationOf(method, path)
  if (!operation || status < 200 || (status > 299 && status < 400)) return
  const call = `${method} ${path} ${status}`
  const before = schemasBefore(operation)
  const described = describedFor(operation, status)
  if (headers && described && !before) checkHeaders(described, operation, call, headers)
  if (status > 399) {
    // The edge answers in text while a Worker is down, which is no answer of an operation.
    if (headers?.get('content-type')?.startsWith('application/json') === false) return
    const refusal = refusalIn(call, text)
    if (!before) checkRefusal(refusal, described, operation, call, headers)
    return
  }
  if (/[?&]dry_run=true\b/i.test(path) && method !== 'GET') {
    checkDryRun(method, path, text)
    return
  }
  const schema = (before ?? SCHEMAS).get(operation.id)?.[status]
  if (!schema) throw new Error(`${operation.id} declares no answer ${status}: ${text.slice(0, 500)}`)
  if (operation.produces?.startsWith('text/csv') || headers?.get('content-type')?.startsWith('text/csv')) return
  const isLines = operation.produces === 'application/x-ndjson'
  const values = isLines ? text.split('\n').slice(0, -1) : [text]
  for (const one of values) checkValue(schema, JSON.parse(one), call, operation.id, before !== undefined)
}

/** Checks the answer of a dry run, and the answer that it predicts. */
const checkDryRun = (method: string, path: string, text: string): void => {
  const { would } = z.parse(DRY_RUN, JSON.parse(text)) as { would: { status: number; body: object } }
  const { status, body } = would
  if (!('would_call' in body)) checkAnswer(method, path.replace(/dry_run=true/i, ''), status, JSON.stringify(body))
}

const checkValue = (schema: z.core.$ZodType, value: unknown, call: string, id: string, mayHaveMore: boolean): void => {
  const result = z.safeParse(schema, value)
  const isMore = ({ code }: z.core.$ZodIssue): boolean =>
    mayHaveMore && (code === 'unrecognized_keys' || code === 'invalid_value')
  if (!result.success && !result.error.issues.every(isMore))
    throw new Error(
      `${call}: the answer is otherwise than ${id} declares:\n${z.prettifyError(result.error)}\n${JSON.stringify(value).slice(0, 500)}`,
    )
}
