import { ApiError } from '../lib/errors.ts'
import type { Deps } from '../runtime/ctx.ts'
import { unsentReason } from '../runtime/outbound.ts'
import { MAX_IMAGE_BYTES } from './image-rules.ts'

type Fetched = { bytes: Uint8Array<ArrayBuffer>; truncated: boolean }

const TIMEOUT_MS = 15_000
const MAX_REDIRECTS = 3

const notFetched = (reason: string, status?: number): ApiError =>
  new ApiError('image_not_fetched', `The image could not be copied: ${reason}.`, {
    upstream: { name: 'image_url', ...(status === undefined ? {} : { status }), message: reason },
  })

const forbidden = (isRedirect: boolean): ApiError => {
  const message = isRedirect ? 'leads to an address that is not a public one' : 'must be a public address'
  return new ApiError('forbidden_url', `image_url ${message}.`, { details: [{ field: 'image_url', message }] })
}

/**
 * The bytes at a public address, read to just above the limit. Redirects are followed by hand, at most three, each judged as
 * the first. Throws 400 `forbidden_url` and 422 `image_not_fetched`.
 */
export const fetchImage = async ({ outbound, settings }: Pick<Deps, 'outbound' | 'settings'>, from: string) => {
  const headers = { 'User-Agent': `${settings.serviceName}Bot/1.0 (+${settings.publicUrl})`, Accept: 'image/*' }
  let url = from
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const maxBytes = MAX_IMAGE_BYTES + 1
    const answer = await outbound({ url, method: 'GET', headers, timeoutMs: TIMEOUT_MS, maxBytes, as: 'bytes' })
    if (answer.kind === 'forbidden') throw forbidden(redirects > 0)
    if (answer.kind === 'unsent') throw notFetched(unsentReason(answer).replace(/\.$/, ''))
    if (answer.kind === 'no_answer')
      throw notFetched(
        answer.reason === 'timeout' ? 'its address did not answer in time' : 'its address could not be reached',
      )
    const { status, bytes, truncated } = answer
    if (status === 200) return { bytes, truncated } satisfies Fetched
    const next = status >= 300 && status < 400 ? URL.parse(answer.headers.get('location') ?? '', url) : null
    if (!next) throw notFetched(`its address answered with status ${status}`, status)
    url = next.href
  }
  throw notFetched('its address redirects too many times')
}
