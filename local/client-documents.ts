const native = (name: string, site: string) => ({
  client_name: name,
  client_uri: site,
  redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
})

const CLAUDE = 'https://claude.ai/oauth/claude-code-client-metadata'
const CODEX = 'https://chatgpt.com/oauth/codex/client.json'
const SAMPLE = 'https://agents.example/client.json'

/** The public half of a key that only the tests sign with (test/accounts/oauth/flow.ts). */
const TEST_KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'DRxNteo5YR_qbmEsWp-d-eadXxhx8x6cYT00M0PyWm4',
  y: 'WV8Wn1Zp57G36ScKIoqr8u2Y9LxJcWMdUQyLpPUn0pc',
}

type Reply = { status?: number; headers?: Record<string, string>; body: unknown }

const described = (url: string, name: string): Reply => ({
  body: { client_id: url, ...native(name, new URL(url).origin) },
})

/** Documents at the addresses by which applications describe themselves. Those of `agents.example` are for tests. */
const REPLIES: Record<string, Reply> = {
  [CLAUDE]: described(CLAUDE, 'Claude Code'),
  [CODEX]: described(CODEX, 'Codex'),
  [SAMPLE]: described(SAMPLE, 'Sample <agent>'),
  'https://agents.example/odd.json': described(
    'https://agents.example/odd.json',
    `Odd\0 \u202e<agent>\n${'x'.repeat(300)}`,
  ),
  'https://agents.example/signed.json': {
    body: {
      client_id: 'https://agents.example/signed.json',
      ...native('Signed', 'https://agents.example'),
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [TEST_KEY] },
    },
  },
  'https://agents.example/another.json': described(SAMPLE, 'Somebody else'),
  'https://agents.example/moved.json': { status: 302, headers: { location: SAMPLE }, body: '' },
  'https://agents.example/missing.json': { status: 404, body: 'not here' },
  'https://agents.example/page': { body: '<!doctype html><title>Agents</title>' },
  'https://agents.example/long.json': {
    body: {
      client_id: 'https://agents.example/long.json',
      ...native('Long', 'https://agents.example'),
      contacts: ['x'.repeat(6_000)],
    },
  },
}

/**
 * Code of a Worker between the internet and the Worker that reads client descriptions (client-id metadata documents).
 *
 * It answers for known addresses and passes other requests on. So applications that describe themselves can be let in
 * on a machine without internet.
 */
export const CLIENT_DOCUMENTS_WORKER = `const REPLIES = ${JSON.stringify(REPLIES)}
export default {
  fetch(request) {
    const reply = REPLIES[request.url]
    if (!reply) return fetch(request)
    const body = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)
    return new Response(body, { status: reply.status ?? 200, headers: { 'content-type': 'application/json', ...reply.headers } })
  },
}`
