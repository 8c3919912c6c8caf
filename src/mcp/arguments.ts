import { inputSchemas, type JsonSchema, ruleIn } from '../platform/http/json-schemas.ts'
import { type Operation, paramNames } from '../platform/http/operation.ts'
import type { Field, ObjectSchema } from './call.ts'

const typesOf = (schema: JsonSchema): string[] => [schema.type ?? []].flat()

/** Returns the form that an agent should send: a list instead of text with commas, a value instead of an empty text. */
const preferred = (forms: JsonSchema[]): JsonSchema => {
  const named = forms.filter((form) => form.type !== 'null' && form.const !== '')
  return named.find((form) => form.type === 'array') ?? named[0] ?? {}
}

/** Returns an enumeration with its type. Clients refuse one without a type. */
const enumOf = (values: readonly unknown[]): Field => {
  const said = values.filter((value) => value !== null)
  return { type: typeof (said[0] ?? ''), enum: said }
}

const INTEGER = /^must be an integer/
const DATE_TIME = /^must be an ISO 8601 date-time/
/** Values of a boolean query parameter. */
const YES_OR_NO = new Set(['true', 'false', '1', '0', 'yes', 'no'])

/** Returns the shortest description of a field's rule that an agent needs. */
const hintOf = (schema: JsonSchema): Field => {
  const rule = ruleIn(schema)
  if (/absolute http/.test(rule)) return {}
  if (DATE_TIME.test(rule)) return { description: 'ISO 8601' }
  const form = /^must be (?:an? )?(.+)/.exec(rule)?.[1]
  return form === undefined || form === 'integer' ? {} : { description: form }
}

/** Returns the shortest usable schema of a field. Bounds are left out: the endpoint checks them and reports errors. */
const brief = (schema: JsonSchema): Field => {
  const forms = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (forms) return brief({ ...preferred(forms), ...(schema.rule ? { rule: schema.rule } : {}) })
  if (schema.const !== undefined) return enumOf([schema.const])
  if (schema.enum) {
    const isYesOrNo = schema.enum.every((value) => YES_OR_NO.has(String(value)))
    return isYesOrNo && schema.type === 'string' ? { type: 'boolean' } : enumOf(schema.enum)
  }
  if (schema.type === 'string' && INTEGER.test(ruleIn(schema))) return { type: 'integer' }
  const types = typesOf(schema).filter((type) => type !== 'null')
  if (types.includes('array')) return { type: 'array', items: brief((schema.items as JsonSchema | undefined) ?? {}) }
  if (types.includes('object') && schema.properties) return objectOf(schema)
  return { type: types[0] ?? 'string', ...hintOf(schema) }
}

const objectOf = (schema: JsonSchema): ObjectSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, field]) => [name, brief(field as JsonSchema)]),
  ),
  ...(schema.required?.length ? { required: schema.required } : {}),
})

/** Returns the input of an operation as one object: path parameters, then query, then body. */
export const inputOf = (op: Operation): ObjectSchema => {
  const { params, query, body } = inputSchemas(op)
  const parts = [query, body].filter((part) => part !== undefined).map(objectOf)
  const own = paramNames(op.path)
  const required = [...own, ...parts.flatMap((part) => part.required ?? [])]
  return {
    type: 'object',
    properties: Object.assign(
      Object.fromEntries(own.map((name) => [name, brief(params[name] ?? {})])),
      ...parts.map((part) => part.properties),
    ) as ObjectSchema['properties'],
    ...(required.length > 0 ? { required } : {}),
  }
}
