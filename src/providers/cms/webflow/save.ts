import type { CmsArticle, CmsFailure, CmsPost, CmsResult, CmsUpdate } from '../../../publishing/target/cms-adapter.ts'
import { COMPLETE, makesPublic, sends, sendsMapped, sentParts } from '../fields.ts'
import { done, type Got, got, refused } from '../http.ts'
import { changedMeanwhile } from '../mapped-items.ts'
import type { ItemBody, Refusal, WebflowApi } from './api.ts'
import type { Setting } from './connect.ts'
import { ownFieldsOf } from './own-fields.ts'
import { referencesOf, unmappedNotes } from './references.ts'
import { fieldsAtFault, fieldsOf, slugOf, textIn, toPost, toRichText } from './transform.ts'
import type { WebflowItem } from './types.ts'

/** Publishes a staged item. Webflow answers 202 even if it did not publish, with the reason in `errors`. */
export const publishItem = async (
  api: WebflowApi,
  collectionId: string,
  item: WebflowItem,
): Promise<Got<WebflowItem>> => {
  const published = await api.publish(collectionId, [item.id])
  if (published.kind === 'invalid') return published.refusal.failure
  if (published.kind !== 'got') return published
  const { errors, publishedItemIds } = published.value
  if (errors?.length || publishedItemIds?.includes(item.id) === false)
    return refused(
      'conflict',
      `Webflow did not publish the item (${errors?.map(String).join('; ') || 'no reason given'}).`,
      202,
    )
  return got({ ...item, isDraft: false, lastPublished: item.lastPublished ?? item.createdOn ?? 'now' })
}

type Prepared = { fields: Record<string, unknown>; notes: string[] }

const prepare = async (
  api: WebflowApi,
  { collection, mapping }: Setting,
  article: CmsArticle,
  update: CmsUpdate,
): Promise<Prepared> => {
  const { html, embeds } = article.stored
    ? { html: article.stored.to, embeds: [] }
    : toRichText(sends(update, 'html') ? article.html : '')
  const references = await referencesOf(api, article, mapping)
  const notes = [...references.notes, ...unmappedNotes(article, mapping)]
  if (embeds.includes('pre')) notes.push('Code blocks are HTML embeds, because Webflow empties them in rich text.')
  const texts = fieldsOf(article, mapping, html)
  const own = ownFieldsOf(article.fields ?? {}, { collection })
  const fields = { ...texts.fields, ...references.fields, ...own.fields }
  if (!sends(update, 'title')) delete fields.name
  for (const [part, field] of Object.entries(mapping))
    if (!sendsMapped(update, part, article)) delete fields[field.slug]
  return { fields, notes: [...notes, ...texts.notes, ...own.notes] }
}

const IMAGE_NOTE =
  'The image was left out: Webflow did not accept it. It accepts images of at most 4 MB from an address that is open to all.'

/** Writes an item. If Webflow refuses its image, the item is written without it. */
const writeItem = async (
  write: (fields: Record<string, unknown>) => Promise<Got<WebflowItem> | { kind: 'invalid'; refusal: Refusal }>,
  { mapping }: Setting,
  { fields, notes }: Prepared,
): Promise<CmsFailure | { item: WebflowItem; notes: string[] }> => {
  const image = mapping.image?.slug ?? ''
  const first = await write(fields)
  if (first.kind === 'got') {
    const isLost = image in fields && !first.value.fieldData[image]
    return { item: first.value, notes: isLost ? [...notes, IMAGE_NOTE] : notes }
  }
  if (first.kind !== 'invalid') return first
  const atFault = fieldsAtFault(first.refusal.error)
  if (!(image in fields) || !atFault.includes(image)) return first.refusal.failure
  const { [image]: _, ...others } = fields
  const second = await write(others)
  if (second.kind === 'got') return { item: second.value, notes: [...notes, IMAGE_NOTE] }
  return second.kind === 'invalid' ? second.refusal.failure : second
}

const slugTaken = (slug: string): CmsFailure =>
  refused('slug_taken', `Webflow already has an item with the slug "${slug}".`, 400)

/** Creates an item, and publishes it unless the article is a draft. If its slug came back changed, the item is deleted. */
export const createItem = async (
  api: WebflowApi,
  setting: Setting,
  article: CmsArticle,
): Promise<CmsResult<CmsPost>> => {
  const { collection, mapping, urlPrefix } = setting
  const prepared = await prepare(api, setting, article, COMPLETE)
  const body = (fields: Record<string, unknown>): ItemBody => ({
    isDraft: article.status === 'draft',
    isArchived: false,
    fieldData: { ...fields, slug: article.slug },
  })
  const made = await writeItem((fields) => api.create(collection.id, body(fields)), setting, prepared)
  if ('kind' in made) return made
  if (slugOf(made.item) !== article.slug) {
    await api.remove(collection.id, made.item.id)
    return slugTaken(article.slug)
  }
  if (article.status === 'draft') return done(toPost(made.item, urlPrefix, mapping), made.notes)
  const live = await publishItem(api, collection.id, made.item)
  if (live.kind === 'got') return done(toPost(live.value, urlPrefix, mapping), made.notes)
  // Otherwise an item that could not be published now would go live, unexpectedly, with the site's next publication.
  if (live.kind === 'refused' && !live.retryable) await api.remove(collection.id, made.item.id)
  return live
}

