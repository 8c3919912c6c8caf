import * as z from 'zod/mini'
import type { CmsSchema, FieldType } from '../../publishing/target/cms-adapter.ts'
import { optionalFields } from './fields.ts'

/** Parts of an article that have fields in a collection of a headless CMS. */
export const MAPPED_PARTS = [
  'title',
  'slug',
  'body',
  'meta_description',
  'seo_title',
  'canonical_url',
  'image',
  'image_alt',
  'date',
  'author',
  'category',
  'tags',
  'status',
  'marker',
] as const
export type MappedPart = (typeof MAPPED_PARTS)[number]

/**
 * Kind of a field, by what can be written into it.
 * - `html`, `markdown`, `blocks`: formats of texts with markup
 * - `list`: several texts
 * - `file`: a stored file, by its id
 * - `integer`, `number`, `email`: values that no part of an article has
 * - `moment`: an instant; `local`: date and time without a zone; `date`: a day
 */
export type FieldKind =
  | 'text'
  | 'html'
  | 'markdown'
  | 'blocks'
  | 'list'
  | 'file'
  | 'moment'
  | 'local'
  | 'date'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'email'
  | 'other'

/** Field of a collection. `isRequired`: the CMS refuses an item without it. `nativeType`: the CMS's own word for its type. */
export type TargetField = {
  name: string
  kind: FieldKind
  nativeType: string
  isRequired: boolean
  maxLength?: number
  min?: number
  max?: number
  /** Values that the field accepts; absent if it accepts any. */
  choices?: readonly string[]
}

/** Kinds of field that fit each part. */
const FITS: Readonly<Record<MappedPart, readonly FieldKind[]>> = {
  title: ['text'],
  slug: ['text'],
  body: ['html', 'markdown', 'blocks', 'text'],
  meta_description: ['text'],
  seo_title: ['text'],
  canonical_url: ['text'],
  image: ['file', 'text'],
  image_alt: ['text'],
  date: ['moment', 'local', 'date'],
  author: ['text'],
  category: ['text'],
  tags: ['list', 'text'],
  status: ['text', 'boolean'],
  marker: ['text'],
}

/** Usual names of these fields, letters and digits only. */
const NAMES: Readonly<Record<MappedPart, readonly string[]>> = {
  title: ['title', 'name', 'headline'],
  slug: ['slug', 'urlslug', 'permalink', 'path', 'handle'],
  body: ['content', 'body', 'article', 'text', 'postbody', 'markdown'],
  meta_description: ['metadescription', 'seodescription', 'description', 'summary', 'excerpt'],
  seo_title: ['seotitle', 'metatitle'],
  canonical_url: ['canonicalurl', 'canonical', 'canonicallink'],
  image: ['featuredimage', 'featureimage', 'image', 'coverimage', 'cover', 'mainimage', 'hero', 'thumbnail'],
  image_alt: ['imagealt', 'alttext', 'featuredimagealt', 'featureimagealt', 'coveralt'],
  date: ['publisheddate', 'publishdate', 'publishedat', 'publishedon', 'datepublished', 'publicationdate', 'date'],
  author: ['author', 'byline', 'writer'],
  category: ['category', 'section'],
  tags: ['tags', 'topics', 'keywords'],
  status: ['status', 'state', 'published', 'ispublished', 'archived'],
  marker: ['articleid', 'externalid', 'seoappid', 'syncid'],
}

/** Names of the two states in a field of choices. */
const STATE_NAMES = {
  published: ['published', 'live', 'public'],
  draft: ['draft', 'unpublished', 'inactive', 'archived'],
} as const

/** Boolean fields that are true while readers do not see the item. */
const HIDING = ['archived', 'hidden', 'draft', 'isdraft']

const MAX_NAME = 200
const chosenName = z.string().check(z.trim(), z.maxLength(MAX_NAME))

/** Schema of the fields that people chose in the connection. An empty name: this part is not written. */
export const ChosenFields = optionalFields([...MAPPED_PARTS, 'status_published', 'status_draft'], chosenName)

