import type { CmsFailure, CmsResult } from '../../../publishing/target/cms-adapter.ts'
import { type Got, got, misfit } from '../got.ts'
import { type CmsDeps, done, quotable } from '../http.ts'
import { fetchImage } from '../image.ts'
import type { ShopifyApi } from './api.ts'
import { CREATE_FILE, FILE, STAGE_UPLOAD } from './documents.ts'
import { type File, FileData, FilesData, StagedData, type UserError } from './types.ts'

const POLL_MS = 1_000
const MAX_POLLS = 20
const UPLOAD_TIMEOUT_MS = 30_000

type Image = { url: string; alt: string }

const refusedFor = (errors: readonly UserError[]): CmsFailure =>
  misfit(`Shopify does not take the image (${quotable(errors.map((e) => e.message).join('; ')) || 'no reason given'}).`)

/** Makes a file of an address; the file as it is when Shopify has worked on it, or gave up. */
const fileFrom = async (api: ShopifyApi, deps: CmsDeps, { url, alt }: Image): Promise<Got<File>> => {
  const made = await api.ask({
    document: CREATE_FILE,
    variables: { files: [{ originalSource: url, alt, contentType: 'IMAGE' }] },
    data: FilesData,
    writes: true,
  })
  if (made.kind !== 'got') return made
  const { files, userErrors } = made.value.fileCreate
  const [first] = files ?? []
  if (!first) return refusedFor(userErrors)
  let file: File = first
  for (let poll = 0; poll < MAX_POLLS && /^(UPLOADED|PROCESSING)$/.test(file.fileStatus); poll += 1) {
    await deps.sleep(POLL_MS)
    const asked: Got<{ node?: File | null | undefined }> = await api.ask({
      document: FILE,
      variables: { id: file.id },
      data: FileData,
      writes: false,
    })
    if (asked.kind === 'got' && asked.value.node) file = asked.value.node
  }
  return got(file)
}

/** Sends the bytes of an image to where Shopify takes them from; the address to make a file of. */
const stage = async (api: ShopifyApi, deps: CmsDeps, url: string): Promise<Got<string>> => {
  const image = await fetchImage(deps, url)
  if ('kind' in image) return image
  const { bytes, type: mimeType, filename } = image
  const input = [{ resource: 'IMAGE', filename, mimeType, httpMethod: 'POST', fileSize: String(bytes.byteLength) }]
  const staged = await api.ask({ document: STAGE_UPLOAD, variables: { input }, data: StagedData, writes: true })
  if (staged.kind !== 'got') return staged
  const { stagedTargets, userErrors } = staged.value.stagedUploadsCreate
  const target = stagedTargets?.[0]
  if (!target?.url || !target.resourceUrl) return refusedFor(userErrors)
  const form = new FormData()
  for (const { name, value } of target.parameters) form.set(name, value)
  // The storage reads the fields up to `file`, so it comes last.
  form.append('file', new Blob([bytes], { type: mimeType }), filename)
  const sent = await deps.outbound({
    url: target.url,
    method: 'POST',
    body: form,
    timeoutMs: UPLOAD_TIMEOUT_MS,
    maxBytes: 4_096,
  })
  return sent.kind === 'answered' && sent.status < 300
    ? got(target.resourceUrl)
    : { kind: 'refused', code: 'unavailable', reason: "Shopify's storage did not take the image.", retryable: true }
}

/**
 * Takes an image into the shop's files; its address there. By its address first; where Shopify cannot fetch that, its bytes are
 * sent. Needs the scope write_files.
 */
export const hostFile = async (api: ShopifyApi, deps: CmsDeps, image: Image): Promise<CmsResult<string>> => {
  const linked = await fileFrom(api, deps, image)
  if (linked.kind !== 'got') return linked
  let file = linked.value
  if (file.fileStatus === 'FAILED') {
    const staged = await stage(api, deps, image.url)
    if (staged.kind !== 'got') return staged
    const sent = await fileFrom(api, deps, { ...image, url: staged.value })
    if (sent.kind !== 'got') return sent
    file = sent.value
  }
  const { url } = file.image ?? {}
  return url ? done(url) : misfit('Shopify did not finish taking the image in.')
}
