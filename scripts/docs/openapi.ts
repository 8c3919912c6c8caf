import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../local/root.ts'
import { ERROR_CODES } from '../../schema/values/errors.ts'
import { answerSchemas, GROUPS, type Group, type GroupedOperation, OPERATIONS } from '../../src/operations.ts'
import { answerSchema, inputSchemas, type JsonSchema } from '../../src/platform/http/json-schemas.ts'
import { acceptsDryRun, costWords, headlineOf, paramNames } from '../../src/platform/http/operation.ts'
import { defaultOf } from './defaults.ts'
import { dryRun } from './dry-run.ts'
import { ERROR_PAGES } from './error-pages.ts'
import { errorsOf } from './error-rules.ts'
import { SHOWN } from './examples/names.ts'
import { exampleOf } from './examples/present.ts'
import { parameterWord } from './parameters.ts'
import { type PlatformForm, platformBody, takesPlatformFields } from './platform-fields.ts'
import { shareSchemas } from './shared-schemas.ts'

type Json = Record<string, unknown>
type Sentence = (field: JsonSchema, path: string) => string

const SAFE = Number.MAX_SAFE_INTEGER

/**
 * Removes the limits that JSON Schema sets for every JavaScript integer, and the dialect, which the description names
 * once.
 */
const plain = ({ $schema: _, minimum, maximum, description, rule, otherwise: __, ...rest }: JsonSchema): Json => ({
  ...rest,
  ...(description || rule ? { description: description || rule } : {}),
  ...(minimum === undefined || minimum === -SAFE ? {} : { minimum }),
  ...(maximum === undefined || maximum === SAFE ? {} : { maximum }),
})

/** Returns the properties of a record whose keys are listed, such as counts by status. */
const listedProperties = ({ propertyNames, additionalProperties }: JsonSchema): Json | undefined => {
  const names = typeof propertyNames === 'object' ? propertyNames.enum : undefined
  if (!names || typeof additionalProperties !== 'object') return undefined
  return Object.fromEntries(names.map((name) => [String(name), plain(additionalProperties)]))
}

/**
 * Returns the forms that callers should send: a list instead of text with commas, and no empty text that clears a
 * value.
 */
const canonical = (forms: Json[]): Json[] => {
  const isList = forms.some(({ type }) => type === 'array')
  return forms.filter((form) => form.const !== '' && !(isList && form.type === 'string'))
}

/** Returns a nullable schema of one form as that form, with `null` among its types. */
const simplest = (schema: Json): Json => {
  const { anyOf, ...rest } = schema
  if (!anyOf) return schema
  const forms = canonical(anyOf as Json[])
  const [only, ...others] = forms.filter((form) => form.type !== 'null')
  if (!only || others.length > 0 || typeof only.type !== 'string') return { ...rest, anyOf: forms }
  if (!forms.some((form) => form.type === 'null')) return { ...only, ...rest }
  const values = Array.isArray(only.enum) ? { enum: [...only.enum, null] } : {}
  return { ...only, ...values, ...rest, type: [only.type, 'null'] }
}

/** Returns a schema for the description. `sentence` returns the words of a field, by its path: `articles[].Url`. */
const described = (
  given: JsonSchema | boolean,
  sentence: Sentence = ({ description = '' }) => description,
  path = '',
): Json | boolean => {
  if (typeof given !== 'object') return given
  const schema = plain(given)
  const { items, properties } = given
  const listed = listedProperties(given)
  if (listed) return { type: 'object', properties: listed, required: given.required, additionalProperties: false }
  if (properties)
    schema.properties = Object.fromEntries(
      Object.entries(properties).map(([name, given]) => {
        const at = path === '' ? name : `${path}.${name}`
        const field = given as JsonSchema
        return [name, described({ ...field, description: sentence(field, at) }, sentence, at)]
      }),
    )
  if (typeof given.additionalProperties === 'object')
    schema.additionalProperties = described(given.additionalProperties, sentence, `${path}.*`)
  if (items) schema.items = described(items as JsonSchema, sentence, `${path}[]`)
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const)
    if (given[key]) schema[key] = given[key].map((one) => described(one as JsonSchema, sentence, path))
  return simplest(schema)
}

/** Returns a function for the words of an operation's input: the sentence of a field and its default. */
const inputSentence =
  (op: GroupedOperation): Sentence =>
  (field, path) => {
    const otherwise = field.otherwise === undefined ? '' : defaultOf(op, path, field)
    return `${field.description ?? ''}${otherwise === '' || otherwise === 'unchanged' ? '' : ` Default: ${otherwise}.`}`
  }

