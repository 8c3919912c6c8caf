import { request } from 'node:http'
import { sql } from 'drizzle-orm'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { scopesOf } from '../../src/platform/accounts/scopes.ts'
import { newConnected } from '../insights/search/google.ts'
import { anotherKey, connectReceiver, newAccount, newArticle, newProject, rowsIn } from '../support/client.ts'
import { misspelt, unknownKey } from '../support/contract.ts'
import { ownFaults } from '../support/faults.ts'
import { connectedProject } from '../support/story.ts'
import { callTool, connect, MODES, type Mode, post } from './client.ts'

const stack = inject('stack')
const faults = ownFaults(stack.googleUrl)

const revoke = (key: string) =>
  rowsIn(stack, sql`update api_keys set revoked_at = now() where key_hash = encode(sha256(${key}::bytea), 'hex')`)

describe.each(Object.keys(MODES) as Mode[])('a client that is %s', (mode) => {
  it('creates, reads and publishes an article by tools', async () => {
    const api = await newAccount(stack)
    const client = await connect(stack.url, api.key, mode)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['list_projects', 'publish_article']))

    const made = await callTool(client, 'create_project', { website_url: `https://${mode.slice(0, 4)}.example` })
    expect(made).toMatchObject({ isError: false, body: { project_id: expect.any(Number), backlink_credits: 3 } })
    const project = made.body.project_id as number
    await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
    const saved = await callTool(client, 'create_article', {
      project_id: project,
      keyword: 'garden sheds',
      content: '<p>Sheds need a level base.</p>',
      tags: ['sheds', 'gardens'],
    })
    const article = saved.body.article_id as number
    expect(saved.body).toMatchObject({ status: 'Draft', slug: 'garden-sheds' })
    expect(JSON.parse(saved.text)).toEqual(saved.body)
    expect(await callTool(client, 'publish_article', { article_id: article })).toMatchObject({
      isError: false,
      body: { status: 'published', article_id: article },
    })
    expect(await callTool(client, 'get_article', { article_id: article })).toMatchObject({
      body: { Status: 'Published', Tags: ['sheds', 'gardens'], Content: '<p>Sheds need a level base.</p>' },
    })
    expect(await callTool(client, 'list_articles', { project_id: project, limit: 1 })).toMatchObject({
      body: { count: 1, limit: 1, articles: [{ ID: article }] },
    })
    await client.close()
  })

  it('is told of params that are none as invalid params (-32602), not as a fault of the server', async () => {
    const api = await newAccount(stack)
    const client = await connect(stack.url, api.key, mode)
    const wrong = 7 as never
    for (const call of [
      () => client.readResource({ uri: wrong }),
      () => client.readResource({} as never),
      () => client.getPrompt({ name: wrong }),
      () => client.getPrompt({ name: 'nothing' }),
      () => client.getPrompt({ name: 'weekly_review', arguments: { project_id: wrong } }),
      () => client.request({ method: 'tools/list', params: { cursor: wrong } }),
    ])
      await expect(call()).rejects.toMatchObject({ code: -32602 })
    await client.close()
  })

  it('reads articles as resources, and prompts', async () => {
    const api = await newAccount(stack)
    const project = await newProject(api)
    const article = await newArticle(api, project, { title: 'Sheds' })
    const client = await connect(stack.url, api.key, mode)
    expect((await client.listResources()).resources).toEqual([
      expect.objectContaining({ uri: 'galley://reference', mimeType: 'text/markdown' }),
      expect.objectContaining({ uri: 'galley://events' }),
      expect.objectContaining({ uri: `galley://articles/${article}`, title: 'Sheds' }),
    ])
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'galley://articles/{id}',
      'galley://articles/{id}/brief',
      'galley://reference/{operation}',
      'galley://errors/{code}',
      'galley://docs/{+path}',
      'galley://events?after={after}',
    ])
    for (const [uri, words] of [
      ['galley://reference', 'docs/api/articles.publish.md'],
      ['galley://reference/articles.publish', '# POST /articles/:id/publish'],
      ['galley://errors/not_found', 'What to do:'],
      ['galley://docs/concepts/states', '# States of an article'],
    ] as const) {
      const [content] = (await client.readResource({ uri })).contents as { text: string; mimeType: string }[]
      expect([content?.mimeType, content?.text], uri).toEqual(['text/markdown', expect.stringContaining(words)])
    }
    for (const uri of ['galley://reference/nothing', 'galley://docs/../openapi', 'galley://errors/x'])
      await expect(client.readResource({ uri })).rejects.toThrow()
    for (const [uri, field] of [
      [`galley://articles/${article}`, 'Title'],
      [`galley://articles/${article}/brief`, 'article_id'],
    ] as const) {
      const [content] = (await client.readResource({ uri })).contents as { text: string }[]
      expect(JSON.parse(content?.text ?? '')).toHaveProperty(field)
    }
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
      'write_next_article',
      'weekly_review',
    ])
    const { messages } = await client.getPrompt({ name: 'weekly_review', arguments: { project_id: String(project) } })
    expect(messages[0]).toMatchObject({
      role: 'user',
      content: { text: expect.stringContaining(`project ${project}`) },
    })
    await client.close()
  })
})

