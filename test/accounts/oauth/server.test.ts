import { connect as netConnect } from 'node:net'
import { describe, expect, inject, it } from 'vitest'
import { signInByMail } from '../people/browser.ts'
import { authorizePath, pkce, REDIRECT, register } from './flow.ts'

const stack = inject('stack')

describe('the metadata of the server', () => {
  it('is at the address that the resource names, in the terms of RFC 8414 and 9728', async () => {
    const resource = (await (await fetch(`${stack.url}/.well-known/oauth-protected-resource/mcp`)).json()) as {
      authorization_servers: string[]
    }
    expect(resource).toMatchObject({ resource: `${stack.url}/mcp`, authorization_servers: [stack.url] })
    expect(await (await fetch(`${stack.url}/.well-known/oauth-authorization-server`)).json()).toMatchObject({
      issuer: stack.url,
      authorization_endpoint: `${stack.url}/oauth/authorize`,
      token_endpoint: `${stack.url}/oauth/token`,
      registration_endpoint: `${stack.url}/oauth/register`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      scopes_supported: ['read', 'draft', 'write', 'offline_access'],
    })
  })

  it('an application reads its own registration again, and no other', async () => {
    const [one, other] = [await register(stack), await register(stack)]
    const read = (uri: unknown, key: unknown) => fetch(String(uri), { headers: { authorization: `Bearer ${key}` } })
    const own = await read(one.body.registration_client_uri, one.body.registration_access_token)
    const { registration_client_uri, registration_access_token } = one.body
    expect([own.status, own.headers.get('cache-control'), await own.json()]).toEqual([
      200,
      'no-store',
      expect.objectContaining({
        client_id: one.body.client_id,
        redirect_uris: [REDIRECT],
        registration_client_uri,
        registration_access_token,
      }),
    ])
    const refused = await read(registration_client_uri, other.body.registration_access_token)
    expect([refused.status, refused.headers.get('www-authenticate'), refused.headers.get('cache-control')]).toEqual([
      401,
      'Bearer error="invalid_token"',
      'no-store',
    ])
    const nameless = await fetch(String(registration_client_uri))
    expect([nameless.status, nameless.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })

  it('refuses other methods, and names the allowed ones', async () => {
    const { body } = await register(stack)
    const own = String(body.registration_client_uri)
    for (const [method, url, allowed] of [
      ['GET', `${stack.url}/oauth/token`, 'POST'],
      ['GET', `${stack.url}/oauth/register`, 'POST'],
      ['DELETE', own, 'GET'],
      ['PUT', own, 'GET'],
    ] as const) {
      const answer = await fetch(url, { method })
      expect([answer.status, answer.headers.get('allow'), await answer.json()]).toEqual([
        405,
        `${allowed}, OPTIONS`,
        { error: 'invalid_request', error_description: `${method} is not allowed here, only ${allowed}.` },
      ])
    }
    expect((await fetch(`${own}/more`)).headers.get('content-type')).toMatch(/^application\/json/)
  })

  it('the key for a token is not available from outside', async () => {
    for (const path of ['/internal/token', '/oauth/internal/token', '/settings/../internal/token'])
      expect((await fetch(`${stack.url}${path}`, { method: 'POST', body: '{}' })).status, path).toBeGreaterThanOrEqual(
        403,
      )
  })
})

// langgenius/dify#34949
it('an empty field of a registration counts as absent; a wrong type is refused', async () => {
  const nothing = {
    client_uri: '',
    logo_uri: null,
    tos_uri: ' ',
    contacts: [],
    jwks: {},
    grant_types: null,
    response_types: [],
    token_endpoint_auth_method: '',
    scope: null,
    software_id: '',
    policy_uri: [null],
  }
  expect(await register(stack, nothing)).toMatchObject({ status: 201 })
  const partly = { grant_types: ['authorization_code', null, ''], contacts: [null, 'a@b.example'] }
  expect(await register(stack, partly)).toMatchObject({
    status: 201,
    body: { grant_types: ['authorization_code'], contacts: ['a@b.example'] },
  })
  const wrongs = [
    { contacts: 7 },
    { grant_types: 'x' },
    { logo_uri: 7 },
    { scope: ['read'] },
    { software_id: true },
    { software_version: 2 },
    { jwks: 'x' },
  ]
  for (const wrong of wrongs) expect(await register(stack, wrong), JSON.stringify(wrong)).toMatchObject({ status: 400 })
})

describe('requests that are refused', () => {
  const ask = async (changes: Record<string, string>) => {
    const { visitor: person } = await signInByMail(stack)
    const { body } = await register(stack)
    return await person.get(authorizePath(stack, body.client_id as string, pkce().challenge, changes))
  }

  it.each([
    ['https://attacker.example/callback'],
    ['http://127.0.0.1:9/callback/../elsewhere'],
    [`${REDIRECT}?more=1`],
    ['javascript:alert(1)'],
  ])('a redirect that was not registered is shown as a page, never followed: %s', async (redirect_uri) => {
    const page = await ask({ redirect_uri })
    expect([page.status, page.headers.get('location')]).toEqual([400, null])
    expect(page.text).toContain('cannot be accepted')
  })

  it('a parameter that is given several times', async () => {
    const { visitor: person } = await signInByMail(stack)
    const { body } = await register(stack)
    const clientId = body.client_id as string
    const page = await person.get(`${authorizePath(stack, clientId, pkce().challenge)}&client_id=another`)
    expect([page.status, page.text.includes('client_id is sent more than once')]).toEqual([400, true])
    const twice = await fetch(`${stack.url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'cf-connecting-ip': `twice-${clientId}` },
      body: `client_id=${clientId}&code=a&code=b`,
    })
    expect([twice.status, await twice.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'code is sent more than once.' },
    ])
  })

  it('a request without a body and its length: not because it were too large', async () => {
    const { hostname, port } = new URL(stack.url)
    const socket = netConnect(Number(port), hostname)
    socket.write(`POST /oauth/token HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`)
    const answer = (await socket.toArray()).join('')
    expect(answer.split('\r\n')[0]).toBe('HTTP/1.1 400 Bad Request')
  })

  it('an application that is not registered', async () => {
    expect((await ask({ client_id: 'nobody' })).status).toBe(400)
  })

  it.each([
    ['https://10.9.8.7/client.json', 'The address is not a public one'],
    ['https://agents.example/missing.json', 'HTTP 404'],
    ['https://agents.example/moved.json', 'HTTP 302'],
    ['https://agents.example/page', 'not valid JSON'],
    ['https://agents.example/long.json', 'exceeded size limit'],
    ['https://agents.example/another.json', 'does not match'],
  ])('a description that cannot be used gives a page that explains why: %s', async (client_id, words) => {
    const page = await ask({ client_id })
    expect([page.status, page.headers.get('location')]).toEqual([400, null])
    expect(page.text).toContain('The application could not be looked up')
    expect(page.text).toMatch(new RegExp(words))
  })

  it.each([
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: '' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
  ])('%o', async (changes, error) => {
    const page = await ask(changes as Record<string, string>)
    const back = new URL(page.headers.get('location') ?? 'about:blank')
    expect([page.status, back.searchParams.get('error'), back.searchParams.get('code')]).toEqual([302, error, null])
  })

  it('a request without a challenge of S256 is refused, also of an application with a secret', async () => {
    const { visitor: person } = await signInByMail(stack)
    const { body } = await register(stack, { token_endpoint_auth_method: 'client_secret_post' })
    expect(body.client_secret).toEqual(expect.any(String))
    for (const challenge of [undefined, 'short', 'x'.repeat(42), `${'x'.repeat(42)}=`]) {
      const asked = new URL(authorizePath(stack, body.client_id as string, challenge ?? ''), stack.url)
      if (challenge === undefined)
        for (const name of ['code_challenge', 'code_challenge_method']) asked.searchParams.delete(name)
      const page = await person.get(`${asked.pathname}${asked.search}`, { follow: false })
      const back = new URL(page.headers.get('location') ?? 'about:blank')
      expect([page.status, back.origin, back.searchParams.get('error'), back.searchParams.get('state')]).toEqual([
        302,
        new URL(REDIRECT).origin,
        'invalid_request',
        'a-state',
      ])
      expect(back.searchParams.get('error_description')).toContain('code_challenge is required')
    }
  })

  it('a registration that returns to a site without TLS', async () => {
    const uris = [
      ['http://attacker.example/callback'],
      ['javascript:alert(1)'],
      ['data:text/html,x'],
      ['about:blank'],
      ['intent://x/#Intent;end'],
      ['view-source:https://a.example'],
      ...['ms-msdt:/id', 'search-ms:query=x', 'microsoft-edge:x', 'smb://a/b', 'mk:@x', 'x-apple.prefs:x'].map(
        (uri) => [uri],
      ),
      [REDIRECT, 'vbscript:x'],
      ...['a;b.example', 'a,b.example', '*.example', "a'b.example", 'a_b.example'].map((host) => [
        `https://${host}/cb`,
      ]),
      [],
    ]
    for (const redirect_uris of uris)
      expect(await register(stack, { redirect_uris }), redirect_uris[0]).toMatchObject({
        status: 400,
        body: { error: 'invalid_redirect_uri' },
      })
  })

  it('a registration that is not valid is refused', async () => {
    for (const changes of [{ client_name: 7 }, { token_endpoint_auth_method: 'none', grant_types: ['password'] }])
      expect(await register(stack, changes)).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } })
  })
})
