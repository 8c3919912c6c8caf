import type { JsonSchema } from '../../src/http/json-schemas.ts'

type Schema = JsonSchema | boolean | undefined

const options = (schema: JsonSchema): JsonSchema[] => (schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[]

const literal = (value: unknown): string => (typeof value === 'string' ? `"${value}"` : String(value))

/** A JSON Schema's type in few words, in the notation of TypeScript. */
export const typeText = (schema: Schema, indent = ''): string => {
  if (typeof schema !== 'object') return 'any'
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  const either = options(schema)
  if (either.length > 0) return [...new Set(either.map((one) => typeText(one, indent)))].join(' | ')
  if (schema.type === 'array') return listText(schema.items as Schema, indent)
  if (schema.properties) return objectText(schema, indent)
  if (schema.type === 'object') return 'object'
  if (schema.format === 'date-time') return 'instant'
  return String(schema.type ?? 'any')
}

const listText = (items: Schema, indent: string): string => {
  const text = typeText(items, indent)
  return text.includes(' | ') ? `(${text})[]` : `${text}[]`
}

const objectText = (schema: JsonSchema, indent: string): string => {
  const inner = `${indent}  `
  const lines = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => `${inner}${name}${schema.required?.includes(name) ? '' : '?'}: ${typeText(field, inner)}`,
  )
  return `{\n${lines.join('\n')}\n${indent}}`
}

const range = (low: number | undefined, high: number | undefined, what: string): string[] => {
  const most = high === undefined || high >= 2_147_483_647 ? undefined : high.toLocaleString('en')
  if (low !== undefined && low > 0 && most !== undefined) return [`${low} to ${most}${what}`]
  if (most !== undefined) return [`at most ${most}${what}`]
  return low !== undefined && low > 0 ? [`at least ${low}${what}`] : []
}

/** What a field's schema says besides its type: limits, default and meaning. */
const noteText = (schema: Schema): string => {
  if (typeof schema !== 'object') return ''
  const parts = [schema, ...options(schema)]
  const notes = parts.flatMap((one) => [
    ...range(one.minimum, one.maximum, ''),
    ...range(one.minLength, one.maxLength, ' characters'),
    ...range(one.minItems, one.maxItems, ' entries'),
    ...(one.default === undefined ? [] : [`default ${literal(one.default)}`]),
    ...(one.description === undefined ? [] : [one.description]),
  ])
  return [...new Set(notes)].join('; ')
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** The fields of an object as rows of a table. */
export const fieldTable = (schema: JsonSchema): string[] => {
  const fields = Object.entries(schema.properties ?? {})
  if (fields.length === 0) return []
  return [
    '| Field | Type | Notes |',
    '|---|---|---|',
    ...fields.map(([name, field]) => {
      const required = schema.required?.includes(name) ? 'required' : ''
      const notes = [required, noteText(field)].filter((text) => text !== '').join('; ')
      return `| \`${name}\` | ${cell(typeText(field))} | ${cell(notes)} |`
    }),
    '',
  ]
}
