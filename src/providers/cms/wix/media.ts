import { pictureName, pictureTypeAt } from '../../../content/media/fetch.ts'
import { clip } from '../../../platform/lib/text.ts'
import type { CmsFailure, CmsResult } from '../../../publishing/target/cms-adapter.ts'
import { type CmsDeps, done } from '../http.ts'
import type { WixApi } from './api.ts'
import { mediaUrl, type WixImage } from './ricos.ts'

/** Number of concurrent imports. Workers allow six connections at once. */
const AT_ONCE = 5
const SIZE_WAIT_MS = 2_000

/** Returns the id of an image that is already in Wix's media; undefined for other addresses. */
const ownId = (url: string): string | undefined => /^https:\/\/static\.wixstatic\.com\/media\/([\w~.-]+)/.exec(url)?.[1]

const failed = (url: string): CmsFailure => ({
  kind: 'refused',
  code: 'validation',
  reason: `Wix could not fetch the image ${clip(url, 200)}.`,
  retryable: false,
})

type File = { id: string; url?: string | null | undefined; operationStatus?: string | null | undefined; media?: Media }
type Media = { image?: { image?: { width?: number | null; height?: number | null } | null } | null } | null | undefined

const imageOf = (url: string, file: File): CmsResult<WixImage> => {
  if (file.operationStatus === 'FAILED') return failed(url)
  const { width, height } = file.media?.image?.image ?? {}
  // A file that is still being fetched may come without its address, which is built from its id.
  const address = file.url || mediaUrl(file.id)
  return done({ id: file.id, url: address, size: width && height ? { width, height } : undefined })
}

/**
 * Makes Wix import an image into the site's files. The returned id can be used at once, while Wix still fetches the image.
 *
 * Wix uses the type that we send. Without one, Wix would send HEAD to the image's server, which signed addresses refuse.
 */
export const importImage = async (api: WixApi, deps: CmsDeps, url: string): Promise<CmsResult<WixImage>> => {
  const own = ownId(url)
  if (own) return done({ id: own, url, size: undefined })
  const type = await pictureTypeAt(deps, url)
  const name = pictureName(url, type?.extension ?? 'jpg')
  const answer = await api.importFile(url, name, type?.type)
  return answer.kind === 'got' ? imageOf(url, answer.value.file) : answer
}

/** Runs work for each item, a few at a time. Returns the results in order. */
const each = async <T, R>(list: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = []
  for (let at = 0; at < list.length; at += AT_ONCE)
    results.push(...(await Promise.all(list.slice(at, at + AT_ONCE).map(work))))
  return results
}

/**
 * Imports several images into the site's files, at the same time.
 *
 * Missing sizes are read once, after all imports have started. An image without a size is shown in a default size.
 */
export const importImages = async (
  api: WixApi,
  deps: CmsDeps,
  urls: readonly string[],
): Promise<ReadonlyMap<string, CmsResult<WixImage>>> => {
  const images = new Map<string, CmsResult<WixImage>>()
  const results = await each(urls, (url) => importImage(api, deps, url))
  urls.forEach((url, n) => {
    const result = results[n]
    if (result) images.set(url, result)
  })
  const unsized = [...images].flatMap(([url, image]) =>
    image.kind === 'done' && !image.value.size ? [{ url, id: image.value.id }] : [],
  )
  if (unsized.length === 0) return images
  if (unsized.some(({ url }) => !ownId(url))) await deps.sleep(SIZE_WAIT_MS)
  await each(unsized, async ({ url, id }) => {
    const asked = await api.file(id)
    if (asked.kind === 'got') images.set(url, imageOf(url, asked.value.file))
  })
  return images
}
