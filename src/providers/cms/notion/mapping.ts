import type { NotionDataSource, NotionProperty } from './api.ts'

/** Parts of an article that have properties. The title uses the property of type `title`. */
export const PARTS = [
  'slug',
  'status',
  'meta_description',
  'seo_title',
  'canonical_url',
  'tags',
  'category',
  'date',
  'author',
  'image',
  'marker',
] as const
export type Part = (typeof PARTS)[number]

/** Property of the database for each part of an article. */
export type Mapping = Partial<Record<Part, NotionProperty>> & { title: NotionProperty }

const TYPES: Record<Part, readonly string[]> = {
  slug: ['rich_text', 'url'],
  status: ['status', 'select', 'checkbox'],
  meta_description: ['rich_text'],
  seo_title: ['rich_text'],
  canonical_url: ['url', 'rich_text'],
  tags: ['multi_select', 'rich_text'],
  category: ['select', 'multi_select', 'rich_text'],
  date: ['date'],
  author: ['rich_text', 'select'],
  image: ['files', 'url'],
  marker: ['rich_text'],
}

/** Usual names of these properties, letters and digits only. */
const NAMES: Record<Part, readonly string[]> = {
  slug: ['slug', 'urlslug', 'permalink', 'path'],
  status: ['status', 'state', 'publishstatus', 'published'],
  meta_description: ['metadescription', 'seodescription', 'description', 'summary', 'excerpt'],
  seo_title: ['seotitle', 'metatitle'],
  canonical_url: ['canonicalurl', 'canonical', 'canonicallink'],
  tags: ['tags', 'tag', 'topics', 'keywords'],
  category: ['category', 'categories', 'section'],
  date: ['publisheddate', 'publishdate', 'publishedat', 'publishedon', 'publicationdate', 'date'],
  author: ['author', 'byline', 'writer'],
  image: ['featuredimage', 'featureimage', 'image', 'coverimage', 'thumbnail'],
  marker: ['articleid', 'externalid', 'seoappid', 'syncid'],
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const usual = (part: Part, all: readonly NotionProperty[], serviceName: string): NotionProperty | undefined => {
  const names = part === 'marker' ? [`${plain(serviceName)}id`, ...NAMES.marker] : NAMES[part]
  for (const name of names) {
    const found = all.find((property) => plain(property.name) === name && TYPES[part].includes(property.type))
    if (found) return found
  }
  return undefined
}

/** Names of properties, and of the two statuses, that people chose in the connection. */
export type Chosen = Partial<Record<Part | 'status_published' | 'status_draft', string>>

/**
 * Returns the property for each part of an article: the chosen one, else one found by name and type.
 *
 * Returns a problem, as a sentence, if a chosen property is missing or has another type. So is a database without a title, or without a
 * property to find pages by.
 */
export const mapProperties = (
  { properties }: NotionDataSource,
  chosen: Chosen,
  serviceName: string,
): { mapping: Mapping } | { problem: string } => {
  const all = Object.values(properties)
  const title = all.find((property) => property.type === 'title')
  if (!title) return { problem: 'The database has no title property.' }
  const mapping: Mapping = { title }
  for (const part of PARTS) {
    const name = chosen[part]
    if (name === '') continue
    const property = name === undefined ? usual(part, all, serviceName) : all.find((p) => p.name === name)
    if (name !== undefined && !property)
      return {
        problem: `property_mapping.${part}: there is no property "${name}". There are: ${all.map((p) => p.name).join(', ')}.`,
      }
    if (!property) continue
    if (!TYPES[part].includes(property.type))
      return {
        problem: `property_mapping.${part}: "${property.name}" is of type ${property.type}, not ${TYPES[part].join(' or ')}.`,
      }
    mapping[part] = property
  }
  return mapping.slug || mapping.marker
    ? { mapping }
    : {
        problem: `The database needs a text property "Slug" (or "${serviceName} ID"): without one an article could not be found again and might be put there twice.`,
      }
}

const STATUS_NAMES = {
  published: ['published', 'live', 'public', 'done', 'complete', 'completed'],
  draft: ['draft', 'drafts', 'notstarted', 'inprogress', 'todo', 'unpublished'],
} as const

/** Returns the name of the status option for a state; undefined if there is none and Notion would not create it. */
export const statusName = (
  property: NotionProperty,
  state: 'published' | 'draft',
  chosen: Chosen,
): string | undefined => {
  const options = (property.status ?? property.select)?.options.map((option) => option.name) ?? []
  const wanted = chosen[`status_${state}`]
  if (wanted) return options.find((name) => name === wanted) ?? (property.type === 'select' ? wanted : undefined)
  const known = STATUS_NAMES[state].map((name) => options.find((option) => plain(option) === name)).find((name) => name)
  // Notion creates missing options of a select, but never of a status.
  return known ?? (property.type === 'select' ? (state === 'published' ? 'Published' : 'Draft') : undefined)
}
