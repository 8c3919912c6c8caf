import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { AGENTS } from '../../../src/insights/crawlers/agents.ts'
import { rulingOf, wallOf } from '../../../src/insights/crawlers/rules.ts'
import { signInAsOwner } from '../../accounts/people/browser.ts'
import { newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { readStreamed } from '../../support/streamed-page.ts'

const stack = inject('stack')
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

type Answer = { status?: number; body?: string }

/** Starts a site, and notes the headers of each request. */
const startSite = async (answers: Record<string, Answer>) => {
  const seen: { path: string; headers: IncomingHttpHeaders }[] = []
  const server = createServer((request, response) => {
    seen.push({ path: request.url ?? '', headers: request.headers })
    const { status = 200, body = '<title>A page</title>' } = answers[request.url ?? '/'] ?? { status: 404 }
    response.statusCode = status
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

type Agent = { agent: string; robots: string; rule_for: string; by_cloudflare: boolean; wall: string }

const FILE = `User-agent: *
Disallow: /private/

User-agent: GPTBot
User-agent: ClaudeBot
Disallow: /
`

describe('the rules for an agent', () => {
  const at = (path: string) => new URL(path, 'https://acme.example')

  it('a group with its name counts alone, compared without case', () => {
    expect(rulingOf(FILE, 'gptbot', at('/'))).toEqual({ allowed: false, rule_for: 'agent', by_cloudflare: false })
    expect(rulingOf(FILE, 'bingbot', at('/'))).toMatchObject({ allowed: true, rule_for: 'everyone' })
    expect(rulingOf(FILE, 'bingbot', at('/private/x'))).toMatchObject({ allowed: false, rule_for: 'everyone' })
    expect(rulingOf('', 'bingbot', at('/'))).toMatchObject({ allowed: true, rule_for: 'none' })
    // A group with an empty rule allows everything, whatever everyone is told.
    const open = 'User-agent: Googlebot\nDisallow:\n\nUser-agent: *\nDisallow: /'
    expect(rulingOf(open, 'Googlebot', at('/'))).toMatchObject({ allowed: true, rule_for: 'agent' })
    expect(rulingOf(open, 'Googlebot-Image', at('/'))).toMatchObject({ allowed: false, rule_for: 'everyone' })
  })

  it('names Cloudflare where its part of the file forbids', () => {
    const managed = `# BEGIN Cloudflare Managed content\nUser-agent: CCBot\nDisallow: /\n# END Cloudflare Managed Content\n\nUser-agent: GPTBot\nDisallow: /`
    expect(rulingOf(managed, 'CCBot', at('/'))).toMatchObject({ allowed: false, by_cloudflare: true })
    expect(rulingOf(managed, 'GPTBot', at('/'))).toMatchObject({ allowed: false, by_cloudflare: false })
  })

  it('tells a wall from a page that is not there', () => {
    expect(['SUCCESSFUL', 'ACCESS_FORBIDDEN', 'BLOCKED_4XX', 'NOT_FOUND', null].map(wallOf)).toEqual([
      'open',
      'blocked',
      'blocked',
      null,
      null,
    ])
  })
})

it('reports each agent, asks only by our own name, and claims no wall that nobody measured', async () => {
  const site = await startSite({ '/robots.txt': { body: FILE }, '/': { status: 403 } })
  const api = await newAccount(stack)
  const project = await newProject(api, { website_url: site.url })
  const { status, body } = await api.get(`/projects/${project}/crawlers`)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    project_id: project,
    article_id: null,
    robots: { url: `${site.url}/robots.txt`, state: 'read', problem: null },
    own_request: { agent: 'Galley-Publisher', http_status: 403, let_in: false, problem: null },
  })
  const agents = body.agents as Agent[]
  expect(agents.map(({ agent }) => agent)).toEqual(AGENTS.map(({ token }) => token))
  expect(agents.filter(({ robots }) => robots === 'disallowed').map(({ agent }) => agent)).toEqual([
    'GPTBot',
    'ClaudeBot',
  ])
  expect(new Set(agents.map(({ wall }) => wall))).toEqual(new Set(['not_measured']))
  for (const { headers } of site.seen) expect(headers['user-agent']).toMatch(/^Galley/)
})

it('signs its requests with a key that anybody finds under its address', async () => {
  const site = await startSite({ '/robots.txt': { body: '' }, '/': {} })
  const api = await newAccount(stack)
  const project = await newProject(api, { website_url: site.url })
  const { body } = await api.get(`/projects/${project}/crawlers`)
  expect(body.own_request).toMatchObject({ signed: true })
  expect(site.seen.map(({ path }) => path)).toEqual(expect.arrayContaining(['/robots.txt', '/']))
  for (const { path, headers } of site.seen) {
    const [agent, input = '', signature = ''] = ['signature-agent', 'signature-input', 'signature'].map((name) =>
      String(headers[name]),
    )
    const listed = await fetch(`${JSON.parse(agent ?? '')}/.well-known/http-message-signatures-directory`)
    expect([listed.status, listed.redirected]).toEqual([200, false])
    const { keys } = (await listed.json()) as { keys: (JsonWebKey & { kid: string })[] }
    const [, params = '', id] = /^sig1=(.*keyid="([^"]+)".*)$/.exec(input) ?? []
    const key = keys.find(({ kid }) => kid === id)
    const base = (path: string) =>
      `"@method": GET\n"@authority": ${headers.host}\n"@path": ${path}\n"signature-agent": ${agent}\n"@signature-params": ${params}`
    const fits = (path: string) =>
      verify(
        null,
        Buffer.from(base(path)),
        createPublicKey({ format: 'jwk', key: key ?? {} }),
        Buffer.from(signature.split(':')[1] ?? '', 'base64'),
      )
    expect([fits(path), fits('/other')]).toEqual([true, false])
  }
})

it('of an article reports its own address, and what Google met there', async () => {
  const site = await startSite({ '/robots.txt': { body: FILE }, '/private/post': {} })
  const api = await newAccount(stack)
  const project = await newProject(api, { website_url: site.url })
  const article = await newArticle(api, project)
  const refused = await api.get(`/projects/${project}/crawlers?article_id=${article}`)
  expect([refused.status, refused.body.code]).toEqual([400, 'not_published'])
  const url = `${site.url}/private/post`
  await rowsIn(
    stack,
    sql`with live as (update articles set status = 'Published', url = ${url}, published_at = now() where id = ${article}::int returning id)
      insert into index_states (article_id, project_id, url, state, facts, looked_at)
      select id, ${project}::int, ${url}, 'unreachable', '{"fetch": "ACCESS_FORBIDDEN", "crawled_at": "2026-03-02T10:00:00.000Z"}', now() from live returning 1`,
  )
  const { body } = await api.get(`/projects/${project}/crawlers?article_id=${article}`)
  expect(body).toMatchObject({ article_id: article, url, own_request: { let_in: true, http_status: 200 } })
  const agents = body.agents as Agent[]
  expect(agents.find(({ agent }) => agent === 'Googlebot')).toMatchObject({
    robots: 'disallowed',
    rule_for: 'everyone',
    wall: 'blocked',
    wall_seen_at: '2026-03-02T10:00:00.000Z',
  })
  expect(agents.find(({ agent }) => agent === 'bingbot')).toMatchObject({ wall: 'not_measured', wall_seen_at: null })
  const { person } = await signInAsOwner(stack, api)
  const streamed = await readStreamed(`${stack.url}/p/${project}/crawlers?article=${article}`, person.cookies)
  expect(await streamed.rest()).toMatch(/Our own request.*Googlebot.*refused by a wall/s)
})

it.each([
  ['no file allows everything', { status: 404 }, 'none', 'allowed'],
  ['a site that fails forbids everything for now', { status: 503 }, 'unreachable', 'unknown'],
])('%s', async (_, answer, state, robots) => {
  const site = await startSite({ '/robots.txt': answer, '/': {} })
  const api = await newAccount(stack)
  const project = await newProject(api, { website_url: site.url })
  const { body } = await api.get(`/projects/${project}/crawlers`)
  expect(body.robots).toMatchObject({ state })
  expect(new Set((body.agents as Agent[]).map((one) => one.robots))).toEqual(new Set([robots]))
})
