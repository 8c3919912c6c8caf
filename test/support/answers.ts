import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { ROOT } from '../../local/root.ts'
import { answerSchemas, type GroupedOperation, OPERATIONS } from '../../src/operations.ts'
import { DryRunAnswer } from '../../src/platform/http/answers.ts'

type Schemas = ReturnType<typeof answerSchemas>

const SCHEMAS = answerSchemas()

let schemasBefore = (_operation: GroupedOperation): Schemas | undefined => undefined

/**
 * From now on answers of an operation are held against what the release before declared, where `choose` gives that. Such an answer may
 * have more fields and new words in a list of words: an older Worker passes on what newer ones left in the rows.
 */
export const holdAnswersAgainst = (choose: (operation: GroupedOperation) => Schemas | undefined): void => {
  schemasBefore = choose
}

const matches = (path: string, parts: readonly string[]): boolean => {
  const own = path.split('/')
  return own.length === parts.length && own.every((part, n) => part.startsWith(':') || part === parts[n])
}

/** The operation a request is for, fixed paths before those with parameters. */
const operationOf = (method: string, path: string): GroupedOperation | undefined => {
  const parts = (path.split('?')[0] ?? '').replace(/(.)\/$/, '$1').split('/')
  const found = OPERATIONS.filter(
    (op) => op.method === method && [op.path, ...(op.aliases ?? [])].some((own) => matches(own, parts)),
  )
  return found.sort((a, b) => a.path.split(':').length - b.path.split(':').length)[0]
}

/** The description that the service serves. */
const DESCRIPTION = JSON.parse(readFileSync(join(ROOT, 'docs/reference/openapi.json'), 'utf8')) as {
  components: { schemas: { ApiError: object }; headers: Record<string, { schema: { type: string; pattern?: string } }> }
}

const { headers: HEADERS, schemas } = DESCRIPTION.components
const API_ERROR = z.fromJSONSchema(schemas.ApiError as Parameters<typeof z.fromJSONSchema>[0])

/** Checks that the headers of an answer have the form that the description says. */
const checkHeaders = (headers: Headers, call: string): void => {
  for (const [name, { schema }] of Object.entries(HEADERS)) {
    const value = headers.get(name)
    const form = schema.pattern ?? (schema.type === 'integer' ? '^\\d+$' : '')
    if (value !== null && !new RegExp(form).test(value)) throw new Error(`${call}: the header ${name} is ${value}`)
  }
}

/** Checks that a refusal has the form that the description says, with a code of its list. */
const checkRefusal = (call: string, text: string): void => {
  const result = z.safeParse(API_ERROR, JSON.parse(text))
  if (!result.success)
    throw new Error(
      `${call}: the refusal is otherwise than described:\n${z.prettifyError(result.error)}\n${text.slice(0, 500)}`,
    )
}

/**
 * Checks an answer: a good one against what its operation declares for the status, a refusal and the headers against the
 * description. Throws naming what differs. Without headers only the body is checked.
 */
export const checkAnswer = (method: string, path: string, status: number, text: string, headers?: Headers): void => {
  const operation = operationOf(method, path)
  if (!operation || status < 200 || (status > 299 && status < 400)) return
  const call = `${method} ${path} ${status}`
  if (headers) checkHeaders(headers, call)
  if (status > 399) {
    if (headers?.get('content-type')?.startsWith('application/json') !== false) checkRefusal(call, text)
    return
  }
  if (/[?&]dry_run=true\b/i.test(path) && method !== 'GET') {
    checkDryRun(method, path, text)
    return
  }
  const before = schemasBefore(operation)
  const schema = (before ?? SCHEMAS).get(operation.id)?.[status]
  if (!schema) throw new Error(`${operation.id} declares no answer ${status}: ${text.slice(0, 500)}`)
  if (operation.produces?.startsWith('text/csv')) return
  const isLines = operation.produces === 'application/x-ndjson'
  const values = isLines ? text.split('\n').slice(0, -1) : [text]
  for (const one of values) checkValue(schema, JSON.parse(one), call, operation.id, before !== undefined)
}

/** Checks the answer of a dry run, and what it says that the call would be answered. */
const checkDryRun = (method: string, path: string, text: string): void => {
  const answer = z.parse(DryRunAnswer, JSON.parse(text))
  const { status, body } = answer.would
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
