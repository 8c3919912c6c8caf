import { ApiError } from '../../platform/lib/errors.ts'
import { checkPublicUrl, WEB_PORTS } from '../../platform/lib/urls.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { botName, type Followed, follow } from './follow.ts'

/** File to fetch, and the words for its absence. */
type Wanted = {
  /** The field of the body the address stood in. */
  field: string
  what: 'image' | 'file'
  code: 'image_not_fetched' | 'media_not_fetched'
  accept: string
  timeoutMs: number
  maxBytes: number
}

/** Failure of a fetch. `lasts`: the same call fails in the same way. */
type Fault = { status?: number; lasts?: boolean }

/** Returns the refusal of an address for what it answered. */
export const notFetched = ({ code, field, what }: Wanted, reason: string, { status, lasts }: Fault = {}): ApiError =>
  new ApiError(code, `The ${what} could not be copied: ${reason}.`, {
    ...(lasts ? { retryable: false } : {}),
    upstream: { name: field, ...(status === undefined ? {} : { status }), message: reason },
  })

const forbidden = (field: string, url: string, isRedirect: boolean): ApiError => {
  const checked = checkPublicUrl(url, true)
  const hasPort = 'refusal' in checked && checked.refusal === 'port'
  const own = hasPort ? WEB_PORTS : 'must be a public address'
  const message = isRedirect ? 'leads to an address that is not a public one' : own
  return new ApiError('forbidden_url', `${field} ${message}.`, { details: [{ field, message }] })
}

/** Fetches a public address, follows its redirects, and returns the body of status 200. Throws 400 `forbidden_url` and 422. */
export const fetchFile = async (
  { outbound, settings }: Pick<Deps, 'outbound' | 'settings'>,
  from: string,
  as: 'bytes' | 'stream',
  wanted: Wanted,
): Promise<Extract<Followed, { kind: 'fetched' }>['answer']> => {
  const { field, accept, timeoutMs, maxBytes } = wanted
  const got = await follow(outbound, from, { agent: botName(settings), accept, timeoutMs, maxBytes, as })
  if (got.kind === 'fetched') return got.answer
  throw got.kind === 'forbidden' ? forbidden(field, got.url, got.isRedirect) : notFetched(wanted, got.reason, got)
}
