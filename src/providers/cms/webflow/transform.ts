import { type HtmlEvent, outermost, wrapPlaces } from '../../../content/html/events.ts'
import { attributesOf } from '../../../content/html/tags.ts'
import { clip } from '../../../platform/lib/text.ts'
import type { CmsArticle, CmsPost, CmsPostStatus, CmsWords } from '../../../publishing/target/cms-adapter.ts'
import { textOf } from '../overwritten.ts'
import type { Mapping } from './mapping.ts'
import type { WebflowError, WebflowField, WebflowItem, WebflowSite } from './types.ts'

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
  const field = (part: keyof Mapping): string => text(item.fieldData[mapping[part]?.slug ?? ''])
  return {
    title: text(item.fieldData.name),
    text: textOf(field('body')),
    metaDescription: field('meta_description') || field('summary'),
    seoTitle: field('meta_title'),
    canonicalUrl: field('canonical_url'),
  }
}

export const slugOf = (item: WebflowItem): string => text(item.fieldData.slug)

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
