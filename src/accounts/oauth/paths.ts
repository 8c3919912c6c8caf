/** Addresses of the OAuth server. */
export const OAUTH = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  metadata: '/.well-known/oauth-authorization-server',
} as const

/** Path of the key behind an access token, for the MCP server, at the OAuth server's internal entrypoint. */
export const TOKEN_KEY_PATH = '/internal/token'
