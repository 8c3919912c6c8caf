import { DRY_RUN } from '../platform/http/operation.ts'
import type { ObjectSchema } from './call.ts'
import { ACTION_ARGUMENT, type Call, type Field, KEY_ARGUMENT, OFFSET_ARGUMENT, REVISION_ARGUMENT } from './call.ts'
import { ONLY, type ServedTool } from './served.ts'
import type { ToolSpec } from './tool-spec.ts'

/** Tool as `tools/list` returns it. */
export type ToolDefinition = {
  name: string
  description: string
  inputSchema: ObjectSchema
  annotations: { readOnlyHint?: boolean; destructiveHint?: boolean; openWorldHint?: boolean }
}

type Fields = Record<string, Field>

/** Longest enumeration shown. The error of a wrong value lists the values of a longer one. */
const MAX_VALUES = 10

const isLong = (field: Field): boolean => (field.enum?.length ?? 0) > MAX_VALUES

/** Returns a field without a long enumeration. */
const short = (field: Field): Field => {
  if (isLong(field)) return { type: field.type ?? 'string' }
  return field.items ? { ...field, items: short(field.items) } : field
}

/** Returns the input of an operation, with the tool's names for path parameters. */
const argumentsOf = ({ input, path }: Call, ids: Readonly<Record<string, string>>) => {
  const own = (name: string): string => (path.includes(`:${name}`) ? (ids[name] ?? name) : name)
  return {
    properties: Object.fromEntries(Object.entries(input.properties).map(([name, field]) => [own(name), short(field)])),
    required: (input.required ?? []).map(own),
  }
}

/** Returns the properties that a tool shows. */
const shown = (properties: Fields, { only, without = [] }: ToolSpec): Fields =>
  Object.fromEntries(
    Object.entries(properties).filter(([name]) => (only?.includes(name) ?? true) && !without.includes(name)),
  )

/** Returns the input schema of a tool, from all its operations. */
const inputOf = ({ spec, operations }: ServedTool): ObjectSchema => {
  const calls = [...operations.values()]
  const each = calls.map((call) => argumentsOf(call, spec.ids ?? {}))
  const shared = (each[0]?.required ?? []).filter((name) => each.every(({ required }) => required.includes(name)))
  const actions = [...operations.keys()].filter((action) => action !== ONLY)
  const properties = shown(Object.assign({}, ...each.map((one) => one.properties)) as Fields, spec)
  for (const name of spec.lists ?? [])
    if (properties[name] && properties[name].type !== 'array')
      properties[name] = { type: 'array', items: properties[name] }
  if (actions.length > 0) properties[ACTION_ARGUMENT] = { type: 'string', enum: actions }
  if (spec.longText !== undefined) properties[OFFSET_ARGUMENT] = { type: 'integer' }
  if (calls.every(({ takesRevision }) => takesRevision)) properties[REVISION_ARGUMENT] = { type: 'integer' }
  if (spec.effect === 'adds') properties[KEY_ARGUMENT] = { type: 'string' }
  if (spec.effect !== 'reads') properties[DRY_RUN] = { type: 'boolean' }
  for (const [name, description] of Object.entries(spec.notes ?? {}))
    if (properties[name]) properties[name] = { ...properties[name], description }
  const required = [...(actions.length > 0 ? [ACTION_ARGUMENT] : []), ...shared, ...(spec.needs ?? [])]
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) }
}

/** Returns the hints that differ from the protocol's defaults, and always if the tool may destroy. */
const annotationsOf = ({ spec: { effect, reachesOut } }: ServedTool): ToolDefinition['annotations'] => ({
  ...(effect === 'reads' ? { readOnlyHint: true } : { destructiveHint: effect === 'changes' }),
  ...(reachesOut ? {} : { openWorldHint: false }),
})

/** Returns the tools for `tools/list`, with the input of their operations. */
export const toolDefinitions = (tools: readonly ServedTool[]): ToolDefinition[] =>
  tools.map((tool) => ({
    name: tool.spec.name,
    description: tool.spec.description,
    inputSchema: inputOf(tool),
    annotations: annotationsOf(tool),
  }))
