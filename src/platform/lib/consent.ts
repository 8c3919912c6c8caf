import { base64Url, type KeyRing, seal, unseal } from './crypto.ts'
import { DAY_MS } from './time.ts'

/** Cookie that the browser keeps of a trip (sealed), and the values that travel along. */
type Begun = { cookie: string; state: string; challenge: string }

/** Data of a trip besides those of the caller. */
type Trip = { until: number; state: string; verifier: string }

const random = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)))

/**
 * Begins a trip of a browser to a page of consent and back (OAuth 2.0 with PKCE S256, RFC 7636). `about` is what the trip is for,
 * `context` what its seal is bound to, `until` when it ends (ms).
 */
export const beginTrip = async (
  ring: KeyRing,
  context: string,
  about: Readonly<Record<string, number>>,
  until: number,
): Promise<Begun> => {
  const trip: Trip = { until, state: random(), verifier: random() }
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(trip.verifier))
  const cookie = await seal(ring, JSON.stringify({ ...about, ...trip }), context)
  return { cookie, state: trip.state, challenge: base64Url(new Uint8Array(digest)) }
}

/** Returns the trip a browser comes back from; undefined when it began none, or another one, or it took too long. */
export const endTrip = async (
  ring: KeyRing,
  context: string,
  { cookie, state, now }: { cookie: string; state: string; now: Date },
): Promise<(Readonly<Record<string, unknown>> & Trip) | undefined> => {
  try {
    const trip = JSON.parse(await unseal(ring, cookie, context)) as Record<string, unknown> & Trip
    return trip.until > now.getTime() && trip.state === state ? trip : undefined
  } catch {
    return undefined
  }
}

/** Google ends grants of applications whose consent screen is "in testing" after seven days. */
const [FROM_DAYS, TO_DAYS] = [6.5, 8]

/** True if a grant of Google's lasted as long as one of an application in testing does. */
export const endedInTesting = (granted: string, ended: Date): boolean => {
  const days = (ended.getTime() - Date.parse(granted)) / DAY_MS
  return days >= FROM_DAYS && days <= TO_DAYS
}