/** Returns the fields of a query as parameters. A list of labels is one value with commas. */
const queryParameters = (op: GroupedOperation, query: JsonSchema | undefined): Json[] =>
  Object.entries(query?.properties ?? {}).map(([name, field]) => {
    const { description: _, ...own } = described(field as JsonSchema) as Json
    const isList = own.type === 'array'
    return {
      name,
      in: 'query',
      required: query?.required?.includes(name) ?? false,
      description: inputSentence(op)(field as JsonSchema, name),
      ...(isList ? { style: 'form', explode: false } : {}),
      schema: own,
    }
  })

const pathParameters = (op: GroupedOperation, params: Record<string, JsonSchema>): Json[] =>
  paramNames(op.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    description: parameterWord(op, name),
    schema: described(params[name] ?? {}),
  }))

const text = (description: string, schema: Json = {}): Json => ({ description, schema: { type: 'string', ...schema } })

const REQUEST_ID = '^[A-Za-z0-9_-]{8,64}$'

const HEADERS = {
  'X-Request-Id': text('ID of the request: the one you sent, or a new one. Include it when you report a problem.', {
    pattern: REQUEST_ID,
  }),
  RateLimit: text('Remaining rate limit, as in draft-ietf-httpapi-ratelimit-headers.', {
    pattern: '^"[^"]+";r=\\d+;t=\\d+$',
  }),
  'RateLimit-Policy': text('Rate limit of the operation, as in draft-ietf-httpapi-ratelimit-headers.', {
    pattern: '^"[^"]+";q=\\d+;w=\\d+$',
  }),
  'Retry-After': text('Seconds to wait before you repeat the call.', { type: 'integer', minimum: 1 }),
  ETag: text('Version of the returned object, for `If-Match`.'),
  'Idempotency-Replayed': text('The response is that of an earlier call with the same `Idempotency-Key`.', {
    const: 'true',
  }),
  'WWW-Authenticate': text('Authentication scheme (RFC 9110).', { const: 'Bearer' }),
}

type HeaderName = keyof typeof HEADERS

const OF_EVERY_ANSWER: readonly HeaderName[] = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']

