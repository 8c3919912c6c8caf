import * as z from 'zod/mini'
import type { Failure, Grant, Result, SearchConsole, Access as Token } from '../../insights/search/port.ts'
import { fromBase64Url } from '../../platform/lib/crypto.ts'
import { foreignJson } from '../../platform/lib/foreign-answers.ts'
import { clip } from '../../platform/lib/text.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import type { GoogleSettings } from '../../platform/runtime/provider-env.ts'

const TIMEOUT_MS = 20_000
/** Enough for 25,000 rows with long addresses and queries. */
const MAX_BYTES = 16 * 1024 * 1024
const MAX_MESSAGE = 300

type Call = {
  url: string
  method: 'GET' | 'POST'
  token?: string
  form?: Record<string, string>
  json?: unknown
}

/** Answer of Google: HTTP status, and its JSON. */
export type Answered = { status: number; body: unknown }

/** Calls Google. Returns the status and the JSON, or why there is no answer. */
export const callGoogle = async (
  { outbound }: Pick<Deps, 'outbound'>,
  { url, method, token, form, json }: Call,
): Promise<Result<Answered>> => {
  const body = form ? new URLSearchParams(form).toString() : json === undefined ? undefined : JSON.stringify(json)
  const answer = await outbound({
    url,
    method,
    headers: {
      Accept: 'application/json',
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(form ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}),
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  })
  if (answer.kind !== 'answered')
    return { failure: { kind: 'away', message: 'Google did not answer in time.', retryAfter: 60 } }
  const parsed = jsonOf(answer.body)
  if (answer.status < 300 && (parsed === undefined || answer.truncated))
    return {
      failure: { kind: 'away', status: answer.status, message: 'Google’s answer is not readable.', retryAfter: 60 },
    }
  return { ok: { status: answer.status, body: parsed ?? {} } }
}

/** Returns the JSON of a text, an empty object for an empty text; undefined if the text is not JSON. */
export const jsonOf = (text: string): unknown => (text === '' ? {} : foreignJson(text))

/** Returns Google's message on one line, without control characters. */
const cleaned = (text: string): string => clip(text.replace(/[\p{Cc}\uFFFD\s]+/gu, ' ').trim(), MAX_MESSAGE)

type ApiFault = {
  error?: {
    message?: string
    status?: string
    errors?: { reason?: string }[]
    details?: { reason?: string }[]
  }
}

/** Reasons, of which Google writes some in two ways: `userRateLimitExceeded`, `RATE_LIMIT_EXCEEDED`. */
const RATE = /rate_?limit/i
const QUOTA = /quota|rate_?limit|resource_exhausted|dailyLimit/i
const SCOPE = /insufficientPermissions|access_token_scope_insufficient/i
const DISABLED = /accessNotConfigured|service_disabled/i

/** Load quotas count over ten minutes. Google asks for a pause of fifteen. */
const QUOTA_PAUSE_S = 900
const RATE_PAUSE_S = 60
const AWAY_PAUSE_S = 30

/** Returns the failure behind an error answer of a Google API (google.rpc shape, or the older one with `errors`). */
export const failureOf = ({ status, body }: Answered): Failure => {
  const { error = {} } = (body ?? {}) as ApiFault
  const { errors, details } = error
  const reasons = [error.status, ...(errors ?? []).map((e) => e.reason), ...(details ?? []).map((d) => d.reason)].join(
    ' ',
  )
  const message = cleaned(error.message ?? '') || `Google answered with status ${status}.`
  if (status === 429 || (status === 403 && QUOTA.test(reasons)))
    return {
      kind: 'quota',
      status,
      message,
      retryAfter: RATE.test(reasons) ? RATE_PAUSE_S : QUOTA_PAUSE_S,
    }
  if (status === 401) return { kind: 'unauthorized', status, message }
  if (status === 403 && SCOPE.test(reasons)) return { kind: 'scope', status, message }
  if (status === 403 && DISABLED.test(reasons)) return { kind: 'disabled', status, message }
  if (status === 403 || status === 404) return { kind: 'forbidden', status, message }
  if (status >= 500 || status === 408) return { kind: 'away', status, message, retryAfter: AWAY_PAUSE_S }
  return { kind: 'invalid', status, message }
}

/** Returns the failure behind an error answer of the token endpoint (RFC 6749, section 5.2). */
const tokenFailure = ({ status, body }: Answered): Failure => {
  const { error = '', error_description: description } = (body ?? {}) as { error?: string; error_description?: string }
  const message = cleaned(description ?? error) || `Google answered with status ${status}.`
  if (status >= 500 || status === 429) return { kind: 'away', status, message, retryAfter: AWAY_PAUSE_S }
  return { kind: error === 'invalid_grant' ? 'revoked' : 'client', status, message }
}

