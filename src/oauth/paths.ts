/** Addresses of the OAuth server. */
export const OAUTH = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  metadata: '/.well-known/oauth-authorization-server',
} as const

/** Where the MCP server asks for the key behind an access token, at the OAuth server's internal entrypoint. */
export const TOKEN_KEY_PATH = '/internal/token'