describe.each(['default', 'pinned to 2026-07-28'] as const)('progress, for a client that is %s', (mode) => {
  it('is told how far a call is, where it asks', async () => {
    const api = await newAccount(stack, { credits: 3 })
    const project = await connectedProject(api, stack)
    const article = await newArticle(api, project)
    const client = await connect(stack.url, api.key, mode)
    const told: { progress: number; message?: string | undefined }[] = []
    const call = async (name: string, args: Record<string, unknown>) => {
      const { structuredContent } = await client.callTool(
        { name, arguments: args },
        { onprogress: (one) => void told.push(one), timeout: 60_000 },
      )
      return structuredContent
    }
    expect(await call('publish_article', { article_id: article })).toMatchObject({ status: 'published' })
    expect(told[0]).toMatchObject({ progress: 1, message: 'Publishing at the site' })
    told.length = 0
    const notes = 'Sheds need a level base. A base of gravel drains well. '.repeat(8)
    const written = await call('generate_article', { project_id: project, keyword: 'sheds', source_content: notes })
    expect(written).toMatchObject({ status: 'generating', now: { status: 'Draft' } })
    expect(told.map(({ progress }) => progress)).toEqual(told.map((_, n) => n + 1))
    expect(told[0]?.message).toBe('Handing the notes to the writer')
    expect(told.at(-1)?.message).toMatch(/^Draft/)
    await client.close()
  })
})

