import { OAuthAuthorizationServer } from '@cloudflare/workers-oauth-provider'
import { GRANT_SCOPES, type Scope } from '../../../schema/values/accounts.ts'
import { widestOf } from '../../platform/accounts/scopes.ts'
import type { Db } from '../../platform/db/client.ts'
import type { Outbound } from '../../platform/runtime/outbound.ts'
import { OAUTH } from './paths.ts'
import { oauthStore } from './store.ts'

const DAY_S = 86_400
const ACCESS_S = 3_600
const REFRESH_S = 90 * DAY_S

/** Contents of a grant: the API key behind it, sealed by the library so that only its tokens unseal it. */
type GrantProps = { apiKey: string }

/** Key, scope and end of an access token. An application may ask for a token with less than its grant, such as only reading. */
type TokenKey = { apiKey: string; scope: Scope; expiresAt: number }

/** The environment the library reads its store from. */
type Env = { OAUTH_KV: unknown }

/**
 * Returns the authorization server of the MCP server, by workers-oauth-provider: authorization code with PKCE S256 alone, dynamic
 * registration and client-id documents, RFC 8414, 8707, 9207.
 *
 * Access tokens are valid for an hour, refresh tokens for 90 days after their last use.
 */
export const createOAuth = (db: Db, now: () => Date, publicUrl: string, resource: string) => {
  const env: Env = { OAUTH_KV: oauthStore(db, now) }
  const server = new OAuthAuthorizationServer<Env>({
    issuer: publicUrl,
    authorizeEndpoint: OAUTH.authorize,
    tokenEndpoint: OAUTH.token,
    clientRegistrationEndpoint: OAUTH.register,
    resources: [resource],
    defaultResource: resource,
    scopesSupported: [...GRANT_SCOPES, 'offline_access'],
    accessTokenTTL: ACCESS_S,
    refreshTokenTTL: REFRESH_S,
    refreshTokenIdleTTL: REFRESH_S,
    clientIdMetadataDocumentEnabled: true,
    // Applications on a person's own device are opened by their own scheme, which the consent page shows.
    allowPrivateUseRedirectUris: true,
  })
  return {
    /** Canonical address of the MCP server. */
    resource,
    api: server.getOAuthApi(env),
    /** Handles requests for metadata, tokens, revocation and registration. */
    answer: (request: Request, ctx: Parameters<typeof server.fetch>[2]) => server.fetch(request, env, ctx),
    /** Returns the API key behind an access token, with the token's scope and end; undefined if the token is not valid. */
    keyOf: async (token: string): Promise<TokenKey | undefined> => {
      const valid = await server.validateToken<GrantProps>(resource, token, env)
      if (!valid) return undefined
      const { props, scope, expiresAt } = valid
      return { apiKey: props.apiKey, scope: widestOf(scope), expiresAt }
    },
  }
}

export type OAuth = ReturnType<typeof createOAuth>

/** Start of the user agent with which the library requests a client's description or its keys. */
const LIBRARY = 'workers-oauth-provider/'

const TIMEOUT_MS = 10_000
/** One byte over the library's limit for keys (5 KiB for a description), so that the library itself reports what is too long. */
const MAX_BYTES = 64 * 1024 + 1
const KEPT_MS = 5 * 60_000
const MAX_KEPT = 200

type Document = { status: number; contentType: string; body: string }

/** Returns the document at an address. Throws an error with the reason if there is none. */
const documentAt = async (outbound: Outbound, url: string): Promise<Document> => {
  const answer = await outbound({
    url,
    method: 'GET',
    headers: { accept: 'application/json' },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  })
  if (answer.kind === 'forbidden') throw new Error('The address is not a public one')
  if (answer.kind === 'unsent') throw new Error('The host of the address could not be looked up')
  if (answer.kind === 'no_answer' || answer.incomplete) throw new Error('The address did not answer')
  return { status: answer.status, contentType: answer.headers.get('content-type') ?? '', body: answer.body }
}

/**
 * Sends the OAuth library's requests for client descriptions through the address guard: public hosts only, no redirects, ten
 * seconds (draft-ietf-oauth-client-id-metadata-document).
 *
 * The library has no setting for how it fetches. So the runtime's `fetch` is replaced by one that recognizes the library's
 * requests and passes all others on. A description is cached for five minutes, since the library reads it at every use of a token.
 */
export const guardClientDocuments = (outbound: Outbound, now: () => Date): void => {
  const plain = globalThis.fetch
  const kept = new Map<string, { until: number; document: Document }>()
  const documentOf = async (url: string): Promise<Document> => {
    const known = kept.get(url)
    if (known && known.until > now().getTime()) return known.document
    const document = await documentAt(outbound, url)
    if (kept.size >= MAX_KEPT) kept.clear()
    if (document.status === 200) kept.set(url, { until: now().getTime() + KEPT_MS, document })
    return document
  }
  globalThis.fetch = (async (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
    const headers = new Headers(init?.headers)
    if (typeof input !== 'string' || !headers.get('user-agent')?.startsWith(LIBRARY))
      return await plain(input as string, init)
    // The library caches keys itself, and requests them again if one is missing.
    const isDescription = headers.get('cache-control') === 'no-store'
    const { status, contentType, body } = await (isDescription ? documentOf(input) : documentAt(outbound, input))
    return new Response(body, { status, headers: { 'content-type': contentType } })
  }) as typeof fetch
}
