import type { Operation } from '../../src/http/operation.ts'
import { ERROR_CODES, type ErrorCode } from '../../src/lib/errors.ts'
import { OPERATIONS } from '../../src/operations.ts'
import { ERROR_PAGES } from './error-pages.ts'

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

const fieldsOf = (schema: Operation['json']): string => {
  const shape = (schema as { def?: { shape?: Record<string, { def?: { type?: string } }> } } | undefined)?.def?.shape
  if (!shape) return ''
  return Object.entries(shape)
    .map(([name, field]) => `\`${name}\`${field.def?.type === 'optional' ? '' : ' (required)'}`)
    .join(', ')
}

const section = (op: Operation): string =>
  [
    `### ${op.method} ${op.path}`,
    '',
    op.summary,
    '',
    `- Operation \`${op.id}\`, ${op.perMinute} requests a minute, scope \`${op.scope}\``,
    ...(op.query ? [`- Query: ${fieldsOf(op.query)}`] : []),
    ...(op.json ? [`- Body: ${fieldsOf(op.json)}`] : []),
    ...(op.errors.length > 0 ? [`- Errors besides the common ones: ${op.errors.map(errorLink).join(', ')}`] : []),
    '',
  ].join('\n')

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