describe('what the API refuses', () => {
  it('is a tool error with the API’s own body', async () => {
    const [owner, other] = [await newAccount(stack), await newAccount(stack)]
    const article = await newArticle(owner, await newProject(owner))
    const client = await connect(stack.url, other.key)
    expect(await callTool(client, 'get_article', { article_id: article })).toMatchObject({
      isError: true,
      body: { code: 'forbidden', retryable: false, request_id: expect.any(String) },
    })
    expect(await callTool(client, 'create_article', { keyword: 'x' })).toMatchObject({
      isError: true,
      body: { code: 'invalid_input', details: [expect.objectContaining({ field: 'project_id' })] },
    })
    expect(await callTool(client, 'get_article', {})).toMatchObject({
      isError: true,
      body: { code: 'invalid_input', details: [{ field: 'article_id', message: 'is required' }] },
    })
    for (const [tool, argument, more] of [
      ['get_project', 'project_id', {}],
      ['get_article', 'article_id', {}],
      ['act_on_suggestion', 'suggestion_id', { action: 'approve' }],
    ] as const) {
      const { isError, body } = await callTool(client, tool, { ...more, [argument]: 0 })
      const message = 'must be a positive 32-bit integer'
      expect({ isError, body }).toMatchObject({
        isError: true,
        body: { code: 'invalid_id', error: `${argument}: ${message}`, details: [{ field: argument, message }] },
      })
    }
    await expect(client.callTool({ name: 'delete_article', arguments: { article_id: article } })).rejects.toThrow(
      'There is no tool delete_article.',
    )
    await expect(client.readResource({ uri: `galley://articles/${article}` })).rejects.toThrow()
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow()
  })

  it('a path cannot be left by an argument', async () => {
    const client = await connect(stack.url, (await newAccount(stack)).key)
    for (const article_id of ['../accounts/projects', '7/publish', '%2e%2e/projects', '7?x=1#'])
      expect(await callTool(client, 'get_article', { article_id })).toMatchObject({
        isError: true,
        body: { code: 'invalid_id' },
      })
  })

  it('nor by dots, which would be another address', async () => {
    const client = await connect(stack.url, (await newAccount(stack)).key)
    for (const dots of ['.', '..', ['..']])
      for (const [tool, argument, more] of [
        ['get_article', 'article_id', {}],
        ['get_project', 'project_id', {}],
        ['act_on_suggestion', 'suggestion_id', { action: 'approve' }],
      ] as const)
        expect(await callTool(client, tool, { ...more, [argument]: dots })).toMatchObject({
          isError: true,
          body: { code: 'invalid_input', details: [{ field: argument, message: 'must be an id' }] },
        })
  })

  it('a rate that is used up says how long to wait, and is the same as the API’s', async () => {
    const api = await newAccount(stack)
    const client = await connect(stack.url, api.key)
    const spent = async () => {
      while ((await api.post('/articles/1/publish')).status !== 429);
      return await callTool(client, 'publish_article', { article_id: 1 })
    }
    const isRefused = ({ body }: Awaited<ReturnType<typeof spent>>): boolean => body.code === 'rate_limited'
    const first = await spent()
    // A minute that turns between the two lets one call more through, once.
    expect(isRefused(first) ? first : await spent()).toMatchObject({
      isError: true,
      body: { code: 'rate_limited', retryable: true, retry_after: expect.any(Number) },
    })
  })

  it.each([
    ['read', ['get', 'diff'], false, false],
    ['draft', ['get', 'diff'], true, false],
    ['write', ['get', 'diff', 'approve', 'reject', 'publish', 'regenerate'], true, true],
    ['admin', ['get', 'diff', 'approve', 'reject', 'publish', 'regenerate'], true, true],
  ] as const)(
    'a key with the scope %s is shown the tools that it may call',
    async (scope, actions, drafts, publishes) => {
      const api = await newAccount(stack, {}, scopesOf(scope))
      const { tools } = await (await connect(stack.url, api.key)).listTools()
      const names = new Set(tools.map(({ name }) => name))
      expect(tools.find(({ name }) => name === 'act_on_suggestion')?.inputSchema.properties?.action).toMatchObject({
        enum: actions,
      })
      expect([names.has('list_projects'), names.has('create_article'), names.has('publish_article')]).toEqual([
        true,
        drafts,
        publishes,
      ])
    },
  )

  it('a key that may only read cannot write by a tool', async () => {
    const api = await newAccount(stack, {}, ['read'])
    const client = await connect(stack.url, api.key)
    expect(await callTool(client, 'create_project', { website_url: 'https://x.example' })).toMatchObject({
      isError: true,
      body: { code: 'key_may_not', required_scope: 'write' },
    })
  })

  it('unknown arguments are named as ignored', async () => {
    const client = await connect(stack.url, (await newAccount(stack)).key)
    expect(await callTool(client, 'list_articles', { pages: 2 })).toMatchObject({ body: { ignored: ['pages'] } })
  })

  it('dry_run says what a tool would be answered, refused or ask another system, and changes nothing', async () => {
    const api = await newAccount(stack)
    const project = await connectedProject(api, stack)
    const article = await newArticle(api, project)
    const client = await connect(stack.url, api.key)
    const would = async (tool: string, args: Record<string, unknown>) => {
      const { isError, body } = await callTool(client, tool, { ...args, dry_run: true })
      expect({ isError, dry_run: body.dry_run }, tool).toEqual({ isError: false, dry_run: true })
      return body.would
    }
    expect(
      await would('create_article', { project_id: project, keyword: 'garden sheds', content: '<p>A</p>' }),
    ).toEqual({
      status: 201,
      body: expect.objectContaining({ status: 'Draft' }),
    })
    expect(await would('update_article', { article_id: article, title: 'Another' })).toMatchObject({ status: 200 })
    expect(await would('publish_article', { article_id: article })).toMatchObject({
      status: 200,
      body: { would_call: { payload: expect.anything() } },
    })
    expect(await would('sync_article', { article_id: article, title: 'Another' })).toMatchObject({
      status: 400,
      body: { code: 'not_published' },
    })
    for (const wrong of [{ dry_run: 'yes' }, { dryRun: true }])
      expect(
        await callTool(client, 'update_article', { article_id: article, title: 'Another', ...wrong }),
      ).toMatchObject({
        isError: true,
        body: { code: 'invalid_input', details: [{ field: Object.keys(wrong)[0] }] },
      })
    expect((await api.get(`/articles?project_id=${project}`)).body).toMatchObject({
      articles: [{ ID: article, Status: 'Draft' }],
    })
    expect((await api.get(`/articles/${article}`)).body.Title).not.toBe('Another')
  })

  it('a call repeated with its idempotency_key is made once', async () => {
    const api = await newAccount(stack)
    const client = await connect(stack.url, api.key)
    const args = { project_id: await newProject(api), keyword: 'sheds', idempotency_key: 'one-call' }
    const [first, second] = [
      await callTool(client, 'create_article', args),
      await callTool(client, 'create_article', args),
    ]
    expect(second.body.article_id).toBe(first.body.article_id)
  })

  it('an idempotency_key that is none is refused by its own name, and nothing is made', async () => {
    const api = await newAccount(stack)
    const client = await connect(stack.url, api.key)
    const args = { project_id: await newProject(api), keyword: 'sheds' }
    for (const [key, message] of [
      ['', 'must be 1 to 255 printable ASCII characters'],
      ['caf\u00e9', 'must be 1 to 255 printable ASCII characters'],
      [7, 'must be a string'],
    ] as const) {
      const { isError, body } = await callTool(client, 'create_article', { ...args, idempotency_key: key })
      expect({ isError, body }).toMatchObject({
        isError: true,
        body: { code: 'invalid_input', details: [{ field: 'idempotency_key', message }] },
      })
      expect(body.error).toMatch(/^idempotency_key: /)
    }
    expect((await api.get('/articles')).body.count).toBe(0)
  })
})

