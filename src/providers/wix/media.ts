import type { CmsFailure, CmsResult } from '../../publishing/cms.ts'
import { type CmsMeans, done } from '../cms/http.ts'
import type { WixApi } from './api.ts'
import type { WixImage } from './ricos.ts'

const POLLS = 5
const POLL_MS = 1_000

const nameOf = (url: string): string => {
  const last = URL.canParse(url) ? new URL(url).pathname.split('/').at(-1) : ''
  return (last || 'image.jpg').replace(/[^\w.-]+/g, '-').slice(0, 100)
}

const failed = (url: string): CmsFailure => ({
  kind: 'refused',
  code: 'validation',
  reason: `Wix could not fetch the image ${nameOf(url)}.`,
  retryable: false,
})

/**
 * An image made the site's own. Wix fetches it by itself; its size is known when that is done, which is waited for a few
 * seconds: the file can be used before.
 */
export const importImage = async (api: WixApi, means: CmsMeans, url: string): Promise<CmsResult<WixImage>> => {
  let answer = await api.importFile(url, nameOf(url))
  for (let poll = 0; poll < POLLS; poll += 1) {
    if (answer.kind !== 'got' || answer.value.file.operationStatus !== 'PENDING') break
    const { id } = answer.value.file
    await means.sleep(POLL_MS)
    const asked = await api.file(id)
    if (asked.kind === 'got') answer = asked
  }
  if (answer.kind !== 'got') return answer
  const { file } = answer.value
  if (file.operationStatus === 'FAILED') return failed(url)
  const { width, height } = file.media?.image?.image ?? {}
  return done({ id: file.id, url: file.url ?? '', size: width && height ? { width, height } : undefined })
}
