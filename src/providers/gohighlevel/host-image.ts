import type { CmsResult } from '../../publishing/target/cms-adapter.ts'
import { type CmsDeps, done } from '../cms/http.ts'
import { fetchImage } from '../cms/image.ts'
import type { GohighlevelApi } from './api.ts'

const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined)

/**
 * Returns an image in the location's media library; its address there. By its address first: where that only notes the foreign
 * address down, its bytes are uploaded.
 */
export const hostImage = async (api: GohighlevelApi, deps: CmsDeps, url: string): Promise<CmsResult<string>> => {
  const linked = new FormData()
  linked.set('hosted', 'true')
  linked.set('fileUrl', url)
  linked.set('name', url.split('/').at(-1)?.slice(0, 100) || 'image')
  const noted = await api.upload(linked)
  if (noted.kind !== 'got' || hostOf(noted.value.url) !== hostOf(url))
    return noted.kind === 'got' ? done(noted.value.url) : noted
  const file = await fetchImage(deps, url)
  if ('kind' in file) return file
  const sent = new FormData()
  sent.set('hosted', 'false')
  sent.set('name', file.filename)
  sent.set('file', new Blob([file.bytes], { type: file.type }), file.filename)
  const uploaded = await api.upload(sent)
  return uploaded.kind === 'got' ? done(uploaded.value.url) : uploaded
}
