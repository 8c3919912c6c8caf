import type { JsonSchema } from '../../src/platform/http/json-schemas.ts'

const missing = new Set<string>()

/** Notes text that somebody has to write first. Returns an empty text to use in its place. */
export const noteMissing = (what: string): string => {
  missing.add(what)
  return ''
}

/** Notes every field of a schema that has no sentence. `of`: the operation. */
export const noteFields = (
  of: string,
  { properties, items, additionalProperties, ...schema }: JsonSchema,
  above = '',
): void => {
  for (const [name, given] of Object.entries(properties ?? {})) {
    const field = given as JsonSchema
    if (field.description === undefined) noteMissing(`${of}: means('…', …) around the schema of ${above}${name}`)
    noteFields(of, field, `${above}${name}.`)
  }
  for (const form of [items, additionalProperties, schema.anyOf, schema.oneOf].flat())
    if (typeof form === 'object') noteFields(of, form as JsonSchema, above)
}

/** Throws one error that names all missing text, so that it can be written at once. */
export const throwIfMissing = (): void => {
  const all = [...missing]
  missing.clear()
  if (all.length > 0) throw new Error(all.join('\n'))
}
