import type { Deps } from '../../platform/runtime/ctx.ts'
import { fetchFile } from './fetch-file.ts'
import { MAX_IMAGE_BYTES } from './image-rules.ts'

type Fetched = { bytes: Uint8Array<ArrayBuffer>; truncated: boolean }

const WANTED = {
  field: 'image_url',
  what: 'image',
  code: 'image_not_fetched',
  accept: 'image/*',
  timeoutMs: 15_000,
  maxBytes: MAX_IMAGE_BYTES + 1,
} as const

/** The bytes at a public address, read to just above the limit. Throws 400 `forbidden_url` and 422 `image_not_fetched`. */
export const fetchImage = async (deps: Pick<Deps, 'outbound' | 'settings'>, from: string): Promise<Fetched> => {
  const { bytes, truncated } = await fetchFile(deps, from, 'bytes', WANTED)
  return { bytes, truncated }
}
