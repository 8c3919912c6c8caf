import type { WebflowCollection, WebflowField } from './types.ts'

/** Parts of an article that a field of a collection can hold. `name` and `slug` are Webflow's own fields and always filled. */
export const MAPPED = [
  'body',
  'summary',
  'meta_title',
  'meta_description',
  'canonical_url',
  'image',
  'date',
  'author',
  'category',
  'tags',
  'marker',
] as const

export type Mapped = (typeof MAPPED)[number]
export type Mapping = Partial<Record<Mapped, WebflowField>>

/** Rules to find a field for each part: its types, the best first, and words in its slug. `alone`: a single field of the type is enough. */
const RULES: Record<Mapped, { types: readonly string[]; words: RegExp; alone: boolean }> = {
  body: { types: ['RichText'], words: /body|content|text|article/, alone: true },
  meta_title: { types: ['PlainText'], words: /(meta|seo)-?title|title-tag/, alone: false },
  meta_description: { types: ['PlainText'], words: /(meta|seo)-?desc/, alone: false },
  canonical_url: { types: ['Link', 'PlainText'], words: /canonical/, alone: false },
  summary: { types: ['PlainText'], words: /summary|excerpt|description|teaser|intro/, alone: false },
  image: { types: ['Image'], words: /main|cover|feature|hero|image/, alone: true },
  date: { types: ['DateTime'], words: /date|publish/, alone: true },
  author: { types: ['Reference', 'PlainText', 'Option'], words: /author|writer|byline/, alone: false },
  category: { types: ['Reference', 'Option', 'PlainText', 'MultiReference'], words: /categor|topic/, alone: false },
  tags: { types: ['MultiReference', 'PlainText'], words: /^(blog-?|post-?)?tags?(-\d)?$/, alone: false },
  marker: { types: ['PlainText'], words: /^external-?id$|article-?id$/, alone: false },
}

const discover = (part: Mapped, fields: readonly WebflowField[], taken: ReadonlySet<string>) => {
  const { types, words, alone } = RULES[part]
  const free = fields.filter((f) => types.includes(f.type) && f.isEditable !== false && !taken.has(f.slug))
  const named = types.flatMap((type) => free.filter((f) => f.type === type && words.test(f.slug)))
  return named[0] ?? (alone && free.length === 1 ? free[0] : undefined)
}

/** The fields for an article's parts, or a sentence that says why the collection cannot be used. */
export type MappingResult = { mapping: Mapping } | { problem: string }

const given = (chosen: Partial<Record<Mapped, string>>, collection: WebflowCollection): MappingResult => {
  const mapping: Mapping = {}
  for (const part of MAPPED) {
    const slug = chosen[part]
    if (!slug) continue
    const field = collection.fields.find((f) => f.slug === slug)
    const known = `Its fields are: ${collection.fields.map((f) => f.slug).join(', ')}.`
    if (!field) return { problem: `field_mapping.${part}: the collection has no field "${slug}". ${known}` }
    const { types } = RULES[part]
    if (!types.includes(field.type))
      return { problem: `field_mapping.${part}: "${slug}" is of type ${field.type}, not ${types.join(' or ')}.` }
    mapping[part] = field
  }
  return { mapping }
}

/**
 * Returns the field of a collection for each part of an article: the chosen one, else one found by type and name.
 *
 * A collection cannot be used without a field for the text, or if no part fills a required field.
 */
export const mapFields = (chosen: Partial<Record<Mapped, string>>, collection: WebflowCollection): MappingResult => {
  const result = given(chosen, collection)
  if ('problem' in result) return result
  const mapping = { ...result.mapping }
  const taken = new Set(Object.values(mapping).map((f) => f.slug))
  for (const part of MAPPED) {
    // An empty choice means that this part is not written.
    if (mapping[part] || chosen[part] === '') continue
    const field = discover(part, collection.fields, taken)
    if (!field) continue
    mapping[part] = field
    taken.add(field.slug)
  }
  if (!mapping.body)
    return { problem: 'The collection has no rich text field for the text. Name one in field_mapping.body.' }
  const empty = collection.fields.filter(
    (f) => f.isRequired && !['name', 'slug'].includes(f.slug) && !taken.has(f.slug),
  )
  if (empty.length > 0)
    return {
      problem: `The collection requires fields that no part of an article is mapped to: ${empty.map((f) => f.slug).join(', ')}. Map them in field_mapping or make them optional in Webflow.`,
    }
  return { mapping }
}
