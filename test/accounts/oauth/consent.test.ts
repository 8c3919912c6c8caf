import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { callTool, connect } from '../../mcp/client.ts'
import { rowsIn } from '../../support/client.ts'
import { formOn, signInByMail, visitor } from '../people/browser.ts'
import {
  ALLOW,
  authorizePath,
  decide,
  letIn,
  letInBy,
  pkce,
  REDIRECT,
  register,
  statusOf,
  token,
  withTokens,
} from './flow.ts'

const stack = inject('stack')

/** Address of an application's own description (local/client-documents.ts). */
const DESCRIBED = 'https://agents.example/client.json'

/** Returns the account of an address. */
const accountOf = async (email: string): Promise<number> =>
  Number((await rowsIn<{ id: number }>(stack, sql`select id from accounts where email = ${email}`))[0]?.id)

describe('letting an application in', () => {
  it('shows its name, its return address and the account, and then it works through tools', async () => {
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

  it('shows the name from a client-id document, without registration', async () => {
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
    expect(await statusOf(stack, answer.body.access_token as string)).toBe(200)
    const refreshed = await token(stack, {
      grant_type: 'refresh_token',
      refresh_token: answer.body.refresh_token as string,
      client_id: DESCRIBED,
    })
    expect(await statusOf(stack, refreshed.body.access_token as string)).toBe(200)
    expect((await person.get('/settings/applications')).text).toContain('Sample &lt;agent&gt;')
  })

  it('again ends no earlier grant, even if the new code is never redeemed', async () => {
    const { visitor: person, clientId, accessToken, refresh, refreshToken } = await withTokens(stack)
    const { redemption } = await letInBy(stack, person, clientId)
    expect(await statusOf(stack, accessToken)).toBe(200)
    const again = await token(stack, redemption)
    for (const one of [accessToken, again.body.access_token as string]) expect(await statusOf(stack, one)).toBe(200)
    expect((await refresh(refreshToken)).status).toBe(200)
    expect((await person.get('/settings/applications')).text.match(/name="grant"/g)).toHaveLength(2)
  })

  it.each([
    ['A\0b', 'A b'],
    ['Good\u202e <agent>\nReturns to: you', 'Good &lt;agent&gt; Returns to: you'],
    ['x'.repeat(5_000), `${'x'.repeat(99)}…`],
  ])('is shown with a name of one short line, and can be authorized: %j', async (client_name, shown) => {
    const { visitor: person } = await signInByMail(stack)
    const { body } = await register(stack, { client_name })
    const clientId = body.client_id as string
    const page = await person.get(authorizePath(stack, clientId, pkce().challenge))
    expect(page.text).toContain(`<dt>Application</dt><dd>${shown}</dd>`)
    const { redemption } = await letInBy(stack, person, clientId)
    expect((await token(stack, redemption)).status).toBe(200)
    expect((await person.get('/settings/applications')).text).toContain(`>${shown}<`)
  })

  it('shows an odd name in plain characters, and the id if no character is left', async () => {
    const { visitor: person } = await signInByMail(stack)
    const odd = authorizePath(stack, 'https://agents.example/odd.json', pkce().challenge, {
      redirect_uri: 'http://127.0.0.1:51234/callback',
    })
    expect((await person.get(odd)).text).toMatch(/<dt>Application<\/dt><dd>Odd &lt;agent&gt; x{87}…<\/dd>/)
    const { body } = await register(stack, { client_name: '\u202e\n' })
    const page = await person.get(authorizePath(stack, body.client_id as string, pkce().challenge))
    expect(page.text).toContain(`<dt>Application</dt><dd>${body.client_id}</dd>`)
  })

  it('asks people to sign in first, and returns them to the consent page', async () => {
    const { body } = await register(stack)
    const path = authorizePath(stack, body.client_id as string, pkce().challenge)
    const asked = await visitor(stack.url).get(path)
    expect(new URL(asked.url).pathname).toBe('/sign-in')
    const next = formOn(asked, '/sign-in').next
    expect(next).toBe(path)
    const { page } = await signInByMail(stack, undefined, next)
    expect(page.text).toContain('Let an application in?')
  })

  it('for reading lets it only read', async () => {
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

  it('preselects the scope draft, which lets it only draft', async () => {
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
    expect(names).toEqual(expect.arrayContaining(['list_projects', 'create_article', 'get_suggestion']))
    for (const name of ['publish_article', 'generate_article', 'create_project', 'act_on_suggestion'])
      expect(names).not.toContain(name)
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

  it('a token that was requested for reading only reads, even if the user let the application write', async () => {
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

  it('an application that requested reading gets no more, whatever the form has', async () => {
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

  it('consent is given once, by the person who opened the page, from our own page', async () => {
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

it('a person who has switched to another account is asked again for that account', async () => {
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
])('an application with its own scheme is registered, shown and redirected to: %s', async (uri, shown, target) => {
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
