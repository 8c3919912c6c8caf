import type { FramerField } from './port.ts'

/** Parts of an article that have fields in the collection. The slug is not one: every item has it. */
export const PARTS = [
  'title',
  'body',
  'meta_description',
  'seo_title',
  'canonical_url',
  'image',
  'date',
  'author',
  'category',
  'tags',
  'marker',
] as const
export type Part = (typeof PARTS)[number]

/** Field of the collection for each part of an article. */
export type Mapping = Partial<Record<Part, FramerField>> & { title: FramerField; body: FramerField }

const NAMED = ['string', 'enum', 'collectionReference']

const TYPES: Record<Part, readonly string[]> = {
  title: ['string'],
  body: ['formattedText'],
  meta_description: ['string'],
  seo_title: ['string'],
  canonical_url: ['link', 'string'],
  image: ['image'],
  date: ['date'],
  author: NAMED,
  category: NAMED,
  tags: ['multiCollectionReference', ...NAMED],
  marker: ['string'],
}

/** Usual names of these fields, letters and digits only. */
const NAMES: Record<Part, readonly string[]> = {
  title: ['title', 'name', 'headline'],
  body: ['content', 'body', 'article', 'text', 'postbody'],
  meta_description: ['metadescription', 'seodescription', 'description', 'summary', 'excerpt'],
  seo_title: ['seotitle', 'metatitle'],
  canonical_url: ['canonicalurl', 'canonical', 'canonicallink'],
  image: ['featuredimage', 'featureimage', 'image', 'mainimage', 'cover', 'thumbnail'],
  date: ['publisheddate', 'publishdate', 'publishedat', 'date'],
  author: ['author', 'byline', 'writer'],
  category: ['category', 'categories', 'section'],
  tags: ['tags', 'tag', 'topics'],
  marker: ['articleid', 'externalid', 'seoappid', 'syncid'],
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const usual = (
  part: Part,
  fields: readonly FramerField[],
  { serviceName, titleFieldId }: Around,
): FramerField | undefined => {
  const fitting = fields.filter((field) => TYPES[part].includes(field.type))
  const slugged = part === 'title' ? fitting.find((field) => field.id === titleFieldId) : undefined
  if (slugged) return slugged
  const names = part === 'marker' ? [`${plain(serviceName)}id`, ...NAMES.marker] : NAMES[part]
  const named = names.map((name) => fitting.find((field) => plain(field.name) === name)).find((field) => field)
  // Most collections have one formatted text, whatever its name, and their first text is the title.
  return named ?? (part === 'body' || part === 'title' ? fitting[0] : undefined)
}

/** Names or ids of fields that people chose in the connection. */
export type Chosen = Partial<Record<Part, string>>

/** Other signs of a field's use: the service's name, and the field that slugs are made from. */
type Around = { serviceName: string; titleFieldId: string | null }

const mapOne = (
  part: Part,
  fields: readonly FramerField[],
  name: string | undefined,
  around: Around,
): FramerField | undefined | { problem: string } => {
  if (name === '') return undefined
  if (name === undefined) return usual(part, fields, around)
  const field = fields.find((one) => one.id === name) ?? fields.find((one) => one.name === name)
  const chosen = `field_mapping.${part}`
  if (!field)
    return { problem: `${chosen}: there is no field "${name}". There are: ${fields.map((f) => f.name).join(', ')}.` }
  return TYPES[part].includes(field.type)
    ? field
    : { problem: `${chosen}: "${field.name}" is of type ${field.type}, not ${TYPES[part].join(' or ')}.` }
}

/**
 * Returns the field for each part of an article: the chosen one (by id or name), else one found by name and type.
 *
 * Returns a problem, as a sentence, if a chosen field is missing or has another type, or if there is no field for title or text. A required
 * field that no part fills is a problem too.
 */
export const mapFields = (
  fields: readonly FramerField[],
  chosen: Chosen,
  around: Around,
): { mapping: Mapping } | { problem: string } => {
  const mapping: Partial<Record<Part, FramerField>> = {}
  for (const part of PARTS) {
    const field = mapOne(part, fields, chosen[part], around)
    if (field && 'problem' in field) return field
    if (field) mapping[part] = field
  }
  const { title, body } = mapping
  if (!title || !body)
    return {
      problem: `The collection has no ${title ? 'formatted text field for the text' : 'text field for the title'}.`,
    }
  const used = new Set(Object.values(mapping).map((field) => field.id))
  const unfilled = fields.filter((field) => field.required && !used.has(field.id)).map((field) => field.name)
  return unfilled.length > 0
    ? {
        problem: `Nothing of an article fills these required fields: ${unfilled.join(', ')}. Make them optional, or name them in field_mapping.`,
      }
    : { mapping: { ...mapping, title, body } }
}
