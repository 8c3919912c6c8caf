import { slugify } from '../../lib/slug.ts'
import type { CmsArticle } from '../../publishing/cms.ts'
import type { WebflowApi } from './api.ts'
import type { Mapping } from './mapping.ts'
import type { WebflowField } from './types.ts'

/** More names than this would use up a minute's calls. */
const MAX_TAGS = 10

/** An item of another collection by its name, made when there is none; or the sentence that says why not. */
const itemNamed = async (api: WebflowApi, field: WebflowField, name: string): Promise<{ id: string } | string> => {
  const collectionId = field.validations?.collectionId
  if (!collectionId) return `"${name}" was left out: Webflow does not say which collection "${field.slug}" refers to.`
  const known = await api.itemsBy(collectionId, 'name', name)
  if (known.kind !== 'got') return `"${name}" was left out of "${field.slug}": ${known.reason}`
  const [item] = known.value.items.filter((i) => i.fieldData.name === name && i.isArchived !== true)
  if (item) return { id: item.id }
  const slug = slugify(name) || 'item'
  const made = await api.create(collectionId, { isDraft: false, isArchived: false, fieldData: { name, slug } })
  if (made.kind === 'got') {
    // Readers see a reference only to what is published.
    const published = await api.publish(collectionId, made.value.id)
    return published.kind === 'got' && !published.value.errors?.length
      ? { id: made.value.id }
      : `"${name}" was made for "${field.slug}", but could not be published, so it was left out.`
  }
  if (made.kind === 'refused' && made.code === 'slug_taken') {
    const same = await api.itemsBy(collectionId, 'slug', slug)
    const found = same.kind === 'got' ? same.value.items.find((i) => i.fieldData.slug === slug) : undefined
    if (found) return { id: found.id }
  }
  const why = made.kind === 'invalid' ? made.refusal.failure.reason : made.reason
  return `"${name}" was left out of "${field.slug}" and could not be made: ${why}`
}

const optionNamed = (field: WebflowField, name: string): { id: string } | string => {
  const option = field.validations?.options?.find((o) => o.name.toLowerCase() === name.toLowerCase())
  return option ? { id: option.id } : `"${field.slug}" has no option "${name}", so it was left out.`
}

const resolve = async (api: WebflowApi, field: WebflowField, name: string): Promise<{ id: string } | string> =>
  field.type === 'Option' ? optionNamed(field, name) : await itemNamed(api, field, name)

/** Author, category and tags as ids of options and items, by name. What cannot be resolved is a note and left as it is. */
export const referencesOf = async (
  api: WebflowApi,
  article: CmsArticle,
  { author, category, tags }: Mapping,
): Promise<{ fields: Record<string, unknown>; notes: string[] }> => {
  const fields: Record<string, unknown> = {}
  const notes: string[] = []
  const one = async (field: WebflowField | undefined, name: string) => {
    if (!field || name === '' || field.type === 'PlainText') return
    const found = await resolve(api, field, name)
    if (typeof found === 'string') notes.push(found)
    else fields[field.slug] = field.type === 'MultiReference' ? [found.id] : found.id
  }
  await one(author, article.author)
  await one(category, article.category)
  if (tags?.type === 'MultiReference' && article.tags.length > 0) {
    const ids: string[] = []
    for (const name of article.tags.slice(0, MAX_TAGS)) {
      const found = await resolve(api, tags, name)
      if (typeof found === 'string') notes.push(found)
      else ids.push(found.id)
    }
    fields[tags.slug] = ids
    if (article.tags.length > MAX_TAGS) notes.push(`Only the first ${MAX_TAGS} tags were sent.`)
  }
  return { fields, notes }
}

/** What of an article has no field in the collection. */
export const unmappedNotes = (article: CmsArticle, mapping: Mapping): string[] => {
  const parts: [string, boolean, unknown][] = [
    ['image', article.image !== undefined, mapping.image],
    ['category', article.category !== '', mapping.category],
    ['tags', article.tags.length > 0, mapping.tags],
    ['author', article.author !== '', mapping.author],
    ['meta description', article.metaDescription !== '', mapping.summary ?? mapping.meta_description],
    ['date', article.publishedAt !== undefined, mapping.date],
  ]
  const left = parts.filter(([, given, field]) => given && !field).map(([name]) => name)
  return left.length > 0 ? [`The collection has no field for: ${left.join(', ')}.`] : []
}
