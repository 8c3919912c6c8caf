import { base64Url, type KeyRing, seal, unseal } from './crypto.ts'
import { DAY_MS } from './time.ts'

/** A trip that has begun: the sealed cookie that the browser keeps, and the values for the page of consent. */
type Begun = { cookie: string; state: string; challenge: string }

/** Data of a trip, in addition to the caller's. */
type Trip = { until: number; state: string; verifier: string }

const random = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)))

/**
 * Begins a browser's trip to a page of consent and back (OAuth 2.0 with PKCE S256, RFC 7636).
 *
 * `about`: the caller's data for the trip. `context`: what the seal is bound to. `until`: when the trip expires (ms).
 */
export const beginConsent = async (
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

/** Returns the trip that a browser comes back from. Undefined if it began none or another one, or if the trip has expired. */
export const endConsent = async (
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

/** Google ends grants after seven days if the application's consent screen is "in testing". */
const [FROM_DAYS, TO_DAYS] = [6.5, 8]

/** True if a Google grant lasted as long as those of an application in testing. */
export const expiredLikeTestGrant = (granted: string, ended: Date): boolean => {
  const days = (ended.getTime() - Date.parse(granted)) / DAY_MS
  return days >= FROM_DAYS && days <= TO_DAYS
}
