import type { CmsArticle, CmsPost, CmsWords } from '../../../publishing/target/cms-adapter.ts'
import { isSameName } from '../fields.ts'
import { textOf } from '../overwritten.ts'
import type { Mapping, Part } from './mapping.ts'
import type { FramerDeployment, FramerField, FramerItem, FramerSite, FramerValue } from './port.ts'

type Fields = Record<string, FramerValue>
/** Values of an item by field id, with notes for people. */
export type Built = { fields: Fields; notes: string[] }

/** Items of the referenced collections, by collection id. */
export type Referenced = ReadonlyMap<string, readonly FramerItem[]>

const itemNamed = (items: readonly FramerItem[], name: string): FramerItem | undefined =>
  items.find((item) => Object.values(item.fields).some((v) => v.type === 'string' && isSameName(v.value, name))) ??
  items.find((item) => item.slug === name)

/** Returns names as the value of a field, and the names that have no option or item. */
const namedValue = (
  field: FramerField,
  names: readonly string[],
  referenced: Referenced,
): { value?: FramerValue; missing: string[] } => {
  if (field.type === 'string') return { value: { type: 'string', value: names.join(', ') }, missing: [] }
  const items = referenced.get(field.collectionId ?? '') ?? []
  const found = names.map((name) => ({
    name,
    id: field.type === 'enum' ? field.cases.find((c) => isSameName(c.name, name))?.id : itemNamed(items, name)?.id,
  }))
  const ids = found.flatMap(({ id }) => (id === undefined ? [] : [id]))
  const missing = found.filter(({ id }) => id === undefined).map(({ name }) => name)
  const [first] = ids
  if (field.type === 'multiCollectionReference') return { value: { type: field.type, value: ids }, missing }
  if (field.type === 'collectionReference') return { value: { type: field.type, value: first ?? null }, missing }
  return first === undefined ? { missing } : { value: { type: 'enum', value: first }, missing }
}

const LABELS: Partial<Record<Part, string>> = {
  meta_description: 'meta description',
  seo_title: 'title for search engines',
  canonical_url: 'canonical address',
  image: 'image',
  author: 'author',
  category: 'category',
  tags: 'tags',
}

const imageValue = ({ image }: CmsArticle): FramerValue =>
  image ? { type: 'image', value: image.url, alt: image.alt } : { type: 'image', value: null }

/** Returns the fields of an item, and notes on parts of the article that have no field. */
export const fieldsOf = (article: CmsArticle, mapping: Mapping, referenced: Referenced): Built => {
  const fields: Fields = {}
  const notes: string[] = []
  const put = (part: Part, isEmpty: boolean, value: () => FramerValue | undefined) => {
    const field = mapping[part]
    const made = field && value()
    if (field && made) fields[field.id] = made
    if (!field && !isEmpty && LABELS[part])
      notes.push(`The ${LABELS[part]} was left out: the collection has no field for it.`)
  }
  const text = (value: string) => () => ({ type: 'string', value }) as const
  put('title', false, text(article.title))
  put('body', false, () => ({ type: 'formattedText', value: article.html }))
  put('meta_description', article.metaDescription === '', text(article.metaDescription))
  // Few articles have these. Without one, the field keeps what people wrote.
  if (article.seoTitle) put('seo_title', false, text(article.seoTitle))
  const { canonicalUrl } = article
  if (canonicalUrl) {
    const type = mapping.canonical_url?.type === 'link' ? 'link' : 'string'
    put('canonical_url', false, () => ({ type, value: canonicalUrl }))
  }
  put('marker', true, text(article.marker))
  put('image', article.image === undefined, () => imageValue(article))
  put('date', true, () => (article.publishedAt ? { type: 'date', value: article.publishedAt } : undefined))
  for (const part of ['author', 'category', 'tags'] as const) {
    const names = (part === 'tags' ? [...article.tags] : [article[part]]).filter((name) => name.trim() !== '')
    put(part, names.length === 0, () => {
      const field = mapping[part]
      if (!field) return undefined
      const { value, missing } = namedValue(field, names, referenced)
      if (missing.length > 0)
        notes.push(
          `"${field.name}" has nothing named ${missing.map((name) => `"${name}"`).join(', ')}; make it in Framer.`,
        )
      return value
    })
  }
  return { fields, notes }
}

/** Returns the text of a field; empty if it has none, or is of another type. */
export const textIn = (item: FramerItem, field: FramerField | undefined): string => {
  const value = field && item.fields[field.id]
  return value?.type === 'string' ? value.value : ''
}

export const titleOf = (item: FramerItem, mapping: Mapping): string => textIn(item, mapping.title)
export const markerOf = (item: FramerItem, mapping: Mapping): string => textIn(item, mapping.marker)

/** Returns the address of an item's page. The slug replaces the placeholder in the page's path, or is added to its end. */
export const itemUrl = (site: FramerSite, path: string | null, slug: string): string | null => {
  if (site === null || path === null) return null
  const filled = /:\w+/.test(path) ? path.replace(/:\w+/, slug) : `${path.replace(/(?<!\/)\/+$/, '')}/${slug}`
  return URL.canParse(filled, site.url) ? new URL(filled, site.url).href : null
}

/** State of the site around an item. `isPublishing`: the site is published with each article. */
export type Deployments = { site: FramerSite; path: string | null; isPublishing: boolean }

const changedAt = ({ updatedAt, createdAt }: FramerItem): number => Date.parse(updatedAt ?? createdAt ?? '')

/** True if an item that is no draft is not on the site yet, although the site is published with each article. */
export const waitsForSite = (item: FramerItem, { site, isPublishing }: Deployments): boolean =>
  isPublishing && !item.draft && (site === null || Date.parse(site.deployedAt) < changedAt(item))

/** True if a deployment contains an item's last change. */
export const isDeployed = ({ createdAt }: FramerDeployment, item: FramerItem): boolean =>
  !(Date.parse(createdAt) < changedAt(item))

/** True if readers can see an item as it is. It is no draft and, if the site is published with each article, it is deployed. */
const isLive = (item: FramerItem, around: Deployments): boolean => !item.draft && !waitsForSite(item, around)

/** Returns our form of an item. */
export const toPost = (item: FramerItem, mapping: Mapping, around: Deployments): CmsPost => ({
  remoteId: item.id,
  slug: item.slug,
  title: titleOf(item, mapping),
  status: isLive(item, around) ? 'published' : 'draft',
  url: item.draft ? null : itemUrl(around.site, around.path, item.slug),
  marker: markerOf(item, mapping) || null,
  createdAt: item.createdAt,
})

/** Returns the words of an item that an update replaces. */
export const wordsOf = (item: FramerItem, mapping: Mapping): CmsWords => {
  const body = item.fields[mapping.body.id]
  const link = mapping.canonical_url && item.fields[mapping.canonical_url.id]
  return {
    title: titleOf(item, mapping),
    text: body?.type === 'formattedText' ? textOf(body.value) : '',
    metaDescription: textIn(item, mapping.meta_description),
    seoTitle: textIn(item, mapping.seo_title),
    canonicalUrl: link?.type === 'link' ? (link.value ?? '') : textIn(item, mapping.canonical_url),
  }
}

/** Returns the fields that a rollback restores: all that we write except mark and date. */
export const keptFields = (item: FramerItem, mapping: Mapping): Fields => {
  const kept: Fields = {}
  for (const [part, field] of Object.entries(mapping)) {
    const value = item.fields[field.id]
    if (value && part !== 'marker' && part !== 'date') kept[field.id] = value
  }
  return kept
}
