import { sha256 } from '../../../platform/lib/crypto.ts'
import type { CmsFailure } from '../../../publishing/target/cms-adapter.ts'
import { refused } from '../http.ts'
import { fetchImage } from '../image.ts'
import { askCore, type Core } from './core-call.ts'
import { pluginNames } from './names.ts'
import { Media, MediaList } from './types.ts'

/** Hosts resize images before they answer. */
const UPLOAD_TIMEOUT_MS = 45_000

type Hosted = { kind: 'done'; value: { id: number; url: string } } | CmsFailure

/**
 * Returns an image in the media library, uploaded once per address: its slug is made of the address, so that an upload whose answer
 * was lost is found again.
 */
export const hostCoreImage = async (core: Core, image: { url: string; alt: string }): Promise<Hosted> => {
  const slug = `${pluginNames(core.deps.serviceName).slug}-${(await sha256(image.url)).slice(0, 16)}`
  const fields = { context: 'edit', _fields: 'id,source_url,alt_text' }
  const known = await askCore(core, MediaList, { method: 'GET', path: 'media', query: { slug, ...fields } })
  if (known.kind !== 'done') return known
  const [kept] = known.value ?? []
  if (kept) {
    if (kept.alt_text !== image.alt)
      await askCore(core, Media, {
        method: 'POST',
        path: `media/${kept.id}`,
        query: fields,
        json: { alt_text: image.alt },
      })
    return { kind: 'done', value: { id: kept.id, url: kept.source_url } }
  }
  const file = await fetchImage(core.deps, image.url)
  if ('kind' in file) return file
  const body = new FormData()
  body.set('file', new Blob([file.bytes], { type: file.type }), file.filename)
  for (const [name, value] of Object.entries({ slug, alt_text: image.alt, title: image.alt })) body.set(name, value)
  const made = await askCore(core, Media, {
    method: 'POST',
    path: 'media',
    query: fields,
    body,
    timeoutMs: UPLOAD_TIMEOUT_MS,
  })
  if (made.kind !== 'done') return made
  return made.value
    ? { kind: 'done', value: { id: made.value.id, url: made.value.source_url } }
    : refused('unexpected_answer', 'WordPress did not tell the uploaded image.', 404)
}
