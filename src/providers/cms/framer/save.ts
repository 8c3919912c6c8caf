import type { CmsArticle, CmsFailure, CmsPost, CmsResult, CmsUpdate } from '../../../publishing/target/cms-adapter.ts'
import { COMPLETE, makesPublic, sendsMapped, sentParts } from '../fields.ts'
import { done, quotable } from '../http.ts'
import { readDeployments, type Setting } from './connect.ts'
import type { FramerItem, FramerItemInput, FramerSession } from './port.ts'
import { type Built, fieldsOf, markerOf, titleOf, toPost } from './transform.ts'

const IMAGE_NOTE = 'The image was left out: Framer did not accept it.'
const SITE_NOTE = 'The item is in the collection. Readers see it when the site is next published in Framer.'

const STILL_SEEN_NOTE = 'The item is a draft now. Readers see it until the site is next published in Framer.'

const slugTaken = (slug: string): CmsFailure => ({
  kind: 'refused',
  code: 'slug_taken',
  reason: `Framer already has an item with the slug "${slug}".`,
  retryable: false,
})

const build = async (session: FramerSession, { mapping }: Setting, article: CmsArticle): Promise<Built> => {
  const referenced = new Map<string, FramerItem[]>()
  for (const field of [mapping.author, mapping.category, mapping.tags])
    if (field?.collectionId && !referenced.has(field.collectionId))
      referenced.set(field.collectionId, await session.items(field.collectionId))
  return fieldsOf(article, mapping, referenced)
}

/** True if an error is about the image, such as an address that Framer cannot fetch. The item is then written without it. */
const isForImage = (error: unknown): boolean =>
  error instanceof Error && !('code' in error) && /image|asset|fetch|download/i.test(error.message)

/** Copies the image to Framer before the item is written. If Framer does not accept it, the item gets no image, with a note. */
const withImage = async (
  session: FramerSession,
  { mapping }: Setting,
  article: CmsArticle,
  built: Built,
): Promise<Built> => {
  if (!mapping.image || !article.image) return built
  try {
    const url = await session.uploadImage(article.image.url, article.image.alt)
    const value = { type: 'image', value: url, alt: article.image.alt } as const
    return { ...built, fields: { ...built.fields, [mapping.image.id]: value } }
  } catch (error) {
    if (!isForImage(error)) throw error
    const { [mapping.image.id]: _, ...fields } = built.fields
    return { fields, notes: [...built.notes, IMAGE_NOTE] }
  }
}

const failedSite = (why: string): CmsFailure => ({
  kind: 'refused',
  code: 'unavailable',
  reason: `The item is in the collection, but Framer could not publish the site (${quotable(why)}).`,
  retryable: true,
})

/** Returns the outcome for a deployment that has not ended. The next attempt checks for it before it publishes again. */
export const stillPending = (id: string): CmsFailure => ({
  kind: 'unknown',
  reason: `The item is in the collection, and Framer is still publishing the site (deployment ${quotable(id)}).`,
})

/**
 * Publishes the site if the connection asks for it, and returns the post as readers see it.
 *
 * `isChange`: readers are to see the item, or to see it no longer.
 */
const finish = async (
  session: FramerSession,
  setting: Setting,
  item: FramerItem,
  notes: string[],
  isChange = !item.draft,
): Promise<CmsResult<CmsPost>> => {
  const goesOut = isChange && setting.isPublishing
  const published = goesOut ? await session.publish() : { pages: 0 }
  if ('failed' in published) return failedSite(published.failed)
  if ('pending' in published) return stillPending(published.pending)
  const around = await readDeployments(session, setting)
  const post = toPost(item, setting.mapping, around)
  if (!isChange) return done(post, notes)
  if (!goesOut) return done(post, [...notes, item.draft ? STILL_SEEN_NOTE : SITE_NOTE])
  const along =
    published.pages > 1
      ? [`The site was published with ${published.pages} changed pages, other work in the project included.`]
      : []
  return done({ ...post, status: item.draft ? 'draft' : 'published' }, [...notes, ...along])
}

const byAge = (a: FramerItem, b: FramerItem): number =>
  (a.createdAt ?? '').localeCompare(b.createdAt ?? '') || a.id.localeCompare(b.id)

