import { describe, expect, it } from 'vitest'
import type { Outbound } from '../../../src/platform/runtime/outbound.ts'
import { parseGoogleSettings } from '../../../src/platform/runtime/provider-env.ts'
import { googleSearchConsole } from '../../../src/providers/google/search-console.ts'

const settings = parseGoogleSettings({ GOOGLE_CLIENT_ID: 'client', GOOGLE_CLIENT_SECRET: 'secret' })

type Request = Parameters<Outbound>[0]

/** Returns the adapter with one recorded answer, and the requests that it sent. */
const answering = (status: number, body: unknown) => {
  const sent: Request[] = []
  const outbound: Outbound = async (request) => {
    sent.push(request)
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return {
      kind: 'answered',
      status,
      headers: new Headers(),
      body: text,
      bytes: new Uint8Array(0),
      truncated: false,
      incomplete: false,
    }
  }
  return { google: googleSearchConsole({ outbound }, settings), sent }
}

const QUERY = {
  property: 'sc-domain:blog.example',
  startDate: '2026-11-01',
  endDate: '2026-11-02',
  dimensions: [],
  within: '',
} as const

const refusal = (code: number, message: string, reason: string, rest: object = {}) => ({
  error: { code, message, errors: [{ message, domain: 'global', reason }], ...rest },
})

describe('a query', () => {
  it('names the property in the address and asks for final numbers', async () => {
    const { google, sent } = answering(200, { rows: [], responseAggregationType: 'byProperty' })
    await google.query('token', {
      ...QUERY,
      property: 'https://www.blog.example/a b/',
      dimensions: ['query'],
      rowLimit: 26,
    })
    expect(sent[0]).toMatchObject({
      method: 'POST',
      url: 'https://searchconsole.googleapis.com/webmasters/v3/sites/https%3A%2F%2Fwww.blog.example%2Fa%20b%2F/searchAnalytics/query',
      headers: { Authorization: 'Bearer token', 'Content-Type': 'application/json' },
    })
    expect(JSON.parse(String(sent[0]?.body))).toEqual({
      startDate: '2026-11-01',
      endDate: '2026-11-02',
      dimensions: ['query'],
      rowLimit: 26,
      type: 'web',
      dataState: 'final',
    })
  })

  // google/site-kit-wp#1917
  it.each([
    ['https://blog.x.example/', '^https?://(www\\.)?blog\\.x\\.example([/?#]|$)'],
    ['https://www.x.example:8443/a.b/', '^https?://(www\\.)?x\\.example:8443/a\\.b([/?#]|$)'],
  ])('of a part of a property is filtered to the pages of %s', async (within, expression) => {
    const { google, sent } = answering(200, { rows: [] })
    await google.query('token', { ...QUERY, within })
    expect(JSON.parse(String(sent[0]?.body))).toMatchObject({
      dimensionFilterGroups: [{ filters: [{ dimension: 'page', operator: 'includingRegex', expression }] }],
    })
  })

  // Google's guide has underlines, its discovery document none.
  it.each(['firstIncompleteDate', 'first_incomplete_date'])('by day has the first unfinished day: %s', async (name) => {
    const row = { keys: ['2026-11-01'], clicks: 1, impressions: 2, ctr: 0.5, position: 1 }
    const { google } = answering(200, { rows: [row], metadata: { [name]: '2026-11-02' } })
    expect(await google.days('token', QUERY)).toEqual({ ok: { rows: [row], firstOpenDay: '2026-11-02' } })
  })

  it('without rows, as Google answers when there is nothing, has none', async () => {
    const { google } = answering(200, { responseAggregationType: 'byProperty' })
    expect(await google.query('token', QUERY)).toEqual({ ok: [] })
  })

  it('without dimensions has one row without keys', async () => {
    const { google } = answering(200, { rows: [{ clicks: 3, impressions: 40, ctr: 0.075, position: 8.5 }] })
    expect(await google.query('token', QUERY)).toEqual({
      ok: [{ keys: [], clicks: 3, impressions: 40, ctr: 0.075, position: 8.5 }],
    })
  })

  it.each([
    [
      401,
      refusal(401, 'Request had invalid authentication credentials.', 'authError', { status: 'UNAUTHENTICATED' }),
      'unauthorized',
    ],
    [
      403,
      refusal(403, "User does not have sufficient permission for site 'sc-domain:blog.example'.", 'forbidden'),
      'forbidden',
    ],
    [403, refusal(403, 'Request had insufficient authentication scopes.', 'insufficientPermissions'), 'scope'],
    [
      403,
      {
        error: {
          code: 403,
          message: 'x',
          status: 'PERMISSION_DENIED',
          details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }],
        },
      },
      'scope',
    ],
    [403, refusal(403, 'Google Search Console API has not been used in project 1.', 'accessNotConfigured'), 'disabled'],
    [
      403,
      { error: { code: 403, message: 'x', status: 'PERMISSION_DENIED', details: [{ reason: 'SERVICE_DISABLED' }] } },
      'disabled',
    ],
    [403, refusal(403, 'Quota exceeded', 'quotaExceeded'), 'quota'],
    [403, refusal(403, 'Rate limit', 'userRateLimitExceeded'), 'quota'],
    [
      429,
      refusal(429, 'Search Analytics load quota exceeded.', 'quotaExceeded', { status: 'RESOURCE_EXHAUSTED' }),
      'quota',
    ],
    [400, refusal(400, "Invalid value at 'start_date'", 'badRequest', { status: 'INVALID_ARGUMENT' }), 'invalid'],
    [500, refusal(500, 'Backend Error', 'backendError'), 'away'],
    [502, '<html>Bad gateway</html>', 'away'],
    [200, 'not json', 'away'],
    [200, { rows: 'none' }, 'away'],
  ])('%i %j is a failure of the kind %s', async (status, body, kind) => {
    const answer = await answering(status, body).google.query('token', QUERY)
    expect(answer).toMatchObject({ failure: { kind, status, message: expect.stringMatching(/\S/) } })
  })

  it.each([
    ['userRateLimitExceeded', 60],
    ['rateLimitExceeded', 60],
    ['RATE_LIMIT_EXCEEDED', 60],
    ['quotaExceeded', 900],
    ['dailyLimitExceeded', 900],
  ])('with the reason %s is one to repeat after %i s', async (reason, retryAfter) => {
    const answer = await answering(403, refusal(403, 'No.', reason)).google.query('token', QUERY)
    expect(answer).toMatchObject({ failure: { kind: 'quota', retryAfter } })
  })

  it.each([
    ['no_answer', { kind: 'no_answer', reason: 'timeout' }],
    ['unsent', { kind: 'unsent', reason: 'lookup' }],
  ] as const)('that gets %s is one to repeat', async (_, outcome) => {
    const google = googleSearchConsole({ outbound: async () => outcome }, settings)
    expect(await google.query('token', QUERY)).toMatchObject({ failure: { kind: 'away', retryAfter: 60 } })
  })

  it('returns one clean line of Google’s message', async () => {
    const { google } = answering(403, refusal(403, `Not\nallowed\u0000 ${'x'.repeat(500)}`, 'forbidden'))
    const answer = await google.query('token', QUERY)
    const { message } = 'failure' in answer ? answer.failure : { message: '' }
    expect(message).toMatch(/^Not allowed x+$/)
    expect(message.length).toBe(300)
  })
})

