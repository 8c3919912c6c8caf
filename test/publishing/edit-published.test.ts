import { describe, expect, inject, it } from 'vitest'
import { type RunningReceiver, startReceiver } from '../../local/receiver/server.ts'
import { type Api, connectReceiver, newAccount, newArticle, newProject, tell } from '../support/client.ts'
import { expectError } from '../support/contract.ts'
import { manyKeys } from '../support/keys.ts'
import { publishedArticle } from '../support/story.ts'

const stack = inject('stack')

/** An article published to a receiver of its own, which is closed when `check` has ended. */
const withPublished = async (
  check: (scene: {
    api: Api
    id: number
    first: number
    receiver: RunningReceiver
    sent: () => Promise<Sent[]>
  }) => Promise<void>,
): Promise<void> => {
  const receiver = await startReceiver({ port: 0, token: 'token' })
  const api = manyKeys(stack, await newAccount(stack))
  const project = await newProject(api)
  await connectReceiver(api, project, receiver.url, 'token')
  const fields = { title: 'First', content: '<p>First words.</p>', feature_image: 'https://i.example/a.png' }
  const id = await publishedArticle(api, project, fields)
  const sent = async () => {
    const answer = await fetch(`${receiver.url}/api/deliveries?article_id=${id}`)
    const { deliveries } = (await answer.json()) as { deliveries: { raw_body: string }[] }
    return deliveries.map(
      ({ raw_body }) => (JSON.parse(raw_body) as { data: { articles: Sent[] } }).data.articles[0] as Sent,
    )
  }
  const first = Number((await api.get(`/articles/${id}`)).body.Revision)
  await check({ api, id, first, receiver, sent }).finally(() => receiver.close())
}

type Sent = Record<string, unknown>

describe('PUT with sync on a published article', () => {
  it('explains a change without any effect, and how to take the article down', () =>
    withPublished(async ({ api, id, sent }) => {
      const refused = await api.put(`/articles/${id}`, { sync: true, status: 'Draft', keyword: 'sheds' })
      expectError(refused, 'published_article')
      expect(refused.body).toMatchObject({
        message: expect.stringContaining('keyword, status cannot be changed'),
        details: [
          { field: 'keyword', allowed: expect.arrayContaining(['title', 'content']) },
          { field: 'status', allowed: expect.arrayContaining(['title', 'content']) },
        ],
        next_calls: [{ path: `/articles/${id}/sync` }, { path: `/articles/${id}/detach` }],
      })
      expect(await sent()).toHaveLength(1)
    }))

  it('is saved and sent as a sync; fields for drafts only are ignored and named', () =>
    withPublished(async ({ api, id, first, sent }) => {
      const { status, body, headers } = await api.put(`/articles/${id}`, {
        sync: true,
        title: 'Second',
        seo_title: 'For search',
        canonical_url: 'https://c.example/second',
        keyword: 'another keyword',
      })
      expect([status, body]).toMatchObject([
        200,
        { status: 'synced', article_id: id, revision: first + 1, ignored: ['keyword'] },
      ])
      expect(await sent()).toMatchObject([
        { title: 'First' },
        { title: 'Second', seo_title: 'For search', canonical_url: 'https://c.example/second' },
      ])
      const article = await api.get(`/articles/${id}`)
      expect(article.body).toMatchObject({
        Status: 'Published',
        Title: 'Second',
        SeoTitle: 'For search',
        Revision: first + 1,
      })
      expect(headers.get('etag')).toBe(article.headers.get('etag'))
    }))

  it('without sync is refused, and so is one of fields that only drafts have', () =>
    withPublished(async ({ api, id, sent }) => {
      expectError(await api.put(`/articles/${id}`, { title: 'Second' }), 'published_article')
      expectError(await api.put(`/articles/${id}`, { title: 'Second', sync: false }), 'published_article')
      expectError(await api.put(`/articles/${id}`, { keyword: 'other', sync: true }), 'published_article')
      expect(await sent()).toHaveLength(1)
    }))

  it('saves a draft as any PUT does', async () => {
    const api = manyKeys(stack, await newAccount(stack))
    const id = await newArticle(api, await newProject(api))
    const { status, body } = await api.put(`/articles/${id}`, { title: 'Second', sync: true })
    expect([status, body]).toMatchObject([200, { status: 'Draft', updated_fields: ['title'] }])
  })
})

