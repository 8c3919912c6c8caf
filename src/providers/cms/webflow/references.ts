import { slugify } from '../../../platform/lib/slug.ts'
import type { CmsArticle } from '../../../publishing/target/cms-adapter.ts'
import { isSameName } from '../fields.ts'
import { type Got, got } from '../http.ts'
import type { WebflowApi } from './api.ts'
import type { Mapping } from './transform.ts'
import type { WebflowField, WebflowItem } from './types.ts'

/** Largest number of tags. More names would use up the calls of a minute. */
const MAX_TAGS = 10

type Named = { id: string; isNew?: boolean } | string

/**
 * Returns a function that finds items of other collections by name.
 *
 * The first hundred items of each collection are read once. In a larger collection, a name that is not among them is searched.
 */
const itemsByName = (api: WebflowApi) => {
  const known = new Map<string, { items: readonly WebflowItem[]; isWhole: boolean }>()
  return async (collectionId: string, name: string): Promise<Got<WebflowItem | undefined>> => {
    let listed = known.get(collectionId)
    if (!listed) {
      const asked = await api.firstItems(collectionId)
      if (asked.kind !== 'got') return asked
      const { items, pagination } = asked.value
      listed = { items, isWhole: (pagination?.total ?? items.length) <= items.length }
      known.set(collectionId, listed)
    }
    const is = (item: WebflowItem) => isSameName(String(item.fieldData.name), name) && item.isArchived !== true
    const found = listed.items.find(is)
    if (found || listed.isWhole) return got(found)
    const asked = await api.itemsBy(collectionId, 'name', name)
    return asked.kind === 'got' ? got(asked.value.items.find(is)) : asked
  }
}

type Find = ReturnType<typeof itemsByName>

/** Number of slugs tried for a new item, because another name may have the first. */
const MAX_SLUGS = 5

/**
 * Creates an item for a name.
 *
 * If its slug is taken by an item of the same name, that item is used. If another name has it, the next slug is tried.
 */
const makeNamed = async (api: WebflowApi, collectionId: string, name: string) => {
  const plain = slugify(name) || 'item'
  for (let n = 1; ; n += 1) {
    const slug = n === 1 ? plain : `${plain}-${n}`
    const made = await api.create(collectionId, { isDraft: false, isArchived: false, fieldData: { name, slug } })
    if (made.kind === 'got') return { id: made.value.id, isNew: true }
    if (made.kind !== 'refused' || made.code !== 'slug_taken' || n >= MAX_SLUGS) return made
    const asked = await api.itemsBy(collectionId, 'slug', slug)
    const holder = asked.kind === 'got' ? asked.value.items.find((item) => item.fieldData.slug === slug) : undefined
    if (holder && isSameName(String(holder.fieldData.name), name)) return { id: holder.id }
  }
}

/** Returns the item with this name from another collection, and creates it if there is none. Returns a sentence if that fails. */
const itemNamed = async (api: WebflowApi, find: Find, field: WebflowField, name: string): Promise<Named> => {
  const collectionId = field.validations?.collectionId
  if (!collectionId) return `"${name}" was left out: Webflow does not say which collection "${field.slug}" refers to.`
  const known = await find(collectionId, name)
  if (known.kind !== 'got') return `"${name}" was left out of "${field.slug}": ${known.reason}`
  if (known.value) return { id: known.value.id }
  const made = await makeNamed(api, collectionId, name)
  if ('id' in made) return made
  const why = made.kind === 'invalid' ? made.refusal.failure.reason : made.reason
  return `"${name}" was left out of "${field.slug}" and could not be made: ${why}`
}

const optionNamed = (field: WebflowField, name: string): Named => {
  const option = field.validations?.options?.find((o) => o.name.toLowerCase() === name.toLowerCase())
  return option ? { id: option.id } : `"${field.slug}" has no option "${name}", so it was left out.`
}

/** Publishes new items, all at once, and returns the ids of published ones. Readers see references only to published items. */
const publishNew = async (api: WebflowApi, collectionId: string, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const published = await api.publish(collectionId, ids)
  if (published.kind !== 'got') return []
  const { publishedItemIds, errors } = published.value
  return ids.filter((id) => publishedItemIds?.includes(id) ?? !errors?.length)
}

/** Returns author, category and tags as ids of options and items, found by name. A name without an id is left out, with a note. */
export const referencesOf = async (
  api: WebflowApi,
  article: CmsArticle,
  { author, category, tags }: Mapping,
): Promise<{ fields: Record<string, unknown>; notes: string[] }> => {
  const fields: Record<string, unknown> = {}
  const notes: string[] = []
  const find = itemsByName(api)
  const resolveAll = async (field: WebflowField, names: readonly string[]): Promise<string[]> => {
    const found: { id: string; name: string; isNew: boolean }[] = []
    for (const name of names) {
      const one = field.type === 'Option' ? optionNamed(field, name) : await itemNamed(api, find, field, name)
      if (typeof one === 'string') notes.push(one)
      else found.push({ id: one.id, name, isNew: one.isNew === true })
    }
    const made = found.filter((one) => one.isNew)
    const live = await publishNew(api, field.validations?.collectionId ?? '', [...new Set(made.map(({ id }) => id))])
    for (const { id, name } of made)
      if (!live.includes(id))
        notes.push(`"${name}" was made for "${field.slug}", but could not be published, so it was left out.`)
    return found.filter(({ id, isNew }) => !isNew || live.includes(id)).map(({ id }) => id)
  }
  for (const [field, name] of [
    [author, article.author],
    [category, article.category],
  ] as const) {
    if (!field || name === '' || field.type === 'PlainText') continue
    const [id] = await resolveAll(field, [name])
    if (id !== undefined) fields[field.slug] = field.type === 'MultiReference' ? [id] : id
  }
  if (tags?.type === 'MultiReference' && article.tags.length > 0) {
    fields[tags.slug] = await resolveAll(tags, article.tags.slice(0, MAX_TAGS))
    if (article.tags.length > MAX_TAGS) notes.push(`Only the first ${MAX_TAGS} tags were sent.`)
  }
  return { fields, notes }
}

/** Returns notes on the parts of an article that have no field in the collection. */
export const unmappedNotes = (article: CmsArticle, mapping: Mapping): string[] => {
  const parts: [string, boolean, unknown][] = [
    ['image', article.image !== undefined, mapping.image],
    ['category', article.category !== '', mapping.category],
    ['tags', article.tags.length > 0, mapping.tags],
    ['author', article.author !== '', mapping.author],
    ['meta description', article.metaDescription !== '', mapping.summary ?? mapping.meta_description],
    ['title for search engines', article.seoTitle !== undefined, mapping.meta_title],
    ['canonical address', article.canonicalUrl !== undefined, mapping.canonical_url],
    ['date', article.publishedAt !== undefined, mapping.date],
  ]
  const left = parts.filter(([, given, field]) => given && !field).map(([name]) => name)
  return left.length > 0 ? [`The collection has no field for: ${left.join(', ')}.`] : []
}