type Caller = Parameters<typeof callGoogle>[0]

/**
 * A permission that people grant.
 *
 * `needed` is a part of the scopes of a sufficient grant. `unticked` is the message for a grant without it.
 */
export type Access = { scope: string; needed: string; unticked: string }

/** Scope of the account's identity. It is needed because revoking one grant ends all other grants of the same account. */
const IDENTITY = 'openid email'

const Tokens = z.object({
  access_token: z.string(),
  expires_in: z._default(z.number(), 3_600),
  refresh_token: z.optional(z.string()),
  scope: z._default(z.string(), ''),
  id_token: z.optional(z.string()),
})

const Identity = z.object({ sub: z._default(z.string(), ''), email: z._default(z.string(), '') })

/**
 * Returns the person in an id token. The signature is not checked, because the token came directly from Google over TLS (OpenID Connect
 * Core, 3.1.3.7).
 */
const identityOf = (token: string | undefined): z.infer<typeof Identity> => {
  const part = token?.split('.')[1]
  if (part === undefined) return { sub: '', email: '' }
  try {
    const bytes = fromBase64Url(part)
    return Identity.parse(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    return { sub: '', email: '' }
  }
}

type Tokens = z.infer<typeof Tokens>

const tokensOf = (answer: Result<Answered>): Result<Tokens> => {
  if ('failure' in answer) return answer
  if (answer.ok.status !== 200) return { failure: tokenFailure(answer.ok) }
  const parsed = Tokens.safeParse(answer.ok.body)
  return parsed.success
    ? { ok: parsed.data }
    : { failure: { kind: 'away', status: 200, message: 'Google’s answer is not readable.', retryAfter: 60 } }
}

const grantOf = (tokens: Tokens, { needed, unticked }: Access): Result<Grant> => {
  if (!tokens.scope.includes(needed)) return { failure: { kind: 'scope', message: unticked } }
  if (tokens.refresh_token === undefined)
    return { failure: { kind: 'client', message: 'Google granted no offline access.' } }
  return {
    ok: {
      accessToken: tokens.access_token,
      expiresIn: tokens.expires_in,
      refreshToken: tokens.refresh_token,
      ...identityOf(tokens.id_token),
    },
  }
}

/** OAuth calls of one kind of access. */
export type GoogleTokens = Pick<SearchConsole, 'consentUrl' | 'consentOrigin' | 'exchange' | 'refresh' | 'revoke'>

/**
 * Returns Google's OAuth 2.0 flow for web servers: consent, code with PKCE (RFC 7636), refresh and revocation.
 *
 * See https://developers.google.com/identity/protocols/oauth2/web-server.
 */
export const googleTokens = (deps: Caller, s: GoogleSettings, access: Access): GoogleTokens => {
  const client = { client_id: s.clientId, client_secret: s.clientSecret }
  const ask = (form: Record<string, string>) =>
    callGoogle(deps, { url: `${s.tokenUrl}/token`, method: 'POST', form: { ...client, ...form } })
  return {
    consentOrigin: new URL(s.consentUrl).origin,
    consentUrl: ({ redirectUri, state, challenge }) => {
      const url = new URL(s.consentUrl)
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: s.clientId,
        redirect_uri: redirectUri,
        scope: `${IDENTITY} ${access.scope}`,
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        // Without both, Google returns no refresh token the second time.
        access_type: 'offline',
        prompt: 'consent',
      }).toString()
      return url.href
    },
    exchange: async ({ code, verifier, redirectUri }) => {
      const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri }
      const tokens = tokensOf(await ask(form))
      return 'failure' in tokens ? tokens : grantOf(tokens.ok, access)
    },
    refresh: async (refreshToken): Promise<Result<Token>> => {
      const tokens = tokensOf(await ask({ grant_type: 'refresh_token', refresh_token: refreshToken }))
      if ('failure' in tokens) return tokens
      return { ok: { accessToken: tokens.ok.access_token, expiresIn: tokens.ok.expires_in } }
    },
    revoke: async (refreshToken) => {
      const answer = await callGoogle(deps, {
        url: `${s.tokenUrl}/revoke`,
        method: 'POST',
        form: { token: refreshToken },
      })
      if ('failure' in answer) return answer
      // A token that Google no longer knows is already revoked.
      const { status, body } = answer.ok
      const isGone = status === 400 && (body as { error?: string }).error === 'invalid_token'
      return status === 200 || isGone ? { ok: true } : { failure: tokenFailure(answer.ok) }
    },
  }
}
