import { readFileSync } from 'node:fs'
import { expect, inject, it, vi } from 'vitest'
import { newAccount, newArticle } from '../../support/client.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { connectedProject } from '../../support/story.ts'

const stack = inject('stack')

type Line = { event?: string; worker?: string; request_id?: string; job?: string; [field: string]: unknown }

/** Returns the lines that one request left in the log of all Workers. */
const linesOf = (requestId: string): Line[] =>
  readFileSync(stack.logFile, 'utf8')
    .split('\n')
    .flatMap((line) => (line.includes(requestId) ? [JSON.parse(line.slice(line.indexOf('{'))) as Line] : []))
    .filter((line) => line.request_id === requestId)

it('a request and its later work have the same id in the log', async () => {
  const api = await newAccount(stack)
  const project = await connectedProject(api, stack)
  const article = await newArticle(api, project, { content: '<p>Words of an article.</p>' })
  const id = `of-a-caller-${article}`
  const published = await api.post(`/articles/${article}/publish`, {}, { headers: { 'x-request-id': id } })
  expect(published.status, published.text).toBe(200)
  const told = () =>
    expect(linesOf(id).map(({ event }) => event)).toEqual(expect.arrayContaining(['request', 'job.run']))
  await vi.waitFor(told, { timeout: PATIENCE_MS })
  const lines = linesOf(id)
  expect(lines.find(({ event }) => event === 'request')).toMatchObject({ worker: 'publishing', status: 200 })
  expect(lines.find(({ event }) => event === 'job.run')).toMatchObject({ worker: 'jobs', outcome: 'settled' })
})

it('the line of a request has its waits: how many, and how long', async () => {
  const api = await newAccount(stack)
  const project = await connectedProject(api, stack)
  const article = await newArticle(api, project, { content: '<p>Words of an article.</p>' })
  const read = `read-${article}-0000`
  const published = `published-${article}`
  await api.get(`/articles/${article}`, { headers: { 'x-request-id': read } })
  await api.post(`/articles/${article}/publish`, {}, { headers: { 'x-request-id': published } })
  const lineOf = (id: string) =>
    vi.waitFor(() => linesOf(id).find(({ event }) => event === 'request') ?? expect.fail(`no line of ${id}`), {
      timeout: PATIENCE_MS,
    })
  expect(await lineOf(read)).toMatchObject({ database: 2, database_ms: expect.any(Number), redis: expect.any(Number) })
  expect(await lineOf(published)).toMatchObject({ outbound: 1, outbound_ms: expect.any(Number) })
})
