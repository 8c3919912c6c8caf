import { GRANT_SCOPES } from '../../schema/values/accounts.ts'
import { ApiError, errorBody } from '../platform/lib/errors.ts'
import type { ApiAnswer } from './api.ts'

/** Path of the MCP server. */
export const MCP_PATH = '/mcp'

/** Path of the MCP server's metadata (RFC 9728, section 3.1). */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource'

/** Returns the metadata of the MCP server as a protected resource (RFC 9728). */
export const resourceMetadata = (publicUrl: string, serviceName: string) => ({
  resource: `${publicUrl}${MCP_PATH}`,
  resource_name: serviceName,
  authorization_servers: [publicUrl],
  scopes_supported: [...GRANT_SCOPES, 'offline_access'],
  bearer_methods_supported: ['header'],
})

/**
 * Returns a 401 that names the metadata for signing in (RFC 6750, RFC 9728). `wasGiven`: a token was sent, so the error
 * is `invalid_token`. `told`: the API's own answer.
 */
export const challenge = (publicUrl: string, requestId: string, wasGiven: boolean, told?: ApiAnswer): Response => {
  const metadata = `resource_metadata="${publicUrl}${RESOURCE_METADATA_PATH}${MCP_PATH}"`
  const fault = wasGiven ? ', error="invalid_token", error_description="The token is not valid."' : ''
  const body =
    told?.body.code === 'account_inactive'
      ? told.body
      : errorBody(
          new ApiError('unauthorized', 'The access token or API key is missing or not valid.'),
          requestId,
          publicUrl,
        )
  return Response.json(body, {
    status: 401,
    headers: { 'WWW-Authenticate': `Bearer ${metadata}${fault}`, 'X-Request-Id': requestId },
  })
}