const headerRefs = (names: readonly HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const sentenceCase = (code: string): string =>
  code
    .split('_')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')

/** Returns the error responses by status, each as a shared component named by its codes. */
const errorResponses = (op: GroupedOperation, components: Json): Json => {
  const byStatus = Map.groupBy(new Set(errorsOf(op)), (code) => ERROR_CODES[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => {
      const sorted = [...list].sort()
      const name = sorted.map(sentenceCase).join('Or')
      components[name] ??= {
        description: sorted
          .map((code) => `\`${code}\`: ${ERROR_PAGES[code].meaning} ${ERROR_PAGES[code].remedy}`)
          .join('\n\n'),
        headers: headerRefs([
          ...OF_EVERY_ANSWER,
          ...(sorted.some((code) => ERROR_CODES[code].retryable) ? (['Retry-After'] as const) : []),
          ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
          ...(status === 412 ? (['ETag'] as const) : []),
          // The only refusal after an effect. It is kept like a successful answer.
          ...(sorted.includes('sync_failed') ? (['Idempotency-Replayed'] as const) : []),
        ]),
        content: {
          'application/json': {
            schema: {
              $ref: '#/components/schemas/ApiError',
              properties: { code: { type: 'string', enum: sorted } },
            },
          },
        },
      }
      return [String(status), { $ref: `#/components/responses/${name}` }]
    }),
  )
}

/** Returns an answer of several forms with a discriminator, if `status` distinguishes them. */
const withDiscriminator = (op: GroupedOperation, schema: Json, schemas: Json): Json => {
  const forms = (schema.anyOf ?? []) as Json[]
  if (forms.length < 2) return schema
  const statuses = forms.map((form) => {
    const status = ((form.properties ?? {}) as Record<string, JsonSchema>).status
    return status?.const === undefined ? status?.enum : [status.const]
  })
  const all = statuses.flatMap((one) => one ?? [])
  if (statuses.some((one) => one === undefined) || new Set(all).size !== all.length) return schema
  const { anyOf: _, ...rest } = schema
  const names = statuses.map((one) => `${sentenceCase(op.id.replaceAll('.', '_'))}${sentenceCase(String(one?.[0]))}`)
  for (const [n, form] of forms.entries()) schemas[names[n] ?? ''] = form
  const refs = names.map((name) => ({ $ref: `#/components/schemas/${name}` }))
  const mapping = statuses.flatMap((one, n) => (one ?? []).map((status) => [String(status), refs[n]?.$ref]))
  return { ...rest, oneOf: refs, discriminator: { propertyName: 'status', mapping: Object.fromEntries(mapping) } }
}

const successResponses = (op: GroupedOperation, answers: ReturnType<typeof answerSchemas>, schemas: Json): Json =>
  Object.fromEntries(
    Object.entries(answers.get(op.id) ?? {}).map(([status, answer]) => {
      const schema = answer && withDiscriminator(op, described(answerSchema(answer)) as Json, schemas)
      const example = exampleOf(op)
      const type = op.produces?.split(';')[0] ?? 'application/json'
      const shown = example?.status === Number(status) && op.produces === undefined ? { example: example.body } : {}
      return [
        status,
        {
          description: op.summary,
          headers: headerRefs([
            ...OF_EVERY_ANSWER,
            ...(op.etag ? (['ETag'] as const) : []),
            ...(op.method === 'POST' ? (['Idempotency-Replayed'] as const) : []),
          ]),
          content: {
            [type]: { schema: type === 'application/json' ? schema : { type: 'string' }, ...shown },
            ...(op.csv?.answer ? { 'text/csv': { schema: { type: 'string' } } } : {}),
          },
        },
      ]
    }),
  )

/** Returns the fields of a platform, with their meanings. */
const platformFields = ({ schema }: PlatformForm): Json => (described(schema) as Json).properties as Json

const requestBody = (op: GroupedOperation, body: JsonSchema | undefined, schemas: Json): Json => {
  if (!body) return {}
  const schema = described(body, inputSentence(op)) as Json
  const example = exampleOf(op)?.request
  return {
    requestBody: {
      required: !op.bodyOptional,
      content: {
        'application/json': {
          schema: takesPlatformFields(op.id) ? platformBody(schema, platformFields, schemas) : schema,
          ...(example === undefined ? {} : { example }),
        },
        ...(op.csv?.body ? { 'text/csv': { schema: { type: 'string' } } } : {}),
      },
    },
  }
}

/** Components that operations share, by name. */
type Parts = { responses: Json; schemas: Json }

const camelCase = (id: string): string => id.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase())

