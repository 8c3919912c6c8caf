import type { Cms, CmsQuery, CmsResult, CmsSite } from '../../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../../publishing/target/publish-target.ts'
import { hidingSecrets } from '../adapter.ts'
import { type CmsDeps, done, type Found } from '../http.ts'
import { ALL_TEXT, inLanguages } from '../languages.ts'
import { mappingNotes, mappingWords, schemaOf } from '../mapped-fields.ts'
import { postOf, workWith } from '../mapped-items.ts'
import { type StrapiApi, strapiApi } from './api.ts'
import { type Setting, STRAPI_PARTS, settingOf } from './connect.ts'
import {
  createDocument,
  documentsBy,
  readVersion,
  restoreVersion,
  storedFile,
  unpublishDocument,
  updateDocument,
} from './save.ts'
import { toPost } from './transform.ts'

/** Checks token, content type and mapping. Changes nothing, so rights to write are not proved. */
const probe = async (
  api: StrapiApi,
  url: string,
  setting: () => ReturnType<ReturnType<typeof settingOf>>,
  hasAdminToken: boolean,
) => {
  const known = await setting()
  if (known.kind !== 'got') return known
  const { mapping, plural, populate, urlPrefix } = known.value
  const read = await api.documentsBy(plural, 'draft', populate, [])
  if (read.kind !== 'got') return read
  return done<CmsSite>(
    {
      name: new URL(url).host,
      url: urlPrefix === undefined ? null : new URL(urlPrefix).origin,
    },
    [
      `Fields used: ${mappingWords(mapping)}.`,
      ...mappingNotes('Strapi', mapping, STRAPI_PARTS, urlPrefix),
      ...(hasAdminToken ? [] : ['Without admin_token an article cannot be taken down: the REST API of Strapi cannot.']),
    ],
  )
}

/** Finds a document by all that may identify it. */
const find = async (
  api: StrapiApi,
  setting: Setting,
  { marker, remoteId = '', slug }: CmsQuery,
): Promise<CmsResult<Found>> => {
  const { mapping } = setting
  const conditions = [
    ...(remoteId === '' ? [] : [{ documentId: remoteId }]),
    ...(mapping.marker && marker !== '' ? [{ [mapping.marker.name]: marker }] : []),
    ...(mapping.slug && slug !== '' ? [{ [mapping.slug.name]: slug }] : []),
  ]
  if (conditions.length === 0) return done(null)
  const found = await documentsBy(api, setting, conditions)
  if (found.kind !== 'got') return found
  const posts = found.value.map(({ draft, published }) => toPost(draft, published !== undefined, setting))
  return postOf(posts, { remoteId, marker, slug })
}

/**
 * Returns the adapter for Strapi 5: articles are documents of one collection type, whose fields people chose or which are found by name and
 * kind.
 *
 * Every write names the version that it leaves, because the REST API publishes if a request names none.
 *
 * Not confirmed by documentation:
 * - limits of Strapi Cloud (429 is obeyed)
 * - other locales than the default one
 */
export const strapiCms = (connection: Connection, deps: CmsDeps): Cms => {
  const { secrets, url } = connection
  const { api_token = '', admin_token, content_type = '' } = secrets
  const api = strapiApi(deps, url, api_token, admin_token)
  const setting = settingOf(api, connection, deps.serviceName)
  const withSetting = workWith(setting)
  const strapi = { api, deps }
  const hasAdminToken = admin_token !== undefined
  const cms: Cms = {
    probe: () => probe(api, url, setting, hasAdminToken),
    schema: () => withSetting(({ plural, fields, mapping }) => done(schemaOf(plural, fields, mapping))),
    find: (query) => withSetting((known) => find(api, known, query)),
    create: (article) => withSetting((known) => createDocument(strapi, known, article)),
    update: (remoteId, ...given) => withSetting((known) => updateDocument(strapi, known, remoteId, ...given)),
    unpublish: (remoteId) => withSetting((known) => unpublishDocument(strapi, known, remoteId, hasAdminToken)),
    read: (remoteId) => withSetting((known) => readVersion(api, known, remoteId)),
    restore: (remoteId, version, _, seenAt) =>
      withSetting((known) => restoreVersion(strapi, known, remoteId, version, seenAt)),
    discard: (remoteId) => api.remove(content_type, remoteId),
    hostImage: async (image) => {
      const file = await storedFile(strapi, image)
      return file.kind === 'got' ? done(new URL(file.value.url, `${url}/`).href) : file
    },
  }
  return hidingSecrets(inLanguages(ALL_TEXT, cms), [api_token, admin_token])
}