/**
 * Adds the item, then reads the collection again, because Framer's answer does not contain the item.
 *
 * Framer does not document what happens if two items get a slug at the same time. The oldest item under the slug stays, and other new items
 * of ours are removed.
 */
export const createItem = async (
  session: FramerSession,
  setting: Setting,
  article: CmsArticle,
): Promise<CmsResult<CmsPost>> => {
  const { collectionId, mapping } = setting
  const before = await session.items(collectionId)
  if (before.some((item) => item.slug === article.slug)) return slugTaken(article.slug)
  const { fields, notes } = await withImage(session, setting, article, await build(session, setting, article))
  const known = new Set(before.map((item) => item.id))
  await session.addItem(collectionId, { slug: article.slug, draft: article.status === 'draft', fields })
  const after = await session.items(collectionId)
  const isOurs = (item: FramerItem): boolean =>
    !known.has(item.id) &&
    (mapping.marker ? markerOf(item, mapping) === article.marker : titleOf(item, mapping) === article.title)
  const [kept] = after.filter((item) => item.slug === article.slug).sort(byAge)
  for (const item of after) if (isOurs(item) && item.id !== kept?.id) await session.removeItem(collectionId, item.id)
  if (kept && isOurs(kept)) return await finish(session, setting, kept, notes)
  return kept || after.some(isOurs)
    ? slugTaken(article.slug)
    : { kind: 'unknown', reason: 'Framer does not show the item it was given. It is not known whether it was added.' }
}

/**
 * Changes the item in place. It never changes the slug, nor the date of a live item, nor makes a live item a draft.
 *
 * Returns null if the item is gone.
 */
export const updateItem = async (
  session: FramerSession,
  setting: Setting,
  remoteId: string,
  article: CmsArticle,
  update: CmsUpdate = COMPLETE,
): Promise<CmsResult<CmsPost | null>> => {
  const { collectionId, mapping } = setting
  const known = (await session.items(collectionId)).find((item) => item.id === remoteId)
  if (!known) return done(null)
  const sent = sentParts(article, update)
  const { fields, notes } = await withImage(session, setting, sent, await build(session, setting, sent))
  if (!known.draft && mapping.date) delete fields[mapping.date.id]
  for (const [part, field] of Object.entries(mapping)) if (!sendsMapped(update, part, article)) delete fields[field.id]
  const isFirst = makesPublic(update, article)
  const change: FramerItemInput = { ...(isFirst ? { draft: false } : {}), fields }
  if (!(await session.changeItem(collectionId, remoteId, change))) return done(null)
  const item = { ...known, draft: known.draft && !isFirst, fields: { ...known.fields, ...fields } }
  return await finish(session, setting, item, notes)
}

/** Restores stored fields, and publishes the site again if the connection asks for it. Returns null if the item is gone. */
export const restoreItem = async (
  session: FramerSession,
  setting: Setting,
  remoteId: string,
  kept: FramerItemInput['fields'],
): Promise<CmsResult<CmsPost | null>> => {
  const { collectionId } = setting
  const known = (await session.items(collectionId)).find((item) => item.id === remoteId)
  // A text that is there already is not sent, because it may have components that Framer does not return.
  const fields = Object.fromEntries(
    Object.entries(kept).filter(([id, value]) => JSON.stringify(known?.fields[id]) !== JSON.stringify(value)),
  )
  if (!known || !(await session.changeItem(collectionId, remoteId, { fields }))) return done(null)
  return await finish(session, setting, { ...known, fields: { ...known.fields, ...fields } }, [])
}

/** Makes an item a draft, and publishes the site without it if the connection asks for it. Returns null if the item is gone. */
export const unpublishItem = async (
  session: FramerSession,
  setting: Setting,
  remoteId: string,
): Promise<CmsResult<CmsPost | null>> => {
  const { collectionId } = setting
  const known = (await session.items(collectionId)).find((item) => item.id === remoteId)
  if (!known || !(await session.changeItem(collectionId, remoteId, { draft: true, fields: {} }))) return done(null)
  return await finish(session, setting, { ...known, draft: true }, [], true)
}