const operationOf = (op: GroupedOperation, answers: ReturnType<typeof answerSchemas>, parts: Parts): Json => {
  const { params, query, body } = inputSchemas(op)
  const aliases = op.aliases?.length ? ` Also at ${op.aliases.map((path) => `\`${path}\``).join(', ')}.` : ''
  return {
    operationId: camelCase(op.id),
    tags: [GROUPS[op.group].title],
    summary: headlineOf(op),
    description: `${op.summary}${aliases}${op.costs ? ` Costs ${costWords(op)}.` : ''}`,
    'x-rate-limit-per-minute': op.perMinute,
    'x-operation': op.id,
    'x-scope': op.scope,
    ...(op.scopeReason === undefined ? {} : { 'x-scope-reason': op.scopeReason }),
    ...(op.wider === undefined ? {} : { 'x-wider-scope': { scope: op.wider.scope, when: op.wider.when } }),
    'x-cost': costWords(op),
    'x-costs': (op.costs ?? []).map(({ unit, amount, note }) => ({ unit, amount, note })),
    'x-typical-seconds': op.typicalSeconds ?? 1,
    'x-dry-run': acceptsDryRun(op),
    parameters: [
      ...pathParameters(op, params),
      ...queryParameters(op, query),
      ...Object.entries(op.csv?.params ?? {}).map(([name, description]) => ({
        name,
        in: 'query',
        required: false,
        description,
        schema: { type: 'integer' },
      })),
      ...(op.method === 'POST' ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
      ...(op.ifMatch ? [{ $ref: '#/components/parameters/If-Match' }] : []),
    ],
    ...requestBody(op, body, parts.schemas),
    responses: {
      ...successResponses(op, answers, parts.schemas),
      ...errorResponses(op, parts.responses),
    },
  }
}

const PARAMETERS = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Makes retries safe. For 24 hours, the same key and body return the first response again.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      '`ETag` of the version to change. If the current version is another one, the call returns 412 and changes nothing.',
    schema: { type: 'string' },
  },
}

const METHODS = [...new Set(OPERATIONS.map(({ method }) => method))]

/** The body of every refusal, as `errorBody` in src/platform/lib/errors.ts makes it. */
const API_ERROR: Json = {
  type: 'object',
  required: ['error', 'code', 'retryable', 'request_id'],
  properties: {
    error: {
      type: 'string',
      minLength: 1,
      description: 'Message in one sentence. For some errors, the code instead.',
    },
    message: { type: 'string', minLength: 1, description: 'Message in one sentence, if `error` is a code.' },
    code: { type: 'string', description: 'Stable code from a closed list.', enum: Object.keys(ERROR_CODES) },
    retryable: { type: 'boolean', description: 'True if the same call may succeed later.' },
    retry_after: { type: 'integer', minimum: 0, description: 'Seconds to wait before you repeat the call, if known.' },
    docs_url: { type: 'string', format: 'uri', description: 'URL of the documentation of the code.' },
    details: {
      type: 'array',
      description: 'Rejected fields.',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: {
          field: { type: 'string', minLength: 1, description: 'Path of the field: `call_to_action.url`.' },
          message: { type: 'string', minLength: 1, description: 'Description of the error.' },
          allowed: { description: 'Allowed values or range, if there is one.' },
        },
      },
    },
    next_calls: {
      type: 'array',
      description: 'Calls that help, ready to send.',
      items: {
        type: 'object',
        required: ['method', 'path', 'why'],
        properties: {
          method: { type: 'string', enum: METHODS, description: 'HTTP method.' },
          path: { type: 'string', pattern: '^/', description: 'Path below `/api/v1`, with its query.' },
          body: { type: 'object', description: 'JSON body, if the call needs one.' },
          why: { type: 'string', minLength: 1, description: 'Purpose of the call.' },
        },
      },
    },
    instructions_for_agent: { type: 'string', minLength: 1, description: 'Message for the person who has to act.' },
    upstream: {
      type: 'object',
      description: 'Error of an external system.',
      required: ['name', 'message'],
      properties: {
        name: { type: 'string', minLength: 1, description: 'Name of the external system.' },
        status: { type: 'integer', minimum: 100, description: 'HTTP status, or the system’s own code.' },
        message: { type: 'string', description: 'Message of the external system.' },
      },
    },
    request_id: {
      type: 'string',
      pattern: REQUEST_ID,
      description: 'ID of the request, as in `X-Request-Id`.',
    },
  },
}

/** Placeholder for the address of the service, which replaces it with its own. */
const BASE = SHOWN.service

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }

/**
 * Returns the OpenAPI 3.1 description of the API, made from the operation tables and the words of the reference.
 * Source: https://spec.openapis.org/oas/v3.1.1.html
 */
export const openApi = (): Json => {
  const answers = answerSchemas()
  const parts: Parts = { responses: {}, schemas: { ApiError: API_ERROR } }
  const paths: Record<string, Json> = {}
  for (const op of OPERATIONS) {
    const path = op.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [op.method.toLowerCase()]: operationOf(op, answers, parts) }
  }
  const description: Json = {
    openapi: '3.1.1',
    info: {
      title: 'Galley API',
      version,
      summary: 'Publishes articles for agents and scripts.',
      description:
        'Plans, checks, schedules and publishes articles to a website exactly once, and measures their results. Operations with `x-dry-run` accept `?dry_run=true`. They then return 200 `{dry_run: true, would: {status, body}}` and change nothing. The top-level `x-dry-run` has the schema. Version 1 only grows, and stays for 24 months after a version 2 (`/docs/clients`). Quickstart, concepts and errors: `/docs`.',
      license: { name: 'All rights reserved', url: `${BASE}/docs/license` },
      contact: { name: 'Documentation', url: `${BASE}/docs` },
    },
    servers: [{ url: '/api/v1', description: 'This service.' }],
    security: [{ apiKey: [] }],
    tags: (Object.keys(GROUPS) as Group[]).map((group) => ({
      name: GROUPS[group].title,
      description: `Operations of the group ${group}.`,
      'x-group': group,
    })),
    'x-dry-run': dryRun(headerRefs(OF_EVERY_ANSWER)),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'API key (`gly_…`), created on the page for keys.' },
      },
      headers: HEADERS,
      parameters: PARAMETERS,
      responses: Object.fromEntries(Object.entries(parts.responses).sort(([a], [b]) => (a < b ? -1 : 1))),
      schemas: parts.schemas,
    },
  }
  return shareSchemas(description)
}
