import { decodePage } from '../lib/bytes.ts'
import type { Deps } from './ctx.ts'
import { type Outbound, unsentReason } from './outbound.ts'

const TIMEOUT_MS = 10_000

/**
 * Fetches the public page of an article as readers get it, up to `maxBytes`, decoded from its own character set.
 *
 * Does not follow redirects.
 */
export const askForLivePage = async (
  { outbound, settings }: Pick<Deps, 'outbound' | 'settings'>,
  url: string,
  maxBytes: number,
) => {
  const answer = await outbound({
    url,
    method: 'GET',
    headers: { 'User-Agent': `${settings.serviceName}-Publisher/1.0`, Accept: 'text/html' },
    timeoutMs: TIMEOUT_MS,
    maxBytes,
    as: 'bytes',
  })
  if (answer.kind !== 'answered') return answer
  return { ...answer, body: decodePage(answer.bytes, answer.headers.get('content-type') ?? '') }
}

type Unanswered = Exclude<Awaited<ReturnType<Outbound>>, { kind: 'answered' }>

/** Returns a sentence that says why a page did not answer. */
export const unansweredReason = (answer: Unanswered): string => {
  if (answer.kind === 'forbidden') return 'The address is not a public one.'
  if (answer.kind === 'unsent') return unsentReason(answer)
  return `The page could not be fetched (${answer.reason}).`
}
