import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { TOOLS } from '../../src/mcp/tools.ts'
import { createKey } from '../../src/platform/accounts/admin.ts'
import { clientOf, connectReceiver, newAccount, newProject, rowsIn, runnerOf, type Target } from '../support/client.ts'
import { openBrowser } from '../support/playwright.ts'
import { startTestStack, type TestStack, targetOf } from '../support/stack.ts'
import type { Agent, KeyAgent } from './agents/agent.ts'
import { startCallback } from './agents/callback.ts'
import { claudeCode } from './agents/claude-code.ts'
import { codex, codexWithKey } from './agents/codex.ts'
import { gemini } from './agents/gemini.ts'
import { inspector } from './agents/inspector.ts'
import { mcpRemote } from './agents/mcp-remote.ts'
import { openCode, openCodeWithKey } from './agents/opencode.ts'
import { sdkV1, sdkV2 } from './agents/sdk.ts'
import { newPerson } from './person.ts'

let stack: TestStack
let browser: Awaited<ReturnType<typeof openBrowser>>

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startTestStack(), openBrowser()])
})

afterAll(async () => {
  await browser?.close()
  await stack?.close()
})

const target = (): Target => targetOf(stack)

/** Room for a project, as an operator makes it; and a key of the account to connect a site with, which no tool does. */
const makeRoom = async (email: string) => {
  const [account] = await rowsIn<{ id: number }>(
    target(),
    sql`update accounts set project_slots = 1 where lower(email) = ${email} returning id`,
  )
  const { key } = await createKey(runnerOf(target()), String(account?.id), {
    name: 'operator',
    scopes: ['read', 'write'],
    kind: 'test',
  })
  return clientOf(stack.url, key, Number(account?.id))
}

/** An application that describes itself (local/client-documents.ts). */
const DESCRIBED = { name: 'Sample <agent>', url: 'https://agents.example/client.json' }

/** Each with how the server learns of it: RFC 7591, or a client-id metadata document. */
const AGENTS: [string, () => Agent | Promise<Agent>, { describedAt?: string }][] = [
  ['SDK version 1, registered', sdkV1, {}],
  ['SDK version 2 as it comes, registered', () => sdkV2('default'), {}],
  [
    'SDK version 2 that asks for the revision, described',
    () => sdkV2('auto', DESCRIBED),
    { describedAt: 'agents.example' },
  ],
  [
    'SDK version 2 pinned to 2026-07-28, described',
    () => sdkV2('pinned to 2026-07-28', DESCRIBED),
    { describedAt: 'agents.example' },
  ],
  ['SDK version 2 pinned to 2026-07-28, registered', () => sdkV2('pinned to 2026-07-28'), {}],
  ['mcp-remote, registered', () => mcpRemote, {}],
  ['Claude Code, described', () => claudeCode, { describedAt: 'claude.ai' }],
  ['Codex, described', () => codex, { describedAt: 'chatgpt.com' }],
  ['OpenCode, registered', () => openCode, {}],
]

// Those that take longest come first: each waits much of its time for its own program.
it.concurrent.each(AGENTS.toReversed())(
  '%s: let in, works by tools, ended, refused',
  async (_, make, { describedAt }) => {
    const agent = await make()
    const person = await newPerson(browser, { url: stack.url, mailUrl: stack.mail.url })
    let question = ''
    const connected = await agent.connect(`${stack.url}/mcp`, async (link) => {
      question = await person.letIn(link)
    })
    expect(question).toContain(agent.name)
    expect(question).toContain(person.email)
    expect(question).toMatch(/Returns to\s*(127\.0\.0\.1|localhost):\d+ \(a program on your own machine\)/)
    if (describedAt === undefined) expect(question).not.toContain('Described at')
    else expect(question).toMatch(new RegExp(`Described at\\s*${describedAt}`))

    const operator = await makeRoom(person.email)
    const made = await connected.call('create_project', {
      website_url: `https://${randomBytes(6).toString('hex')}.example`,
    })
    expect(made).toMatchObject({ isError: false, body: { project_id: expect.any(Number) } })
    const project = made.body.project_id as number
    await connectReceiver(operator, project, stack.receiver.url, stack.receiverToken)
    const saved = await connected.call('create_article', {
      project_id: project,
      keyword: 'garden sheds',
      content: '<p>Sheds need a level base.</p>',
    })
    expect(saved).toMatchObject({ isError: false, body: { article_id: expect.any(Number), status: 'Draft' } })
    const article = saved.body.article_id as number
    expect(await connected.call('publish_article', { article_id: article })).toMatchObject({
      isError: false,
      body: { status: 'published', article_id: article },
    })
    expect((await operator.get(`/articles/${article}`)).body).toMatchObject({ Status: 'Published' })

    await person.end(agent.name)
    await expect(connected.call('list_projects', {})).rejects.toThrow()
    const [key] = await rowsIn<{ revoked: boolean }>(
      target(),
      sql`select k.revoked_at is not null as revoked from api_keys k where k.account_id = ${operator.accountId}::int and k.name = ${agent.name}`,
    )
    expect(key).toEqual({ revoked: true })
    await connected.close()
    await person.close()
  },
)

const WITH_KEY: [string, KeyAgent][] = [
  ['Codex', codexWithKey],
  ['OpenCode', openCodeWithKey],
  ['Gemini CLI', gemini],
  ['MCP Inspector', inspector],
]

it.concurrent.each(WITH_KEY)(
  '%s with a key, as docs/clients.md says: finds the tools and calls one',
  async (_, connect) => {
    const api = await newAccount(target())
    const project = await newProject(api)
    const connected = await connect(`${stack.url}/mcp`, api.key)
    expect(await connected.call('list_projects', { limit: 5 })).toMatchObject({
      isError: false,
      body: { projects: [{ ID: project }], limit: 5 },
    })
    expect(connected.tools()).toEqual(expect.arrayContaining(TOOLS.map(({ name }) => name)))
    await connected.close()
  },
)

it('an invalid request returns to the application, also after signing in', async () => {
  const person = await newPerson(browser, { url: stack.url, mailUrl: stack.mail.url })
  const callback = await startCallback()
  const link = `${stack.url}/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: DESCRIBED.url,
    redirect_uri: callback.url,
    state: 'a-state',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    resource: 'https://elsewhere.example/mcp',
  })}`
  await expect(person.letIn(link)).rejects.toThrow('You can close this page.')
  expect(Object.fromEntries(await callback.returned)).toMatchObject({
    error: 'invalid_target',
    state: 'a-state',
    iss: stack.url,
  })
  await Promise.all([callback.close(), person.close()])
})
