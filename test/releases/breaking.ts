type Schema = {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
}
type Parameter = { $ref?: string; name: string; in: string; required?: boolean; schema?: Schema }
type Content = { content?: Record<string, { schema?: Schema }> }
type Operation = {
  parameters?: Parameter[]
  requestBody?: Content & { required?: boolean }
  responses: Record<string, Content & { $ref?: string }>
}

/** The parts of an OpenAPI description that callers depend on. */
export type Description = {
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, Parameter>; schemas: Record<string, Schema> }
}

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** Reads one description: follows references, and lists what a schema allows. */
const readerOf = ({ components }: Description) => {
  const resolved = (schema: Schema | undefined): Schema | undefined =>
    schema?.$ref ? components.schemas[nameOf(schema.$ref)] : schema
  /** Returns the alternatives of a schema that are objects, lists or enums, as one schema. */
  const plain = (schema: Schema | undefined): Schema => {
    const found = resolved(schema) ?? {}
    const forms = found.anyOf ?? found.oneOf
    if (!forms) return found
    const several = forms.map(plain)
    const properties = Object.assign({}, ...several.map((one) => one.properties ?? {})) as Record<string, Schema>
    const items = several.find((one) => one.items)?.items
    return { properties, ...(items ? { items } : {}) }
  }
  const parameters = (operation: Operation): Map<string, Parameter> =>
    new Map(
      (operation.parameters ?? [])
        .map((one) => (one.$ref ? components.parameters[nameOf(one.$ref)] : one))
        .filter((one) => one !== undefined)
        .map((one) => [`${one.in} ${one.name}`, one]),
    )
  const json = (content: Content | undefined): Schema | undefined => content?.content?.['application/json']?.schema
  return { plain, parameters, json }
}

/**
 * Returns what callers of the description `before` can no longer rely on in `now`, as sentences; none if every call of
 * before still works and every field of its answers is still there.
 */
export const breakingChanges = (before: Description, now: Description): string[] => {
  const [old, current] = [readerOf(before), readerOf(now)]
  const found: string[] = []

  const compareAnswers = (place: string, was: Schema | undefined, is: Schema | undefined, depth = 0): void => {
    if (depth > 12) return
    const [a, b] = [old.plain(was), current.plain(is)]
    for (const [name, schema] of Object.entries(a.properties ?? {}))
      if (!b.properties?.[name]) found.push(`${place} has no ${name} any more`)
      else compareAnswers(`${place}.${name}`, schema, b.properties[name], depth + 1)
    if (a.items) compareAnswers(`${place}[]`, a.items, b.items, depth + 1)
  }

  const compareBodies = (place: string, was: Schema | undefined, is: Schema | undefined): void => {
    const [a, b] = [old.plain(was), current.plain(is)]
    for (const [name, schema] of Object.entries(a.properties ?? {})) {
      const next = b.properties?.[name]
      if (!next) found.push(`${place} takes no ${name} any more`)
      for (const value of next?.enum ? (schema.enum ?? []) : [])
        if (!next?.enum?.includes(value)) found.push(`${place}.${name} takes no ${String(value)} any more`)
    }
    for (const name of b.required ?? [])
      if (!a.required?.includes(name)) found.push(`${place} cannot do without ${name} any more`)
  }

  for (const [path, methods] of Object.entries(before.paths))
    for (const [method, was] of Object.entries(methods)) {
      const place = `${method.toUpperCase()} ${path}`
      const is = now.paths[path]?.[method]
      if (!is) {
        found.push(`${place} is gone`)
        continue
      }
      const [hadParameters, hasParameters] = [old.parameters(was), current.parameters(is)]
      for (const name of hadParameters.keys())
        if (!hasParameters.has(name)) found.push(`${place} takes no parameter ${name} any more`)
      for (const [name, { required }] of hasParameters)
        if (required && !hadParameters.get(name)?.required) found.push(`${place} cannot do without ${name} any more`)
      compareBodies(`${place} body`, old.json(was.requestBody), current.json(is.requestBody))
      for (const [status, answer] of Object.entries(was.responses).filter(([status]) => status.startsWith('2'))) {
        if (!is.responses[status]) found.push(`${place} has no answer ${status} any more`)
        else compareAnswers(`${place} ${status}`, old.json(answer), current.json(is.responses[status]))
      }
    }
  return found
}
