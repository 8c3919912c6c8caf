import { type Outbound, unsentReason } from '../../platform/runtime/outbound.ts'

const MAX_REDIRECTS = 3
/** The statuses by which a server sends a browser elsewhere (Fetch, section 2.2.3). */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** Statuses below 500 that pass. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429])

/** Returns a name the service gives when it fetches files, so that their hosts know who asks. */
export const botName = ({ serviceName, publicUrl }: { serviceName: string; publicUrl: string }): string =>
  publicUrl === '' ? `${serviceName}Bot/1.0` : `${serviceName}Bot/1.0 (+${publicUrl})`

type Answered = Extract<Awaited<ReturnType<Outbound>>, { kind: 'answered' }>

/** Result of fetching a file. `lasts`: the same call ends the same way. */
export type Followed =
  | { kind: 'fetched'; answer: Answered }
  | { kind: 'forbidden'; url: string; isRedirect: boolean }
  | { kind: 'failed'; reason: string; lasts: boolean; status?: number }

type Wanted = { agent: string; accept: string; timeoutMs: number; maxBytes: number; as: 'bytes' | 'stream' }

/** Reads the bytes of a header as UTF-8 where they are: servers write addresses that way, and browsers read them so. */
const asUtf8 = (header: string): string => {
  if (!/[\x80-\xff]/.test(header) || /[^\0-\xff]/.test(header)) return header
  try {
    const bytes = Uint8Array.from(header, (char) => char.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return header
  }
}

/**
 * Fetches a file from a public address. Redirects are followed by hand, at most three, and each address is checked like the
 * first one. Says who asks and what is wanted, because large hosts refuse requests that do not.
 */
export const follow = async (
  outbound: Outbound,
  from: string,
  { agent, accept, timeoutMs, maxBytes, as }: Wanted,
): Promise<Followed> => {
  const headers = { 'User-Agent': agent, Accept: accept }
  let url = from
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const answer = await outbound({ url, method: 'GET', headers, timeoutMs, maxBytes, as })
    if (answer.kind === 'forbidden') return { kind: 'forbidden', url, isRedirect: redirects > 0 }
    if (answer.kind === 'unsent')
      return {
        kind: 'failed',
        reason: unsentReason(answer).replace(/\.$/, ''),
        lasts: answer.reason === 'no_host',
      }
    if (answer.kind === 'no_answer') {
      const isLate = answer.reason === 'timeout'
      const reason = isLate ? 'its address did not answer in time' : 'its address could not be reached'
      return { kind: 'failed', reason, lasts: false }
    }
    const { status } = answer
    if (status === 200) return { kind: 'fetched', answer }
    await answer.stream?.letGo()
    const location = REDIRECTS.has(status) ? answer.headers.get('location') : null
    const next = location === null ? null : URL.parse(asUtf8(location), url)
    if (!next) {
      const lasts = status < 500 && !PASSING.has(status)
      return { kind: 'failed', reason: `its address answered with status ${status}`, lasts, status }
    }
    url = next.href
  }
  return { kind: 'failed', reason: 'its address redirects too many times', lasts: true }
}
