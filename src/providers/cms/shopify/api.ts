import type { CmsFailure } from '../../../publishing/target/cms-adapter.ts'
import { type CmsAnswer, type CmsDeps, callCms, type Got, got, quotable, readAnswer, refused } from '../http.ts'
import { Envelope, TokenAnswer } from './transform.ts'

/** Tokens of this isolate. They live a day, and a new one costs one call. */
const kept = new Map<string, { token: string; untilMs: number }>()
const MAX_KEPT = 500
/** A token is not used in its last minutes, so that it does not expire during a publication. */
const SLACK_MS = 5 * 60_000

type Credentials = {
  accessToken?: string | undefined
  clientId?: string | undefined
  clientSecret?: string | undefined
}

type TokenSource = {
  token: () => Promise<Got<string>>
  /** Forgets a token that the shop no longer accepts. Returns false if there was none to forget. */
  forget: () => boolean
}

/** Hints for refusals whose own words do not help people. */
const HINTS: Record<string, string> = {
  shop_not_permitted:
    'Shopify gives this app no token for the shop: both must belong to the same organisation. Make the app in the Dev Dashboard of the shop’s organisation.',
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

const NAME = 'Shopify'
/** Version of the Admin API in every address. The stand-in has its schema. */
export const API_VERSION = '2026-10'

type Query<T> = {
  document: string
  variables: Record<string, unknown>
  data: Parameters<typeof readAnswer<T>>[0]
  writes: boolean
}

const SCOPES = 'It needs write_content and read_content: grant them to the app in the shop.'
const NEW_TOKEN =
  'Install the app in the shop again, and connect with its new token, or with client_id and client_secret of an app of the Dev Dashboard.'

const statusRefusal = ({ status, json }: CmsAnswer): CmsFailure => {
  const parsed = Envelope.safeParse(json)
  const errors = parsed.success ? parsed.data.errors : undefined
  const words = errors ? ` (${quotable(Array.isArray(errors) ? errors.map((e) => e.message).join('; ') : errors)})` : ''
  if (status === 401)
    return refused('auth_invalid', `${NAME} does not accept the access token${words}. ${NEW_TOKEN}`, status)
  if (status === 402) return refused('plan_limit', `The shop is frozen until its bill is paid${words}.`, status)
  if (status === 403)
    return refused('auth_forbidden', `${NAME} says that the app may not do this${words}. ${SCOPES}`, status)
  if (status === 404) return refused('site_not_found', `${NAME} knows no shop of this name${words}.`, status)
  if (status === 423)
    return refused('unavailable', `The shop is locked${words}. Its owner asks the support of ${NAME}.`, status)
  if (status === 430)
    return refused('blocked', `${NAME} blocked the request as an attack (HTTP 430)${words}.`, status, true)
  return refused('unexpected_answer', `${NAME} answered HTTP ${status}${words}.`, status)
}

/** Returns the seconds until Shopify's rate limit allows a query of this cost. */
const waitOf = ({ extensions }: Envelope): number => {
  const { requestedQueryCost: wanted, throttleStatus: bucket } = extensions?.cost ?? {}
  if (!bucket || !wanted || bucket.restoreRate <= 0) return 2
  return Math.max(1, Math.ceil((wanted - bucket.currentlyAvailable) / bucket.restoreRate))
}

/** Returns the failure in the `errors` of an answer: the query failed, or failed in part. Undefined if there are none. */
const graphqlFailure = (envelope: Envelope, writes: boolean): CmsFailure | undefined => {
  const { errors } = envelope
  if (!errors || (Array.isArray(errors) && errors.length === 0)) return undefined
  const list = Array.isArray(errors) ? errors : [{ message: quotable(errors) }]
  const words = quotable(list.map((e) => e.message).join('; '))
  const known = list.map((e) => ('extensions' in e ? e.extensions : undefined))
  const codes = known.map((e) => e?.code)
  if (codes.includes('THROTTLED'))
    return {
      kind: 'refused',
      code: 'rate_limited',
      reason: `${NAME} answers that there were too many requests (${words}).`,
      retryable: true,
      retryAfterS: waitOf(envelope),
      httpStatus: 200,
    }
  if (codes.includes('ACCESS_DENIED')) {
    const needed = known.find((e) => e?.requiredAccess)?.requiredAccess
    const more = needed ? ` It needs: ${quotable(needed)}` : ` ${SCOPES}`
    return refused('auth_forbidden', `${NAME} says that the app may not do this (${words}).${more}`, 200)
  }
  if (codes.includes('SHOP_INACTIVE'))
    return refused('plan_limit', `The shop is closed or its plan has ended (${words}). Its owner opens it again.`, 200)
  if (codes.includes('INTERNAL_SERVER_ERROR') || codes.includes('TIMEOUT')) {
    const reason = `${NAME} failed (${words}).`
    return writes
      ? { kind: 'unknown', reason: `${reason} It is not known whether the change was made.`, httpStatus: 200 }
      : { kind: 'refused', code: 'unavailable', reason, retryable: true, httpStatus: 200 }
  }
  return refused('validation', `${NAME} refuses the request (${words}).`, 200)
}

/**
 * Returns the calls of Shopify's GraphQL Admin API (https://shopify.dev/docs/api/admin-graphql).
 *
 * A refusal can come from three layers: the HTTP status, the `errors` of the answer, and the `userErrors` of a mutation. The caller reads
 * `userErrors`.
 */
export const shopifyApi = (deps: CmsDeps, baseUrl: string, source: TokenSource) => {
  let servedVersion: string | null = null
  const send = async <T>({ document, variables, writes }: Query<T>): Promise<CmsAnswer | CmsFailure> => {
    const token = await source.token()
    if (token.kind !== 'got') return token
    return await callCms(deps, {
      name: NAME,
      method: 'POST',
      url: `${baseUrl}/admin/api/${API_VERSION}/graphql.json`,
      headers: { 'X-Shopify-Access-Token': token.value },
      json: { query: document, variables },
      writes,
      waitOf: () => 2,
      isOwnError: (json) => Envelope.safeParse(json).data?.errors !== undefined,
    })
  }
  const ask = async <T>(query: Query<T>): Promise<Got<T>> => {
    let answer = await send(query)
    // A 401 changed nothing. A token from client credentials may have been revoked before it expired.
    if (answer.kind === 'answered' && answer.status === 401 && source.forget()) answer = await send(query)
    if (answer.kind !== 'answered') return answer
    if (answer.status !== 200) return statusRefusal(answer)
    servedVersion = answer.headers.get('x-shopify-api-version')
    const { name, writes } = { name: NAME, writes: query.writes }
    const envelope = readAnswer(Envelope, answer, { name, writes })
    if (envelope.kind !== 'got') return envelope
    return (
      graphqlFailure(envelope.value, query.writes) ??
      readAnswer(query.data, { ...answer, json: envelope.value.data }, { name, writes })
    )
  }
  return { ask, servedVersion: () => servedVersion }
}

export type ShopifyApi = ReturnType<typeof shopifyApi>
