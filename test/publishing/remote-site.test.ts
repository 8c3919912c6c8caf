import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { connectReceiver, newAccount, newArticle, newProject } from '../support/client.ts'
import { manyKeys } from '../support/keys.ts'
import { type Site, startSite } from './site.ts'

const stack = inject('stack')

type Sent = { event_type: string; data: { articles: { external_id?: string; url?: string }[] } }

/** A receiver that gives every post the same id, and what it was sent. */
const receiver = async (): Promise<{ site: Site; sent: Sent[] }> => {
  const sent: Sent[] = []
  const site = await startSite(({ method, body }) => {
    if (method === 'POST') sent.push(JSON.parse(body) as Sent)
    return { body: { success: true, action: 'updated', external_id: '77' } }
  })
  return { site, sent }
}

let first: Awaited<ReturnType<typeof receiver>>
let second: Awaited<ReturnType<typeof receiver>>

beforeAll(async () => {
  first = await receiver()
  second = await receiver()
})
afterAll(() => Promise.all([first.site.close(), second.site.close()]))

it('the id of a post is told to the site that gave it, also when it is connected again, and to no other', async () => {
  const api = manyKeys(stack, await newAccount(stack))
  const project = await newProject(api)
  await connectReceiver(api, project, first.site.url, 'token')
  const id = await newArticle(api, project, { content: '<p>Words.</p>' })
  expect((await api.post(`/articles/${id}/publish`)).status).toBe(200)
  const sync = async ({ sent }: typeof first): Promise<string | undefined> => {
    const { status, text } = await api.post(`/articles/${id}/sync`, { title: `Title ${Math.random()}` })
    expect(status, text).toBe(200)
    return sent.at(-1)?.data.articles[0]?.external_id
  }
  expect(await sync(first)).toBe('77')
  await connectReceiver(api, project, second.site.url, 'token')
  expect(await sync(second)).toBeUndefined()
  await connectReceiver(api, project, first.site.url, 'another-token')
  expect(await sync(first)).toBe('77')
})
