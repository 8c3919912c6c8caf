import { answerSchemas, OPERATIONS } from '../operations.ts'
import { answerSchema, inputSchemas, type JsonSchema } from '../platform/http/json-schemas.ts'
import { DRY_RUN, type Operation, paramNames, usualStatus } from '../platform/http/operation.ts'
import { ACTION_ARGUMENT, type Call, KEY_ARGUMENT, OFFSET_ARGUMENT } from './call.ts'
import { ONLY, type ServedTool } from './served.ts'
import type { ToolSpec } from './tools.ts'

type Properties = Record<string, JsonSchema>
type ObjectSchema = { type: 'object'; properties: Properties; required?: string[] }

/** Tool as `tools/list` returns it. */
export type ToolDefinition = {
  name: string
  description: string
  inputSchema: ObjectSchema
  outputSchema?: ObjectSchema
  annotations: { readOnlyHint: boolean; destructiveHint?: boolean; idempotentHint?: boolean; openWorldHint: boolean }
}

const typesOf = (schema: JsonSchema): string[] => [schema.type ?? []].flat()

/** Returns the form that an agent should send: a list instead of text with commas, a value instead of an empty text. */
const preferred = (forms: JsonSchema[]): JsonSchema => {
  const named = forms.filter((form) => form.type !== 'null' && form.const !== '')
  return named.find((form) => form.type === 'array') ?? named[0] ?? {}
}

type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null'

const typeOfValue = (value: unknown): TypeName => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value as TypeName
}

/** Returns an enumeration with its type. Clients refuse one without a type. */
const enumOf = (values: readonly unknown[]): JsonSchema => {
  const said = values.filter((value) => value !== null)
  return { type: typeOfValue(said[0] ?? ''), enum: said } as JsonSchema
}

const INTEGER = /^must be an integer/
const DATE_TIME = /^must be an ISO 8601 date-time/
/** Values of a boolean query parameter. */
const YES_OR_NO = new Set(['true', 'false', '1', '0', 'yes', 'no'])

/** Returns the shortest description of a field's rule that an agent needs. */
const hintOf = ({ description }: JsonSchema): JsonSchema => {
  if (description === undefined || /absolute http/.test(description)) return {}
  if (DATE_TIME.test(description)) return { description: 'ISO 8601' }
  return { description: description.replace(/^must be (an? )?/, '') }
}

/** Returns the shortest usable schema of a field. Bounds are left out: the endpoint checks them and reports errors. */
const brief = (schema: JsonSchema): JsonSchema => {
  const forms = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (forms) return brief({ ...preferred(forms), ...(schema.description ? { description: schema.description } : {}) })
  if (schema.const !== undefined) return enumOf([schema.const])
  if (schema.enum) {
    const isYesOrNo = schema.enum.every((value) => YES_OR_NO.has(String(value)))
    return isYesOrNo && schema.type === 'string' ? { type: 'boolean' } : enumOf(schema.enum)
  }
  if (schema.type === 'string' && INTEGER.test(schema.description ?? '')) return { type: 'integer' }
  const types = typesOf(schema).filter((type) => type !== 'null')
  if (types.includes('array')) return { type: 'array', items: brief((schema.items as JsonSchema | undefined) ?? {}) }
  if (types.includes('object') && schema.properties) return objectOf(schema)
  return { type: (types[0] ?? 'string') as TypeName, ...hintOf(schema) }
}

const objectOf = (schema: JsonSchema): ObjectSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, field]) => [name, brief(field as JsonSchema)]),
  ),
  ...(schema.required?.length ? { required: schema.required } : {}),
})

/** Returns the operation of a call, with its schemas. */
const declared = ({ method, path }: Call): Operation | undefined =>
  OPERATIONS.find((op) => op.method === method && op.path === path)

/** Returns the arguments of an operation: path parameters under the tool's names for them, then query, then body. */
const argumentsOf = (op: Operation, ids: Readonly<Record<string, string>>): ObjectSchema => {
  const { params, query, body } = inputSchemas(op)
  const parts = [query, body].filter((part) => part !== undefined).map(objectOf)
  const own = paramNames(op.path)
  return {
    type: 'object',
    properties: Object.assign(
      Object.fromEntries(own.map((name) => [ids[name] ?? name, brief(params[name] ?? {})])),
      ...parts.map((part) => part.properties),
    ) as Properties,
    required: [...own.map((name) => ids[name] ?? name), ...parts.flatMap((part) => part.required ?? [])],
  }
}

