import { answerSchema, inputSchemas, type JsonSchema } from '../../src/http/json-schemas.ts'
import { type Operation, usualStatus } from '../../src/http/operation.ts'
import { ERROR_CODES, type ErrorCode } from '../../src/lib/errors.ts'
import { answerSchemas, OPERATIONS } from '../../src/operations.ts'
import { ERROR_PAGES } from './error-pages.ts'
import { fieldTable, typeText } from './schema-text.ts'

const GENERATED = '<!-- Made by `npm run docs` from the tables the service itself runs on. Do not edit. -->'

/** Codes any operation can answer with. */
const COMMON: readonly ErrorCode[] = [
  'unauthorized',
  'account_inactive',
  'rate_limited',
  'invalid_input',
  'idempotency_in_progress',
  'idempotency_key_reused',
  'unavailable',
  'internal',
]

const errorLink = (code: ErrorCode): string => `[\`${code}\`](errors.md#${code})`

const given = (title: string, schema: JsonSchema | undefined): string[] => {
  const table = schema ? fieldTable(schema) : []
  return table.length > 0 ? [`${title}:`, '', ...table] : []
}

const ANSWERS = answerSchemas()

/** An answer without what every answer may say of ignored fields; the page says it once. */
const withoutIgnored = (schema: JsonSchema): JsonSchema => {
  const anyOf = schema.anyOf?.map((one) => withoutIgnored(one as JsonSchema))
  const fields = Object.entries(schema.properties ?? {}).filter(
    ([name]) => schema.required?.includes(name) || (name !== 'ignored' && name !== 'notes'),
  )
  return {
    ...schema,
    ...(anyOf ? { anyOf } : {}),
    ...(schema.properties ? { properties: Object.fromEntries(fields) } : {}),
  }
}

const answers = (op: Operation): string[] =>
  Object.entries(ANSWERS.get(op.id) ?? {})
    .sort(([a], [b]) => Number(b === String(usualStatus(op))) - Number(a === String(usualStatus(op))))
    .flatMap(([status, schema]) =>
      schema ? [`Answer ${status}:`, '', '```ts', typeText(withoutIgnored(answerSchema(schema))), '```', ''] : [],
    )

/** What operations cost besides a call of their rate. */
const COSTS: Record<string, string> = {
  'articles.generate': '1 article credit, which comes back when the writing fails',
}

const errorLines = (op: Operation): string[] =>
  op.errors.length === 0
    ? []
    : [
        'Errors besides the common ones:',
        '',
        ...op.errors.map((code) => `- ${ERROR_CODES[code].status} ${errorLink(code)}: ${ERROR_PAGES[code].remedy}`),
        '',
      ]

const section = (op: Operation): string => {
  const { query, body } = inputSchemas(op)
  const aliases = op.aliases?.length ? `, also ${op.aliases.join(', ')}` : ''
  return [
    `### ${op.method} ${op.path}`,
    '',
    op.summary,
    '',
    `- Operation \`${op.id}\`, ${op.perMinute} requests a minute, scope \`${op.scope}\`${aliases}`,
    `- Costs ${COSTS[op.id] ?? 'no credit'}`,
    ...(op.etag ? ['- The answer carries the `ETag` of the version it shows.'] : []),
    ...(op.ifMatch
      ? ['- `If-Match` with an `ETag`: nothing is saved when another version is there by now (412).']
      : []),
    '',
    ...given('Query', query),
    ...given(op.bodyOptional ? 'Body (may be left out)' : 'Body', body),
    ...answers(op),
    ...errorLines(op),
  ].join('\n')
}

const operationsPage = (): string => {
  const built = OPERATIONS.filter((op) => op.group !== 'later')
  const later = OPERATIONS.filter((op) => op.group === 'later')
  return [
    GENERATED,
    '# Operations',
    '',
    'All paths are below `{base_url}`, which ends in `/api/v1`. Every request carries `Authorization: Bearer <API_KEY>`.',
    '',
    `Common errors: ${COMMON.map(errorLink).join(', ')}. Those with a JSON body also ${(['invalid_json', 'unsupported_media_type', 'body_too_large'] as const).map(errorLink).join(', ')}; those that write also ${errorLink('read_only_key')}.`,
    '',
    'In answers `?` marks a field that may be absent, and an `instant` is an ISO 8601 time in UTC with `Z`. Fields of a request that an',
    'operation does not know come back in `ignored`, each with a sentence in `notes`.',
    '',
    ...built.map(section),
    '## Not yet available',
    '',
    `These answer 501 ${errorLink('not_yet_available')}.`,
    '',
    ...later.map((op) => `- ${op.method} ${op.path}${op.aliases?.length ? ` (also ${op.aliases.join(', ')})` : ''}`),
    '',
  ].join('\n')
}

const errorsPage = (): string => {
  const codes = Object.keys(ERROR_CODES) as ErrorCode[]
  return [
    GENERATED,
    '# Errors',
    '',
    'Every error answer is `{error, code, retryable, request_id}` and, where it helps, `message`, `details`, `retry_after`, `next_calls`,',
    '`instructions_for_agent`, `upstream`. The list of codes is closed.',
    '',
    ...codes.map((code) => {
      const { status, retryable } = ERROR_CODES[code]
      const { means, remedy } = ERROR_PAGES[code]
      return `## ${code}\n\nHTTP ${status}; ${retryable ? 'the same call may succeed later' : 'repeating the same call will not help'}.\n\n${means}\n\n**What to do:** ${remedy}\n`
    }),
  ].join('\n')
}

/** The reference pages by path, as the tables say now. */
export const referencePages = (): Record<string, string> => ({
  'docs/reference/operations.md': operationsPage(),
  'docs/reference/errors.md': errorsPage(),
})
