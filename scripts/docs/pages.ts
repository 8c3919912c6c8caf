import { ERROR_CODES, type ErrorCode } from '../../schema/values/errors.ts'
import { answerSchemas, GROUPS, type Group, type GroupedOperation, OPERATIONS } from '../../src/operations.ts'
import { answerSchema, inputSchemas, type JsonSchema } from '../../src/platform/http/json-schemas.ts'
import { costWords, type Operation, paramNames, usualStatus } from '../../src/platform/http/operation.ts'
import { anchorOf } from '../../src/platform/lib/text.ts'
import { ABILITIES, COLUMNS } from '../../src/providers/abilities.ts'
import { DEEDS } from '../../src/providers/publishing.ts'
import { defaultOf } from './defaults.ts'
import { ERROR_CASES } from './error-cases.ts'
import { ERROR_PAGES } from './error-pages.ts'
import { ERROR_RULES, kindErrors } from './error-rules.ts'
import { exampleLines, unanswered } from './examples/present.ts'
import { noteFields, throwIfMissing } from './missing.ts'
import { openApi } from './openapi.ts'
import { parameterWord } from './parameters.ts'
import { CONNECT, platformForms } from './platform-fields.ts'
import { type FieldLine, fieldLines, table, typeText } from './schema-text.ts'

const GENERATED = '<!-- Made by `npm run generate` from the tables the service itself runs on. Do not edit. -->'

const errorLink = (code: ErrorCode): string => `[\`${code}\`](errors.md#${code})`

const fieldRow = (op: Operation, { path, type, limits, required, schema }: FieldLine): string[] => [
  `\`${path}\``,
  type,
  limits,
  required ? 'required' : defaultOf(op, path, schema),
  schema.description ?? '',
]

const given = (op: Operation, title: string, schema: JsonSchema | undefined): string[] => {
  const lines = schema ? fieldLines(schema) : []
  if (lines.length === 0) return []
  if (schema) noteFields(op.id, schema)
  const rows = lines.map((line) => fieldRow(op, line))
  return [`${title}:`, '', ...table(['Field', 'Type', 'Limits', 'Default', 'Meaning'], rows)]
}

/** Returns tables of the fields of each platform, if the operation connects one. */
const platformTables = (op: Operation): string[] =>
  op.id !== CONNECT
    ? []
    : platformForms().flatMap(({ platform, title, schema }) => [
        `Fields of ${title} (\`"platform": "${platform}"\`):`,
        '',
        ...table(
          ['Field', 'Type', 'Required', 'Meaning'],
          fieldLines(schema)
            .filter(({ schema: { description } }) => description !== undefined)
            .map(({ path, type, required, schema: { description = '' } }) => [
              `\`${path}\``,
              type,
              required ? 'yes' : '',
              description,
            ]),
        ),
      ])

const pathFields = (op: Operation): string[] =>
  paramNames(op.path).length === 0
    ? []
    : [
        `Path: ${paramNames(op.path)
          .map((name) => `\`${name}\` – ${parameterWord(op, name)}`)
          .join(' ')}`,
        '',
      ]

const ANSWERS = answerSchemas()

/** Returns an answer without the optional fields on ignored input, which the page explains once. */
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

const answerText = (op: Operation, given: Parameters<typeof answerSchema>[0]): string => {
  const schema = answerSchema(given)
  noteFields(op.id, schema)
  return typeText(withoutIgnored(schema))
}

const answers = (op: Operation): string[] =>
  Object.entries(ANSWERS.get(op.id) ?? {})
    .sort(([a], [b]) => Number(b === String(usualStatus(op))) - Number(a === String(usualStatus(op))))
    .flatMap(([status, schema]) =>
      schema ? [`Response ${status}:`, '', '```ts', answerText(op, schema), '```', ''] : [],
    )

const errorLines = (op: Operation): string[] => [
  'Errors:',
  '',
  ...op.errors.map((code) => `- ${ERROR_CODES[code].status} ${errorLink(code)}: ${ERROR_PAGES[code].remedy}`),
  `- Common errors: ${kindErrors(op).map(errorLink).join(', ')}`,
  '',
]

const section = (op: Operation): string => {
  const { query, body } = inputSchemas(op)
  const aliases = op.aliases?.length ? `, also ${op.aliases.join(', ')}` : ''
  return [
    `## ${op.method} ${op.path}`,
    '',
    op.summary,
    '',
    `- Operation \`${op.id}\`, ${op.perMinute} requests a minute, scope \`${op.scope}\`${op.scopeReason === undefined ? '' : ` (${op.scopeReason})`}${aliases}`,
    ...(op.wider ? [`- ${op.wider.when} needs the scope \`${op.wider.scope}\``] : []),
    ...(op.isShared ? [`- ${3 * op.perMinute} requests a minute for all keys of the account together`] : []),
    `- Costs ${costWords(op)}`,
    ...(op.typicalSeconds === undefined
      ? []
      : [`- Takes about ${op.typicalSeconds} s, including the work that it starts`]),
    ...(op.etag ? ['- The response has an `ETag` for the returned version.'] : []),
    ...(op.ifMatch ? ['- `If-Match` with an `ETag`: changes nothing if the version is no longer current (412).'] : []),
    '',
    ...pathFields(op),
    ...given(op, 'Query', query),
    ...given(op, op.bodyOptional ? 'Body (optional)' : 'Body', body),
    ...platformTables(op),
    ...answers(op),
    ...exampleLines(op),
    ...errorLines(op),
  ].join('\n')
}

