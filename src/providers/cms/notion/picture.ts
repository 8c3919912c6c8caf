import { pictureTypeAt } from '../../../content/media/fetch-picture.ts'
import { sha256 } from '../../../platform/lib/crypto.ts'
import type { CmsArticle } from '../../../publishing/target/cms-adapter.ts'
import type { CmsMeans } from '../http.ts'
import type { NotionApi } from './api.ts'
import { imageUrl } from './transform.ts'
import type { NotionPage } from './types.ts'

const POLL_MS = 1_000
const MAX_POLLS = 15

/** A page's cover as it is sent, and the value of a property of files. Without `cover` the page's stays. */
export type Picture = { cover?: object | null; file?: object; notes: string[] }

const linked = (url: string): Picture => ({
  cover: { type: 'external', external: { url } },
  file: { name: 'image', external: { url } },
  notes: [],
})

/** The id of a file Notion took in; the reason where it did not. */
const takenIn = async (api: NotionApi, means: CmsMeans, url: string, filename: string, type: string | undefined) => {
  let upload = await api.importFile(url, filename, type)
  for (let poll = 0; poll < MAX_POLLS && upload.kind === 'got' && upload.value.status === 'pending'; poll += 1) {
    await means.sleep(POLL_MS)
    upload = await api.upload(upload.value.id)
  }
  if (upload.kind !== 'got') return { reason: upload.reason }
  return upload.value.status === 'uploaded' ? { id: upload.value.id } : { reason: 'Notion could not fetch it.' }
}

/**
 * The article's image for a page: linked by its address, or taken into Notion where the project wants that. The file's name
 * tells its source, so that an update does not take the same image in again. One that cannot be taken in is linked.
 */
export const pictureOf = async (
  api: NotionApi,
  means: CmsMeans,
  article: CmsArticle,
  before: NotionPage | undefined,
): Promise<Picture> => {
  const url = imageUrl(article)
  if (!url) return { cover: null, notes: [] }
  if (!article.image?.toHost) return linked(url)
  const type = await pictureTypeAt(means, url)
  const filename = `image-${(await sha256(url)).slice(0, 16)}.${type?.extension ?? 'jpg'}`
  if (before?.cover?.file?.url.includes(filename)) return { notes: [] }
  const taken = await takenIn(api, means, url, filename, type?.type)
  if ('reason' in taken) return { ...linked(url), notes: [`The image stays linked: ${taken.reason}`] }
  const upload = { type: 'file_upload', file_upload: { id: taken.id } }
  return { cover: upload, file: { name: filename, ...upload }, notes: [] }
}
