import { md5 } from '@noble/hashes/legacy.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { PictureFile } from '../../../content/media/fetch-picture.ts'
import type { CmsFailure, CmsResult } from '../../../publishing/target/cms-adapter.ts'
import { misfit } from '../got.ts'
import { type CmsDeps, done } from '../http.ts'
import { fetchImage } from '../image.ts'
import type { WebflowApi } from './api.ts'
import type { WebflowAsset } from './types.ts'

const UPLOAD_TIMEOUT_MS = 60_000
const MAX_IMAGE_BYTES = 4 * 1024 * 1024

const upload = async (deps: CmsDeps, asset: WebflowAsset, file: PictureFile): Promise<CmsFailure | undefined> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(asset.uploadDetails)) form.set(name, String(value))
  // The storage reads the fields up to `file`, so it comes last.
  form.append('file', new Blob([file.bytes], { type: file.type }), file.filename)
  const answer = await deps.outbound({
    url: asset.uploadUrl,
    method: 'POST',
    body: form,
    timeoutMs: UPLOAD_TIMEOUT_MS,
    maxBytes: 4_096,
  })
  if (answer.kind === 'answered' && answer.status >= 200 && answer.status < 300) return undefined
  return { kind: 'refused', code: 'unavailable', reason: "Webflow's storage did not take the image.", retryable: true }
}

/** Uploads an image to the site's assets and gives its address there. The same bytes make the same asset name. */
export const hostAsset = async (
  api: WebflowApi,
  deps: CmsDeps,
  siteId: string,
  image: { url: string },
): Promise<CmsResult<string>> => {
  const file = await fetchImage(deps, image.url)
  if ('kind' in file) return file
  if (file.bytes.byteLength > MAX_IMAGE_BYTES) return misfit('Webflow takes images of at most 4 MB.')
  const made = await api.newAsset(siteId, file.filename, bytesToHex(md5(file.bytes)))
  if (made.kind === 'invalid') return made.refusal.failure
  if (made.kind !== 'got') return made
  return (await upload(deps, made.value, file)) ?? done(made.value.hostedUrl)
}
