import type { Deps } from './ctx.ts'
import { type Outbound, unsentReason } from './outbound.ts'

const TIMEOUT_MS = 10_000

/** Asks for the public page of an article as its readers get it, read up to so many bytes. No redirect is followed. */
export const askForLivePage = (
  { outbound, settings }: Pick<Deps, 'outbound' | 'settings'>,
  url: string,
  maxBytes: number,
) =>
  outbound({
    url,
    method: 'GET',
    headers: { 'User-Agent': `${settings.serviceName}-Publisher/1.0`, Accept: 'text/html' },
    timeoutMs: TIMEOUT_MS,
    maxBytes,
  })

type Unanswered = Exclude<Awaited<ReturnType<Outbound>>, { kind: 'answered' }>

/** Why a page did not answer, as a sentence. */
export const unansweredReason = (answer: Unanswered): string => {
  if (answer.kind === 'forbidden') return 'The address is not a public one.'
  if (answer.kind === 'unsent') return unsentReason(answer)
  return `The page could not be fetched (${answer.reason}).`
}
