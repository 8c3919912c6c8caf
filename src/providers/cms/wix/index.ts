import type { Cms, CmsResult, CmsSite } from '../../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../../publishing/target/publish-target.ts'
import { type CmsDeps, done } from '../http.ts'
import { hidingSecrets } from '../secrets.ts'
import { wixApi } from './api.ts'
import { authorOf } from './author.ts'
import { findPost } from './look.ts'
import { importImage } from './media.ts'
import { createPost, unpublishPost, updatePost, type Wix } from './save.ts'
import { readVersion, restoreVersion } from './versions.ts'

const probe = async ({ api, memberId }: Wix): Promise<CmsResult<CmsSite>> => {
  const drafts = await api.someDraft()
  if (drafts.kind !== 'got') return drafts
  const author = await authorOf(api, '', memberId)
  if (author.kind !== 'got') return author
  const converted = await api.toRicos('<p>Test</p>')
  const notes =
    converted.kind === 'refused' && !converted.retryable
      ? [`Texts will be converted without Wix, players as links: ${converted.reason}`]
      : []
  const properties = await api.properties()
  const { siteDisplayName, businessName } = properties.kind === 'got' ? properties.value.properties : {}
  return done({ name: siteDisplayName || businessName || 'Wix', url: null }, notes)
}

/**
 * Wix Blog v3 through draft posts. A post has its draft's id.
 *
 * There is no place for our mark, and drafts cannot be searched by slug: a post is found by id. Else it is found by slug among
 * live posts, drafts of its title and the 50 latest edited.
 *
 * Not confirmed by documentation:
 * - what happens to a slug that is taken (refused and made another are handled)
 * - the type of `url` (both are), and which field is the cover (both are sent)
 * - the error without the Blog app
 * - the path of the site's name
 */
export const wixCms = (connection: Connection, deps: CmsDeps): Cms => {
  const { secrets, url } = connection
  const api = wixApi(deps, url, secrets.api_key ?? '', secrets.site_id ?? '')
  const wix: Wix = { api, deps, memberId: secrets.member_id }
  const cms: Cms = {
    probe: () => probe(wix),
    find: (query) => findPost(api, query),
    create: (article) => createPost(wix, article),
    update: (remoteId, article, update) => updatePost(wix, remoteId, article, update),
    unpublish: (remoteId) => unpublishPost(wix, remoteId),
    read: (remoteId) => readVersion(api, remoteId),
    restore: (remoteId, version) => restoreVersion(api, remoteId, version),
    discard: async (remoteId) => (await api.remove(remoteId)).kind === 'got',
    importsImages: true,
    hostImage: async (image) => {
      const file = await importImage(api, deps, image.url)
      return file.kind === 'done' ? done(file.value.url) : file
    },
  }
  return hidingSecrets(cms, [secrets.api_key])
}
