import { type JsonSchema, ruleIn } from '../../src/platform/http/json-schemas.ts'

type Schema = JsonSchema | boolean | undefined

const options = (schema: JsonSchema): JsonSchema[] => (schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[]

const literal = (value: unknown): string => (typeof value === 'string' ? `"${value}"` : String(value))

/** Returns a JSON Schema's type in TypeScript's notation, with the meaning after each field. */
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
  if (Array.isArray(schema.type)) return schema.type.join(' | ')
  return String(schema.type ?? 'any')
}

const listText = (items: Schema, indent: string): string => {
  const text = typeText(items, indent)
  return text.includes(' | ') ? `(${text})[]` : `${text}[]`
}

/** Returns a text with its meaning after the first line. */
const explained = (text: string, word: string): string => (word === '' ? text : text.replace(/$/m, `  // ${word}`))

const objectText = (schema: JsonSchema, indent: string): string => {
  const inner = `${indent}  `
  const lines = Object.entries(schema.properties ?? {}).map(([name, given]) => {
    const field = given as JsonSchema
    const mark = schema.required?.includes(name) ? '' : '?'
    return explained(`${inner}${name}${mark}: ${typeText(field, inner)}`, field.description ?? '')
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

const range = (low: number | undefined, high: number | undefined, what: string): string[] => {
  const most = high === undefined || high >= 2_147_483_647 ? undefined : high.toLocaleString('en')
  if (low !== undefined && low > 0 && most !== undefined) return [`${low} to ${most}${what}`]
  if (most !== undefined) return [`at most ${most}${what}`]
  return low !== undefined && low > 0 ? [`at least ${low}${what}`] : []
}

/** Returns the message of a refusal as a limit: `must be an integer from 1 to 90` as `1 to 90`. */
const ruleText = (rule: string): string[] => {
  const number = /^must be an integer (?:of )?(?:from )?(.+)$/.exec(rule)?.[1]
  if (number !== undefined)
    return number === 'at least 0' ? [] : [number.replace(/\d{5,}/g, (n) => Number(n).toLocaleString('en'))]
  if (/^must be (true or false|an ISO 8601 date-time)/.test(rule)) return []
  return [rule.replace(/^must (be |have )?/, '')]
}

/** Returns the limits in a field's schema. */
const limitText = (schema: Schema): string => {
  if (typeof schema !== 'object') return ''
  const parts = [schema, ...options(schema)]
  const limits = parts.flatMap((one) => [
    ...range(one.minimum, one.maximum, ''),
    ...range(one.minLength, one.maxLength, ' characters'),
    ...range(one.minItems, one.maxItems, ' entries'),
    ...(ruleIn(one) === '' ? [] : ruleText(ruleIn(one))),
  ])
  return [...new Set(limits)].join('; ')
}

/** Returns the type of a field. For a field of a query, it is the type of the parsed text. */
const plainType = (schema: Schema): string => {
  const rule = typeof schema === 'object' ? ruleIn(schema) : ''
  if (rule.startsWith('must be an integer')) return 'integer'
  if (rule.startsWith('must be true or false')) return 'boolean'
  if (rule.startsWith('must be an ISO 8601')) return 'time'
  const parts = typeof schema === 'object' ? options(schema) : []
  if (parts.length > 0) return [...new Set(parts.map(plainType))].join(' | ')
  const inner = objectIn(schema)
  if (inner) return inner.many ? 'object[]' : 'object'
  return typeText(schema)
}

/** Returns the object whose fields a reader needs: the field itself, one of its forms, or the entries of a list. */
const objectIn = (schema: Schema): { object: JsonSchema; many: boolean } | undefined => {
  if (typeof schema !== 'object') return undefined
  if (schema.properties) return { object: schema, many: false }
  if (schema.type === 'array') {
    const found = objectIn(schema.items as Schema)
    return found && { ...found, many: true }
  }
  return options(schema)
    .map((one) => objectIn(one))
    .find((found) => found !== undefined)
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** Field of an input. Its own fields follow, each under its path. */
export type FieldLine = { path: string; type: string; limits: string; required: boolean; schema: JsonSchema }

/** Returns the fields of an object, in order. */
export const fieldLines = (schema: JsonSchema, above = ''): FieldLine[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${above}${name}`
    const inner = objectIn(field)
    const line = {
      path,
      type: plainType(field),
      limits: limitText(field),
      required: schema.required?.includes(name) ?? false,
      schema: field as JsonSchema,
    }
    return inner ? [line, ...fieldLines(inner.object, `${path}${inner.many ? '[]' : ''}.`)] : [line]
  })

/** Returns the lines of a table: the header, then the rows. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  `| ${head.join(' | ')} |`,
  `|${'---|'.repeat(head.length)}`,
  ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`),
  '',
]
