import { connect as netConnect } from 'node:net'
import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { revokeKey } from '../../../src/platform/accounts/admin.ts'
import { sha256 } from '../../../src/platform/lib/crypto.ts'
import { callTool, connect, post } from '../../mcp/client.ts'
import { rowsIn, runnerOf } from '../../support/client.ts'
import { formOn, signInByMail, sure, visitor } from '../people/browser.ts'
import {
  ALLOW,
  assertionOf,
  authorizePath,
  decide,
  letIn,
  letInBy,
  pkce,
  REDIRECT,
  register,
  token,
  withTokens,
} from './flow.ts'

const stack = inject('stack')

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_projects', arguments: {} } }
const statusOf = async (accessToken: string): Promise<number> =>
  (await post(stack.url, { key: accessToken, body: CALL })).status

/** Address of an application's own description (local/client-documents.ts). */
const DESCRIBED = 'https://agents.example/client.json'

/** One that proves itself by signing. */
const SIGNED = 'https://agents.example/signed.json'

/** Returns the id of the grant a token belongs to. */
const grantOf = (accessToken: string): string => accessToken.split(':')[1] ?? ''

/** Returns the account of an address. */
const accountOf = async (email: string): Promise<number> =>
  Number((await rowsIn<{ id: number }>(stack, sql`select id from accounts where email = ${email}`))[0]?.id)

/** Lets two minutes pass since a refresh token was used. Its own record: those of tests beside it stay as young as they are. */
const ageUse = async (refreshToken: string): Promise<void> => {
  const own = `used:${await sha256(`refresh_token\n${refreshToken}`)}`
  const aged = sql`update oauth_records set created_at = now() - interval '2 minutes' where key = ${own} returning key`
  expect(await rowsIn(stack, aged)).toEqual([{ key: own }])
}

