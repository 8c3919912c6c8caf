import { ApiError } from '../lib/errors.ts'
import { checkPublicUrl, WEB_PORTS } from '../lib/urls.ts'
import type { Deps } from '../runtime/ctx.ts'
import { type Outbound, unsentReason } from '../runtime/outbound.ts'

const MAX_REDIRECTS = 3

/** What is fetched, and how it is told that it was not. */
type Wanted = {
  /** The field of the body the address stood in. */
  field: string
  what: 'image' | 'file'
  code: 'image_not_fetched' | 'media_not_fetched'
  accept: string
  timeoutMs: number
  maxBytes: number
}

/** Why an address gave nothing. `lasts`: the same call ends the same way. */
type Fault = { status?: number; lasts?: boolean }

/** The refusal of an address for what it answered. */
export const notFetched = ({ code, field, what }: Wanted, reason: string, { status, lasts }: Fault = {}): ApiError =>
  new ApiError(code, `The ${what} could not be copied: ${reason}.`, {
    ...(lasts ? { retryable: false } : {}),
    upstream: { name: field, ...(status === undefined ? {} : { status }), message: reason },
  })

/** Statuses below 500 that pass. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429])

const forbidden = (field: string, url: string, isRedirect: boolean): ApiError => {
  const checked = checkPublicUrl(url, true)
  const hasPort = 'refusal' in checked && checked.refusal === 'port'
  const own = hasPort ? WEB_PORTS : 'must be a public address'
  const message = isRedirect ? 'leads to an address that is not a public one' : own
  return new ApiError('forbidden_url', `${field} ${message}.`, { details: [{ field, message }] })
}

type Answered = Extract<Awaited<ReturnType<Outbound>>, { kind: 'answered' }>

/**
 * What a public address answers with status 200. Redirects are followed by hand, at most three, each judged as the first.
 * Throws 400 `forbidden_url` and 422.
 */
export const fetchFile = async (
  { outbound, settings }: Pick<Deps, 'outbound' | 'settings'>,
  from: string,
  as: 'bytes' | 'stream',
  wanted: Wanted,
): Promise<Answered> => {
  const { field, accept, timeoutMs, maxBytes } = wanted
  const headers = { 'User-Agent': `${settings.serviceName}Bot/1.0 (+${settings.publicUrl})`, Accept: accept }
  let url = from
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const answer = await outbound({ url, method: 'GET', headers, timeoutMs, maxBytes, as })
    if (answer.kind === 'forbidden') throw forbidden(field, url, redirects > 0)
    if (answer.kind === 'unsent')
      throw notFetched(wanted, unsentReason(answer).replace(/\.$/, ''), { lasts: answer.reason === 'no_host' })
    if (answer.kind === 'no_answer')
      throw notFetched(
        wanted,
        answer.reason === 'timeout' ? 'its address did not answer in time' : 'its address could not be reached',
      )
    const { status } = answer
    if (status === 200) return answer
    await answer.stream?.letGo()
    const next = status >= 300 && status < 400 ? URL.parse(answer.headers.get('location') ?? '', url) : null
    if (!next) {
      const lasts = status < 500 && !PASSING.has(status)
      throw notFetched(wanted, `its address answered with status ${status}`, { status, lasts })
    }
    url = next.href
  }
  throw notFetched(wanted, 'its address redirects too many times', { lasts: true })
}
