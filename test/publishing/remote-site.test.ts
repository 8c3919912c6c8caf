import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { connectReceiver, newAccount, newProject } from '../support/client.ts'
import { manyKeys } from '../support/keys.ts'
import { publishedArticle } from '../support/story.ts'
import { type Site, startSite } from './site.ts'

const stack = inject('stack')

type Sent = { event_type: string; data: { articles: { external_id?: string; url?: string }[] } }

/**
 * Starts a receiver that gives every post the same id, and returns an address if it has one. Also returns the requests
 * it got.
 */
const receiver = async (url?: string): Promise<{ site: Site; sent: Sent[] }> => {
  const sent: Sent[] = []
  const site = await startSite(({ method, body }) => {
    if (method === 'POST') sent.push(JSON.parse(body) as Sent)
    return { body: { success: true, action: 'updated', external_id: '77', published_url: url } }
  })
  return { site, sent }
}

const URL = 'https://first.example/post'

let first: Awaited<ReturnType<typeof receiver>>
let second: Awaited<ReturnType<typeof receiver>>

beforeAll(async () => {
  first = await receiver(URL)
  second = await receiver()
})
afterAll(() => Promise.all([first.site.close(), second.site.close()]))

it('id and address of a post are sent only to the site that gave them, also after it is connected again', async () => {
  const api = manyKeys(stack, await newAccount(stack))
  const project = await newProject(api)
  await connectReceiver(api, project, first.site.url, 'token')
  const id = await publishedArticle(api, project, { content: '<p>Words.</p>' })
  const sync = async ({ sent }: typeof first): Promise<unknown> => {
    const { status, text } = await api.post(`/articles/${id}/sync`, { title: `Title ${Math.random()}` })
    expect(status, text).toBe(200)
    const article = sent.at(-1)?.data.articles[0]
    return [article?.external_id, article?.url]
  }
  expect(await sync(first)).toEqual(['77', URL])
  await connectReceiver(api, project, second.site.url, 'token')
  expect(await sync(second)).toEqual([undefined, undefined])
  expect((await api.get(`/articles/${id}`)).body.Url).toBe(URL)
  await connectReceiver(api, project, first.site.url, 'another-token')
  expect(await sync(first)).toEqual(['77', URL])
})
