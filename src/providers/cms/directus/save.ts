import type {
  CmsArticle,
  CmsFailure,
  CmsPost,
  CmsResult,
  CmsUpdate,
  CmsVersion,
} from '../../../publishing/target/cms-adapter.ts'
import { COMPLETE, makesPublic, sends, sentParts } from '../fields.ts'
import { type CmsDeps, done, type Got, got, misfit, refused } from '../http.ts'
import { changedMeanwhile, keptIn, slugNotes, stillThere, withImage } from '../mapped-items.ts'
import { keptValues, mappedValues, mappedWords } from '../mapped-values.ts'
import type { DirectusApi, DirectusItem, KeyField, NotUnique } from './api.ts'
import type { Setting } from './connect.ts'
import { canBeKey, isKeyChosen } from './fields.ts'
import { changeTimeOf, keyIn, readFields, toPost, uuidOf } from './transform.ts'

/** One project, and the services for working with it. */
export type Directus = { api: DirectusApi; deps: CmsDeps }

/** Returns the key that an item of an article has, if the collection lets us choose it. */
export const ownKeyOf = async (key: KeyField, marker: string): Promise<{ key: string; marker: string } | undefined> =>
  isKeyChosen(key) ? { key: await uuidOf(marker), marker } : undefined

/** Reads an item by its key; null if there is none. */
const itemAt = async (api: DirectusApi, setting: Setting, remoteId: string): Promise<Got<DirectusItem | null>> => {
  const { collection, key } = setting
  if (!canBeKey(key, remoteId)) return got(null)
  const found = await api.itemsBy(collection, key, [{ [key.name]: { _eq: remoteId } }], readFields(setting))
  return found.kind === 'got' ? got(found.value[0] ?? null) : found
}

/**
 * Returns the article's feature image as a file of the project, or why there is none.
 *
 * The file's key follows from the address, so an image is stored once, however often a call is repeated.
 */
export const storedFile = async (
  { api }: Pick<Directus, 'api'>,
  { url, alt }: { url: string; alt: string },
): Promise<Got<string>> => {
  const id = await uuidOf(url)
  if (await api.hasFile(id)) return got(id)
  const failure = await api.importFile(url, id, alt)
  if (!failure || (failure.kind === 'unknown' && (await api.hasFile(id)))) return got(id)
  return failure
}

/** Returns the function that stores an image of an article. */
const imageIn = (directus: Directus) => (image: { url: string; alt: string }) => storedFile(directus, image)

const slugTaken = (slug: string): CmsFailure =>
  refused('slug_taken', `Directus already has an item with the slug "${slug}".`, 400)

/** Returns the failure of a value that another item has. If it is the key, an earlier attempt has made this article's item. */
const notUnique = ({ field, failure }: NotUnique, { key, mapping }: Setting, slug: string): CmsFailure => {
  if (mapping.slug && field === mapping.slug.name) return slugTaken(slug)
  return field === '' || field === key.name || field === mapping.marker?.name
    ? refused('conflict', 'Directus already has this article, put there a moment ago.', 400, true)
    : failure
}

/** Returns the outcome of a write whose answer had no item: Directus lets the token write, and not read. */
const UNREAD: CmsFailure = {
  kind: 'unknown',
  reason: 'Directus accepted the item and does not let the token read it, so its state is not known. Allow reading.',
}

/** Creates an item in one call, with its state. */
export const createItem = async (
  directus: Directus,
  setting: Setting,
  article: CmsArticle,
): Promise<CmsResult<CmsPost>> => {
  const { collection, key, mapping, states } = setting
  const own = await ownKeyOf(key, article.marker)
  const { values, notes } = await withImage(setting, article, mappedValues(article, setting), imageIn(directus))
  const made = await directus.api.create(
    collection,
    { ...values, ...(own ? { [key.name]: own.key } : {}), [mapping.status.name]: states[article.status] },
    readFields(setting),
  )
  if (made.kind === 'not_unique') return notUnique(made, setting, article.slug)
  if (made.kind !== 'got') return made
  if (made.value === null) return UNREAD
  const post = toPost(made.value, setting, own)
  return done(post, [...notes, ...slugNotes('Directus', setting, post, article.slug)])
}

