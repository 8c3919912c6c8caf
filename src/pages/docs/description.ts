type Json = Record<string, unknown>

/** OpenAPI description of the service. */
export type Description = Json & {
  info: Json & { contact: Json }
  paths: Record<string, Record<string, Json & { tags: string[] }>>
  tags: { name: string; 'x-group': string }[]
  components: Record<string, Json>
}

const REF = /"#\/components\/(\w+)\/([^"]+)"/g

/** Returns the components that a value refers to, directly and through other components. */
const componentsFor = (value: unknown, all: Description['components']): Description['components'] => {
  const kept: Description['components'] = {}
  const visit = (one: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(one).matchAll(REF)) {
      if (kept[kind]?.[name] !== undefined) continue
      kept[kind] = { ...kept[kind], [name]: all[kind]?.[name] }
      visit(all[kind]?.[name])
    }
  }
  visit(value)
  return all.securitySchemes ? { ...kept, securitySchemes: all.securitySchemes } : kept
}

/** Returns the description of one group of operations; undefined if there is no such group. */
export const groupOf = (whole: Description, group: string): Description | undefined => {
  const tag = whole.tags.find((one) => one['x-group'] === group)
  if (!tag) return undefined
  const paths = Object.fromEntries(
    Object.entries(whole.paths).flatMap(([path, methods]) => {
      const own = Object.entries(methods).filter(([, { tags }]) => tags.includes(tag.name))
      return own.length > 0 ? [[path, Object.fromEntries(own)]] : []
    }),
  )
  return { ...whole, tags: [tag], paths, components: componentsFor(paths, whole.components) }
}