describe('the properties', () => {
  it('leave out those that are not verified', async () => {
    const { google } = answering(200, {
      siteEntry: [
        { siteUrl: 'sc-domain:blog.example', permissionLevel: 'siteOwner' },
        { siteUrl: 'https://other.example/', permissionLevel: 'siteUnverifiedUser' },
        { siteUrl: 'https://third.example/', permissionLevel: 'siteRestrictedUser' },
      ],
    })
    expect(await google.properties('token')).toEqual({ ok: ['sc-domain:blog.example', 'https://third.example/'] })
  })

  it('are none in an empty object', async () => {
    expect(await answering(200, {}).google.properties('token')).toEqual({ ok: [] })
  })
})

const payload = Buffer.from(JSON.stringify({ sub: '1234', email: 'me@blog.example' })).toString('base64url')
const SCOPE = 'openid https://www.googleapis.com/auth/webmasters.readonly'
const TOKENS = {
  access_token: 'ya29.a',
  expires_in: 3599,
  refresh_token: '1//r',
  scope: SCOPE,
  token_type: 'Bearer',
  id_token: `h.${payload}.s`,
}
const CODE = { code: '4/x', verifier: 'v', redirectUri: 'https://api.example/connect/search-console/callback' }

describe('tokens', () => {
  it('are returned for a code with its verifier, with their account', async () => {
    const { google, sent } = answering(200, TOKENS)
    expect(await google.exchange(CODE)).toEqual({
      ok: { accessToken: 'ya29.a', expiresIn: 3599, refreshToken: '1//r', sub: '1234', email: 'me@blog.example' },
    })
    expect(sent[0]?.url).toBe('https://oauth2.googleapis.com/token')
    expect(Object.fromEntries(new URLSearchParams(String(sent[0]?.body)))).toEqual({
      client_id: 'client',
      client_secret: 'secret',
      grant_type: 'authorization_code',
      code: '4/x',
      code_verifier: 'v',
      redirect_uri: CODE.redirectUri,
    })
  })

  it.each([
    ['the scope that was not ticked', { ...TOKENS, scope: 'openid email' }, 'scope'],
    ['no refresh token', { ...TOKENS, refresh_token: undefined }, 'client'],
    ['no access token', { ...TOKENS, access_token: undefined }, 'away'],
  ])('with %s are a failure', async (_, body, kind) => {
    expect(await answering(200, body).google.exchange(CODE)).toMatchObject({ failure: { kind } })
  })

  it('are refreshed without a new refresh token', async () => {
    const { google } = answering(200, { access_token: 'ya29.b', expires_in: 3599, scope: SCOPE, token_type: 'Bearer' })
    expect(await google.refresh('1//r')).toEqual({ ok: { accessToken: 'ya29.b', expiresIn: 3599 } })
  })

  it.each([
    [400, { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }, 'revoked'],
    [400, { error: 'invalid_grant', error_description: 'Bad Request' }, 'revoked'],
    [401, { error: 'invalid_client', error_description: 'The OAuth client was not found.' }, 'client'],
    [503, 'Service Unavailable', 'away'],
  ])('%i %j is a failure of the kind %s', async (status, body, kind) => {
    expect(await answering(status, body).google.refresh('1//r')).toMatchObject({ failure: { kind, status } })
  })

  it.each([
    [200, {}, { ok: true }],
    [400, { error: 'invalid_token' }, { ok: true }],
    [503, {}, { failure: { kind: 'away' } }],
  ])('withdrawing them: %i %j', async (status, body, outcome) => {
    expect(await answering(status, body).google.revoke('1//r')).toMatchObject(outcome)
  })
})
