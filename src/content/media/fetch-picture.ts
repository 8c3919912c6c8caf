import { decoded } from '../../platform/lib/decoded.ts'
import type { Outbound } from '../../platform/runtime/outbound.ts'
import { botName, follow } from './follow.ts'
import { IMAGE_TYPES, imageFormat } from './image-rules.ts'

/** Services for fetching pictures. */
export type PictureDeps = { outbound: Outbound; serviceName: string; publicUrl: string }

export type PictureFile = { bytes: Uint8Array<ArrayBuffer>; type: string; extension: string; filename: string }

/** Reason for a missing picture, as the end of a sentence. `lasts`: the same call fails in the same way. */
export type NoPicture = { kind: 'no_picture'; reason: string; lasts: boolean }

const TIMEOUT_MS = 20_000
/** The first bytes of a file tell what it is. */
const SIGNATURE_BYTES = 64

/** Returns a name for a picture, made of its address: ASCII letters, digits, `-` and `_`, whatever the address holds. */
export const pictureName = (url: string, extension: string): string => {
  const last = decoded((URL.parse(url)?.pathname ?? '').split('/').at(-1) ?? '')
  const stem = last
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
    .slice(0, 80)
  return `${stem || 'image'}.${extension}`
}

/** Fetches a picture. Its type comes from its bytes, never from a name or a declared type. */
export const fetchPicture = async (
  deps: PictureDeps,
  url: string,
  maxBytes: number,
): Promise<PictureFile | NoPicture> => {
  const none = (reason: string, lasts = true): NoPicture => ({ kind: 'no_picture', reason, lasts })
  const wanted = { agent: botName(deps), accept: 'image/*', timeoutMs: TIMEOUT_MS, as: 'bytes' } as const
  const got = await follow(deps.outbound, url, { ...wanted, maxBytes: maxBytes + 1 })
  if (got.kind === 'forbidden')
    return none(got.isRedirect ? 'its address leads to one that is not public' : 'its address is not public')
  if (got.kind === 'failed') return none(got.reason, got.lasts)
  const { bytes, truncated } = got.answer
  if (truncated || bytes.byteLength > maxBytes) return none(`it is larger than ${Math.floor(maxBytes / 1_000_000)} MB`)
  const extension = imageFormat(bytes)
  if (!extension) return none('its address does not answer with a JPG, PNG, WebP or GIF')
  return { bytes, type: IMAGE_TYPES[extension], extension, filename: pictureName(url, extension) }
}

const namedFormat = (url: string) => {
  const name = /\.([a-z]{3,4})$/i.exec(URL.parse(url)?.pathname ?? '')?.[1]?.toLowerCase() ?? ''
  const extension = name === 'jpeg' ? 'jpg' : name
  return extension in IMAGE_TYPES ? (extension as keyof typeof IMAGE_TYPES) : undefined
}

/** Returns what kind of picture an address has: by its first bytes, by its name where they cannot be fetched. */
export const pictureTypeAt = async (
  deps: PictureDeps,
  url: string,
): Promise<{ type: string; extension: string } | undefined> => {
  const wanted = { agent: botName(deps), accept: 'image/*', timeoutMs: TIMEOUT_MS, as: 'bytes' } as const
  const got = await follow(deps.outbound, url, { ...wanted, maxBytes: SIGNATURE_BYTES })
  const extension = got.kind === 'fetched' ? imageFormat(got.answer.bytes) : namedFormat(url)
  return extension && { type: IMAGE_TYPES[extension], extension }
}
