import { createHash, randomBytes } from 'node:crypto'
import { importJWK, SignJWT } from 'jose'
import { expect } from 'vitest'
import { post } from '../../mcp/client.ts'
import { formOn, signInByMail, type Visitor } from '../people/browser.ts'

export type Stack = { url: string; mailUrl: string }

export const REDIRECT = 'http://127.0.0.1:9/callback'

type Json = Record<string, unknown>

/** Registers an application (RFC 7591); its id. */
export const register = async (stack: Stack, changes: Json = {}): Promise<{ status: number; body: Json }> => {
  const response = await fetch(`${stack.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'cf-connecting-ip': `oauth-${randomBytes(6).toString('hex')}` },
    body: JSON.stringify({
      client_name: 'Test <agent>',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
      ...changes,
    }),
  })
  return { status: response.status, body: (await response.json()) as Json }
}

/** Returns a verifier and its challenge (RFC 7636, S256). */
export const pkce = () => {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** Returns the path of an authorization request. */
export const authorizePath = (
  stack: Stack,
  clientId: string,
  challenge: string,
  changes: Record<string, string> = {},
) =>
  `/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    state: 'a-state',
    scope: 'read write offline_access',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: `${stack.url}/mcp`,
    ...changes,
  })}`

/** Answers the consent page. Returns the address to which the browser is sent. */
export const decide = async (person: Visitor, path: string, fields: Record<string, string>): Promise<URL> => {
  const form = formOn(await person.get(path), '/oauth/authorize')
  const answer = await person.post('/oauth/authorize', { ...form, ...fields })
  expect(answer.status, answer.text).toBe(302)
  return new URL(answer.headers.get('location') ?? '')
}

export const ALLOW: Record<string, string> = { decision: 'allow', scope: 'write' }

/** Signs for the application `signed.json` of local/client-documents.ts, and opens nothing else. */
const TEST_KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'DRxNteo5YR_qbmEsWp-d-eadXxhx8x6cYT00M0PyWm4',
  y: 'WV8Wn1Zp57G36ScKIoqr8u2Y9LxJcWMdUQyLpPUn0pc',
  d: '_VE21XborCEwPjISee4kNVGQHsw4MfL4-QvalF1PZRs',
}

/** Returns a new assertion by which an application proves itself (RFC 7523). */
export const assertionOf = async (stack: Stack, clientId: string): Promise<Record<string, string>> => ({
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: await new SignJWT({ jti: randomBytes(16).toString('hex') })
    .setProtectedHeader({ alg: 'ES256' })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(stack.url)
    .setExpirationTime('1m')
    .sign(await importJWK(TEST_KEY, 'ES256')),
})

/** Asks the token endpoint. */
export const token = async (
  stack: Stack,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Json }> => {
  const response = await fetch(`${stack.url}/oauth/token`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'cf-connecting-ip': `oauth-${randomBytes(6).toString('hex')}`,
      ...headers,
    },
    body: new URLSearchParams(fields).toString(),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Json) }
}

/** Lets a person permit an application, up to its code. */
export const letInBy = async (stack: Stack, visitor: Visitor, clientId: string, fields = ALLOW) => {
  const { verifier, challenge } = pkce()
  const back = await decide(visitor, authorizePath(stack, clientId, challenge), fields)
  const code = back.searchParams.get('code') ?? ''
  const redemption = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT,
    client_id: clientId,
    code_verifier: verifier,
    resource: `${stack.url}/mcp`,
  }
  return { back, code, redemption }
}

/** The same with a new person and a new application. */
export const letIn = async (stack: Stack, fields?: Record<string, string>) => {
  const { visitor, email } = await signInByMail(stack)
  const clientId = (await register(stack)).body.client_id as string
  return { visitor, email, clientId, ...(await letInBy(stack, visitor, clientId, fields)) }
}

/** Redeems the code of a permitted application. Returns its tokens, and a function that refreshes them. */
export const tokensOf = async (stack: Stack, { redemption }: Awaited<ReturnType<typeof letInBy>>) => {
  const { status, body } = await token(stack, redemption)
  expect(status, JSON.stringify(body)).toBe(200)
  const { access_token, refresh_token } = body as { access_token: string; refresh_token: string }
  const refresh = (refreshToken: string) =>
    token(stack, { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: redemption.client_id })
  return { body, accessToken: access_token, refreshToken: refresh_token, refresh }
}

/** The same as `letIn`, with its tokens. */
export const withTokens = async (stack: Stack, fields?: Record<string, string>) => {
  const grant = await letIn(stack, fields)
  return { ...grant, ...(await tokensOf(stack, grant)) }
}

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_projects', arguments: {} } }

/** Returns the status that a call of a tool with an access token is answered with. */
export const statusOf = async (stack: Stack, accessToken: string): Promise<number> =>
  (await post(stack.url, { key: accessToken, body: CALL })).status
