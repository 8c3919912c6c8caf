import { zValidator } from '@hono/zod-validator'
import type { Context, MiddlewareHandler } from 'hono'
import * as z from 'zod/mini'
import { listIn } from '../accounts/check-owner.ts'
import { ApiError, type FieldError, invalidInput, noFields } from '../lib/errors.ts'
import { isListParam, MAX_ID } from '../lib/fields.ts'
import { fieldErrors, refusalOf } from '../lib/issues.ts'
import { nearestName } from '../lib/text.ts'
import type { Body } from './body.ts'
import { checkDryRun } from './dry-run.ts'
import { fieldNames, type Ignored, ignoredIn } from './ignored.ts'
import { acceptsDryRun, DRY_RUN, type Operation, paramNames } from './operation.ts'
import type { Input } from './route.ts'

/** A positive 32-bit integer, sent as text. */
const Id = z.pipe(
  z.string().check(
    z.refine((text) => /^[1-9]\d{0,9}$/.test(text) && Number(text) <= MAX_ID, {
      error: 'must be a positive 32-bit integer',
    }),
  ),
  z.transform((text) => Number(text)),
)

/** Returns a path that a wrong last parameter may have been meant for: a fixed path of the group at the same place. */
const nearPath = (op: Operation, given: string, siblings: readonly Operation[]): string | undefined => {
  const above = op.path.slice(0, op.path.lastIndexOf('/') + 1)
  const names = siblings
    .filter(({ method, path }) => method === op.method && path.startsWith(above))
    .map(({ path }) => path.slice(above.length))
    .filter((name) => !name.includes(':'))
  const near = nearestName(given, names)
  return near === undefined ? undefined : above + near
}

const paramsOf = (
  op: Operation,
  given: Record<string, string>,
  siblings: readonly Operation[],
): Record<string, unknown> => {
  const details: FieldError[] = []
  const params: Record<string, unknown> = {}
  for (const name of paramNames(op.path)) {
    const result = (op.params?.[name] ?? Id).safeParse(given[name])
    if (result.success) params[name] = result.data
    else details.push(...fieldErrors(result.error.issues, given[name]).map((detail) => ({ ...detail, field: name })))
  }
  if (details.length === 0) return params
  const [{ field, message } = { field: '', message: '' }] = details
  const near = op.path.endsWith(`:${field}`) ? nearPath(op, given[field] ?? '', siblings) : undefined
  const hint = near === undefined ? '' : `. Did you mean ${op.method} ${near}?`
  throw new ApiError('invalid_id', `${field}: ${message}${hint}`, { details, ...listIn(op.path, params, field) })
}

type Shape = Readonly<Record<string, z.core.$ZodType>>

const shapeOf = (schema: z.ZodMiniType | undefined): Shape =>
  (schema?._zod.def as { shape?: Shape } | undefined)?.shape ?? {}

/** Returns a body without the fields that are null but have no empty value: null then means that they are absent. */
const withoutNulls = (schema: z.ZodMiniType, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const shape = shapeOf(schema)
  const isAbsent = (name: string, one: unknown): boolean =>
    one === null && Object.hasOwn(shape, name) && !z.safeParse(shape[name] as z.ZodMiniType, null).success
  return Object.fromEntries(Object.entries(value).filter(([name, one]) => !isAbsent(name, one)))
}

/** Returns the body's value, parsed by the schema. Throws 400 with the fields that are wrong. */
const checkedBody = ({ method }: Operation, schema: z.ZodMiniType, given: unknown): unknown => {
  const value = method === 'POST' ? withoutNulls(schema, given) : given
  const result = schema.safeParse(value)
  if (!result.success) throw refusalOf(result.error.issues, value)
  return result.data
}

type QueryValues = Readonly<Record<string, string | string[]>>

/** Returns the values of a query as texts: those of a repeated list with commas between them. */
const withCommas = (values: QueryValues): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))

const validators = new WeakMap<z.ZodMiniType, MiddlewareHandler>()

