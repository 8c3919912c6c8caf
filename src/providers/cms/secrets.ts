import type { Cms, CmsResult } from '../../publishing/cms.ts'

const HIDDEN = '[hidden]'
const MIN_LENGTH = 6

/** A text without a secret, and without the beginning of one where the text was cut in its midst. */
const withoutOne = (text: string, secret: string): string => {
  const shown = text.replaceAll(secret, HIDDEN)
  for (let length = secret.length - 1; length >= MIN_LENGTH; length -= 1)
    if (shown.endsWith(secret.slice(0, length))) return shown.slice(0, -length) + HIDDEN
  return shown
}

/** The same CMS, whose sentences give no secret away: a provider may repeat in an error what it was sent. */
export const hidingSecrets = (cms: Cms, secrets: readonly (string | undefined)[]): Cms => {
  const known = secrets.filter((secret) => secret !== undefined && secret.length >= MIN_LENGTH) as string[]
  const hide = (text: string): string => known.reduce(withoutOne, text)
  const clean = <T>(result: CmsResult<T>): CmsResult<T> => {
    if (result.kind !== 'done') return { ...result, reason: hide(result.reason) }
    return result.notes ? { ...result, notes: result.notes.map(hide) } : result
  }
  const { read, restore, hostImage } = cms
  return {
    probe: async () => clean(await cms.probe()),
    find: async (query) => clean(await cms.find(query)),
    create: async (article) => clean(await cms.create(article)),
    update: async (remoteId, article) => clean(await cms.update(remoteId, article)),
    ...(read ? { read: async (remoteId) => clean(await read(remoteId)) } : {}),
    ...(restore ? { restore: async (remoteId, version) => clean(await restore(remoteId, version)) } : {}),
    ...(hostImage ? { hostImage: async (image) => clean(await hostImage(image)) } : {}),
  }
}
