import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { connect } from '../../mcp/client.ts'
import { type Api, newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { connectedProject } from '../../support/story.ts'

const stack = inject('stack')

type Event = { id: number; at: string; type: string; actor: string; subject: string; article_id: number | null }
type Feed = { events: Event[]; count: number; limit: number; after: number; more: boolean }

const feedOf = async (api: Api, query = ''): Promise<Feed> => {
  const { status, body, text } = await api.get(`/events${query}`)
  expect(status, text).toBe(200)
  return body as Feed
}

const types = ({ events }: Feed): string[] => events.map(({ type }) => type)

describe('GET /events', () => {
  it('shows what happened to articles and their deliveries, oldest first, each event once', async () => {
    const api = await newAccount(stack)
    const project = await connectedProject(api, stack, { backlinks_network: false })
    const article = await newArticle(api, project)
    await api.post(`/articles/${article}/publish`)
    const all = await feedOf(api)
    expect(types(all).filter((type) => !type.startsWith('project.scan'))).toEqual([
      'project.create',
      'integration.connect',
      'article.create',
      'article.publish',
    ])
    const published = all.events.find(({ type }) => type === 'article.publish')
    expect(published).toMatchObject({ article_id: article, actor: expect.stringMatching(/^key:\d+$/) })
    expect(all.events.find(({ type }) => type === 'project.create')).toMatchObject({
      subject: `project:${project}`,
      article_id: null,
    })

    const walked: Event[] = []
    for (let after = 0, more = true; more; ) {
      const page = await feedOf(api, `?after=${after}&limit=2`)
      expect([page.count, page.limit]).toEqual([page.events.length, 2])
      walked.push(...page.events)
      ;({ after, more } = page)
    }
    expect(walked.slice(0, all.count)).toEqual(all.events)
    const end = await feedOf(api, `?after=${walked.at(-1)?.id}`)
    expect(end).toMatchObject({ events: [], count: 0, after: walked.at(-1)?.id, more: false })
    await api.put(`/articles/${await newArticle(api, project)}`, { title: 'Another' })
    expect(types(await feedOf(api, `?after=${end.after}`))).toEqual(['article.create', 'article.update'])
  })

  it('shows nothing of another account, of its keys, or older than 30 days', async () => {
    const api = await newAccount(stack)
    expect(await feedOf(api)).toMatchObject({ events: [], after: 0, more: false })
    const [old, kept] = [await newProject(api), await newProject(api)]
    await rowsIn(
      stack,
      sql`update audit_log set at = now() - interval '31 days' where account_id = ${api.accountId}::int and subject = ${`project:${old}`}`,
    )
    const subjects = (await feedOf(api)).events.map(({ subject }) => subject)
    expect(new Set(subjects)).toEqual(new Set([`project:${kept}`]))
    expect((await feedOf(await newAccount(stack))).events).toEqual([])
  })

  it('returns the events since a time, also with a cursor, and names the key that acted', async () => {
    const api = await newAccount(stack)
    const [early, late] = [await newProject(api), await newProject(api)]
    await rowsIn(
      stack,
      sql`update audit_log set at = now() - interval '2 days' where account_id = ${api.accountId}::int and subject = ${`project:${early}`}`,
    )
    const [key] = await rowsIn<{ name: string }>(
      stack,
      sql`select name from api_keys where account_id = ${api.accountId}::int`,
    )
    const since = new Date(Date.now() - 86_400_000)
    for (const text of [since.toISOString(), since.toISOString().slice(0, 10)]) {
      const { events } = await feedOf(api, `?since=${text}`)
      expect(new Set(events.map(({ subject }) => subject))).toEqual(new Set([`project:${late}`]))
      expect(events[0]).toMatchObject({ actor_name: key?.name })
    }
    const all = await feedOf(api, '?since=2020-01-01')
    expect(new Set(all.events.map(({ subject }) => subject))).toEqual(new Set([`project:${early}`, `project:${late}`]))
    expect((await feedOf(api, `?since=2020-01-01&after=${all.after}`)).events).toEqual([])
    expect((await feedOf(api, '?since=2099-01-01')).events).toEqual([])
    expectError(await api.get('/events?since=yesterday'), 'invalid_input')
    const { body } = await api.get('/audit-log?action=project.create')
    expect(body.entries).toMatchObject([{ actor_name: key?.name }, { actor_name: key?.name }])
  })

  it.each(['x', '-1', '1.5'])('is 400 for the cursor %s', async (after) => {
    expectError(await (await newAccount(stack)).get(`/events?after=${after}`), 'invalid_input')
  })

  it('continues behind the nearest earlier event for a cursor that names none of the account', async () => {
    const [api, other] = [await newAccount(stack), await newAccount(stack)]
    await newProject(api)
    const all = await feedOf(api)
    await newProject(other)
    const foreign = (await feedOf(other)).after
    await newProject(api)
    const next = await feedOf(api, `?after=${all.after}`)
    expect(next.count).toBeGreaterThan(0)
    expect(await feedOf(api, `?after=${foreign}`)).toEqual(next)
    expect((await feedOf(api, '?after=2147483647')).events).toEqual([])
  })

  it('lowers a limit above the most', async () => {
    expect((await feedOf(await newAccount(stack), '?limit=100000')).limit).toBe(200)
  })
})

it('the feed is a resource of the MCP server that can be polled', async () => {
  const api = await newAccount(stack)
  const client = await connect(stack.url, api.key)
  const read = async (uri: string) => {
    const [content] = (await client.readResource({ uri })).contents as { text: string }[]
    return JSON.parse(content?.text ?? '') as Feed
  }
  expect((await client.listResources()).resources).toContainEqual(expect.objectContaining({ uri: 'galley://events' }))
  await newProject(api)
  const first = await read('galley://events')
  expect(types(first)).toContain('project.create')
  const project = await newProject(api)
  const next = await read(`galley://events?after=${first.after}`)
  expect(next.events.filter(({ type }) => type === 'project.create')).toEqual([
    expect.objectContaining({ subject: `project:${project}` }),
  ])
  await expect(client.readResource({ uri: 'galley://events?after=x' })).rejects.toThrow()
})
