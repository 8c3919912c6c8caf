type Json = Record<string, unknown>

/** Least length of a shared schema. A reference to a shorter one would not be easier to read. */
const MIN_LENGTH = 250

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Names that explain more than the field in which a schema was found. */
const NAMES: Readonly<Record<string, string>> = {
  seo: 'SeoReport',
  Seo: 'SeoReport',
  article: 'Article',
  articles: 'ArticleRow',
  replaced: 'ReplacedIntegration',
  receipt: 'PublicationReceipt',
  Receipt: 'PublicationReceipt',
  Progress: 'WritingProgress',
  config: 'CommentGuideConfig',
  // In TypeScript `Body` is a type of the platform, which generated clients use.
  body: 'NextCallBody',
  diff: 'RewriteDiff',
  proposed_diff: 'ProposedRewrite',
}

const nameFor = (field: string): string =>
  NAMES[field] ??
  field
    .replace(/ies$/, 'y')
    .replace(/(?<!s)s$/, '')
    .split('_')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')

/** True if a schema allows null besides an object. */
const isNullable = ({ type }: Json): boolean => Array.isArray(type) && type.join() === 'object,null'

const isObject = (schema: Json): boolean =>
  isJson(schema.properties) && (schema.type === 'object' || isNullable(schema))

/** Visits the fields of schemas: below `properties`, or as entries of a list. */
const visit = (value: unknown, field: string, seen: (schema: Json, field: string) => void): void => {
  if (Array.isArray(value)) {
    for (const one of value) visit(one, field, seen)
    return
  }
  if (!isJson(value)) return
  if (isObject(value)) seen(value, field)
  const operation = typeof value.operationId === 'string' ? value.operationId : undefined
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'example' || key === 'enum') continue
    if (key === 'properties' && isJson(inner))
      for (const [name, schema] of Object.entries(inner)) visit(schema, name, seen)
    else if (operation !== undefined && key === 'responses') visit(inner, `${operation}_answer`, seen)
    else visit(inner, field, seen)
  }
}

/** Returns a schema without its description and without null: both belong to the field that refers to it. */
const bare = ({ description: _, ...schema }: Json): Json =>
  isNullable(schema) ? { ...schema, type: 'object' } : schema

const keyOf = (schema: Json): string => JSON.stringify(bare(schema))

/** Moves object schemas that appear in several places to `components.schemas`, each under one name. */
export const shareSchemas = (description: Json): Json => {
  const components = description.components as Json
  const given = components.schemas as Json
  const found = new Map<string, { count: number; field: string }>()
  visit([description.paths, components.schemas], '', (schema, field) => {
    const key = keyOf(schema)
    if (key.length < MIN_LENGTH) return
    const before = found.get(key)
    found.set(key, { count: (before?.count ?? 0) + 1, field: before?.field || field })
  })
  const names = new Map<string, string>()
  const taken = new Set(Object.keys(given))
  for (const [key, { count, field }] of found) {
    // What has no field is a form of an answer, which is a component under a name of its own.
    if (count < 2 || field === '') continue
    const wanted = nameFor(field)
    let name = wanted
    for (let n = 2; taken.has(name); n += 1) name = `${wanted}${n}`
    taken.add(name)
    names.set(key, name)
  }
  // The description of a field stays beside its reference.
  const referring = (value: unknown, isComponent = false): unknown => {
    if (Array.isArray(value)) return value.map((one) => referring(one))
    if (!isJson(value)) return value
    const name = isComponent ? undefined : names.get(keyOf(value))
    if (name !== undefined) {
      const ref = { $ref: `#/components/schemas/${name}` }
      const { description } = value
      return {
        ...(isNullable(value) ? { anyOf: [ref, { type: 'null' }] } : ref),
        ...(description === undefined ? {} : { description }),
      }
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, key === 'example' ? inner : referring(inner)]),
    )
  }
  const shared = Object.fromEntries([...names].map(([key, name]) => [name, referring(JSON.parse(key), true)]))
  return {
    ...description,
    paths: referring(description.paths),
    components: {
      ...components,
      schemas: {
        ...Object.fromEntries(Object.entries(given).map(([name, schema]) => [name, referring(schema, true)])),
        ...shared,
      },
    },
  }
}