/** Returns the properties that a tool shows. */
const shown = (properties: Properties, { only, without = [] }: ToolSpec): Properties =>
  Object.fromEntries(
    Object.entries(properties).filter(([name]) => (only?.includes(name) ?? true) && !without.includes(name)),
  )

/** Returns the input schema of a tool, from all its operations. */
const inputOf = ({ spec, operations }: ServedTool): ObjectSchema => {
  const each = [...operations.values()].flatMap((call) => {
    const op = declared(call)
    return op ? [argumentsOf(op, spec.ids ?? {})] : []
  })
  const shared = (each[0]?.required ?? []).filter((name) => each.every(({ required }) => required?.includes(name)))
  const actions = [...operations.keys()].filter((action) => action !== ONLY)
  const properties = shown(Object.assign({}, ...each.map((one) => one.properties)) as Properties, spec)
  for (const [name, description] of Object.entries(spec.notes ?? {}))
    if (properties[name]) properties[name] = { ...properties[name], description }
  for (const name of spec.lists ?? [])
    if (properties[name] && properties[name].type !== 'array')
      properties[name] = { type: 'array', items: properties[name] }
  if (actions.length > 0) properties[ACTION_ARGUMENT] = enumOf(actions)
  if (spec.longText !== undefined) properties[OFFSET_ARGUMENT] = { type: 'integer' }
  if (spec.effect === 'adds') properties[KEY_ARGUMENT] = { type: 'string' }
  if (spec.effect !== 'reads') properties[DRY_RUN] = { type: 'boolean' }
  const required = [...(actions.length > 0 ? [ACTION_ARGUMENT] : []), ...shared, ...(spec.needs ?? [])]
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) }
}

const isObject = (schema: JsonSchema | undefined): schema is JsonSchema => schema?.type === 'object'

const EVERY_TYPE: TypeName[] = ['string', 'number', 'boolean', 'object', 'array', 'null']

/** Returns the types that an answer's field can have; all types if its schema does not say. */
const outputTypes = (field: JsonSchema): TypeName[] => {
  const types = (schema: JsonSchema): TypeName[] => {
    const forms = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
    if (forms) return forms.flatMap(types)
    if (schema.type !== undefined) return typesOf(schema) as TypeName[]
    if (schema.const !== undefined) return [typeOfValue(schema.const)]
    return schema.enum ? schema.enum.map(typeOfValue) : EVERY_TYPE
  }
  return [...new Set(types(field))]
}

/**
 * Returns the names and types of an answer's top-level fields. Shortened results match it too.
 *
 * Fields with several types are left out, because clients refuse a schema without a single type. Answers may have more
 * fields than the schema names.
 */
const outputOf = (schema: JsonSchema): ObjectSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([name]) => name !== 'ignored' && name !== 'notes')
      .map(([name, field]): [string, TypeName[]] => [name, outputTypes(field as JsonSchema)])
      .flatMap(([name, [type, ...others]]) => (type && others.length === 0 ? [[name, { type }]] : [])),
  ),
})

const annotationsOf = ({ spec }: ServedTool): ToolDefinition['annotations'] =>
  spec.effect === 'reads'
    ? { readOnlyHint: true, openWorldHint: spec.reachesOut ?? false }
    : {
        readOnlyHint: false,
        destructiveHint: spec.effect === 'changes',
        openWorldHint: spec.reachesOut ?? false,
      }

/** Maximum number of fields of an output schema. Larger ones cost more tokens than they are worth. */
const MAX_OUTPUT_FIELDS = 9

const outputSchemaOf = ({ operations }: ServedTool, answers: ReturnType<typeof answerSchemas>) => {
  const only = operations.get(ONLY)
  const op = only && declared(only)
  if (!op || (op.success ?? []).length > 1) return undefined
  const answer = answers.get(op.id)?.[usualStatus(op)]
  const schema = answer === undefined ? undefined : answerSchema(answer)
  if (!isObject(schema)) return undefined
  const output = outputOf(schema)
  return Object.keys(output.properties).length <= MAX_OUTPUT_FIELDS ? output : undefined
}

/** Returns the tools for `tools/list`, with schemas derived from those of their operations. */
export const toolDefinitions = (tools: readonly ServedTool[]): ToolDefinition[] => {
  const answers = answerSchemas()
  return tools.map((tool) => {
    const outputSchema = outputSchemaOf(tool, answers)
    return {
      name: tool.spec.name,
      description: tool.spec.description,
      inputSchema: inputOf(tool),
      ...(outputSchema ? { outputSchema } : {}),
      annotations: annotationsOf(tool),
    }
  })
}
