import { describe, expect, inject, it } from 'vitest'
import { scopesOf } from '../../src/platform/accounts/scopes.ts'
import { connectReceiver, newAccount, newArticle, newProject } from '../support/client.ts'
import { connectedProject } from '../support/story.ts'
import { callTool, connect, MODES, type Mode } from './client.ts'

const stack = inject('stack')

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

  it('gets invalid params (-32602) for wrong params, not a server error', async () => {
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
      () => client.request({ method: 'tools/list', params: { cursor: 'of-nobody' } }),
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
      ['galley://docs/how/articles', '# How an article moves'],
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
  it('is reported if the client requests it', async () => {
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
    expect(told[0]).toMatchObject({ progress: 1, message: 'Publishing on the site' })
    told.length = 0
    const notes = 'Sheds need a level base. A base of gravel drains well. '.repeat(8)
    const written = await call('generate_article', { project_id: project, keyword: 'sheds', source_content: notes })
    expect(written).toMatchObject({ status: 'generating', now: { status: 'Draft' } })
    expect(told.map(({ progress }) => progress)).toEqual(told.map((_, n) => n + 1))
    expect(told[0]?.message).toBe('Sending the notes to the writer')
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

  it('a used-up rate says how long to wait, and is the API’s own', async () => {
    const api = await newAccount(stack)
    const client = await connect(stack.url, api.key)
    const spent = async () => {
      while ((await api.post('/articles/1/publish')).status !== 429);
      return await callTool(client, 'publish_article', { article_id: 1 })
    }
    const isRefused = ({ body }: Awaited<ReturnType<typeof spent>>): boolean => body.code === 'rate_limited'
    const first = await spent()
    // If the minute changes between the two, one more call is admitted, once.
    expect(isRefused(first) ? first : await spent()).toMatchObject({
      isError: true,
      body: { code: 'rate_limited', retryable: true, retry_after: expect.any(Number) },
    })
  })

  it.each([
    ['read', undefined, false, false],
    ['draft', undefined, true, false],
    ['write', ['approve', 'reject', 'publish', 'regenerate'], true, true],
    ['admin', ['approve', 'reject', 'publish', 'regenerate'], true, true],
  ] as const)(
    'a key with the scope %s is shown the tools that it may call',
    async (scope, actions, drafts, publishes) => {
      const api = await newAccount(stack, {}, scopesOf(scope))
      const { tools } = await (await connect(stack.url, api.key)).listTools()
      const names = new Set(tools.map(({ name }) => name))
      const action = tools.find(({ name }) => name === 'act_on_suggestion')?.inputSchema.properties?.action
      expect((action as { enum?: string[] } | undefined)?.enum).toEqual(actions)
      expect([names.has('get_suggestion'), names.has('read_operation'), names.has('call_operation')]).toEqual([
        true,
        true,
        drafts,
      ])
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

  it.each([
    ['list_articles', { pages: 2 }, 'pages', 'project_id'],
    ['list_articles', { dry_run: true }, 'dry_run', 'project_id'],
    ['update_article', { article_id: 1, titel: 'x' }, 'titel', 'title'],
    ['update_project', { project_id: 1, if_revision: 2 }, 'if_revision', 'business_name'],
    ['act_on_suggestion', { action: 'approve', suggestion_id: 1, feedback: 'x' }, 'feedback', 'suggestion_id'],
    ['read_operation', { operation: 'articles.revisions', arguments: { id: 1, page: 2 } }, 'page', 'limit'],
    ['find_operation', { words: 'x' }, 'words', 'query'],
  ])('an unknown argument of %s %j is refused, with those that are allowed', async (tool, args, field, allowed) => {
    const client = await connect(stack.url, (await newAccount(stack)).key)
    expect(await callTool(client, tool, args)).toMatchObject({
      isError: true,
      body: { code: 'invalid_input', details: [{ field, allowed: expect.arrayContaining([allowed]) }] },
    })
  })

  it('if_revision changes only the revision that the caller saw', async () => {
    const api = await newAccount(stack)
    const article = await newArticle(api, await newProject(api))
    const client = await connect(stack.url, api.key)
    const update = (title: string, if_revision: unknown) =>
      callTool(client, 'update_article', { article_id: article, title, if_revision })
    expect(await update('Second', 1)).toMatchObject({ isError: false })
    const stale = await update('Third', 1)
    expect(stale).toMatchObject({ isError: true, body: { code: 'changed_meanwhile' } })
    expect(JSON.stringify(stale.body)).not.toMatch(/ETag|If-Match/)
    expect(await update('Third', '"2"')).toMatchObject({ body: { details: [{ field: 'if_revision' }] } })
    const any = { operation: 'articles.update', arguments: { id: article, title: 'Fourth' }, if_revision: 2 }
    expect(await callTool(client, 'call_operation', any)).toMatchObject({ isError: false })
    expect((await api.get(`/articles/${article}`)).body).toMatchObject({ Title: 'Fourth', Revision: 3 })
  })

  it('every operation is called by its id, within the scope and never as a deletion', async () => {
    const api = await newAccount(stack)
    const project = await newProject(api)
    const article = await newArticle(api, project, { content: '<p>One</p>' })
    await api.put(`/articles/${article}`, { content: '<p>Two</p>' })
    const client = await connect(stack.url, api.key)
    const revisions = { operation: 'articles.revisions', arguments: { id: article } }
    expect(await callTool(client, 'read_operation', revisions)).toMatchObject({
      body: { revisions: [{ revision: 2 }, { revision: 1 }] },
    })
    const restore = { operation: 'articles.restore', arguments: { id: article, revision: 1 } }
    expect(await callTool(client, 'call_operation', { ...restore, dry_run: true })).toMatchObject({
      body: { dry_run: true },
    })
    expect(await callTool(client, 'call_operation', restore)).toMatchObject({ isError: false })
    expect((await api.get(`/articles/${article}`)).body.Content).toBe('<p>One</p>')
    const once = {
      operation: 'articles.create',
      idempotency_key: 'one',
      arguments: { project_id: project, keyword: 'x' },
    }
    const [first, second] = [
      await callTool(client, 'call_operation', once),
      await callTool(client, 'call_operation', once),
    ]
    expect(second.body.article_id).toBe(first.body.article_id)
    expect(
      await callTool(client, 'call_operation', { operation: 'articles.delete', arguments: { id: article } }),
    ).toMatchObject({ isError: true, body: { code: 'invalid_input' } })
    const reader = await connect(stack.url, (await newAccount(stack, {}, ['read'])).key)
    expect(await callTool(reader, 'call_operation', restore)).toMatchObject({ body: { code: 'key_may_not' } })
  })

  it('an answer that is no JSON is returned as text', async () => {
    const api = await newAccount(stack)
    const client = await connect(stack.url, api.key)
    const { isError, body } = await callTool(client, 'read_operation', { operation: 'outreach.export' })
    expect({ isError, body }).toMatchObject({ isError: false, body: { content_type: 'application/x-ndjson' } })
  })

  it('names tools in messages and next_calls', async () => {
    const api = await newAccount(stack)
    const client = await connect(stack.url, api.key)
    const made = await callTool(client, 'create_article', {
      project_id: await newProject(api),
      keyword: 'sheds',
      scheduled_date: '2031-01-01',
    })
    const id = made.body.article_id
    expect(made.body.next_calls).toEqual([
      { tool: 'update_article', arguments: { article_id: id, status: 'Planned' }, why: expect.any(String) },
    ])
    expect(made.body.message).toContain(`update_article {"article_id":${id}}`)
    expect(made.text).not.toMatch(/\b(GET|POST|PUT) \//)
  })

  it('arguments may be null or absent', async () => {
    const { key } = await newAccount(stack)
    for (const params of ['{"name":"list_projects","arguments":null}', '{"name":"list_projects"}']) {
      const answer = await fetch(`${stack.url}/mcp`, {
        method: 'POST',
        headers: { accept: 'application/json', authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
      })
      expect(await answer.json()).toMatchObject({ result: { structuredContent: { projects: [] } } })
    }
  })

  it('dry_run returns a tool’s answer, refusal or call to another system, and changes nothing', async () => {
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

  it('half a character and endless nesting are refused as arguments, as no fault of the server', async () => {
    const api = await newAccount(stack)
    const call = async (name: string, args: string) => {
      const params = `{"name":"${name}","arguments":${args}}`
      const answer = await fetch(`${stack.url}/mcp`, {
        method: 'POST',
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${api.key}`,
          'content-type': 'application/json',
        },
        body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
      })
      const { result } = (await answer.json()) as { result?: { structuredContent: { code: string; details: unknown } } }
      return result?.structuredContent
    }
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    expect(await call('get_social_post', '{"post_id":"\\ud800"}')).toMatchObject({ code: 'invalid_id' })
    expect(await call('get_article', `{"article_id":${deep}}`)).toMatchObject({
      code: 'invalid_input',
      details: [{ field: 'arguments', message: 'are nested too deep' }],
    })
  })

  it('an invalid idempotency_key is refused by its own name, and nothing is made', async () => {
    const api = await newAccount(stack)
    const client = await connect(stack.url, api.key)
    const args = { project_id: await newProject(api), keyword: 'sheds' }
    for (const [key, message] of [
      ['', 'must be 1 to 255 printable ASCII characters'],
      ['caf\u00e9', 'must be 1 to 255 printable ASCII characters'],
      ['\u65e5\u672c', 'must be 1 to 255 printable ASCII characters'],
      ['one\ntwo', 'must be 1 to 255 printable ASCII characters'],
      [7, 'must be 1 to 255 printable ASCII characters'],
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
