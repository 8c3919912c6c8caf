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

/** An id as Webflow makes them: 24 hexadecimal digits. */
export const id = (n: number): string => (0x651a00000000 + n).toString(16).padStart(24, '6')
export const SITE = id(1)
export const BLOG = id(2)
export const TAGS = id(3)
const AUTHORS = id(4)

/** An error body, the same for every kind. */
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

/** The site's collections, with more fields for the blog's. */
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

export const validation = (details: { param: string; description: string }[]): Answer =>
  error(400, 'validation_error', 'Validation Error', details)

/** What Webflow finds wrong with an item's fields; images it cannot fetch are taken out when asked to. */
export const faultsIn = (c: Collection, fields: Record<string, unknown>, self: string | null, skipFiles: boolean) => {
  const details: { param: string; description: string }[] = []
  for (const [slug, value] of Object.entries(fields)) {
    const field = c.fields.find((f) => f.slug === slug)
    if (!field) details.push({ param: slug, description: `Field not described in schema: undefined` })
    if (field?.type === 'Image' && value) {
      const { url } = value as { url: string }
      if (/missing|broken/.test(url) && skipFiles) fields[slug] = null
      else if (/missing|broken/.test(url))
        details.push({ param: slug, description: 'Failed to import the remote file' })
    }
    if (field?.type === 'RichText') fields[slug] = String(value).replace(/(?<!true"?>)<pre>.*?<\/pre>/gs, '<pre></pre>')
  }
  const slug = String(fields.slug ?? '')
  const taken = [...c.items.values()].some((i) => i.id !== self && i.fieldData.slug === slug)
  if (slug && !/^[a-z0-9_-]+$/.test(slug))
    details.push({ param: 'slug', description: `Must be alphanumerical: '${slug}'` })
  return { details, isTaken: slug !== '' && (taken || (self !== null && 'slug' in fields)) }
}
