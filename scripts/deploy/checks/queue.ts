import { DeployFault } from '../fault.ts'
import { callHttp } from '../http.ts'
import type { Settings } from '../settings.ts'
import type { Findings } from './findings.ts'

const WHERE =
  'Copy QSTASH_URL and QSTASH_TOKEN from one and the same page of https://console.upstash.com/qstash: each region has its own.'

type SigningKeys = { current: string; next: string }

/** Returns QStash's signing keys in the region of QSTASH_URL. Throws a DeployFault if QStash refuses the token. */
const signingKeys = async ({ QSTASH_URL: url, QSTASH_TOKEN: token }: Settings): Promise<SigningKeys> => {
  if (!URL.canParse(url)) throw new DeployFault('QSTASH_URL is not an address.', WHERE)
  const { status, json, text } = await callHttp('QStash (QSTASH_URL)', `${url.replace(/\/+$/, '')}/v2/keys`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const keys = (json ?? {}) as Partial<SigningKeys>
  if (status === 200 && keys.current && keys.next) return { current: keys.current, next: keys.next }
  throw new DeployFault(
    `QStash at ${new URL(url).host} answers ${status} to QSTASH_TOKEN: ${text.slice(0, 200)}`,
    WHERE,
  )
}

/**
 * Returns the settings with the signing keys that QStash reports.
 *
 * Throws a DeployFault if QStash refuses the token, or signs with other keys than the given ones.
 */
export const withSigningKeys = async (settings: Settings): Promise<Settings> => {
  const { current, next } = await signingKeys(settings)
  const { QSTASH_CURRENT_SIGNING_KEY: givenCurrent, QSTASH_NEXT_SIGNING_KEY: givenNext } = settings
  const differs = [givenCurrent, givenNext].some((given) => given !== undefined && ![current, next].includes(given))
  if (differs)
    throw new DeployFault(
      'QStash does not sign with QSTASH_CURRENT_SIGNING_KEY or QSTASH_NEXT_SIGNING_KEY, so every job would be refused.',
      'Leave both out of the settings. They are read from QStash.',
    )
  return { ...settings, QSTASH_CURRENT_SIGNING_KEY: current, QSTASH_NEXT_SIGNING_KEY: next }
}

/** Returns the region of a QStash address, as cloud regions are named; undefined for one that is not Upstash's. */
export const queueRegion = (url: string): string | undefined => {
  const { hostname } = new URL(url)
  if (hostname === 'qstash.upstash.io') return 'eu-central-1'
  return /^qstash-([a-z0-9-]+)\.upstash\.io$/.exec(hostname)?.[1]
}

/** Returns what is known of the queue, for the plan. */
export const queueFindings = (settings: Settings): Findings => ({
  facts: [`QStash      ${new URL(settings.QSTASH_URL).host} accepts the token; its signing keys are known`],
  warnings: [],
})
