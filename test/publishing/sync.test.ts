import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { startReceiver } from '../../local/receiver/server.ts'
import { type Api, connectReceiver, newAccount, newArticle, newProject, rowsIn, tell } from '../support/client.ts'
import { ownFaults } from '../support/faults.ts'

const stack = inject('stack')

type Delivery = { idempotency_key: string; raw_body: string }
type Sent = { event_type: string; data: { articles: Record<string, unknown>[] } }

/** Returns a published article on a receiver of its own. */
const published = async (fields: Record<string, unknown> = {}) => {
  const receiver = await startReceiver({ port: 0, token: 'token' })
  const api = await newAccount(stack)
  const project = await newProject(api)
  await connectReceiver(api, project, receiver.url, 'token')
  const id = await newArticle(api, project, { title: 'First title', ...fields })
  const { body } = await api.post(`/articles/${id}/publish`)
  const deliveries = async () => {
    const answer = (await (await fetch(`${receiver.url}/api/deliveries?article_id=${id}`)).json()) as {
      deliveries: Delivery[]
    }
    return answer.deliveries.map((d) => ({ key: d.idempotency_key, sent: JSON.parse(d.raw_body) as Sent }))
  }
  const posts = async () =>
    ((await (await fetch(`${receiver.url}/api/posts`)).json()) as { posts: Record<string, unknown>[] }).posts
  return { receiver, api, project, id, url: String(body.url), deliveries, posts }
}

const article = async (api: Api, id: number) => (await api.get(`/articles/${id}`)).body

