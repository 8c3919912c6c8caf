import { hideSecrets } from '../../platform/lib/hide-secrets.ts'
import type { Cms, CmsResult } from '../../publishing/target/cms-adapter.ts'

/** Returns the same CMS, whose sentences give no secret away: a provider may repeat in an error what it was sent. */
export const hidingSecrets = (cms: Cms, secrets: readonly (string | undefined)[]): Cms => {
  const hide = (text: string): string => hideSecrets(text, secrets)
  const clean = <T>(result: CmsResult<T>): CmsResult<T> => {
    if (result.kind !== 'done') return { ...result, reason: hide(result.reason) }
    return result.notes ? { ...result, notes: result.notes.map(hide) } : result
  }
  const { read, restore, unpublish, hostImage, importsImages, linksCover, discard } = cms
  return {
    probe: async () => clean(await cms.probe()),
    find: async (query) => clean(await cms.find(query)),
    create: async (article) => clean(await cms.create(article)),
    update: async (remoteId, article, update) => clean(await cms.update(remoteId, article, update)),
    ...(read ? { read: async (remoteId) => clean(await read(remoteId)) } : {}),
    ...(restore ? { restore: async (remoteId, version) => clean(await restore(remoteId, version)) } : {}),
    ...(unpublish ? { unpublish: async (remoteId, article) => clean(await unpublish(remoteId, article)) } : {}),
    ...(discard ? { discard } : {}),
    ...(importsImages ? { importsImages } : {}),
    ...(linksCover ? { linksCover } : {}),
    ...(hostImage ? { hostImage: async (image) => clean(await hostImage(image)) } : {}),
  }
}