/** True if people gave an item its own title for search engines. Otherwise that title is the same as the name. */
const hasOwnTitle = ({ fieldData }: WebflowItem, field: string): boolean =>
  Boolean(fieldData[field]) && fieldData[field] !== fieldData.name

/** Returns the names of fields of a live item with changes that nobody has published yet: they go live with the next publication. */
const unpublishedFields = async (
  api: WebflowApi,
  collectionId: string,
  { id, lastPublished, lastUpdated, fieldData }: WebflowItem,
): Promise<string[]> => {
  if (!lastPublished || !lastUpdated || Date.parse(lastUpdated) <= Date.parse(lastPublished)) return []
  const live = await api.liveItem(collectionId, id)
  const seen = live.kind === 'got' ? live.value?.fieldData : undefined
  return Object.keys({ ...seen, ...fieldData }).filter(
    (name) => seen && JSON.stringify(seen[name]) !== JSON.stringify(fieldData[name]),
  )
}

const unseenNotes = (names: readonly string[]): string[] =>
  names.length > 0
    ? [`Changes in Webflow that nobody had published yet went live with this one: ${names.join(', ')}.`]
    : []

/** Returns the refusal of a change of an item that the site had before; undefined if it can be made. */
const adoptedRefusal = (
  item: WebflowItem,
  { mapping }: Setting,
  stored: CmsArticle['stored'],
  unpublished: readonly string[],
): CmsFailure | undefined => {
  if (stored && textIn(item, mapping.body) !== stored.from) return changedMeanwhile('Webflow', 'item')
  return unpublished.length > 0
    ? refused(
        'conflict',
        `The item has changes in Webflow that nobody has published yet, and they would go live with this one: ${unpublished.join(', ')}. Publish or discard them there. Nothing was changed.`,
        409,
      )
    : undefined
}

/**
 * Changes an item in place. Returns null if the item is gone.
 *
 * A draft of a live item waits beside it. A change of an item that is not live is only staged.
 */
export const updateItem = async (
  api: WebflowApi,
  setting: Setting,
  remoteId: string,
  article: CmsArticle,
  update: CmsUpdate = COMPLETE,
): Promise<CmsResult<CmsPost | null>> => {
  const { collection, mapping, urlPrefix } = setting
  const known = await api.item(collection.id, remoteId)
  if (known.kind !== 'got') return known
  if (known.value === null) return done(null)
  const stored = sends(update, 'html') ? article.stored : undefined
  const isShown = update.intent === 'change' && toPost(known.value, urlPrefix, mapping).status === 'published'
  const unpublished = isShown || article.isAdopted ? await unpublishedFields(api, collection.id, known.value) : []
  const refusal = article.isAdopted ? adoptedRefusal(known.value, setting, stored, unpublished) : undefined
  if (refusal) return refusal
  const isLive = Boolean(known.value.lastPublished)
  const prepared = await prepare(api, setting, sentParts(article, update), update)
  if (isLive && mapping.date) delete prepared.fields[mapping.date.slug]
  if (mapping.meta_title && !article.seoTitle && hasOwnTitle(known.value, mapping.meta_title.slug))
    delete prepared.fields[mapping.meta_title.slug]
  if (mapping.image && !article.image && sends(update, 'image')) prepared.fields[mapping.image.slug] = null
  const isFirst = makesPublic(update, article)
  const along = isShown ? unseenNotes(unpublished.filter((name) => !(name in prepared.fields))) : []
  // `isDraft` is not set on a live item, so that its new content waits as draft changes.
  const draft = isLive || update.intent === 'change' ? {} : { isDraft: true }
  const state = isFirst ? { isDraft: false, isArchived: false } : draft
  const changed = await writeItem(
    (fields) => api.change(collection.id, remoteId, { ...state, fieldData: fields }),
    setting,
    prepared,
  )
  if ('kind' in changed) return changed.kind === 'refused' && changed.code === 'site_not_found' ? done(null) : changed
  if (stored && textIn(changed.item, mapping.body) !== stored.to)
    changed.notes.push('Webflow changed the text when it saved it.')
  if (!isFirst && !isShown) return done(toPost(changed.item, urlPrefix, mapping), changed.notes)
  const live = await publishItem(api, collection.id, changed.item)
  return live.kind === 'got' ? done(toPost(live.value, urlPrefix, mapping), [...changed.notes, ...along]) : live
}

/** Takes an item off the live site and makes it a draft under its slug. Returns null if the item is gone. */
export const unpublishItem = async (
  api: WebflowApi,
  { collection, mapping, urlPrefix }: Setting,
  remoteId: string,
): Promise<CmsResult<CmsPost | null>> => {
  const taken = await api.unpublish(collection.id, remoteId)
  if (taken.kind !== 'got') return taken
  // A queued item would go live with the site's next publication.
  const draft = await api.change(collection.id, remoteId, { isDraft: true, fieldData: {} })
  if (draft.kind === 'invalid') return draft.refusal.failure
  if (draft.kind === 'refused' && draft.code === 'site_not_found') return done(null)
  if (draft.kind !== 'got') return draft
  return done(toPost({ ...draft.value, isDraft: true, lastPublished: null }, urlPrefix, mapping))
}
