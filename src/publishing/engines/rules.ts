import type { EngineHostState } from '../../../schema/values/engines.ts'

/** Most addresses in one request, as IndexNow allows. */
export const MOST_URLS = 10_000
/** Longest address that is reported. An index entry holds at most 2,704 bytes. */
export const MAX_URL = 2_000
/** Time in which changes are collected, so that they go out in one request. */
export const COLLECT_MS = 30_000
/** Time in which an address is reported once. The engines refuse callers who report every save. */
const QUIET_MS = 600_000
/** Time after which a removed page that is still shown is no longer waited for. */
const GONE_WITHIN_MS = 86_400_000
/** Refusals of the key in a row after which nothing is sent until a person looks. */
const MOST_REFUSALS = 3
const HOUR_MS = 3_600_000

/** Returns scheme and host of an http(s) address; undefined for any other text. */
export const originOf = (url: string): string | undefined => {
  const parsed = URL.parse(url)
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.origin : undefined
}

/** Returns the address at which a key file belongs unless a site serves it elsewhere. */
export const usualLocation = (origin: string, key: string): string => `${origin}/${key}.txt`

/** True if a key file counts for an address: it is in the folder of the address or in one above it. */
export const covers = (location: string, url: string): boolean => url.startsWith(new URL('.', location).href)

/** Address with the times of its change and its last report. */
type Report = { wantedAt: Date; toldAt: Date | null }

/** Returns the time from which an address may be reported again. */
export const readyAt = ({ wantedAt, toldAt }: Report, scale: number): Date =>
  new Date(Math.max(wantedAt.getTime(), (toldAt?.getTime() ?? 0) + QUIET_MS / scale))

/** True if a removed page is no longer waited for. */
export const isOverdue = ({ wantedAt }: Pick<Report, 'wantedAt'>, now: Date): boolean =>
  now.getTime() - wantedAt.getTime() > GONE_WITHIN_MS

/** Statuses with which a removed page answers: it is not there, or leads elsewhere. */
const GONE = [301, 302, 303, 307, 308, 404, 410]

/** True if a page that answers with a status is no longer at its address. */
export const isGone = (status: number): boolean => GONE.includes(status)

/**
 * Meaning of an answer of IndexNow.
 * - `told`: taken. It does not mean that a page was read or is listed.
 * - `never`: the addresses are refused for good.
 * - `key`: the key is refused.
 * - `later`: the engines want fewer requests. `away`: they failed.
 */
export type Verdict = 'told' | 'never' | 'key' | 'later' | 'away'

const VERDICTS: Readonly<Record<number, Verdict>> = {
  200: 'told',
  202: 'told',
  400: 'never',
  403: 'key',
  422: 'never',
  429: 'later',
}

/** Returns the meaning of a status. */
export const verdictOf = (status: number): Verdict => VERDICTS[status] ?? 'away'

/** Returns the pause after a refusal of the key or of too many requests. */
export const pauseMs = (refusals: number, retryAfterS: number | undefined): number =>
  Math.min((retryAfterS ?? 0) * 1_000 || HOUR_MS * Math.max(1, refusals), 24 * HOUR_MS)

/** True if the engines refused the key so often that a person has to look. */
export const isRefused = (refusals: number): boolean => refusals >= MOST_REFUSALS

/** Returns the state of the key file at a host. */
export const hostState = (host: { verifiedAt: Date | null; refusals: number } | undefined): EngineHostState => {
  if (!host?.verifiedAt) return 'not_placed'
  return isRefused(host.refusals) ? 'refused' : 'verified'
}
