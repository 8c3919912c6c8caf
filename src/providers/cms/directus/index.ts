import type { Cms, CmsQuery, CmsResult, CmsSite } from '../../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../../publishing/target/publish-target.ts'
import { hidingSecrets } from '../adapter.ts'
import { type CmsDeps, done, type Found, misfit, refused } from '../http.ts'
import { ALL_TEXT, inLanguages } from '../languages.ts'
import { MAPPED_PARTS, mappingNotes, mappingWords, schemaOf } from '../mapped-fields.ts'
import { postOf, workWith } from '../mapped-items.ts'
import { type DirectusApi, directusApi } from './api.ts'
import { type Setting, settingOf } from './connect.ts'
import { canBeKey, isKeyChosen } from './fields.ts'
import { createItem, ownKeyOf, readVersion, restoreVersion, storedFile, unpublishItem, updateItem } from './save.ts'
import { readFields, toPost } from './transform.ts'

const NEEDED = ['create', 'read', 'update'] as const

/** Returns notes on what the collection lacks. */
const settingNotes = (setting: Setting): string[] => {
  const { mapping, states, key, createdAt, urlPrefix } = setting
  return [
    `Fields used: ${mappingWords(mapping)}. Public: ${String(states.published)}; draft: ${String(states.draft)}.`,
    ...mappingNotes('Directus', mapping, MAPPED_PARTS, urlPrefix),
    ...(isKeyChosen(key) || mapping.marker || createdAt
      ? []
      : [
          'The collection has neither a field for our mark nor one with the time of creation, so an item whose answer was lost is not known again. Add a text field "external_id".',
        ]),
  ]
}

/** Checks token, collection, mapping and rights. Changes nothing. */
const probe = async (api: DirectusApi, setting: () => ReturnType<ReturnType<typeof settingOf>>) => {
  const info = await api.info()
  if (info.kind !== 'got') return info
  const rights = await api.rights()
  if (rights.kind !== 'got') return rights
  const known = await setting()
  if (known.kind !== 'got') return known
  const { collection, mapping, urlPrefix } = known.value
  const mayDo = (of: string, action: string): boolean => (rights.value.data[of]?.[action]?.access ?? 'none') !== 'none'
  const missing = NEEDED.filter((action) => !mayDo(collection, action))
  if (missing.length > 0)
    return refused(
      'auth_forbidden',
      `The token may not ${missing.join(', ')} items of "${collection}". Give its user a policy with these rights.`,
      403,
    )
  const isBlind =
    mapping.image?.kind === 'file' && !(mayDo('directus_files', 'create') && mayDo('directus_files', 'read'))
  return done<CmsSite>(
    {
      name: info.value.data.project?.project_name || 'Directus',
      url: urlPrefix === undefined ? null : new URL(urlPrefix).origin,
    },
    [
      ...settingNotes(known.value),
      ...(isBlind ? ['The token may not create and read files, so images are left out.'] : []),
    ],
  )
}

/** Finds an item in one request, by all that may identify it. */
const find = async (
  api: DirectusApi,
  setting: Setting,
  { marker, remoteId = '', slug }: CmsQuery,
): Promise<CmsResult<Found>> => {
  const { collection, key, mapping } = setting
  const own = await ownKeyOf(key, marker)
  const conditions = [
    ...(canBeKey(key, remoteId) ? [{ [key.name]: { _eq: remoteId } }] : []),
    ...(own && marker !== '' ? [{ [key.name]: { _eq: own.key } }] : []),
    ...(mapping.marker && marker !== '' ? [{ [mapping.marker.name]: { _eq: marker } }] : []),
    ...(mapping.slug && slug !== '' ? [{ [mapping.slug.name]: { _eq: slug } }] : []),
  ]
  if (conditions.length === 0) return done(null)
  const found = await api.itemsBy(collection, key, conditions, readFields(setting))
  if (found.kind !== 'got') return found
  return postOf(
    found.value.map((item) => toPost(item, setting, own)),
    { remoteId, marker, slug },
  )
}

/** Stores an image of the text in the project. Its address is used only if everybody may read it. */
const hostImage = async (
  api: DirectusApi,
  url: string,
  image: { url: string; alt: string },
): Promise<CmsResult<string>> => {
  const file = await storedFile({ api }, image)
  if (file.kind !== 'got') return file
  return (await api.isPublic(file.value))
    ? done(`${url}/assets/${file.value}`)
    : misfit('Directus shows its files to nobody without a token. Let the Public policy read files there.')
}

/**
 * Returns the adapter for Directus: articles are items of one collection, whose fields people chose or which are found by name and kind.
 *
 * Every creation sends the state. Where the key of an item may be chosen, it follows from our mark, so a repeated creation is refused.
 *
 * Not confirmed by documentation:
 * - what a write answers when an extension changed the item
 * - limits of Directus Cloud (429 is obeyed)
 */
export const directusCms = (connection: Connection, deps: CmsDeps): Cms => {
  const { secrets, url } = connection
  const api = directusApi(deps, url, secrets.access_token ?? '')
  const setting = settingOf(api, connection, deps.serviceName)
  const withSetting = workWith(setting)
  const directus = { api, deps }
  const cms: Cms = {
    probe: () => probe(api, setting),
    schema: () => withSetting(({ collection, fields, mapping }) => done(schemaOf(collection, fields, mapping))),
    find: (query) => withSetting((known) => find(api, known, query)),
    create: (article) => withSetting((known) => createItem(directus, known, article)),
    update: (remoteId, ...given) => withSetting((known) => updateItem(directus, known, remoteId, ...given)),
    unpublish: (remoteId) => withSetting((known) => unpublishItem(directus, known, remoteId)),
    read: (remoteId) => withSetting((known) => readVersion(api, known, remoteId)),
    restore: (remoteId, version, _, seenAt) =>
      withSetting((known) => restoreVersion(directus, known, remoteId, version, seenAt)),
    discard: (remoteId) => api.remove(secrets.collection ?? '', remoteId),
    hostImage: (image) => hostImage(api, url, image),
  }
  return hidingSecrets(inLanguages(ALL_TEXT, cms), [secrets.access_token])
}
