import { sql } from 'drizzle-orm'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { newConnected } from '../insights/search/google.ts'
import { newAccount, newArticle, newProject, rowsIn } from '../support/client.ts'
import { ownFaults } from '../support/faults.ts'
import { callTool, connect } from './client.ts'

const stack = inject('stack')
const faults = ownFaults(stack.googleUrl)

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
  it('can be read to its end by offset and below a row, without losing rows', async () => {
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
  it('are shortened in the same way, with totals and a row to continue from', async () => {
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
  it('is shortened as a resource, too, and says how to continue', async () => {
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
