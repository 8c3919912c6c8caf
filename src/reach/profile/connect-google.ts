import * as z from 'zod/mini'
import { beginConsent, endConsent } from '../../platform/lib/consent.ts'
import { seal, unseal } from '../../platform/lib/crypto.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { saveGranted } from '../social/connect.ts'
import type { BusinessConsent, Location } from './port.ts'

/** Path to which Google redirects people. It is registered at Google for this service's client. */
export const CALLBACK_PATH = '/settings/social/google/callback'

const TRIP = 'business-connect:trip'
const GRANT = 'business-connect:grant'
const TRIP_MS = 600_000
/** Time that a person has to choose a location, ms. */
const GRANT_MS = 1_800_000
const MAX_SHOWN = 500

const redirectUri = ({ settings }: Ctx): string => `${settings.publicUrl}${CALLBACK_PATH}`

/** Returns the address of Google's consent page for a project of the account, and the cookie for the browser. */
export const beginGranting = async (ctx: Ctx, consent: BusinessConsent, project: number) => {
  const { id: account } = await ctx.account()
  const until = ctx.now().getTime() + TRIP_MS
  const { cookie, state, challenge } = await beginConsent(ctx.settings.secretsKeys, TRIP, { project, account }, until)
  return {
    to: consent.url({ redirectUri: redirectUri(ctx), state, challenge }),
    cookie: { value: cookie, seconds: TRIP_MS / 1_000 },
  }
}

const Trip = z.object({ project: z.int(), account: z.int(), verifier: z.string() })

const Granted = z.object({
  project: z.int(),
  account: z.int(),
  until: z.int(),
  grant: z.object({
    accessToken: z.string(),
    expiresIn: z.number(),
    refreshToken: z.string(),
    sub: z.string(),
    email: z.string(),
  }),
})
type Granted = z.infer<typeof Granted>

/** Result of a step of connecting. `project` is the project whose page is shown, if it is known. */
export type Step =
  | { kind: 'connected'; project: number; message: string }
  /** The person has to choose a location. `grant` is sealed and comes back with the choice. */
  | { kind: 'choose'; project: number; grant: string; locations: readonly Location[] }
  | { kind: 'refused'; project: number | undefined; status: 400 | 422 | 503; reason: string }

const refused = (reason: string, project?: number, status: 400 | 422 | 503 = 400): Step => ({
  kind: 'refused',
  project,
  status,
  reason,
})

const connect = async (ctx: Ctx, { project, grant }: Granted, location: Location): Promise<Step> => {
  const { accessToken, expiresIn, refreshToken, sub } = grant
  const title = location.title || location.name
  const { message } = await saveGranted(
    ctx,
    { projectId: project, platform: 'googlebusiness' },
    {
      remoteId: location.name,
      name: title,
      username: title,
      url: location.url,
      secrets: { refresh_token: refreshToken, granted_at: ctx.now().toISOString() },
      session: { access: accessToken, ends: String(ctx.now().getTime() + expiresIn * 1_000) },
      ...(sub === '' ? {} : { grantSub: sub }),
    },
  )
  return { kind: 'connected', project, message }
}

const sealed = (ctx: Ctx, granted: Granted): Promise<string> =>
  seal(ctx.settings.secretsKeys, JSON.stringify(granted), GRANT)

const NONE =
  'This Google account manages no business profile. Ask its owner for access, or sign in with another account.'

const offer = async (ctx: Ctx, granted: Granted, locations: readonly Location[]): Promise<Step> => {
  const [only] = locations
  if (!only) return refused(NONE, granted.project, 422)
  if (locations.length === 1) return await connect(ctx, granted, only)
  return {
    kind: 'choose',
    project: granted.project,
    grant: await sealed(ctx, granted),
    locations: locations.slice(0, MAX_SHOWN),
  }
}

const listed = async (consent: BusinessConsent, granted: Granted): Promise<Step | readonly Location[]> => {
  const locations = await consent.locations(granted.grant.accessToken)
  if (locations.kind === 'got') return locations.value
  return refused(locations.reason, granted.project, locations.retryable ? 503 : 422)
}

const isStep = (value: Step | readonly Location[]): value is Step => 'kind' in value

/** Parameters that Google adds when it redirects the browser back, and the browser's cookie. */
export type Returned = { code: string; state: string; error: string; cookie: string }

/**
 * Completes a sign-in at Google: exchanges the code and connects the location. If there are several, the person chooses.
 *
 * Only the browser that began the sign-in can complete it, signed in to the same account. Throws 404 and 403 for the project.
 */
export const finishGranting = async (
  ctx: Ctx,
  consent: BusinessConsent,
  { code, state, error, cookie }: Returned,
): Promise<Step> => {
  const trip = Trip.safeParse(await endConsent(ctx.settings.secretsKeys, TRIP, { cookie, state, now: ctx.now() }))
  const { id: account } = await ctx.account()
  if (!trip.success || trip.data.account !== account)
    return refused(
      'This sign-in at Google was started in another browser, was already finished, or took longer than ten minutes.',
    )
  const { project, verifier } = trip.data
  if (code === '')
    return refused(
      error === 'access_denied' ? 'You did not allow it at Google.' : 'Google granted no permission.',
      project,
    )
  const grant = await consent.exchange({ code, verifier, redirectUri: redirectUri(ctx) })
  if (grant.kind === 'refused') return refused(grant.reason, project, grant.retryable ? 503 : 400)
  const granted: Granted = { project, account, until: ctx.now().getTime() + GRANT_MS, grant: grant.value }
  const locations = await listed(consent, granted)
  return isStep(locations) ? locations : await offer(ctx, granted, locations)
}

const grantIn = async (ctx: Ctx, text: string): Promise<Granted | undefined> => {
  try {
    const granted = Granted.parse(JSON.parse(await unseal(ctx.settings.secretsKeys, text, GRANT)))
    const { id } = await ctx.account()
    return granted.account === id && granted.until > ctx.now().getTime() ? granted : undefined
  } catch {
    return undefined
  }
}

/** Connects the location that a person chose, if Google lists it for the grant. Throws 404 and 403 for the project. */
export const chooseLocation = async (
  ctx: Ctx,
  consent: BusinessConsent,
  given: { grant: string; location: string },
): Promise<Step> => {
  const granted = await grantIn(ctx, given.grant)
  if (!granted) return refused('It took too long to choose. Begin again.')
  const locations = await listed(consent, granted)
  if (isStep(locations)) return locations
  const chosen = locations.find(({ name }) => name === given.location)
  return chosen ? await connect(ctx, granted, chosen) : await offer(ctx, granted, locations)
}
