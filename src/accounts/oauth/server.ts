import { OAuthAuthorizationServer } from '@cloudflare/workers-oauth-provider'
import { GRANT_SCOPES, type Scope } from '../../../schema/values/accounts.ts'
import { widestOf } from '../../platform/accounts/scopes.ts'
import type { Db } from '../../platform/db/client.ts'
import { OAUTH } from './paths.ts'
import { oauthStore } from './store.ts'

const DAY_S = 86_400
const ACCESS_S = 3_600
const REFRESH_S = 90 * DAY_S

/** Contents of a grant: the API key behind it, sealed by the library so that only its tokens unseal it. */
export type GrantProps = { apiKey: string }

/** Rights of an access token. An application may ask for a token of less than its grant: of reading alone. */
type TokenKey = { apiKey: string; scope: Scope; expiresAt: number }

/** The environment the library reads its store from. */
type Env = { OAUTH_KV: unknown }

/**
 * Returns the authorization server of the MCP server, by workers-oauth-provider: authorization code with PKCE S256 alone, dynamic
 * registration and client-id documents, RFC 8414, 8707, 9207.
 *
 * Access tokens hold an hour, refresh tokens 90 days from their last use.
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
    // Applications on a person's own device return by a scheme of their own; the page of consent names it.
    allowPrivateUseRedirectUris: true,
  })
  return {
    /** The name of the MCP server at sign-in. */
    resource,
    api: server.getOAuthApi(env),
    /** Answers metadata, tokens, revocation and registration. */
    answer: (request: Request, ctx: Parameters<typeof server.fetch>[2]) => server.fetch(request, env, ctx),
    /** The key behind an access token, how much the token may do, and when it ends; undefined for one that is not valid here. */
    keyOf: async (token: string): Promise<TokenKey | undefined> => {
      const valid = await server.validateToken<GrantProps>(resource, token, env)
      if (!valid) return undefined
      const { props, scope, expiresAt } = valid
      return { apiKey: props.apiKey, scope: widestOf(scope), expiresAt }
    },
  }
}

export type OAuth = ReturnType<typeof createOAuth>
