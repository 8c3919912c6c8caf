import { type HtmlEvent, outermost, wrapPlaces } from '../../../content/html/events.ts'
import { attributesOf } from '../../../content/html/tags.ts'
import { clip } from '../../../platform/lib/text.ts'
import type { CmsArticle, CmsPost, CmsWords } from '../../../publishing/target/cms-adapter.ts'
import type { CmsPostStatus } from '../../../publishing/target/site-posts.ts'
import { textOf } from '../overwritten.ts'
import type { WebflowCollection, WebflowError, WebflowField, WebflowItem, WebflowSite } from './types.ts'

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

type Mapped = (typeof MAPPED)[number]
/** Field of the collection for each part of an article. */
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
type MappingResult = { mapping: Mapping } | { problem: string }

const chosenMapping = (chosen: Partial<Record<Mapped, string>>, collection: WebflowCollection): MappingResult => {
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
  const result = chosenMapping(chosen, collection)
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

/** Elements that Webflow's rich text loses unless they are in an HTML embed. */
const EMBEDDED = new Set(['table', 'iframe', 'pre', 'video', 'audio', 'details'])
const EMBED = '<div data-rt-embed-type="true">'

const isEmbed = (html: string, { tag }: HtmlEvent & { kind: 'open' }): boolean =>
  tag.name === 'div' && attributesOf(html, tag).has('data-rt-embed-type')

/**
 * Returns HTML that a Webflow rich text field keeps: tables, frames, code blocks and players are in HTML embeds, the outermost only.
 *
 * `embeds` has the names of the elements that were put in embeds.
 */
export const toRichText = (html: string): { html: string; embeds: string[] } => {
  const places = outermost(html, EMBEDDED, (event) => isEmbed(html, event))
  return {
    html: wrapPlaces(html, places, EMBED, '</div>'),
    embeds: [...new Set(places.map(({ name }) => name))],
  }
}

/** Longest name of an item, characters. */
const MAX_NAME = 256

/** Returns a text that fits a field: on one line if the field has only one, and cut to the field's length. */
const fitting = ({ validations }: WebflowField, text: string): string => {
  const line = validations?.singleLine ? text.replace(/\s+/g, ' ').trim() : text
  return validations?.maxLength ? clip(line, validations.maxLength) : line
}

/** Returns the texts, the date and the image of an article by field, with notes on cut texts. The caller adds references. */
export const fieldsOf = (
  article: CmsArticle,
  mapping: Mapping,
  body: string,
): { fields: Record<string, unknown>; notes: string[] } => {
  const fields: Record<string, unknown> = { name: clip(article.title, MAX_NAME) }
  const notes = article.title.length > MAX_NAME ? [`The title was cut to ${MAX_NAME} characters.`] : []
  const set = (field: WebflowField | undefined, value: unknown) => {
    if (!field || value === '' || value === undefined) return
    if (field.type !== 'PlainText' || typeof value !== 'string') {
      fields[field.slug] = value
      return
    }
    const text = fitting(field, value)
    fields[field.slug] = text
    if (field.validations?.maxLength && value.length > field.validations.maxLength)
      notes.push(`"${field.slug}" was cut to the ${field.validations.maxLength} characters it takes.`)
  }
  set(mapping.body, body)
  set(mapping.summary, article.metaDescription)
  set(mapping.meta_description, article.metaDescription)
  set(mapping.meta_title, article.seoTitle ?? article.title)
  set(mapping.canonical_url, article.canonicalUrl)
  set(mapping.marker, article.marker)
  set(mapping.date, article.publishedAt)
  set(mapping.image, article.image)
  if (mapping.author?.type === 'PlainText') set(mapping.author, article.author)
  if (mapping.category?.type === 'PlainText') set(mapping.category, article.category)
  if (mapping.tags?.type === 'PlainText') set(mapping.tags, article.tags.join(', '))
  return { fields, notes }
}

/**
 * Returns the status of an item (state table of Webflow's CMS documentation).
 *
 * It is published if `lastPublished` is set, with or without newer draft changes. An item that is neither published nor a draft is queued.
 * It goes live with the site's next publication.
 */
const statusOf = (item: WebflowItem): CmsPostStatus => {
  if (item.isArchived === true) return 'draft'
  if (item.lastPublished) return 'published'
  return item.isDraft === false ? 'scheduled' : 'draft'
}

/** Returns Webflow's own word for a status, if it is more precise than ours. */
const siteStatusOf = (item: WebflowItem): { siteStatus?: string } => {
  if (item.isArchived === true) return { siteStatus: 'archived' }
  return statusOf(item) === 'scheduled' ? { siteStatus: 'queued to publish' } : {}
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns the words of an item that an update replaces. They come from the staged item, because updates write to that. */
export const wordsOf = (item: WebflowItem, mapping: Mapping): CmsWords => {
  const field = (part: keyof Mapping): string => textIn(item, mapping[part])
  return {
    title: text(item.fieldData.name),
    text: textOf(field('body')),
    metaDescription: field('meta_description') || field('summary'),
    seoTitle: field('meta_title'),
    canonicalUrl: field('canonical_url'),
  }
}

/** Returns the text of a field of an item; empty without one. */
export const textIn = (item: WebflowItem, field: WebflowField | undefined): string =>
  field ? text(item.fieldData[field.slug]) : ''

/** Returns the picture of an item, or null. */
export const imageIn = (item: WebflowItem, { image: field }: Mapping): { url: string; alt: string } | null => {
  const value = field && (item.fieldData[field.slug] as { url?: unknown; alt?: unknown } | null | undefined)
  return value && text(value.url) !== '' ? { url: text(value.url), alt: text(value.alt) } : null
}

export const slugOf = (item: WebflowItem): string => text(item.fieldData.slug)

/** Returns an item as the port describes posts. Only a published one has an address. */
export const toPost = (item: WebflowItem, urlPrefix: string, mapping: Mapping): CmsPost => {
  const status = statusOf(item)
  const marker = mapping.marker ? text(item.fieldData[mapping.marker.slug]) : ''
  return {
    remoteId: item.id,
    slug: slugOf(item),
    title: text(item.fieldData.name),
    status,
    ...siteStatusOf(item),
    url: status === 'published' ? `${urlPrefix}/${slugOf(item)}` : null,
    marker: marker === '' ? null : marker,
    createdAt: item.createdOn ?? null,
  }
}

/** Returns the address of a collection's items: the site's first own domain, else its webflow.io address. */
export const urlPrefixOf = (site: WebflowSite, collectionSlug: string): string => {
  const own = site.customDomains?.[0]?.url.replace(/^https?:\/\//, '').replace(/(?<!\/)\/+$/, '')
  return `https://${own || `${site.shortName}.webflow.io`}/${collectionSlug}`
}

/** Returns the details of an error as `param: description` lines. */
export const detailsOf = (error: WebflowError): string[] =>
  (error.details ?? []).map((d) => (typeof d === 'string' ? d : `${d.param ?? ''}: ${d.description ?? ''}`))

/** True if a validation error is about a slug that another item has. */
export const isSlugTaken = (error: WebflowError): boolean =>
  detailsOf(error).some((d) => /^(fieldData\.)?slug:/i.test(d) && /unique|already/i.test(d))

/** Returns the fields that a validation error names. */
export const fieldsAtFault = (error: WebflowError): string[] =>
  detailsOf(error).map((d) => (d.split(':')[0] ?? '').replace(/^fieldData\./, ''))
