import type { CmsFailure } from '../../publishing/target/cms-adapter.ts'
import type { CmsMeans } from './http.ts'

export type ImageFile = { bytes: Uint8Array<ArrayBuffer>; type: string; filename: string }

const TIMEOUT_MS = 20_000
const MAX_BYTES = 12 * 1024 * 1024

/** What the first bytes of a file say it is; undefined when it is no image a CMS takes. */
const imageTypeOf = (bytes: Uint8Array): { type: string; extension: string } | undefined => {
  const starts = (...signature: number[]) => signature.every((byte, n) => bytes[n] === byte)
  if (starts(0x89, 0x50, 0x4e, 0x47)) return { type: 'image/png', extension: 'png' }
  if (starts(0xff, 0xd8, 0xff)) return { type: 'image/jpeg', extension: 'jpg' }
  if (starts(0x47, 0x49, 0x46, 0x38)) return { type: 'image/gif', extension: 'gif' }
  const isWebp = starts(0x52, 0x49, 0x46, 0x46) && [0x57, 0x45, 0x42, 0x50].every((byte, n) => bytes[8 + n] === byte)
  return isWebp ? { type: 'image/webp', extension: 'webp' } : undefined
}

const BY_EXTENSION: Record<string, { type: string; extension: string }> = {
  png: { type: 'image/png', extension: 'png' },
  jpg: { type: 'image/jpeg', extension: 'jpg' },
  jpeg: { type: 'image/jpeg', extension: 'jpg' },
  gif: { type: 'image/gif', extension: 'gif' },
  webp: { type: 'image/webp', extension: 'webp' },
}
const SIGNATURE_BYTES = 64

/** What kind of image an address has: by its extension, else by its first bytes. Undefined: it cannot be told. */
export const imageTypeAt = async (
  means: CmsMeans,
  url: string,
): Promise<{ type: string; extension: string } | undefined> => {
  const path = URL.canParse(url) ? new URL(url).pathname : ''
  const named = BY_EXTENSION[/\.([a-z]{3,4})$/i.exec(path)?.[1]?.toLowerCase() ?? '']
  if (named) return named
  const answer = await means.outbound({
    url,
    method: 'GET',
    timeoutMs: TIMEOUT_MS,
    maxBytes: SIGNATURE_BYTES,
    as: 'bytes',
  })
  return answer.kind === 'answered' && answer.status === 200 ? imageTypeOf(answer.bytes) : undefined
}

const filenameOf = (url: string, extension: string): string => {
  const last = decodeURI(new URL(url).pathname.split('/').at(-1) ?? '')
  const stem = last
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
  return `${stem || 'image'}.${extension}`
}

/** Fetches an image for a CMS that wants the bytes. The type is told from the bytes. A failure is for a note, not for the post. */
export const fetchImage = async (means: CmsMeans, url: string): Promise<ImageFile | CmsFailure> => {
  const failure = (reason: string): CmsFailure => ({ kind: 'refused', code: 'validation', reason, retryable: false })
  const answer = await means.outbound({ url, method: 'GET', timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, as: 'bytes' })
  if (answer.kind === 'forbidden') return failure('The image address is not a public one.')
  if (answer.kind !== 'answered' || answer.status !== 200) return failure('The image could not be fetched.')
  if (answer.truncated) return failure('The image is larger than 12 MB.')
  const { bytes } = answer
  const known = imageTypeOf(bytes)
  return known
    ? { bytes, type: known.type, filename: filenameOf(url, known.extension) }
    : failure('The image address does not answer with an image.')
}