/** Names of fields, and values of the two states, that people chose in the connection. */
export type Chosen = z.infer<typeof ChosenFields>

/** Fields of a collection for the parts of an article. */
export type Mapping = Partial<Record<MappedPart, TargetField>> & { title: TargetField; body: TargetField }

/** Values of the status field for the two states. */
export type StateValues = { published: string | boolean; draft: string | boolean }

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const listed = (fields: readonly TargetField[]): string => fields.map(({ name }) => name).join(', ') || 'none'

const usual = (part: MappedPart, fields: readonly TargetField[], serviceName: string): TargetField | undefined => {
  const fitting = fields.filter(({ kind }) => FITS[part].includes(kind))
  const names = part === 'marker' ? [`${plain(serviceName)}id`, ...NAMES.marker] : NAMES[part]
  const named = names.map((name) => fitting.find((field) => plain(field.name) === name)).filter((field) => field)
  if (part !== 'body') return named[0]
  // A text with markup has a field of its own format. A plain field is the body only if people chose it.
  const formatted = ({ kind }: TargetField): boolean => kind !== 'text'
  return named.find((field) => field !== undefined && formatted(field)) ?? fitting.find(formatted)
}

const chosenField = (
  part: MappedPart,
  fields: readonly TargetField[],
  name: string,
): TargetField | { problem: string } => {
  const field = fields.find((one) => one.name === name)
  if (!field) return { problem: `field_mapping.${part}: there is no field "${name}". There are: ${listed(fields)}.` }
  if (FITS[part].includes(field.kind)) return field
  const fitting = fields.filter(({ kind }) => FITS[part].includes(kind))
  return { problem: `field_mapping.${part}: "${name}" cannot hold it. These can: ${listed(fitting)}.` }
}

/**
 * Returns the field for each part of an article: the chosen one, else one found by name and kind.
 *
 * Returns a problem, as a sentence, if a chosen field is missing or of another kind, if title, text or a field to find articles by has
 * none, or if the CMS requires a field that no part fills.
 */
export const mapFields = (
  fields: readonly TargetField[],
  chosen: Chosen,
  { serviceName, parts, isFoundById }: { serviceName: string; parts: readonly MappedPart[]; isFoundById: boolean },
): { mapping: Mapping } | { problem: string } => {
  const mapping: Partial<Record<MappedPart, TargetField>> = {}
  for (const part of parts) {
    const name = chosen[part]
    if (name === '') continue
    const field = name === undefined ? usual(part, fields, serviceName) : chosenField(part, fields, name)
    if (field && 'problem' in field) return field
    if (field) mapping[part] = field
  }
  const { title, body } = mapping
  if (!title || !body)
    return {
      problem: `No field was found for the ${title ? 'text' : 'title'}. Name it in field_mapping.${title ? 'body' : 'title'}. There are: ${listed(fields)}.`,
    }
  if (!mapping.slug && !mapping.marker && !isFoundById)
    return {
      problem:
        'The collection needs a text field for the slug (or field_mapping.marker): without one an article could not be found again and might be put there twice.',
    }
  const used = new Set(Object.values(mapping).map(({ name }) => name))
  const unfilled = fields.filter(({ name, isRequired }) => isRequired && !used.has(name))
  if (unfilled.length > 0)
    return {
      problem: `Nothing of an article fills these required fields: ${listed(unfilled)}. Make them optional, or name them in field_mapping.`,
    }
  return { mapping: { ...mapping, title, body } }
}

/** Types of fields whose kind has another word in schemas. */
const TYPES: Partial<Record<FieldKind, FieldType>> = { markdown: 'html', blocks: 'html', file: 'other' }

const typeOf = ({ kind, choices }: TargetField): FieldType =>
  kind === 'list' && choices ? 'choices' : (TYPES[kind] ?? (kind as FieldType))