const CHANGED = changedMeanwhile('Directus', 'item')

/** True if an item has another time of change than the version that was read. */
const isChangedSince = (item: DirectusItem, setting: Setting, seenAt: string | undefined): boolean => {
  const changedAt = changeTimeOf(item, setting)
  return seenAt !== undefined && changedAt !== undefined && changedAt !== seenAt
}

/** Writes values to an item. Returns null if the item is gone. */
const write = async (
  { api }: Directus,
  setting: Setting,
  item: DirectusItem,
  values: DirectusItem,
  notes: readonly string[] = [],
  own?: { key: string; marker: string },
): Promise<CmsResult<CmsPost | null>> => {
  const changed = await api.change(setting.collection, keyIn(item, setting), values, readFields(setting))
  if (changed.kind === 'not_unique') return changed.failure
  if (changed.kind !== 'got') return changed
  return changed.value ? done(toPost(changed.value, setting, own), notes) : UNREAD
}

/**
 * Changes an item in place; its slug stays. Returns null if it is gone.
 *
 * Only a publication sends the state, and the date of an item that readers do not see yet.
 */
export const updateItem = async (
  directus: Directus,
  setting: Setting,
  remoteId: string,
  article: CmsArticle,
  update: CmsUpdate = COMPLETE,
  seenAt?: string,
): Promise<CmsResult<CmsPost | null>> => {
  const { key, mapping, states } = setting
  const known = await itemAt(directus.api, setting, remoteId)
  if (known.kind !== 'got') return known
  const item = known.value
  if (item === null) return done(null)
  if (isChangedSince(item, setting, seenAt)) return CHANGED
  const isLive = item[mapping.status.name] === states.published
  const built = mappedValues(article, setting, { update })
  const { values, notes } = sends(update, 'image')
    ? await withImage(setting, sentParts(article, update), built, imageIn(directus))
    : built
  for (const field of [mapping.slug, isLive ? mapping.date : undefined]) if (field) delete values[field.name]
  const state = makesPublic(update, article) ? { [mapping.status.name]: states.published } : {}
  return await write(directus, setting, item, { ...values, ...state }, notes, await ownKeyOf(key, article.marker))
}

/** Gives an item the state of a draft. Returns null if it is gone. */
export const unpublishItem = async (
  directus: Directus,
  setting: Setting,
  remoteId: string,
): Promise<CmsResult<CmsPost | null>> => {
  const known = await itemAt(directus.api, setting, remoteId)
  if (known.kind !== 'got') return known
  if (known.value === null) return done(null)
  const { mapping, states } = setting
  return await write(directus, setting, known.value, { [mapping.status.name]: states.draft })
}

/** Returns the values of an item that a rollback restores. */
export const readVersion = async (
  api: DirectusApi,
  setting: Setting,
  remoteId: string,
): Promise<CmsResult<CmsVersion | null>> => {
  const known = await itemAt(api, setting, remoteId)
  if (known.kind !== 'got') return known
  if (known.value === null) return done(null)
  const changedAt = changeTimeOf(known.value, setting)
  return done({
    values: keptValues(known.value, setting.mapping),
    words: mappedWords(known.value, setting.mapping),
    ...(changedAt === undefined ? {} : { changedAt }),
  })
}

/** Puts kept values back. Fields that the collection no longer has are left out. Returns null if the item is gone. */
export const restoreVersion = async (
  directus: Directus,
  setting: Setting,
  remoteId: string,
  version: CmsVersion,
  seenAt?: string,
): Promise<CmsResult<CmsPost | null>> => {
  const kept = keptIn(version)
  if (!kept) return misfit('The kept version cannot be read.')
  const known = await itemAt(directus.api, setting, remoteId)
  if (known.kind !== 'got') return known
  if (known.value === null) return done(null)
  if (isChangedSince(known.value, setting, seenAt)) return CHANGED
  return await write(directus, setting, known.value, stillThere(kept, known.value, setting))
}
