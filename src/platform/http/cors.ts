/** Header with links to the API's description. Source: https://www.rfc-editor.org/rfc/rfc8631 */
export const SERVICE_LINK = {
  Link: '</openapi.json>; rel="service-desc"; type="application/openapi+json", </docs>; rel="service-doc"; type="text/html"',
} as const

/** Headers that let any origin call, without credentials. They also name the headers that a browser's script may read. */
export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Idempotency-Replayed, ETag, Link',
} as const

const API_REQUEST_HEADERS = 'Authorization, Content-Type, Idempotency-Key, If-Match, X-Request-Id'

/**
 * Returns the answer to a preflight request, without a rate limit or a query. `headers`: those of every answer. `allowed`: the
 * headers that a caller may send.
 */
export const preflight = (
  methods: readonly string[],
  headers: Record<string, string>,
  allowed = API_REQUEST_HEADERS,
): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...headers,
      'Access-Control-Allow-Methods': [...methods, 'OPTIONS'].join(', '),
      'Access-Control-Allow-Headers': allowed,
      'Access-Control-Max-Age': '86400',
    },
  })