describe('POST /articles/:id/sync', () => {
  it('saves the edits and sends them once as an update of the same post', async () => {
    const { receiver, api, id, url, deliveries, posts } = await published()
    const before = await article(api, id)
    const { status, body } = await api.post(`/articles/${id}/sync`, {
      title: 'Second title',
      content: '<h2>New</h2><p>Other words.</p>',
      tags: ['a', 'b'],
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'synced', article_id: id, url })
    const [first, second, ...more] = await deliveries()
    expect(more).toEqual([])
    expect(second?.key).not.toBe(first?.key)
    expect(second?.sent.event_type).toBe('update_articles')
    expect(second?.sent.data.articles[0]).toMatchObject({
      id: String(id),
      slug: before.Slug,
      title: 'Second title',
      content_html: '<h2>New</h2><p>Other words.</p>',
      tags: ['a', 'b'],
      url,
      published_url: url,
      status: 'Published',
      is_update: true,
      update_only: true,
      published_at: first?.sent.data.articles[0]?.published_at,
    })
    expect(await posts()).toHaveLength(1)
    const after = await article(api, id)
    expect(after).toMatchObject({
      Status: 'Published',
      Title: 'Second title',
      Slug: before.Slug,
      PublishedAt: before.PublishedAt,
      PublishState: 'idle',
      Revision: Number(before.Revision) + 1,
    })
    const kept = await rowsIn<{ content: string }>(
      stack,
      sql`select content from article_revisions where article_id = ${id} order by revision`,
    )
    expect(kept.at(-1)?.content).toBe(before.Content)
    await receiver.close()
  })

  it('without a body sends the saved article; each is a new delivery, but one that did not arrive keeps its key', async () => {
    const { receiver, api, id, deliveries } = await published()
    const { Revision } = await article(api, id)
    const sync = async () => (await api.call('POST', `/articles/${id}/sync`)).status
    expect(await sync()).toBe(200)
    await tell(receiver.url, '/_control', { mode: 'down', times: 1 })
    expect([await sync(), await sync()]).toEqual([502, 200])
    const [, first, refused, again] = (await deliveries()).map(({ key }) => key)
    expect(refused).not.toBe(first)
    expect(again).toBe(refused)
    expect((await article(api, id)).Revision).toBe(Revision)
    await receiver.close()
  })

  it('under another byline is another delivery, and so is one that puts newer words back', async () => {
    const { receiver, api, project, id, deliveries } = await published()
    const sync = (body?: object) => api.post(`/articles/${id}/sync`, body)
    await api.put(`/projects/${project}`, { custom_author_name: 'Ann' })
    expect((await sync({ title: 'Second title' })).status).toBe(200)
    await api.put(`/projects/${project}`, { custom_author_name: 'Bob' })
    expect((await sync()).status).toBe(200)
    const { body } = await api.get(`/webhook-deliveries?article_id=${id}`)
    const oldest = (body.deliveries as { id: number }[]).at(-1)?.id
    expect((await api.post(`/webhook-deliveries/${oldest}/replay`, { force: true })).status).toBe(201)
    expect((await sync()).status).toBe(200)
    const [, second, third, , fifth] = (await deliveries()).map(({ key }) => key)
    expect(new Set([second, third, fifth]).size).toBe(3)
    await receiver.close()
  })

  it('that saved nothing and was refused leaves its Idempotency-Key free', async () => {
    const { receiver, api, id } = await published()
    await tell(receiver.url, '/_control', { mode: 'down', times: 1 })
    const headers = { 'idempotency-key': 'without an edit' }
    const sync = () => api.post(`/articles/${id}/sync`, undefined, { headers })
    expect(await sync()).toMatchObject({ status: 502, body: { retryable: true, saved: false } })
    const again = await sync()
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, null])
    await receiver.close()
  })

  it('that failed is resolved by a replay', async () => {
    const { receiver, api, id, posts } = await published()
    await tell(receiver.url, '/_control', { mode: 'down', times: 1 })
    const failed = await api.post(`/articles/${id}/sync`, { title: 'Second title' })
    expect(await article(api, id)).toMatchObject({ PublishState: 'failed' })
    const replay = await api.post(`/webhook-deliveries/${failed.body.delivery_id}/replay`)
    expect(replay).toMatchObject({ status: 201, body: { status: 'published' } })
    expect(await posts()).toMatchObject([{ title: 'Second title' }])
    expect(await article(api, id)).toMatchObject({ Status: 'Published', PublishState: 'idle', PublishError: null })
    await receiver.close()
  })

  it('that failed stays so after a replay of older words', async () => {
    const { receiver, api, id } = await published()
    const { body } = await api.get(`/webhook-deliveries?article_id=${id}`)
    await tell(receiver.url, '/_control', { mode: 'down', times: 1 })
    await api.post(`/articles/${id}/sync`, { title: 'Second title' })
    const [first] = body.deliveries as { id: number }[]
    expect((await api.post(`/webhook-deliveries/${first?.id}/replay`)).status).toBe(201)
    expect(await article(api, id)).toMatchObject({ PublishState: 'failed' })
    await receiver.close()
  })

  it('returns the site’s Retry-After', async () => {
    const { receiver, api, id } = await published()
    await tell(receiver.url, '/_control', { mode: 'unavailable', retry_after: 90 })
    const sync = () => api.post(`/articles/${id}/sync`, { title: 'Later' }, { headers: { 'idempotency-key': 'later' } })
    const refused = await sync()
    expect([refused.status, refused.body]).toMatchObject([
      502,
      { code: 'sync_failed', retryable: true, retry_after: 90, upstream: { status: 503 } },
    ])
    expect(refused.headers.get('retry-after')).toBe('90')
    const replayed = await sync()
    expect(['idempotency-replayed', 'retry-after'].map((name) => replayed.headers.get(name))).toEqual(['true', '90'])
    await receiver.close()
  })

  it('answers 502 with the reason if the site refuses, keeps the edits, and never retries automatically', async () => {
    const { receiver, api, id, deliveries } = await published()
    await tell(receiver.url, '/_control', { mode: 'down' })
    const headers = { 'idempotency-key': 'sync-1' }
    const refused = await api.post(`/articles/${id}/sync`, { title: 'Kept' }, { headers })
    expect(refused.status).toBe(502)
    expect(refused.body).toMatchObject({
      error: 'sync_failed',
      code: 'sync_failed',
      saved: true,
      upstream: { name: 'receiver', status: 500 },
      next_calls: [{ method: 'POST', path: `/articles/${id}/sync`, why: expect.stringContaining('Without a body') }],
    })
    expect(refused.body).not.toHaveProperty('instructions_for_agent')
    expect(await article(api, id)).toMatchObject({
      Status: 'Published',
      Title: 'Kept',
      PublishState: 'failed',
      PublishError: refused.body.message,
    })
    const open = await rowsIn(
      stack,
      sql`select id from deliveries where article_id = ${id} and status not in ('delivered', 'failed')`,
    )
    expect(open).toEqual([])
    await tell(receiver.url, '/_control', { mode: 'ok' })
    const replayed = await api.post(`/articles/${id}/sync`, { title: 'Kept' }, { headers })
    expect([replayed.status, replayed.headers.get('idempotency-replayed')]).toEqual([502, 'true'])
    expect(replayed.body).toEqual(refused.body)
    expect(await deliveries()).toHaveLength(2)
    const withNewKey = { headers: { 'idempotency-key': 'sync-2' } }
    const again = await api.post(`/articles/${id}/sync`, { title: 'Kept' }, withNewKey)
    expect(again.status).toBe(200)
    expect(again.headers.get('idempotency-replayed')).toBeNull()
    expect(await deliveries()).toHaveLength(3)
    expect(await article(api, id)).toMatchObject({ PublishState: 'idle', PublishError: null })
    await receiver.close()
  })

  it.each([
    ['created', 'created'],
    ['ignored', 'ignored'],
  ])('treats an update answered with action %s as a failure', async (action, word) => {
    const { receiver, api, id } = await published()
    await tell(receiver.url, '/_faults', { path: '/webhook', answer: { success: true, action } })
    const { status, body } = await api.post(`/articles/${id}/sync`, { title: 'Other' })
    expect(status).toBe(502)
    expect(body.message).toContain(word)
    await receiver.close()
  })

  it('runs one of two simultaneous syncs', { tags: ['services'] }, async () => {
    const { receiver, api, id, deliveries } = await published()
    const faults = ownFaults(receiver.url)
    await faults.set({ path: '/webhook', hold: true })
    const both = ['One', 'Two'].map((title) => api.post(`/articles/${id}/sync`, { title }))
    // The one that is sent has no answer until the other has its own.
    const refused = await Promise.race(both)
    await faults.clear()
    expect((await Promise.all(both)).map((a) => a.status).sort()).toEqual([200, 409])
    expect(refused.body).toMatchObject({
      error: 'sync_in_progress',
      code: 'sync_in_progress',
    })
    expect(await deliveries()).toHaveLength(2)
    await receiver.close()
  })

  it('refuses what is not published, has no target, or would be emptied', async () => {
    const { receiver, api, project, id } = await published()
    const draft = await newArticle(api, project)
    expect((await api.post(`/articles/${draft}/sync`, {})).body).toMatchObject({
      code: 'not_published',
      error: 'not_published',
    })
    expect(await api.post(`/articles/${id}/sync`, { content: '<p></p>' })).toMatchObject({
      status: 400,
      body: { code: 'empty_content' },
    })
    expect(await api.post(`/articles/${id}/sync`, { title: '' })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'title' }] },
    })
    const [{ ID }] = (await api.get(`/integrations?project_id=${project}`)).body.integrations as [{ ID: number }]
    await api.del(`/integrations/${ID}`)
    expect((await api.post(`/articles/${id}/sync`, {})).body).toMatchObject({ code: 'no_cms_integration' })
    expect(await (await newAccount(stack)).post(`/articles/${id}/sync`, {})).toMatchObject({ status: 403 })
    await receiver.close()
  })
})