/** Returns the fields of a collection as people and agents see them. */
export const schemaOf = (collection: string, fields: readonly TargetField[], mapping: Mapping): CmsSchema => {
  const parts = new Map(Object.entries(mapping).map(([part, { name }]) => [name, part]))
  return {
    collection,
    fields: fields.map((field) => {
      const { kind: _, ...shown } = field
      const filledBy = parts.get(field.name)
      return { ...shown, type: typeOf(field), ...(filledBy === undefined ? {} : { filledBy }) }
    }),
  }
}

/** Parts that every article has, so that a required field of theirs is always filled. */
const ALWAYS_FILLED: readonly string[] = ['title', 'slug', 'body', 'status', 'marker']

/** Parts of an article that a collection can do without. */
const UNMISSED: readonly MappedPart[] = ['image_alt', 'seo_title', 'canonical_url', 'marker']

/** Returns the mapping as people read it: `title → headline, body → text`. */
export const mappingWords = (mapping: Mapping): string =>
  Object.entries(mapping)
    .map(([part, { name }]) => `${part} → ${name}`)
    .join(', ')

/** Returns notes on what a mapping lacks. */
export const mappingNotes = (
  cms: string,
  mapping: Mapping,
  parts: readonly MappedPart[],
  urlPrefix: string | undefined,
): string[] => {
  const missing = parts.filter((part) => !mapping[part] && !UNMISSED.includes(part))
  const risky = Object.entries(mapping).flatMap(([part, { name, isRequired }]) =>
    isRequired && !ALWAYS_FILLED.includes(part) ? [`${part} (${name})`] : [],
  )
  return [
    ...(missing.length > 0 ? [`No field for: ${missing.join(', ')}.`] : []),
    ...(risky.length > 0
      ? [`${cms} requires ${risky.join(', ')}, so an article without it gets an empty text there.`]
      : []),
    ...(urlPrefix ? [] : ['Without url_prefix the address of an article is looked up on your site.']),
  ]
}

/** Collection that may be connected: the use of its fields, or why articles cannot be put there. */
type Candidate = { name: string; use: { mapping: Mapping } | { problem: string } }

const MAX_NAMED = 10

/** Returns the refusal of a connection that names no collection. It lists those that fit, with the use of their fields. */
export const whichFit = (field: string, all: readonly Candidate[]): string => {
  const list = (parts: readonly string[]): string => parts.slice(0, MAX_NAMED).join('; ')
  const fitting = all.flatMap(({ name, use }) => ('problem' in use ? [] : [`${name} (${mappingWords(use.mapping)})`]))
  const others = all.flatMap(({ name, use }) => ('problem' in use ? [`${name} (${use.problem})`] : []))
  if (fitting.length > 0)
    return `${field} is needed. These fit as they are: ${list(fitting)}. Other uses of their fields are given in field_mapping.`
  return `${field} is needed. ${others.length > 0 ? `None fits as it is: ${list(others)}` : 'The token may read none.'}`
}

/** Returns the values of the status field for the two states, or a problem if its choices have no such value. */
export const stateValues = (field: TargetField, chosen: Chosen): StateValues | { problem: string } => {
  if (field.kind === 'boolean') {
    const isHiding = HIDING.includes(plain(field.name))
    return { published: !isHiding, draft: isHiding }
  }
  const { choices } = field
  const valueFor = (state: 'published' | 'draft'): string | undefined => {
    const wanted = chosen[`status_${state}`]
    if (wanted) return !choices || choices.includes(wanted) ? wanted : undefined
    if (!choices) return state
    return STATE_NAMES[state].map((name) => choices.find((choice) => plain(choice) === name)).find((name) => name)
  }
  const [published, draft] = [valueFor('published'), valueFor('draft')]
  if (published !== undefined && draft !== undefined && published !== draft) return { published, draft }
  const missing = published === undefined ? 'published' : 'draft'
  return {
    problem: `field_mapping.status_${missing}: name the value of "${field.name}" for ${missing === 'published' ? 'public' : 'hidden'} articles. Its values: ${choices?.join(', ') ?? 'any, but another one than for the other state'}.`,
  }
}