describe('a long article', () => {
  it('is read in pieces', async () => {
    const api = await newAccount(stack)
    const content = Array.from({ length: 3_000 }, (_, n) => `<p>Paragraph ${n} of a long article.</p>`).join('')
    const article = await newArticle(api, await newProject(api), { content })
    const client = await connect(stack.url, api.key)
    let whole = ''
    for (let offset = 0, more = true; more; offset = whole.length) {
      const { body } = await callTool(client, 'get_article', { article_id: article, content_offset: offset })
      whole += body.Content as string
      more = body.truncated === true
      expect(body.total).toBe(content.length)
    }
    expect(whole).toBe(content)
  })
})

describe('a list that is too long for a result', () => {
  it('is read to its end by the cursors it gives, by offset and below a row, none lost', async () => {
    const api = await newAccount(stack)
    const project = await newProject(api)
    const title = 'x'.repeat(200)
    await rowsIn(
      stack,
      sql`insert into articles (account_id, project_id, title, main_keyword, slug, status)
        select ${api.accountId}, ${project}, ${title} || n, 'sheds', 'shed-' || n, 'Draft' from generate_series(1, 100) n`,
    )
    const client = await connect(stack.url, api.key)
    for (const cursor of ['offset', 'before_id'] as const) {
      const seen: number[] = []
      const lengths: number[] = []
      let more: Record<string, unknown> = {}
      for (;;) {
        const { body } = await callTool(client, 'list_articles', { limit: 100, ...more })
        const rows = body.articles as { ID: number }[]
        seen.push(...rows.map(({ ID }) => ID))
        lengths.push(rows.length)
        expect(body.count).toBe(rows.length)
        const next = body[cursor === 'offset' ? 'next_offset' : 'before_id']
        if (next === null) break
        if (body.truncated === true && more.before_id !== undefined)
          expect(body.rest).toBe(`articles: Call list_articles with before_id ${next}.`)
        more = { [cursor]: next }
      }
      expect(lengths[0]).toBeLessThan(100)
      expect(new Set(seen).size).toBe(100)
      expect(seen.length).toBe(100)
    }
  })
})

