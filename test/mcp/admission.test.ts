import { request } from 'node:http'
import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { anotherKey, newAccount, newArticle, newProject, rowsIn } from '../support/client.ts'
import { misspelt, unknownKey } from '../support/contract.ts'
import { sendLarge } from '../support/send.ts'
import { post } from './client.ts'

const stack = inject('stack')

const revoke = (key: string) =>
  rowsIn(stack, sql`update api_keys set revoked_at = now() where key_hash = encode(sha256(${key}::bytea), 'hex')`)

describe('admitted callers', () => {
  const METADATA = `${stack.url}/.well-known/oauth-protected-resource/mcp`

  it('no caller without a key, and the answer names the metadata', async () => {
    const response = await post(stack.url)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${METADATA}"`)
    expect(await response.json()).toMatchObject({ code: 'unauthorized' })
    for (const path of ['', '/mcp'])
      expect(await (await fetch(`${stack.url}/.well-known/oauth-protected-resource${path}`)).json()).toMatchObject({
        resource: `${stack.url}/mcp`,
        bearer_methods_supported: ['header'],
      })
  })

  // python-sdk#1641, mcp-gateway#299, honojs/middleware#1799
  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/*;q=0.8', 'application/json'],
    ['text/html, application/json;q=0.5', 'application/json'],
    ['text/html, image/gif, *; q=.2', 'application/json'],
    [' , ', 'application/json'],
    ['text/event-stream;q=0, application/json', 'application/json'],
    ['text/event-stream', 'text/event-stream'],
    ['application/json, text/event-stream', 'text/event-stream'],
    ['application/json;q=0, */*', 'text/event-stream'],
  ])('a caller that accepts %s gets %s', async (accept, type) => {
    const { key } = await newAccount(stack)
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const answer = await fetch(`${stack.url}/mcp`, {
      method: 'POST',
      headers: { ...headers, accept: accept ?? '' },
      body,
    })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining(type)])
    const text = await answer.text()
    const message = JSON.parse(type === 'application/json' ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? ''))
    expect(message).toMatchObject({ id: 1, result: { tools: expect.any(Array) } })
  })

  it('but nobody who could read no answer of ours', async () => {
    const { key } = await newAccount(stack)
    for (const accept of ['text/html', 'application/json;q=0, text/plain'])
      expect((await post(stack.url, { key, headers: { accept } })).status, accept).toBe(406)
  })

  it('no caller with a key that is misspelt, unknown or revoked', async () => {
    const api = await newAccount(stack)
    await revoke(api.key)
    for (const key of [misspelt(api.key), unknownKey(), api.key, 'something']) {
      const response = await post(stack.url, { key, headers: { 'cf-connecting-ip': '198.18.7.7-mcp' } })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"')
    }
  })

  it('a key that is revoked is refused at the next call of a tool', async () => {
    const api = await newAccount(stack)
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_projects', arguments: {} } }
    expect((await post(stack.url, { key: api.key, body: call })).status).toBe(200)
    await revoke(api.key)
    const refused = await post(stack.url, { key: api.key, body: call })
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining(METADATA)])
  })

  it('a suspended account gets the API’s message, with a key that was accepted before and with a new one', async () => {
    const api = await newAccount(stack)
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_projects', arguments: {} } }
    expect((await post(stack.url, { key: api.key, body: call })).status).toBe(200)
    const fresh = await anotherKey(stack, api)
    await rowsIn(stack, sql`update accounts set suspended_at = now() where id = ${api.accountId}`)
    for (const { key } of [api, fresh]) {
      const refused = await post(stack.url, { key, body: call })
      expect(refused.headers.get('www-authenticate')).toContain(METADATA)
      expect([refused.status, await refused.json()]).toMatchObject([
        401,
        { error: 'Account is not active.', code: 'account_inactive' },
      ])
    }
  })

  it('a revoked key is refused before any progress is reported', async () => {
    const api = await newAccount(stack)
    const article = await newArticle(api, await newProject(api))
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'publish_article', arguments: { article_id: article }, _meta: { progressToken: 7 } },
    }
    const first = await post(stack.url, { key: api.key, body })
    expect([first.status, await first.text()]).toEqual([200, expect.stringContaining('notifications/progress')])
    await revoke(api.key)
    expect((await post(stack.url, { key: api.key, body })).status).toBe(401)
  })

  it('a page of another site is not admitted', async () => {
    const api = await newAccount(stack)
    for (const origin of ['https://attacker.example', 'null', `${stack.url}.attacker.example`])
      expect((await post(stack.url, { key: api.key, headers: { origin } })).status, origin).toBe(403)
    expect((await post(stack.url, { key: api.key, headers: { origin: stack.url } })).status).toBe(200)
  })

  it('no request to another host’s name (DNS rebinding)', async () => {
    const api = await anotherKey(stack, await newAccount(stack))
    const statusFor = (host: string) =>
      new Promise<number>((resolve, reject) => {
        const { hostname, port } = new URL(stack.url)
        const headers = { host, authorization: `Bearer ${api.key}`, 'content-type': 'application/json' }
        const sent = request({ hostname, port, path: '/mcp', method: 'POST', headers }, (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
        })
        sent.on('error', reject)
        sent.end('{}')
      })
    expect(await statusFor('attacker.example')).toBe(403)
    expect(await statusFor(new URL(stack.url).host)).not.toBe(403)
  })

  it('GET and DELETE, which belong to sessions, are 405', async () => {
    const { key } = await newAccount(stack)
    for (const method of ['GET', 'DELETE'])
      expect((await fetch(`${stack.url}/mcp`, { method, headers: { authorization: `Bearer ${key}` } })).status).toBe(
        405,
      )
  })

  it('a body that is too large is refused', async () => {
    const { key } = await newAccount(stack)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { pad: 'x'.repeat(2_000_000) } })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    expect((await sendLarge(`${stack.url}/mcp`, { method: 'POST', headers, body })).status).toBe(413)
  })
})