describe('what is told of the server', () => {
  it('stands where the resource says, in the terms of RFC 8414 and 9728', async () => {
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

  it('refuses other methods with those there are, in the form of its errors', async () => {
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

  it('the key behind a token is told to nobody from outside', async () => {
    for (const path of ['/internal/token', '/oauth/internal/token', '/settings/../internal/token'])
      expect((await fetch(`${stack.url}${path}`, { method: 'POST', body: '{}' })).status, path).toBeGreaterThanOrEqual(
        403,
      )
  })
})

describe('letting an application in', () => {
  it('names it, where it returns to and the account, and then it works by tools', async () => {
    const { visitor: person, email } = await signInByMail(stack)
    const { status, body } = await register(stack)
    expect(status).toBe(201)
    const { verifier, challenge } = pkce()
    const path = authorizePath(stack, body.client_id as string, challenge)
    const page = await person.get(path)
    expect(page.text).toContain('Test &lt;agent&gt;')
    expect(page.text).toContain('127.0.0.1')
    expect(page.text).toContain(`asks to work in the account ${email} at`)
    expect(page.text).toContain(`<dt>Account</dt><dd>${email}</dd>`)
    expect(page.text).toContain(`<dt>You are</dt><dd>${email}, owner of this account</dd>`)
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' http://127.0.0.1:9;")

    const back = await decide(person, path, ALLOW)
    expect(back.href).toMatch(/^http:\/\/127\.0\.0\.1:9\/callback\?/)
    expect([back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual(['a-state', stack.url])
    const answer = await token(stack, {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: REDIRECT,
      client_id: body.client_id as string,
      code_verifier: verifier,
    })
    expect(answer).toMatchObject({
      status: 200,
      body: { token_type: 'bearer', expires_in: 3600, refresh_token: expect.any(String) },
    })
    const client = await connect(stack.url, answer.body.access_token as string)
    expect(await callTool(client, 'list_projects')).toMatchObject({ isError: false, body: { projects: [] } })
    expect(await callTool(client, 'create_project', { website_url: 'https://x.example' })).toMatchObject({
      isError: true,
      body: { code: 'project_limit_reached' },
    })
  })

  it('that describes itself at an address of its own is named by it, and works without registering', async () => {
    const { visitor: person } = await signInByMail(stack)
    const { verifier, challenge } = pkce()
    const redirect = 'http://127.0.0.1:51234/callback'
    const path = authorizePath(stack, DESCRIBED, challenge, { redirect_uri: redirect })
    const page = await person.get(path)
    expect(page.text).toContain('Sample &lt;agent&gt;')
    expect(page.text).toMatch(/Described at<\/dt><dd>agents\.example/)
    const back = await decide(person, path, ALLOW)
    const answer = await token(stack, {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: redirect,
      client_id: DESCRIBED,
      code_verifier: verifier,
    })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(await statusOf(answer.body.access_token as string)).toBe(200)
    const refreshed = await token(stack, {
      grant_type: 'refresh_token',
      refresh_token: answer.body.refresh_token as string,
      client_id: DESCRIBED,
    })
    expect(await statusOf(refreshed.body.access_token as string)).toBe(200)
    expect((await person.get('/settings/applications')).text).toContain('Sample &lt;agent&gt;')
  })

  it('again ends nothing: each grant stands by itself, also when the new code is never redeemed', async () => {
    const { visitor: person, clientId, accessToken, refresh, refreshToken } = await withTokens(stack)
    const { redemption } = await letInBy(stack, person, clientId)
    expect(await statusOf(accessToken)).toBe(200)
    const again = await token(stack, redemption)
    for (const one of [accessToken, again.body.access_token as string]) expect(await statusOf(one)).toBe(200)
    expect((await refresh(refreshToken)).status).toBe(200)
    expect((await person.get('/settings/applications')).text.match(/name="grant"/g)).toHaveLength(2)
  })

  it.each([
    ['A\0b', 'A b'],
    ['Good\u202e <agent>\nReturns to: you', 'Good &lt;agent&gt; Returns to: you'],
    ['x'.repeat(5_000), `${'x'.repeat(99)}…`],
  ])('is shown under a name of one short line, and let in: %j', async (client_name, shown) => {
    const { visitor: person } = await signInByMail(stack)
    const { body } = await register(stack, { client_name })
    const clientId = body.client_id as string
    const page = await person.get(authorizePath(stack, clientId, pkce().challenge))
    expect(page.text).toContain(`<dt>Application</dt><dd>${shown}</dd>`)
    const { redemption } = await letInBy(stack, person, clientId)
    expect((await token(stack, redemption)).status).toBe(200)
    expect((await person.get('/settings/applications')).text).toContain(`>${shown}<`)
  })

  it('that describes itself under an odd name is shown under a plain one, and one with no name left under its id', async () => {
    const { visitor: person } = await signInByMail(stack)
    const odd = authorizePath(stack, 'https://agents.example/odd.json', pkce().challenge, {
      redirect_uri: 'http://127.0.0.1:51234/callback',
    })
    expect((await person.get(odd)).text).toMatch(/<dt>Application<\/dt><dd>Odd &lt;agent&gt; x{87}…<\/dd>/)
    const { body } = await register(stack, { client_name: '\u202e\n' })
    const page = await person.get(authorizePath(stack, body.client_id as string, pkce().challenge))
    expect(page.text).toContain(`<dt>Application</dt><dd>${body.client_id}</dd>`)
  })

  it('asks people to sign in first, and brings them back to the question', async () => {
    const { body } = await register(stack)
    const path = authorizePath(stack, body.client_id as string, pkce().challenge)
    const asked = await visitor(stack.url).get(path)
    expect(new URL(asked.url).pathname).toBe('/sign-in')
    const next = formOn(asked, '/sign-in').next
    expect(next).toBe(path)
    const { page } = await signInByMail(stack, undefined, next)
    expect(page.text).toContain('Let an application in?')
  })

  it('for reading alone lets it read alone', async () => {
    const { accessToken, body } = await withTokens(stack, { decision: 'allow', scope: 'read' })
    expect((body.scope as string).split(' ')).not.toContain('write')
    const client = await connect(stack.url, accessToken)
    expect(await callTool(client, 'list_projects')).toMatchObject({ isError: false })
    expect(await callTool(client, 'create_project', { website_url: 'https://x.example' })).toMatchObject({
      isError: true,
      body: {
        code: 'key_may_not',
        message: 'The user let this application only read; this call needs the scope "write". Nothing was changed.',
        instructions_for_agent: expect.stringContaining(`${stack.url}/settings/applications `),
      },
    })
  })

  it('is asked about with the scope draft first, and then lets it draft alone', async () => {
    const { visitor: person } = await signInByMail(stack)
    const { body } = await register(stack)
    const page = await person.get(authorizePath(stack, body.client_id as string, pkce().challenge))
    const radios = page.text.match(/<input type="radio" name="scope"[^>]*>/g) ?? []
    expect(radios.map((radio) => [/value="(\w+)"/.exec(radio)?.[1], radio.includes('checked')])).toEqual([
      ['draft', true],
      ['write', false],
      ['read', false],
    ])
    const drafting = await withTokens(stack, { decision: 'allow', scope: 'draft' })
    expect(drafting.body.scope).toBe('read draft offline_access')
    const client = await connect(stack.url, drafting.accessToken)
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['list_projects', 'create_article', 'act_on_suggestion']))
    for (const name of ['publish_article', 'generate_article', 'create_project']) expect(names).not.toContain(name)
    const acting = tools.find(({ name }) => name === 'act_on_suggestion')
    expect(acting?.inputSchema.properties?.action).toMatchObject({ enum: ['get', 'diff'] })
    expect((await callTool(client, 'create_article', { project_id: 2_147_483_647, keyword: 'x' })).body.code).toBe(
      'not_found',
    )
    const planned = { project_id: 1, keyword: 'x', status: 'Planned' }
    for (const [name, args] of [
      ['create_article', planned],
      ['publish_article', { article_id: 1 }],
    ] as const)
      expect((await callTool(client, name, args)).body).toMatchObject({
        code: 'key_may_not',
        required_scope: 'write',
        message: expect.stringContaining('only read and draft'),
      })
    const never = await withTokens(stack, { decision: 'allow', scope: 'admin' })
    expect(never.body.scope).toBe('read offline_access')
  })

  it('a token that was asked for to read alone reads alone, also where the user let the application write', async () => {
    const { redemption, clientId } = await letIn(stack)
    const ends = async (body: Record<string, unknown>) => {
      const client = await connect(stack.url, body.access_token as string)
      expect(await callTool(client, 'list_projects')).toMatchObject({ isError: false })
      return (await callTool(client, 'create_project', { website_url: 'https://x.example' })).body.code
    }
    const read = await token(stack, { ...redemption, scope: 'read' })
    expect([read.body.scope, await ends(read.body)]).toEqual(['read', 'key_may_not'])
    const refresh = async (refreshToken: unknown, changes: Record<string, string> = {}) => {
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken as string, client_id: clientId }
      return await token(stack, { ...form, ...changes })
    }
    const whole = await refresh(read.body.refresh_token)
    expect(await ends(whole.body)).toBe('project_limit_reached')
    const again = await refresh(whole.body.refresh_token, { scope: 'read offline_access' })
    expect(await ends(again.body)).toBe('key_may_not')
  })

  it('an application that asked to read gets no more, whatever the form says', async () => {
    const { visitor: person } = await signInByMail(stack)
    const { body } = await register(stack)
    const { verifier, challenge } = pkce()
    const path = authorizePath(stack, body.client_id as string, challenge, { scope: 'read' })
    const back = await decide(person, path, ALLOW)
    const answer = await token(stack, {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: REDIRECT,
      client_id: body.client_id as string,
      code_verifier: verifier,
    })
    expect(answer.body.scope).toBe('read')
  })

  it('refusing sends it back without a code', async () => {
    const { back } = await letIn(stack, { decision: 'deny' })
    expect(back.searchParams.get('error')).toBe('access_denied')
    expect([back.searchParams.get('code'), back.searchParams.get('iss')]).toEqual([null, stack.url])
  })

  it('the question is answered once, by whom it was asked, from our own page', async () => {
    const { visitor: person } = await signInByMail(stack)
    const { visitor: other } = await signInByMail(stack)
    const { body } = await register(stack)
    const path = authorizePath(stack, body.client_id as string, pkce().challenge)
    const form = { ...formOn(await person.get(path), '/oauth/authorize'), ...ALLOW }
    const foreign = { headers: { origin: 'https://attacker.example' } }
    expect((await person.post('/oauth/authorize', form, foreign)).status).toBe(403)
    expect((await other.post('/oauth/authorize', form)).status).toBe(400)
    const again = { ...formOn(await person.get(path), '/oauth/authorize'), ...ALLOW }
    expect((await person.post('/oauth/authorize', again)).status).toBe(302)
    expect((await person.post('/oauth/authorize', again)).status).toBe(400)
  })
})

it('who changed to another account since they were asked is asked again, for that one', async () => {
  const [host, guest] = [await signInByMail(stack), await signInByMail(stack)]
  const [theirs, own] = [await accountOf(host.email), await accountOf(guest.email)]
  await rowsIn(
    stack,
    sql`insert into memberships (person_id, account_id, role)
      select id, ${theirs}::int, 'member' from people where email = ${guest.email}`,
  )
  const clientId = (await register(stack)).body.client_id as string
  const { verifier, challenge } = pkce()
  const form = formOn(await guest.visitor.get(authorizePath(stack, clientId, challenge)), '/oauth/authorize')
  await guest.visitor.post('/settings/accounts', { account: String(theirs) })
  const asked = await guest.visitor.post('/oauth/authorize', { ...form, ...ALLOW })
  expect([asked.status, asked.text.includes('decide again')]).toEqual([409, true])
  expect(asked.text).toContain(`<dt>Account</dt><dd>${host.email}</dd>`)
  expect(asked.text).toContain(`${guest.email}, member of this account`)
  const keys = () =>
    rowsIn<{ id: number }>(
      stack,
      sql`select account_id as id from api_keys where account_id in (${own}::int, ${theirs}::int)`,
    )
  expect(await keys()).toEqual([])
  const answered = await guest.visitor.post('/oauth/authorize', { ...formOn(asked, '/oauth/authorize'), ...ALLOW })
  const code = new URL(answered.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const redemption = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: verifier }
  expect((await token(stack, { ...redemption, client_id: clientId })).status).toBe(200)
  expect(await keys()).toEqual([{ id: theirs }])
})

// better-auth#10946, jentic-one#1245, trypostit#336, python-sdk#897
it.each([
  ['cursor://anysphere.cursor-mcp/oauth/callback', 'cursor://anysphere.cursor-mcp', 'cursor:'],
  ['com.example.app:/oauth2redirect', 'com.example.app:', 'com.example.app:'],
])('an application with a scheme of its own is registered, named and returned to: %s', async (uri, shown, target) => {
  for (const redirect_uris of [[uri], [REDIRECT, uri]]) {
    const { status, body } = await register(stack, { redirect_uris })
    expect(status).toBe(201)
    const { visitor } = await signInByMail(stack)
    const path = authorizePath(stack, String(body.client_id), pkce().challenge, { redirect_uri: uri })
    const page = await visitor.get(path)
    expect(page.text).toContain(`${shown} (an application on your own device`)
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' ${target};`)
    const answered = await visitor.post('/oauth/authorize', { ...formOn(page, '/oauth/authorize'), ...ALLOW })
    expect(answered.headers.get('location')?.startsWith(`${uri}?code=`)).toBe(true)
  }
})

// langgenius/dify#34949
it('a field of a registration that says nothing is one that was left out; a wrong type is refused', async () => {
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

// claude-code#52871, mcp-auth-proxy#123
it.each(['/mcp', '/mcp/', '/mcp?client=x', 'localhost', 'capitals'])(
  'the MCP server is the resource under each of its addresses: %s',
  async (form) => {
    const url = new URL(stack.url)
    const resource =
      form === 'localhost'
        ? `http://localhost:${url.port}/mcp`
        : form === 'capitals'
          ? `HTTP://${url.host.toUpperCase()}/mcp`
          : `${stack.url}${form}`
    const { visitor } = await signInByMail(stack)
    const { body } = await register(stack)
    const clientId = String(body.client_id)
    const { verifier, challenge } = pkce()
    const page = await visitor.get(authorizePath(stack, clientId, challenge, { resource }))
    const answered = await visitor.post('/oauth/authorize', { ...formOn(page, '/oauth/authorize'), ...ALLOW })
    const code = new URL(answered.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const redemption = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: verifier }
    const given = await token(stack, { ...redemption, client_id: clientId, resource })
    expect(given.status).toBe(200)
    const { access_token } = given.body as { access_token: string }
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    expect((await fetch(`${stack.url}/mcp`, { method: 'POST', headers, body: list })).status).toBe(200)
  },
)

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
    expect(page.text).toContain('cannot be taken')
  })

  it('a parameter that is given several times', async () => {
    const { visitor: person } = await signInByMail(stack)
    const { body } = await register(stack)
    const clientId = body.client_id as string
    const page = await person.get(`${authorizePath(stack, clientId, pkce().challenge)}&client_id=another`)
    expect([page.status, page.text.includes('client_id is given several times')]).toEqual([400, true])
    const twice = await fetch(`${stack.url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'cf-connecting-ip': `twice-${clientId}` },
      body: `client_id=${clientId}&code=a&code=b`,
    })
    expect([twice.status, await twice.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'code is given several times.' },
    ])
  })

  it('a request without a body and its length: not because it were too large', async () => {
    const { hostname, port } = new URL(stack.url)
    const socket = netConnect(Number(port), hostname)
    socket.write(`POST /oauth/token HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`)
    const answer = (await socket.toArray()).join('')
    expect(answer.split('\r\n')[0]).toBe('HTTP/1.1 400 Bad Request')
  })

  it('an application nobody registered', async () => {
    expect((await ask({ client_id: 'nobody' })).status).toBe(400)
  })

  it.each([
    ['https://10.9.8.7/client.json', 'The address is not a public one'],
    ['https://agents.example/missing.json', 'HTTP 404'],
    ['https://agents.example/moved.json', 'HTTP 302'],
    ['https://agents.example/page', 'not valid JSON'],
    ['https://agents.example/long.json', 'exceeded size limit'],
    ['https://agents.example/another.json', 'does not match'],
  ])('one whose description cannot be taken is a page with words: %s', async (client_id, words) => {
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

  it('one without a challenge of S256, also of an application with a secret', async () => {
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

  it('a registration that says something else wrong', async () => {
    for (const changes of [{ client_name: 7 }, { token_endpoint_auth_method: 'none', grant_types: ['password'] }])
      expect(await register(stack, changes)).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } })
  })
})

describe('a code', () => {
  it('opens nothing with another verifier, redirect, client or audience', async () => {
    const { redemption } = await letIn(stack)
    const { body } = await register(stack)
    for (const wrong of [
      { code_verifier: pkce().verifier },
      { code_verifier: '' },
      { redirect_uri: 'http://127.0.0.1:9/elsewhere' },
      { client_id: body.client_id as string },
      { resource: 'https://elsewhere.example/mcp' },
    ]) {
      const answer = await token(stack, { ...redemption, ...wrong })
      expect(answer.status, JSON.stringify([wrong, answer.body])).toBeGreaterThanOrEqual(400)
      expect(answer.body).not.toHaveProperty('access_token')
    }
    expect((await token(stack, redemption)).status).toBe(200)
  })

  it('that comes twice is refused and ends the grant', async () => {
    const { redemption } = await letIn(stack)
    const { body } = await token(stack, redemption)
    expect(await statusOf(body.access_token as string)).toBe(200)
    expect(await token(stack, redemption)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await statusOf(body.access_token as string)).toBe(401)
  })

  it('that comes several times at once is redeemed once at most', { tags: ['services'] }, async () => {
    const { redemption } = await letIn(stack)
    const answers = await Promise.all(Array.from({ length: 6 }, () => token(stack, redemption)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('tokens', () => {
  it('that ended open nothing', async () => {
    const { accessToken } = await withTokens(stack)
    await rowsIn(
      stack,
      sql`update oauth_records set expires_at = now() - interval '1 minute' where key like ${`token:%:${grantOf(accessToken)}:%`}`,
    )
    expect(await statusOf(accessToken)).toBe(401)
  })

  it('are not made for another audience', async () => {
    const { refreshToken, clientId } = await withTokens(stack)
    const answer = await token(stack, {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: clientId,
      resource: 'https://elsewhere.example/mcp',
    })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
  })

  it('are not refreshed once 90 days have passed without a use', async () => {
    const { accessToken, refreshToken, refresh } = await withTokens(stack)
    const [record] = await rowsIn<{ days: number }>(
      stack,
      sql`select extract(epoch from expires_at - now())::int / 86400.0 as days from oauth_records
        where key like ${`grant:%:${grantOf(accessToken)}`}`,
    )
    expect(Math.round(Number(record?.days))).toBe(90)
    await rowsIn(
      stack,
      sql`update oauth_records set expires_at = now() - interval '1 minute' where key like ${`grant:%:${grantOf(accessToken)}`}`,
    )
    expect(await refresh(refreshToken)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('that were made up open nothing', async () => {
    const { accessToken } = await withTokens(stack)
    const [person, grant] = accessToken.split(':')
    for (const made of [`${person}:${grant}:${'x'.repeat(32)}`, 'a:b:c', 'x'.repeat(3_000)])
      expect(await statusOf(made)).toBe(401)
  })

  it('are refreshed; two refreshes at once leave both with tokens that work', { tags: ['services'] }, async () => {
    const { refreshToken, refresh } = await withTokens(stack)
    const answers = await Promise.all([refresh(refreshToken), refresh(refreshToken), refresh(refreshToken)])
    for (const { status, body } of answers) {
      expect(status, JSON.stringify(body)).toBe(200)
      expect(await statusOf(body.access_token as string)).toBe(200)
    }
    const next = await refresh(answers[0]?.body.refresh_token as string)
    expect(next.status).toBe(200)
    expect(await statusOf(next.body.access_token as string)).toBe(200)
  })

  it('an old refresh token that comes again, also while a newer one is used, takes nothing from the newer', {
    tags: ['services'],
  }, async () => {
    const { refreshToken, refresh } = await withTokens(stack)
    const second = (await refresh(refreshToken)).body.refresh_token as string
    const [late, third, again] = await Promise.all([refresh(refreshToken), refresh(second), refresh(refreshToken)])
    expect([late.status, third.status, again.status]).toEqual([200, 200, 200])
    expect([late.body.refresh_token, again.body.refresh_token]).toEqual([second, second])
    expect((await refresh(refreshToken)).status).toBe(200)
    expect(await statusOf(third.body.access_token as string)).toBe(200)
    const fourth = await refresh(third.body.refresh_token as string)
    expect(fourth.status).toBe(200)
    expect(await statusOf(fourth.body.access_token as string)).toBe(200)
  })

  it('an old refresh token that comes again gets no answer to another question', async () => {
    const { refreshToken, clientId } = await withTokens(stack)
    const refresh = (fields: Record<string, string>) =>
      token(stack, { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId, ...fields })
    const first = await refresh({ scope: 'write read' })
    expect(first.status).toBe(200)
    const others: Record<string, string>[] = [
      { scope: 'read' },
      {},
      { scope: 'read write', resource: `${stack.url}/x` },
    ]
    for (const other of others) expect((await refresh(other)).body, JSON.stringify(other)).toHaveProperty('error')
    expect((await refresh({ scope: 'read write' })).body).toEqual(first.body)
    expect(await statusOf(first.body.access_token as string)).toBe(200)
  })

  it('an old refresh token that comes again after a minute ends the grant', async () => {
    const { refreshToken, refresh } = await withTokens(stack)
    const { body } = await refresh(refreshToken)
    await ageUse(refreshToken)
    expect(await refresh(refreshToken)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await statusOf(body.access_token as string)).toBe(401)
    expect((await refresh(body.refresh_token as string)).status).toBe(400)
  })

  it.each([
    ['a header', {}, { authorization: 'Bearer x' }],
    ['a secret', { client_secret: 'x' }, {}],
  ])('and so it does with %s besides', async (_, fields, headers) => {
    const { refreshToken, refresh, clientId } = await withTokens(stack)
    const { body } = await refresh(refreshToken)
    const again = () =>
      token(
        stack,
        { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId, ...fields },
        headers,
      )
    // Within the minute: no answer of the other's, and nothing is taken from it.
    expect(await again()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await statusOf(body.access_token as string)).toBe(200)
    await ageUse(refreshToken)
    expect(await again()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await statusOf(body.access_token as string)).toBe(401)
    expect((await refresh(body.refresh_token as string)).status).toBe(400)
  })

  it('a refresh token is no use to another client, and stays one to its own, also when both ask at once', {
    tags: ['services'],
  }, async () => {
    const { refreshToken, refresh } = await withTokens(stack)
    const { body } = await register(stack)
    const stolen = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: body.client_id as string }
    expect((await token(stack, stolen)).status).toBe(400)
    const [own, ...others] = await Promise.all([
      refresh(refreshToken),
      ...Array.from({ length: 3 }, () => token(stack, stolen)),
    ])
    expect([own.status, others.map(({ status }) => status)]).toEqual([200, [400, 400, 400]])
    expect((await token(stack, stolen)).status).toBe(400)
    expect(await statusOf(own.body.access_token as string)).toBe(200)
    expect((await refresh(own.body.refresh_token as string)).status).toBe(200)
  })

  it.each([
    ['with its id', true],
    ['without', false],
  ])(
    'an application that signs gets the same answer again when it signs again, %s, and nobody without',
    async (_, named) => {
      const { visitor: person } = await signInByMail(stack)
      const id: Record<string, string> = named ? { client_id: SIGNED } : {}
      const { redemption } = await letInBy(stack, person, SIGNED)
      const { body } = await token(stack, { ...redemption, ...(await assertionOf(stack, SIGNED)) })
      const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token as string, ...id }
      const first = await assertionOf(stack, SIGNED)
      const [one, two] = [
        await token(stack, { ...form, ...first }),
        await token(stack, { ...form, ...(await assertionOf(stack, SIGNED)) }),
      ]
      expect([one.status, two.status, two.body]).toEqual([200, 200, one.body])
      const [head, claims] = (first.client_assertion ?? '').split('.')
      const type = first.client_assertion_type ?? ''
      for (const proof of [
        first,
        {},
        { client_assertion_type: type },
        { ...first, client_assertion: `${head}.${claims}.x` },
      ])
        expect(await token(stack, { ...form, ...proof }), JSON.stringify(proof)).toMatchObject({ status: 400 })
      expect(await statusOf(one.body.access_token as string)).toBe(200)
    },
  )

  it('are not given again for a grant that was ended', async () => {
    const { visitor: person, accessToken, refreshToken, refresh } = await withTokens(stack)
    expect((await refresh(refreshToken)).status).toBe(200)
    await sure(person, '/settings/applications/end', { grant: grantOf(accessToken) })
    expect(await refresh(refreshToken)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('are not refreshed once an operator revoked the key behind them, and their grant is forgotten', async () => {
    const { accessToken, refreshToken, refresh } = await withTokens(stack)
    const grant = grantOf(accessToken)
    const records = () => rowsIn(stack, sql`select key from oauth_records where key like ${`grant:%:${grant}`}`)
    const [key] = await rowsIn<{ id: string }>(
      stack,
      sql`select key_id as id from oauth_grants where grant_id = ${grant}`,
    )
    expect(await records()).toHaveLength(1)
    await revokeKey(runnerOf(stack), Number(key?.id))
    expect([await statusOf(accessToken), await records()]).toEqual([401, []])
    expect(await refresh(refreshToken)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('revoking one ends the grant and the key behind it with the next call', async () => {
    const { accessToken, refreshToken, clientId } = await withTokens(stack)
    expect(await statusOf(accessToken)).toBe(200)
    expect((await token(stack, { token: refreshToken, client_id: clientId })).status).toBe(200)
    expect(await statusOf(accessToken)).toBe(401)
  })

  it('revoking an access token ends it with the next call, and its grant with it', async () => {
    const { accessToken, refreshToken, refresh, clientId } = await withTokens(stack)
    const later = (await refresh(refreshToken)).body
    for (const one of [accessToken, later.access_token as string]) expect(await statusOf(one)).toBe(200)
    const other = (await register(stack)).body.client_id as string
    await token(stack, { token: accessToken, client_id: other })
    expect(await statusOf(accessToken)).toBe(200)
    expect((await token(stack, { token: accessToken, client_id: clientId })).status).toBe(200)
    for (const one of [accessToken, later.access_token as string]) expect(await statusOf(one)).toBe(401)
    expect((await refresh(later.refresh_token as string)).status).toBe(400)
  })

  it('are not in the database, nor is the key behind them', async () => {
    const { accessToken, refreshToken, email } = await withTokens(stack)
    const [row] = await rowsIn<{ text: string; keys: number }>(
      stack,
      sql`select (select string_agg(key || value, ' ') from oauth_records) as text,
        (select count(*)::int from api_keys k join accounts a on a.id = k.account_id where a.email = ${email}) as keys`,
    )
    expect(row?.keys).toBe(1)
    for (const secret of [accessToken, refreshToken, 'gly_live_']) expect(row?.text).not.toContain(secret)
  })
})