describe('two lists that are too long together', () => {
  it('are cut alike, with the totals kept and a row to go on from that loses none', async () => {
    const owner = await newConnected(stack)
    const numbers = { clicks: 7, impressions: 70, ctr: 0.1, position: 3.2 }
    const keyOf = (n: number) => `https://www.${owner.domain}/blog/a-page-with-a-name-of-usual-length-${n}`
    const rows = Array.from({ length: 181 }, (_, n) => ({ keys: [keyOf(n)], ...numbers }))
    await faults.set({ path: owner.domain, status: 200, answer: { rows } })
    onTestFinished(async () => void (await faults.clear()))
    const client = await connect(stack.url, owner.api.key)
    const ask = { project_id: owner.project, limit: 180 }
    const { body } = await callTool(client, 'search_console_performance', ask)
    expect(body).toMatchObject({ connected: true, truncated: true, totals: { impressions: expect.any(Number) } })
    const kept = [body.top_queries, body.top_pages].map((list) => (list as unknown[]).length)
    for (const length of kept) {
      expect(length).toBeGreaterThan(50)
      expect(length).toBeLessThanOrEqual(180)
    }
    const next = Math.min(...kept)
    expect(body.pagination).toEqual({ limit: 180, start_row: 0, next_start_row: next })
    expect(body.rest).toContain(`: Call search_console_performance with start_row ${next}.`)
  })
})

describe('an article that is too long', () => {
  it('is cut as a resource too, and says how to read on', async () => {
    const api = await newAccount(stack)
    const content = Array.from({ length: 3_000 }, (_, n) => `<p>Paragraph ${n} of a long article.</p>`).join('')
    const article = await newArticle(api, await newProject(api), { content })
    const client = await connect(stack.url, api.key)
    const [read] = (await client.readResource({ uri: `galley://articles/${article}` })).contents as { text: string }[]
    expect(read?.text.length).toBeLessThanOrEqual(40_000)
    const body = JSON.parse(read?.text ?? '') as Record<string, unknown>
    const shown = body.Content as string
    expect(content.startsWith(shown)).toBe(true)
    expect(body).toMatchObject({ ID: article, total: content.length, returned: shown.length, truncated: true })
    expect(body.rest).toBe(`Content goes on: call get_article with content_offset ${shown.length}.`)
  })
})

describe('who is let in', () => {
  const METADATA = `${stack.url}/.well-known/oauth-protected-resource/mcp`

  it('nobody without a key, and the answer says where to learn how', async () => {
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

  it('nobody with a key that is misspelt, unknown or revoked', async () => {
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

  it('a suspended account is told so, as the API tells it, with a key that was taken before and with a new one', async () => {
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

  it('a key that is revoked is refused before any progress is told', async () => {
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

  it('no page of another site', async () => {
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
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { pad: 'x'.repeat(2_000_000) } }
    expect((await post(stack.url, { key, body })).status).toBe(413)
  })
})
