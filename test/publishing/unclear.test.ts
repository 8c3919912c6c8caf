import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { newOwner } from '../accounts/people/browser.ts'
import { newArticle } from '../support/client.ts'
import { manyKeys } from '../support/keys.ts'
import { cron, flush } from './scene.ts'
import { connectedTo, type Site, type SiteAnswer, startSite } from './site.ts'

const stack = inject('stack')
const UNCLEAR = { body: { success: true, id: 17, post: { id: 1, status: 'error' } } }

const JSON_TYPE = { 'content-type': 'application/json' }

let site: Site
let answer: SiteAnswer

beforeAll(async () => {
  site = await startSite(({ method }) => (method === 'POST' ? answer : { status: 404 }))
})
afterAll(() => site.close())
beforeEach(() => {
  answer = {}
})

const scene = async () => {
  const { api: first, person } = await newOwner(stack)
  const api = manyKeys(stack, first)
  const { projectId } = await connectedTo(site, api)
  const id = await newArticle(api, projectId)
  const before = site.seen.length
  const sent = () => site.seen.slice(before).filter(({ method }) => method === 'POST')
  const deliveries = async () =>
    (await api.get(`/webhook-deliveries?article_id=${id}`)).body.deliveries as Record<string, unknown>[]
  const page = async () => `/p/${projectId}/deliveries/${(await deliveries())[0]?.id}`
  return { api, person, projectId, id, sent, deliveries, page }
}

describe('an unclear answer', () => {
  it('publishes the article with a warning, and nothing is sent again by itself', async () => {
    const { api, id, sent, deliveries } = await scene()
    answer = UNCLEAR
    const published = await api.post(`/articles/${id}/publish`)
    expect(published).toMatchObject({
      status: 200,
      body: { status: 'published', warnings: [expect.stringContaining('post.status: error')] },
    })
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Status: 'Published', PublishState: 'idle' })
    await cron(stack)
    await flush(stack, true)
    expect(sent()).toHaveLength(1)
    expect(await deliveries()).toMatchObject([
      { status: 'unclear', error: null, next_attempt_at: null, attempts: [{ status: 'unclear', http_status: 200 }] },
    ])
    expect((await api.get(`/webhook-deliveries?article_id=${id}&status=unclear`)).body.deliveries).toHaveLength(1)
  })

  it('to a sync keeps the edit as published, with a warning', async () => {
    const { api, id, deliveries } = await scene()
    await api.post(`/articles/${id}/publish`)
    answer = UNCLEAR
    const synced = await api.post(`/articles/${id}/sync`, { title: 'Another title' })
    expect(synced).toMatchObject({
      status: 200,
      body: { status: 'synced', warnings: [expect.stringContaining('unclear')] },
    })
    expect(await deliveries()).toMatchObject([{ status: 'unclear' }, { status: 'delivered' }])
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ PublishState: 'idle', PublishError: null })
  })

  it('has a page with which a person marks the article as published', async () => {
    const { api, person, id, sent, deliveries, page } = await scene()
    answer = UNCLEAR
    await api.post(`/articles/${id}/publish`)
    const path = await page()
    const shown = (await person.get(path)).text
    expect(shown).toContain('Mark as published')
    expect(shown).toContain('Send it again')
    expect((await person.post(`${path}/confirm`, {})).text).toContain('Marked as published. Nothing was sent.')
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: [{ status: 'unclear' }] }])
    expect(sent()).toHaveLength(1)
    expect((await person.get(path)).text).not.toContain('Mark as published')
    expect((await person.post(`${path}/confirm`, {})).text).toContain('is not unclear')
  })

  it('has a page with which a person sends the article again', async () => {
    const { api, person, id, sent, deliveries, page } = await scene()
    answer = UNCLEAR
    await api.post(`/articles/${id}/publish`)
    const path = await page()
    answer = {}
    expect((await person.post(`${path}/replay`, {})).text).toContain('Sent again, and the site accepted it.')
    expect(sent()).toHaveLength(2)
    const [again, first] = await deliveries()
    expect([again?.status, first?.status, first?.resolved_by]).toEqual(['delivered', 'unclear', again?.id])
  })
})

it('an article whose 2xx answer breaks off is published once, with a warning', async () => {
  const { api, id, sent, deliveries } = await scene()
  answer = { status: 201, body: '{"success":true,"published_url":"https://x.exam', breaksOff: true, headers: JSON_TYPE }
  expect(await api.post(`/articles/${id}/publish`)).toMatchObject({
    status: 200,
    body: { status: 'published', url: null, warnings: [expect.stringContaining('broke off')] },
  })
  await cron(stack)
  await flush(stack, true)
  expect(sent()).toHaveLength(1)
  expect(await deliveries()).toMatchObject([{ status: 'delivered' }])
})

it('the address of an article is read behind 70 KiB of its text', async () => {
  const { api, id } = await scene()
  const author = { id: 3, url: `${site.url}/authors/jo` }
  const url = `${site.url}/a/x`
  answer = { body: { data: { author, content_html: 'x'.repeat(70 * 1024), id: 17, published_url: url } } }
  expect(await api.post(`/articles/${id}/publish`)).toMatchObject({ status: 200, body: { url } })
  await api.post(`/articles/${id}/sync`, { title: 'Another title' })
  expect(JSON.parse(site.seen.findLast(({ method }) => method === 'POST')?.body ?? '').data.articles[0]).toMatchObject({
    external_id: '17',
  })
})