const fileOf = (group: string): string => `operations-${group}.md`
const operationsOf = (group: Group): GroupedOperation[] => OPERATIONS.filter((op) => op.group === group)

const indexRow = (op: GroupedOperation): string[] => {
  const name = `${op.method} ${op.path}`
  return [`[${name}](${fileOf(op.group)}#${anchorOf(name)})`, String(op.perMinute), op.summary]
}

const groupPage = (group: Group): string =>
  [
    GENERATED,
    `# ${GROUPS[group].title}`,
    '',
    'Rules for all operations, and the other groups: [Operations](operations.md).',
    '',
    ...operationsOf(group).map(section),
  ].join('\n')

const operationsPage = (): string => {
  return [
    GENERATED,
    '# Operations',
    '',
    'All paths are below `{base_url}`, which ends in `/api/v1`. Every request needs `Authorization: Bearer <API_KEY>`. A body is',
    'JSON with `Content-Type: application/json`.',
    '',
    'Each operation has a section on the page of its group. The section lists every field with its limits, default and meaning, the responses by status',
    'with an example, the costs, and the errors with what to do. In responses, `?` marks a field that may be absent, and an `instant` is an ISO 8601',
    'time in UTC with `Z`. Request fields that an operation does not know are returned in `ignored`, each with a sentence in `notes`. A 400 has',
    'them next to `details`.',
    '',
    'Every operation that writes accepts `?dry_run=true`. It then returns 200 `{dry_run: true, would: {status, body}}` and changes nothing',
    '([Dry runs](../how/control.md#dry-runs)).',
    '',
    'Each operation lists the errors that it can return. Some errors are common to a kind of operation:',
    '',
    ...ERROR_RULES.map(({ of, codes }) => `- ${of}: ${codes.map(errorLink).join(', ')}`),
    '',
    ...(Object.keys(GROUPS) as Group[]).flatMap((group) => [
      `## [${GROUPS[group].title}](${fileOf(group)})`,
      '',
      ...table(['Operation', 'Per minute', 'What it does'], operationsOf(group).map(indexRow)),
    ]),
  ].join('\n')
}

/** Returns a table of the messages of a code that has several causes. */
const casesOf = (code: ErrorCode): string[] => {
  const cases = ERROR_CASES[code] ?? []
  return cases.length === 0
    ? []
    : [
        ...table(
          ['Message', 'Why', 'What to do'],
          cases.map(({ says, cause, remedy }) => [says, cause, remedy]),
        ),
      ]
}

const errorsPage = (): string => {
  const codes = Object.keys(ERROR_CODES) as ErrorCode[]
  return [
    GENERATED,
    '# Errors',
    '',
    'Every error has `{error, code, retryable, docs_url, request_id}`. `docs_url` is the page of its code. Some also have `message`, `details`,',
    '`retry_after`, `next_calls`, `instructions_for_agent` or `upstream`. The list of codes is closed.',
    '',
    ...codes.map((code) => {
      const { status, retryable } = ERROR_CODES[code]
      const { meaning, remedy } = ERROR_PAGES[code]
      return `## ${code}\n\nHTTP ${status}; ${retryable ? 'the same call may succeed later' : 'repeating the same call will not help'}.\n\n${meaning}\n\n**What to do:** ${remedy}\n\n${casesOf(code).join('\n')}`
    }),
  ].join('\n')
}

const platformsPage = (): string =>
  [
    GENERATED,
    '# What each platform can do',
    '',
    ...DEEDS.map((deed) => `- **${COLUMNS[deed].title}**: ${COLUMNS[deed].meaning}`),
    '',
    ...table(
      ['Platform', ...DEEDS.map((deed) => COLUMNS[deed].title)],
      ABILITIES.map(({ name, does }) => [name, ...DEEDS.map((deed) => does[deed])]),
    ),
    'A call that the platform cannot do is refused and changes nothing. [Connect a site](../guides/connect.md) has what each platform needs.',
    '',
  ].join('\n')

/** Returns operations whose example must run before their page can be written. */
export const withoutAnswer = (): string[] => unanswered(OPERATIONS)

/** Returns the description of the API and the reference pages by path. Throws if they need text that is missing. */
export const referencePages = (): Record<string, string> => {
  const pages = {
    'docs/reference/operations.md': operationsPage(),
    ...Object.fromEntries(
      (Object.keys(GROUPS) as Group[]).map((group) => [`docs/reference/${fileOf(group)}`, groupPage(group)]),
    ),
    'docs/reference/errors.md': errorsPage(),
    'docs/reference/platforms.md': platformsPage(),
    'docs/reference/openapi.json': `${JSON.stringify(openApi(), null, 1)}\n`,
  }
  throwIfMissing()
  return pages
}