describe('a restore on a published article', () => {
  it('with sync is saved as a revision and sent, its image too', () =>
    withPublished(async ({ api, id, first, sent }) => {
      const changed = { title: 'Second', content: '<p>Second words.</p>', feature_image: 'https://i.example/b.png' }
      await api.post(`/articles/${id}/sync`, changed)
      const { status, body } = await api.post(`/articles/${id}/revisions/${first}/restore`, { sync: true })
      expect([status, body]).toMatchObject([200, { status: 'synced', revision: first + 2, restored_from: first }])
      const [, , third] = await sent()
      expect(third).toMatchObject({
        title: 'First',
        content_html: '<p>First words.</p>',
        image_url: 'https://i.example/a.png',
      })
      expect((await api.get(`/articles/${id}`)).body).toMatchObject({
        Revision: first + 2,
        Title: 'First',
        Status: 'Published',
      })
    }))

  it('without sync is refused and names the call that does it', () =>
    withPublished(async ({ api, id, sent }) => {
      const refused = await api.post(`/articles/${id}/revisions/1/restore`)
      expectError(refused, 'published_article')
      expect(refused.body.next_calls).toEqual([
        {
          method: 'POST',
          path: `/articles/${id}/revisions/1/restore`,
          body: { sync: true },
          why: expect.any(String),
        },
      ])
      expect(await sent()).toHaveLength(1)
    }))
})

describe('POST /articles/:id/sync', () => {
  it('with only unknown fields is refused and sends nothing', () =>
    withPublished(async ({ api, id, sent }) => {
      expectError(await api.post(`/articles/${id}/sync`, { heading: 'x' }), 'no_fields')
      expect(await sent()).toHaveLength(1)
    }))

  it('is 412 and sends nothing if If-Match names another version', () =>
    withPublished(async ({ api, id, sent }) => {
      const tag = (await api.get(`/articles/${id}`)).headers.get('etag') ?? ''
      const when = { headers: { 'if-match': tag } }
      const synced = await api.post(`/articles/${id}/sync`, { title: 'Second' }, when)
      expect(synced.status).toBe(200)
      const refused = await api.post(`/articles/${id}/sync`, { title: 'Third' }, when)
      expectError(refused, 'changed_meanwhile')
      expect(refused.headers.get('etag')).toBe(synced.headers.get('etag'))
      expect(await sent()).toHaveLength(2)
    }))

  it.each([
    ['down', { mode: 'down' }, true],
    ['made a second post', { path: '/webhook', answer: { success: true, action: 'created' } }, false],
  ])('that failed because the receiver is %s may be repeated: %s', (_, control, retryable) =>
    withPublished(async ({ api, id, receiver }) => {
      await tell(receiver.url, 'mode' in control ? '/_control' : '/_faults', control)
      const { status, body } = await api.post(`/articles/${id}/sync`, { title: 'Second' })
      expect([status, body.code, body.retryable]).toEqual([502, 'sync_failed', retryable])
      expect('next_calls' in body).toBe(retryable)
    }),
  )

  it('says how to create a post again that the receiver no longer has, which works', () =>
    withPublished(async ({ api, id, receiver }) => {
      const gone = { path: '/webhook', status: 404, answer: { error: 'no such post' }, times: 1 }
      await tell(receiver.url, '/_faults', gone)
      const { body } = await api.post(`/articles/${id}/sync`, { title: 'Second' })
      const [replay, sync] = body.next_calls as { path: string }[]
      expect(body.instructions_for_agent).toContain(`POST ${replay?.path} with {"force": true}`)
      const replayed = await api.post(String(replay?.path), { force: true })
      expect([replayed.status, replayed.body.status]).toEqual([201, 'published'])
      expect((await api.post(String(sync?.path))).body.status).toBe('synced')
    }))
})