/** Returns the validator of a query's schema, built once. It throws 400 with the values that are wrong. */
const validatorOf = (schema: z.ZodMiniType): MiddlewareHandler => {
  const made =
    validators.get(schema) ??
    (zValidator(
      'query',
      z.pipe(
        z.transform((values: QueryValues): unknown => withCommas(values)),
        schema,
      ),
      (result) => {
        if (!result.success)
          throw invalidInput(fieldErrors(result.error.issues, withCommas(result.data as QueryValues)))
      },
    ) as MiddlewareHandler)
  validators.set(schema, made)
  return made
}

/** Returns what is wrong with how often, or in which form, known parameters were given. `a[]` is not `a`. */
const wrongForms = (op: Operation, given: Readonly<Record<string, string[]>>): FieldError[] => {
  const shape = shapeOf(op.query)
  return Object.entries(given).flatMap(([field, values]) => {
    const [, name = ''] = /^([^[]+)\[/.exec(field) ?? []
    if (Object.hasOwn(shape, name)) return [{ field, message: `is written ${name}` }]
    const schema = Object.hasOwn(shape, field) ? shape[field] : undefined
    if (!schema || values.length === 1 || isListParam(schema)) return []
    return [{ field, message: 'was given several times; give it once' }]
  })
}

/** Returns the query's values. Throws 400 if one is wrong, or if a parameter other than a list was given several times. */
const queryOf = async (op: Operation, c: Context): Promise<unknown> => {
  const given = c.req.queries()
  const wrong = wrongForms(op, given)
  if (wrong.length > 0) throw invalidInput(wrong)
  if (!op.query) return {}
  await validatorOf(op.query)(c, async () => {})
  return c.req.valid('query' as never)
}

/** Returns the query parameters that the operation reads. */
export const knownQuery = (op: Operation, given: Record<string, string>): Record<string, string> => {
  const known = fieldNames(op.query) ?? []
  return Object.fromEntries(Object.entries(given).filter(([name]) => known.includes(name)))
}

const firstOf = (given: Record<string, string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(given).map(([name, values]) => [name, values[0] ?? '']))

const bodyOf = (op: Operation, body: Body): unknown => {
  if (op.json === undefined) return {}
  const { value, failure } = body.parsed()
  if (failure) throw failure
  if (body.isEmpty && !op.bodyOptional)
    throw new ApiError('invalid_input', 'A JSON body is required.', {
      details: [{ field: 'body', message: 'is required' }],
    })
  const result = checkedBody(op, op.json, value ?? {})
  if (!body.isEmpty) checkRecognised(op, value ?? {})
  return result
}

/** Throws 400 with the known names if the body has only unknown ones: it was meant for something else. */
const checkRecognised = (op: Operation, value: object): void => {
  const known = fieldNames(op.json)
  const sent = Object.keys(value)
  const isRecognised = (name: string) => known?.includes(name) || op.noteOn?.(name) !== undefined
  if (known === undefined || (op.bodyOptional && sent.length === 0) || sent.some(isRecognised)) return
  throw noFields('The body has no field this operation knows. Send at least one.', known)
}

/**
 * Returns the operation's checked input. Throws 400 for path, query and body, in this order, and 415.
 *
 * `siblings`: the operations of its group.
 */
export const inputOf = async (
  op: Operation,
  c: Context,
  body: Body,
  siblings: readonly Operation[],
): Promise<Input<Operation>> => {
  const params = paramsOf(op, c.req.param() as Record<string, string>, siblings)
  if (acceptsDryRun(op)) checkDryRun(c.req.queries(), body.parsed().value, fieldNames(op.json) ?? [DRY_RUN])
  const query = await queryOf(op, c)
  return { params, query, body: bodyOf(op, body) } as Input<Operation>
}

/** Returns the names in query and body that the operation does not know. */
export const ignoredOf = (op: Operation, c: Context, body: Body): Ignored => {
  const { [DRY_RUN]: dryRun, ...query } = firstOf(c.req.queries())
  const given = acceptsDryRun(op) || dryRun === undefined ? query : { ...query, [DRY_RUN]: dryRun }
  const ofFile = body.isFile ? Object.keys(op.csv?.params ?? {}) : []
  const unknown = Object.fromEntries(Object.entries(given).filter(([name]) => !ofFile.includes(name)))
  return {
    ...ignoredIn(unknown, op.query, 'query', op.noteOn),
    ...ignoredIn(body.parsed().value, op.json, 'body', op.noteOn),
  }
}
