import * as z from 'zod/mini'
import { MAX_ID } from '../lib/fields.ts'
import { type Operation, paramNames } from './operation.ts'

/**
 * A JSON Schema (draft 2020-12), with the parts that this code reads.
 *
 * Three are our own: `description` is the field's sentence, `otherwise` its value if it is left out, and `rule` the
 * message of its refusal.
 */
export type JsonSchema = z.core.JSONSchema.JSONSchema

/** Returns the message with which a field refuses a value. Empty if its type and bounds say it all. */
export const ruleIn = ({ rule }: JsonSchema): string => (typeof rule === 'string' ? rule : '')

type Rule = { allowed?: unknown; isOpen?: boolean; isList?: boolean }
type Check = { _zod: { def: { check?: string; params?: Rule; error?: unknown } } }

type Range = { min: number; max?: number }

const isRange = (allowed: unknown): allowed is Range =>
  typeof allowed === 'object' && allowed !== null && 'min' in allowed

/** Returns the schema of a query value by its rule: an integer, a boolean, or a comma-separated list. */
const meantBy = (allowed: unknown, isList: boolean | undefined): JsonSchema | undefined => {
  if (isRange(allowed))
    return { type: 'integer', minimum: allowed.min, ...(allowed.max === undefined ? {} : { maximum: allowed.max }) }
  if (!Array.isArray(allowed)) return undefined
  if (isList) return { type: 'array', items: { type: 'string', enum: allowed } }
  return allowed.join() === 'true,false' ? { type: 'boolean' } : undefined
}

/** Returns the schema of a field's own rules: its values, its bounds, or, as `rule`, the message of its refusal. */
const ruleOf = (schema: z.core.$ZodType): JsonSchema => {
  const checks = ((schema._zod.def as { checks?: Check[] }).checks ?? []).map((check) => check._zod.def)
  for (const { check, params, error } of checks) {
    if (check !== 'custom') continue
    const allowed = params?.allowed
    const meant = meantBy(allowed, params?.isList)
    if (meant) return meant
    // `isOpen`: other spellings of the values are accepted too, and an enumeration would keep clients from sending them.
    if (Array.isArray(allowed) && !params?.isOpen) return { enum: allowed }
    const message = typeof error === 'function' ? (error as (issue: object) => unknown)({}) : undefined
    if (typeof message === 'string' && !message.includes('control characters')) return { rule: message }
  }
  return {}
}

const schemaOf = (schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema =>
  z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const rule = ruleOf(zodSchema)
      Object.assign(jsonSchema, jsonSchema.type === 'string' && rule.type ? rule : { ...rule, ...jsonSchema })
    },
  })

const ID: JsonSchema = { type: 'integer', minimum: 1, maximum: MAX_ID }

/** Returns the input of an operation as JSON Schemas: path parameters, query and body. For documents, OpenAPI and MCP tools. */
export const inputSchemas = (
  operation: Operation,
): { params: Record<string, JsonSchema>; query?: JsonSchema; body?: JsonSchema } => ({
  params: Object.fromEntries(
    paramNames(operation.path).map((name) => {
      const schema = operation.params?.[name]
      return [name, schema ? schemaOf(schema, 'input') : ID]
    }),
  ),
  ...(operation.query ? { query: schemaOf(operation.query, 'input') } : {}),
  ...(operation.json ? { body: schemaOf(operation.json, 'input') } : {}),
})

/** Returns the JSON Schema of what a caller sends. */
export const inputSchemaOf = (schema: z.ZodMiniType): JsonSchema => schemaOf(schema, 'input')

/** Returns the JSON Schema of an answer's body. */
export const answerSchema = (schema: z.ZodMiniType): JsonSchema => schemaOf(schema, 'output')
