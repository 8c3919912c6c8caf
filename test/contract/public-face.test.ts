import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { ERROR_CODES } from '../../schema/values/errors.ts'
import { GROUPS, OPERATIONS } from '../../src/operations.ts'
import { ENTRIES } from '../../src/pages/docs/menu.ts'
import { newAccount } from '../support/client.ts'

const stack = inject('stack')

const ask = async (path: string, init?: RequestInit) => {
  const response = await fetch(path.startsWith('http') ? path : stack.url + path, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Returns the links of a page to pages of the same service. */
const linksIn = (html: string): string[] => [
  ...new Set([...html.matchAll(/(?:href|src)="(\/[^"#]*)/g)].map(([, link = '']) => link)),
]

/** Pages of release 0.3.0 that are elsewhere now. */
const CONCEPTS =
  'states claim revisions deliveries suggestions approvals accounts undo archives policy credits dry-runs limits mcp keywords search ai-visibility images screenshots social crowdwork outreach'
const EARLIER_ADDRESSES = [...CONCEPTS.split(' ').map((name) => `concepts/${name}`), 'design/cms']

describe('documents', () => {
  it('every document is in the menu, and every page and link answers', async () => {
    const served = ENTRIES.map(({ file }) => file)
    for (const folder of ['guides', 'help', 'how', 'http', 'operations', 'reference'])
      for (const file of readdirSync(join(ROOT, 'docs', folder)))
        if (file.endsWith('.md')) expect(served).toContain(`${folder}/${file}`)
    const seen = new Map<string, number>()
    for (const path of ['/', '/docs', ...ENTRIES.map((one) => `/docs/${one.path}`)]) {
      const page = await ask(path)
      expect([page.status, page.headers.get('content-type')], path).toEqual([200, 'text/html; charset=utf-8'])
      expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'/)
      for (const link of linksIn(page.text))
        if (!seen.has(link)) seen.set(link, (await fetch(stack.url + link, { redirect: 'manual' })).status)
    }
    expect([...seen].filter(([, status]) => status !== 200 && status !== 303)).toEqual([])
  })

  it('a page is also there as Markdown, with the address of this service in it', async () => {
    const { status, headers, text } = await ask('/docs/quickstart.md')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8'])
    expect(text).toContain(`GALLEY_URL=${stack.url}/api/v1`)
    expect(text).not.toContain('api.example.com')
  })

  it('Markdown, and all of it in one text, have only links that answer', async () => {
    const broken: string[] = []
    const seen = new Set<string>()
    for (const path of ['/llms.txt', '/llms-full.txt', '/docs/index.md', '/docs/api/articles.create.md'])
      for (const [, link = ''] of (await ask(path)).text.matchAll(/\]\(([^)\s]+)\)/g)) {
        const { href, hash, origin } = new URL(link, 'http://nowhere.example')
        const address = href.slice(0, href.length - hash.length)
        if (origin.startsWith('http://nowhere')) broken.push(`${path}: ${link}`)
        else if (origin === new URL(stack.url).origin) seen.add(address)
      }
    for (const address of seen) {
      // The MCP server asks for a key.
      const { status } = await ask(address)
      if (![200, 303].includes(status) && !address.endsWith('/mcp')) broken.push(`${address}: ${status}`)
    }
    expect(seen.size).toBeGreaterThan(150)
    expect(broken).toEqual([])
  })

  it('robots.txt leads to a sitemap, whose pages answer', async () => {
    const [, address = ''] = /^Sitemap: (\S+)$/m.exec((await ask('/robots.txt')).text) ?? []
    const { headers, text } = await ask(address)
    expect(headers.get('content-type')).toBe('application/xml; charset=utf-8')
    const pages = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, page = '']) => page)
    expect(pages).toContain(`${stack.url}/docs/quickstart`)
    for (const page of pages) expect([page, (await ask(page)).status]).toEqual([page, 200])
  })

  it('are 304 for a caller with the current version, also if a proxy made its tag weak by compressing', async () => {
    const tag = (await ask('/openapi.json')).headers.get('etag') ?? ''
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const again = await ask('/openapi.json', { headers: { 'if-none-match': known } })
      expect([again.status, again.text], known).toEqual([304, ''])
    }
    expect((await ask('/openapi.json', { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  it('earlier addresses lead to where the text is now, as pages and as Markdown', async () => {
    for (const path of EARLIER_ADDRESSES) {
      const moved = await fetch(`${stack.url}/docs/${path}`, { redirect: 'manual' })
      const address = moved.headers.get('location') ?? ''
      expect(moved.status, path).toBe(308)
      const { text } = await ask(address)
      const anchor = address.split('#')[1]
      if (anchor !== undefined) expect(text, path).toContain(`id="${anchor}"`)
      const markdown = await ask(`/docs/${path}.md`)
      expect([markdown.status, markdown.headers.get('content-type')], path).toEqual([
        200,
        'text/markdown; charset=utf-8',
      ])
    }
  })

  it('search finds sections by their words, and says if there are none', async () => {
    const found = await ask('/docs/search?q=claim+72')
    expect(found.text).toContain('href="/docs/how/articles#the-claim-and-the-writer"')
    const none = await ask('/docs/search?q=%3Czzzz%3E')
    expect(none.text).toContain('Nothing was found for “&lt;zzzz&gt;”')
  })

  it('an unknown address is 404 with a link', async () => {
    const { status, text } = await ask('/docs/concepts/nothing')
    expect([status, text.includes('href="/docs"')]).toEqual([404, true])
  })

  it('every operation and every error code has a page', async () => {
    for (const { id, method, path } of OPERATIONS) {
      const page = await ask(`/docs/api/${id}.md`)
      expect([page.status, page.text.split('\n')[0]]).toEqual([200, `# ${method} ${path}`])
    }
    for (const code of Object.keys(ERROR_CODES)) {
      const page = await ask(`/docs/errors/${code}`)
      expect([page.status, page.text.includes('What to do:')], code).toEqual([200, true])
    }
  })
})

describe('documents for programs', () => {
  it('the index of the API has every operation with scope, rate, cost and page', async () => {
    const { status, headers, text } = await ask('/api/v1')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
    const { base_url, groups } = JSON.parse(text)
    expect(base_url).toBe(`${stack.url}/api/v1`)
    const listed = groups.flatMap(({ operations }: { operations: object[] }) => operations)
    expect(listed).toHaveLength(OPERATIONS.length)
    expect(listed).toContainEqual({
      id: 'articles.publish',
      method: 'POST',
      path: '/articles/:id/publish',
      summary: expect.any(String),
      scope: 'write',
      per_minute: 5,
      cost: expect.any(String),
      docs_url: `${stack.url}/docs/api/articles.publish`,
    })
  })

  it('the description is OpenAPI 3.1 with every operation, and names this service', async () => {
    const { openapi, servers, paths, info } = JSON.parse((await ask('/openapi.json')).text)
    expect([openapi, servers[0].url, info.license.url]).toEqual([
      '3.1.1',
      `${stack.url}/api/v1`,
      `${stack.url}/docs/license`,
    ])
    const described = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    )
    expect(described.sort()).toEqual(OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort())
  })

  it('the description of each group has its operations and every component that they use', async () => {
    const llms = (await ask('/llms.txt')).text
    expect(llms).toMatch(/openapi\.json\) \([\d,]+ tokens\)/)
    expect(llms).toMatch(/llms-full\.txt\) \([\d,]+ tokens\)/)
    const described: string[] = []
    for (const group of Object.keys(GROUPS)) {
      expect(llms).toMatch(new RegExp(`/openapi/${group}\\.json\\) \\([\\d,]+ tokens\\)`))
      const { status, text } = await ask(`/openapi/${group}.json`)
      expect(status, group).toBe(200)
      const { servers, paths, components } = JSON.parse(text)
      expect(servers[0].url).toBe(`${stack.url}/api/v1`)
      for (const [path, methods] of Object.entries<object>(paths))
        for (const method of Object.keys(methods))
          described.push(`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`)
      for (const [, kind = '', name = ''] of text.matchAll(/#\/components\/(\w+)\/([^"]+)"/g))
        expect(components[kind]?.[name], `${group}: ${kind} ${name}`).toBeDefined()
    }
    expect(described.sort()).toEqual(OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort())
    expect((await ask('/openapi/nothing.json')).status).toBe(404)
  })

  it('the catalog of the API leads to its description', async () => {
    const { headers, text } = await ask('/.well-known/api-catalog')
    expect(headers.get('content-type')).toBe('application/linkset+json')
    const [{ 'service-desc': description }] = JSON.parse(text).linkset
    expect((await ask(description[0].href)).status).toBe(200)
  })

  it('every answer leads to the description', async () => {
    const { key } = await newAccount(stack)
    const good = await ask('/api/v1/projects', { headers: { authorization: `Bearer ${key}` } })
    const answers = [
      good,
      await ask('/api/v1/projects'),
      await ask('/api/v1/nothing'),
      await ask('/api/v1'),
      await ask('/'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 200, 200])
    for (const { headers } of answers) expect(headers.get('link')).toContain('</openapi.json>; rel="service-desc"')
  })

  it('llms-full.txt contains the documents', async () => {
    const { text } = await ask('/llms-full.txt')
    expect(text).toContain('# How an article moves')
    expect(text).toContain('## POST /articles/:id/publish')
  })

  it('a refusal has the page of its code', async () => {
    for (const path of ['/api/v1/projects', '/api/v1/nothing']) {
      const { code, docs_url: page } = JSON.parse((await ask(path)).text)
      expect(page).toBe(`${stack.url}/docs/errors/${code}`)
      expect((await ask(page)).text).toContain(`${code}</h1>`)
    }
  })
})

/** Returns one command of llms.txt: method, address and body, with the values of earlier answers filled in. */
const requestOf = (command: string, learnt: Record<string, string>) => {
  const filled = command.replaceAll(/\b[A-Z]+_ID\b/g, (name) => learnt[name] ?? name)
  const path = /\$B([^\s"]*)/.exec(filled)?.[1] ?? ''
  const body = /-d '(.*)'$/.exec(filled)?.[1]
  const method = /-X (\w+)/.exec(filled)?.[1] ?? (body === undefined ? 'GET' : 'POST')
  return { method, path, ...(body === undefined ? {} : { body }) }
}

describe('an agent that knows only llms.txt', () => {
  let text = ''
  beforeAll(async () => {
    text = (await ask('/llms.txt')).text
  })

  it('publishes an article in at most twelve calls, none of them refused', async () => {
    const { key } = await newAccount(stack)
    const commands = [...text.matchAll(/^curl -sS .*$/gm)].map(([command]) => command)
    expect(commands.length).toBeLessThanOrEqual(12)
    const learnt: Record<string, string> = {}
    let published = ''
    for (const command of commands) {
      const { method, path, body } = requestOf(command, learnt)
      const sent = body
        ?.replace('https://shop.example/hook', `${stack.receiverUrl}/webhook`)
        .replace('a-token-of-your-choice', stack.receiverToken)
      const answer = await ask(`/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(sent ? { 'content-type': 'application/json' } : {}) },
        ...(sent ? { body: sent } : {}),
      })
      expect(answer.status, `${command}\n${answer.text}`).toBeLessThan(300)
      const told = JSON.parse(answer.text)
      if (told.project_id) learnt.PROJECT_ID = String(told.project_id)
      if (told.article_id) learnt.ARTICLE_ID = String(told.article_id)
      if (told.status === 'published') published = told.url
    }
    expect(published).toMatch(/garden-shed$/)
  })
})
