import type { CmsArticle, CmsPost, CmsPostStatus } from '../../publishing/cms.ts'
import type { Mapping } from './mapping.ts'
import type { WebflowError, WebflowItem, WebflowSite } from './types.ts'

/** What Webflow's rich text loses unless it stands in an HTML embed. */
const EMBEDDED = 'table, iframe, pre, video, audio, details'
const EMBED = '<div data-rt-embed-type="true">'

/**
 * HTML as a Webflow rich text field keeps it: tables, frames, code blocks and players in HTML embeds, the outermost only.
 * `embeds` names what was wrapped.
 */
export const toRichText = async (html: string): Promise<{ html: string; embeds: string[] }> => {
  const embeds = new Set<string>()
  let depth = 0
  const rewriter = new HTMLRewriter()
    .on('div[data-rt-embed-type]', {
      element(e) {
        depth += 1
        e.onEndTag(() => {
          depth -= 1
        })
      },
    })
    .on(EMBEDDED, {
      element(e) {
        if (depth === 0) {
          embeds.add(e.tagName)
          e.before(EMBED, { html: true })
          e.after('</div>', { html: true })
        }
        depth += 1
        e.onEndTag(() => {
          depth -= 1
        })
      },
    })
  const source = new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } })
  return { html: await rewriter.transform(source).text(), embeds: [...embeds] }
}

/** The part of a field that is the same for every article: texts and the date. References are looked up by the caller. */
export const fieldsOf = (article: CmsArticle, mapping: Mapping, body: string): Record<string, unknown> => {
  const fields: Record<string, unknown> = { name: article.title }
  const set = (field: { slug: string } | undefined, value: unknown) => {
    if (field && value !== '' && value !== undefined) fields[field.slug] = value
  }
  set(mapping.body, body)
  set(mapping.summary, article.metaDescription)
  set(mapping.meta_description, article.metaDescription)
  set(mapping.meta_title, article.title)
  set(mapping.marker, article.marker)
  set(mapping.date, article.publishedAt)
  set(mapping.image, article.image)
  if (mapping.author?.type === 'PlainText') set(mapping.author, article.author)
  if (mapping.category?.type === 'PlainText') set(mapping.category, article.category)
  if (mapping.tags?.type === 'PlainText') set(mapping.tags, article.tags.join(', '))
  return fields
}

/**
 * Webflow's state of an item (state table of its CMS documentation): published means that `lastPublished` is set, with or
 * without newer draft changes. Neither published nor draft is "queued": it goes live with the site's next publication.
 */
const statusOf = (item: WebflowItem): CmsPostStatus =>
  item.lastPublished && item.isArchived !== true ? 'published' : 'draft'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

export const slugOf = (item: WebflowItem): string => text(item.fieldData.slug)

export const toPost = (item: WebflowItem, urlPrefix: string, mapping: Mapping): CmsPost => {
  const status = statusOf(item)
  const marker = mapping.marker ? text(item.fieldData[mapping.marker.slug]) : ''
  return {
    remoteId: item.id,
    slug: slugOf(item),
    title: text(item.fieldData.name),
    status,
    url: status === 'published' ? `${urlPrefix}/${slugOf(item)}` : null,
    marker: marker === '' ? null : marker,
    createdAt: item.createdOn ?? null,
  }
}

/** Where items of a collection are read: the site's first own domain, else its webflow.io address. */
export const urlPrefixOf = (site: WebflowSite, collectionSlug: string): string => {
  const own = site.customDomains?.[0]?.url.replace(/^https?:\/\//, '').replace(/\/+$/, '')
  return `https://${own || `${site.shortName}.webflow.io`}/${collectionSlug}`
}

/** The details of an error as `param: description` lines. */
export const detailsOf = (error: WebflowError): string[] =>
  (error.details ?? []).map((d) => (typeof d === 'string' ? d : `${d.param ?? ''}: ${d.description ?? ''}`))

/** Whether a validation error says that the slug is another item's. */
export const isSlugTaken = (error: WebflowError): boolean =>
  detailsOf(error).some((d) => /^(fieldData\.)?slug:/i.test(d) && /unique|already/i.test(d))

/** The fields a validation error is about. */
export const fieldsAtFault = (error: WebflowError): string[] =>
  detailsOf(error).map((d) => (d.split(':')[0] ?? '').replace(/^fieldData\./, ''))
