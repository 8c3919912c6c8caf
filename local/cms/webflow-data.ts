import { type Answer, json } from '../receiver/answers.ts'

type Field = {
  id: string
  slug: string
  type: string
  displayName: string
  isRequired: boolean
  isEditable: boolean
  validations: Record<string, unknown> | null
}

export type Item = {
  id: string
  cmsLocaleId: string
  lastPublished: string | null
  lastUpdated: string
  createdOn: string
  isArchived: boolean
  isDraft: boolean
  fieldData: Record<string, unknown>
}

export type Collection = {
  id: string
  displayName: string
  slug: string
  fields: Field[]
  items: Map<string, Item>
  live: Map<string, Item>
}

/** Returns an id as Webflow makes them: 24 hexadecimal digits. */
export const id = (n: number): string => (0x651a00000000 + n).toString(16).padStart(24, '6')
export const SITE = id(1)
export const BLOG = id(2)
export const TAGS = id(3)
const AUTHORS = id(4)

/** Returns an error body, the same for every kind. */
export const error = (status: number, code: string, message: string, details: unknown[] = []): Answer =>
  json(status, { message, code, externalReference: null, details })

const fieldOf = (slug: string, type: string, extra: Partial<Field> = {}): Field => ({
  id: `f-${slug}`,
  slug,
  type,
  displayName: slug,
  isRequired: slug === 'name' || slug === 'slug',
  isEditable: true,
  validations: null,
  ...extra,
})

const plain = (id: string, displayName: string, slug: string, fields: Field[]): Collection => ({
  id,
  displayName,
  slug,
  fields: [fieldOf('name', 'PlainText'), fieldOf('slug', 'PlainText'), ...fields],
  items: new Map(),
  live: new Map(),
})

export type MoreFields = readonly {
  slug: string
  type: string
  isRequired?: boolean
  validations?: Record<string, unknown>
}[]

/** Returns the site's collections, with more fields for the blog's. */
export const collectionsOf = (more: MoreFields): Map<string, Collection> =>
  new Map(
    [
      plain(BLOG, 'Blog Posts', 'post', [
        fieldOf('post-body', 'RichText'),
        fieldOf('post-summary', 'PlainText'),
        fieldOf('main-image', 'Image'),
        fieldOf('thumbnail-image', 'Image'),
        fieldOf('published-date', 'DateTime'),
        fieldOf('author', 'Reference', { validations: { collectionId: AUTHORS } }),
        fieldOf('tags', 'MultiReference', { validations: { collectionId: TAGS } }),
        fieldOf('category', 'Option', { validations: { options: [{ id: 'opt1', name: 'Guides' }] } }),
        fieldOf('external-id', 'PlainText'),
        ...more.map(({ slug, type, ...extra }) => fieldOf(slug, type, extra)),
      ]),
      plain(TAGS, 'Tags', 'tags', []),
      plain(AUTHORS, 'Authors', 'authors', []),
    ].map((collection) => [collection.id, collection]),
  )

export const validation = (details: { param: string; description: string }[], asTexts = false): Answer =>
  error(
    400,
    'validation_error',
    'Validation Error',
    asTexts ? details.map(({ param, description }) => `${param}: ${description}`) : details,
  )

type Fault = { param: string; description: string }

const MAX_NAME = 256

/** Returns the faults of a text by the field's own rules. */
const textFaults = ({ slug, type, validations }: Field, value: unknown): Fault[] => {
  if (type !== 'PlainText' || typeof value !== 'string') return []
  const max = slug === 'name' ? MAX_NAME : Number(validations?.maxLength ?? Number.POSITIVE_INFINITY)
  if (value.length > max) return [{ param: slug, description: `Must be at most ${max} characters` }]
  return validations?.singleLine === true && /\n/.test(value)
    ? [{ param: slug, description: 'Must be a single line' }]
    : []
}

/** Ids of options and items that are not there. */
const idFaults = (collections: ReadonlyMap<string, Collection>, field: Field, value: unknown): Fault[] => {
  const { slug, type, validations } = field
  const wrong = (description: string) => [{ param: slug, description }]
  if (type === 'Option' && value) {
    const options = (validations?.options ?? []) as { id: string }[]
    return options.some((option) => option.id === value) ? [] : wrong('Option not found')
  }
  if (!/Reference$/.test(type) || !value) return []
  const there = collections.get(String(validations?.collectionId))?.items
  const ids = Array.isArray(value) ? value : [value]
  return ids.every((one) => there?.has(String(one))) ? [] : wrong('Referenced item not found')
}

/** Returns the fault of an image's address: it cannot be fetched, or is of more than 4 MB. */
const imageFault = (value: unknown): string | undefined => {
  const { url = '' } = (value ?? {}) as { url?: string }
  if (/missing|broken/.test(url)) return 'Failed to import the remote file'
  return /large/.test(url) ? 'The file is larger than 4 MB' : undefined
}

/** Returns the faults that Webflow finds in an item's fields; images it cannot fetch are removed on request. */
export const faultsIn = (
  collections: ReadonlyMap<string, Collection>,
  c: Collection,
  fields: Record<string, unknown>,
  self: string | null,
  skipFiles: boolean,
) => {
  const details: Fault[] = []
  for (const [slug, value] of Object.entries(fields)) {
    const field = c.fields.find((f) => f.slug === slug)
    if (!field) details.push({ param: slug, description: `Field not described in schema: undefined` })
    if (field) details.push(...textFaults(field, value), ...idFaults(collections, field, value))
    const isWrong = field?.type === 'Image' ? imageFault(value) : undefined
    if (isWrong && skipFiles) fields[slug] = null
    else if (isWrong) details.push({ param: slug, description: isWrong })
    if (field?.type === 'RichText') fields[slug] = String(value).replace(/(?<!true"?>)<pre>.*?<\/pre>/gs, '<pre></pre>')
  }
  const slug = String(fields.slug ?? '')
  const taken = [...c.items.values()].some((i) => i.id !== self && i.fieldData.slug === slug)
  if (slug && !/^[a-z0-9_-]+$/.test(slug))
    details.push({ param: 'slug', description: `Must be alphanumerical: '${slug}'` })
  return { details, isTaken: slug !== '' && (taken || (self !== null && 'slug' in fields)) }
}
