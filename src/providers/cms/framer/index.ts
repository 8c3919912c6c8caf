import * as z from 'zod/mini'
import type { Cms, CmsQuery, CmsResult, CmsSite, CmsVersion } from '../../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../../publishing/target/publish-target.ts'
import { hidingSecrets } from '../adapter.ts'
import { type CmsDeps, done, type Found, misfit } from '../http.ts'
import { ALL_TEXT, inLanguages } from '../languages.ts'
import { readDeployments, readSetting, type Setting } from './connect.ts'
import { listSitePosts, readSitePost } from './list.ts'
import { type Mapping, PARTS } from './mapping.ts'
import type { FramerItem, FramerPort, FramerSession, FramerValue } from './port.ts'
import { createItem, restoreItem, stillPending, unpublishItem, updateItem } from './save.ts'
import { framerSdk } from './sdk.ts'
import { withSession } from './session.ts'
import { isDeployed, keptFields, markerOf, toPost, waitsForSite, wordsOf } from './transform.ts'

const probe = async (session: FramerSession, setting: Setting): Promise<CmsResult<CmsSite>> => {
  const { mapping, isPublishing } = setting
  const name = await session.projectName()
  const { site, path } = await readDeployments(session, setting)
  const used = PARTS.flatMap((part) => (mapping[part] ? [`${part} → ${mapping[part].name}`] : []))
  const notes = [
    `Fields used: ${used.join(', ')}.`,
    ...(mapping.marker
      ? []
      : ['No text field for our mark ("Article ID"): articles are found again by their slug only.']),
    ...(site ? [] : ['The site was never published.']),
    ...(path === null ? ['The collection has no page of its own for its items, so they have no address.'] : []),
    isPublishing
      ? 'publish_site: each article publishes the whole project, unfinished work in it included.'
      : 'Articles are seen by readers when the site is next published in Framer (publish_site is off).',
  ]
  return done({ name, url: site?.url ?? null }, notes)
}

const versionOf = (item: FramerItem, mapping: Mapping): CmsVersion => ({
  fields: keptFields(item, mapping),
  words: wordsOf(item, mapping),
})

const find = async (
  session: FramerSession,
  setting: Setting,
  { remoteId, marker, slug, withVersion }: CmsQuery,
): Promise<CmsResult<Found>> => {
  const items = await session.items(setting.collectionId)
  let around = await readDeployments(session, setting)
  const lookUps = [
    { matchedBy: 'remote_id', is: (item: FramerItem) => item.id === remoteId },
    { matchedBy: 'marker', is: (item: FramerItem) => markerOf(item, setting.mapping) === marker },
    { matchedBy: 'slug', is: (item: FramerItem) => item.slug === slug },
  ] as const
  for (const { matchedBy, is } of lookUps) {
    const item = items.find(is)
    if (!item) continue
    if (waitsForSite(item, around)) {
      const pending = await session.pending()
      if (pending && isDeployed(pending, item)) return stillPending(pending.id)
      // A deployment may have ended since the site was read.
      around = await readDeployments(session, setting)
    }
    const version = withVersion ? { version: versionOf(item, setting.mapping) } : {}
    return done({ ...toPost(item, setting.mapping, around), matchedBy, ...version })
  }
  return done(null)
}

const Version = z.object({ fields: z.record(z.string(), z.looseObject({ type: z.string() })) })

/**
 * Returns the adapter for Framer's Server API: articles are items of one collection that people made. Every call opens and closes a
 * session.
 *
 * The site is published only if the connection asks for it, because that publishes the whole project.
 *
 * Not confirmed by documentation:
 * - the error of a wrong key
 * - the result of a taken slug (searched before and after)
 * - the placeholder in a page's path
 * - the unit of a deployment's time (read as ms)
 * - the number of sessions per project and key
 * - that an error without a code always means that nothing was done
 */
export const framerCms = (connection: Connection, deps: CmsDeps, port: FramerPort = framerSdk()): Cms => {
  const inSession = <T>(
    work: (session: FramerSession, setting: Setting) => Promise<CmsResult<T>>,
    kind: 'reading' | 'writing' = 'reading',
  ) =>
    withSession(
      port,
      deps,
      connection,
      async (session) => {
        const setting = await readSetting(session, connection, deps.serviceName)
        return setting.kind === 'got' ? await work(session, setting.value) : setting
      },
      kind,
    )
  const cms: Cms = {
    probe: () => inSession(probe),
    find: (query) => inSession((session, setting) => find(session, setting, query)),
    create: (article) => inSession((session, setting) => createItem(session, setting, article), 'writing'),
    update: (remoteId, article, update) =>
      inSession((session, setting) => updateItem(session, setting, remoteId, article, update), 'writing'),
    unpublish: (remoteId) => inSession((session, setting) => unpublishItem(session, setting, remoteId), 'writing'),
    listPosts: (cursor) => inSession((session, setting) => listSitePosts(session, setting, cursor)),
    readPost: (ref) => inSession((session, setting) => readSitePost(session, setting, ref)),
    read: (remoteId) =>
      inSession(async (session, { collectionId, mapping }) => {
        const item = (await session.items(collectionId)).find((one) => one.id === remoteId)
        return done(item ? versionOf(item, mapping) : null)
      }),
    restore: (remoteId, version) => {
      const kept = Version.safeParse(version)
      if (!kept.success) return Promise.resolve(misfit('The kept version cannot be read.'))
      const fields = kept.data.fields as Record<string, FramerValue>
      return inSession((session, setting) => restoreItem(session, setting, remoteId, fields), 'writing')
    },
    discard: async (remoteId) => {
      const removed = await inSession(async (session, { collectionId }) => {
        await session.removeItem(collectionId, remoteId)
        return done(true)
      }, 'writing')
      return removed.kind === 'done'
    },
    hostImage: ({ url, alt }) => withSession(port, deps, connection, async (s) => done(await s.uploadImage(url, alt))),
  }
  return hidingSecrets(inLanguages(ALL_TEXT, cms), [connection.secrets.api_key])
}
