/** Addresses of the OAuth server. */
export const OAUTH = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  metadata: '/.well-known/oauth-authorization-server',
} as const

/** Path at the OAuth server's internal entrypoint that returns the API key behind an access token to the MCP server. */
export const TOKEN_KEY_PATH = '/internal/token'
