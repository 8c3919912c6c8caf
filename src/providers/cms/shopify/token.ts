import { type CmsDeps, callCms, type Got, got, quotable, refused } from '../http.ts'
import { TokenAnswer } from './transform.ts'

/** Tokens of this isolate. They live a day, and a new one costs one call. */
const kept = new Map<string, { token: string; untilMs: number }>()
const MAX_KEPT = 500
/** A token is not used in its last minutes, so that it does not expire during a publication. */
const SLACK_MS = 5 * 60_000

export type Credentials = {
  accessToken?: string | undefined
  clientId?: string | undefined
  clientSecret?: string | undefined
}

export type TokenSource = {
  token: () => Promise<Got<string>>
  /** Forgets a token that the shop no longer accepts. Returns false if there was none to forget. */
  forget: () => boolean
}

/** Hints for refusals whose own words do not help people. */
const HINTS: Record<string, string> = {
  shop_not_permitted:
    'Shopify gives this app no token for the shop: app and shop must belong to the same organisation. Make the app in the Dev Dashboard of the organisation the shop is in.',
  app_not_installed: 'The app is not installed in the shop. Install it there, then connect again.',
}

const ask = async (deps: CmsDeps, baseUrl: string, { clientId = '', clientSecret = '' }: Credentials) => {
  const answer = await callCms(deps, {
    name: 'Shopify',
    method: 'POST',
    url: `${baseUrl}/admin/oauth/access_token`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }).toString(),
    writes: false,
  })
  if (answer.kind !== 'answered') return answer
  const parsed = TokenAnswer.safeParse(answer.json)
  const { access_token: token, expires_in: seconds, ...error } = parsed.success ? parsed.data : {}
  if (answer.status === 200 && token) return got({ token, seconds: seconds ?? 3_600 })
  const known = HINTS[error.error ?? '']
  if (known) return refused('auth_forbidden', known, answer.status)
  const why = error.error_description ?? error.error
  return refused(
    'auth_invalid',
    `Shopify does not give a token for this client id and secret${why ? ` (${quotable(why)})` : ''}.`,
    answer.status,
  )
}

/** Returns the source of the token: the given one, or one fetched with client credentials and kept in this isolate's memory. */
export const tokenSource = (deps: CmsDeps, baseUrl: string, credentials: Credentials): TokenSource => {
  const { accessToken, clientId, clientSecret } = credentials
  if (accessToken) return { token: async () => got(accessToken), forget: () => false }
  const key = `${baseUrl} ${clientId} ${clientSecret}`
  return {
    token: async () => {
      const nowMs = deps.now().getTime()
      const known = kept.get(key)
      if (known && known.untilMs > nowMs) return got(known.token)
      const asked = await ask(deps, baseUrl, credentials)
      if (asked.kind !== 'got') return asked
      if (kept.size >= MAX_KEPT) kept.clear()
      kept.set(key, { token: asked.value.token, untilMs: nowMs + asked.value.seconds * 1000 - SLACK_MS })
      return got(asked.value.token)
    },
    forget: () => kept.delete(key),
  }
}
