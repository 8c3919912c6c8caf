import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type GhostStandIn, startGhost } from '../../local/cms/ghost.ts'
import { type Api, connectReceiver, newAccount, newArticle, newProject, rowsIn, tell } from '../support/client.ts'
import { expectError } from '../support/contract.ts'
import { manyKeys } from '../support/keys.ts'
import { publishedArticle } from '../support/story.ts'

const stack = inject('stack')
let ghost: GhostStandIn

beforeAll(async () => {
  ghost = await startGhost()
})
afterAll(() => ghost.close())

const fresh = async () => {
  const api = manyKeys(stack, await newAccount(stack))
  return { api, project: await newProject(api) }
}

const connectGhost = (api: Api, project: number) =>
  api.post(`/projects/${project}/integrations`, {
    platform: 'ghost',
    api_url: ghost.url,
    admin_api_key: ghost.key,
  })

const atGhost = (slug: unknown) => ghost.posts().filter((post) => post.slug.startsWith(String(slug)))

const published = async () => {
  const { api, project } = await fresh()
  expect((await connectGhost(api, project)).status).toBe(201)
  const id = await publishedArticle(api, project)
  const { body } = await api.get(`/articles/${id}`)
  return { api, project, id, slug: body.Slug, published: body }
}

const pagesOf = (id: number) => rowsIn(stack, sql`select id from site_pages where article_id = ${id}::int`)

describe('POST /articles/:id/unpublish', () => {
  it('unpublishes the post; publishing again shows the same post with the same slug', async () => {
    const { api, id, slug, published: before } = await published()
    const [post] = atGhost(slug)
    expect(await pagesOf(id)).toHaveLength(1)
    const { status, body } = await api.post(`/articles/${id}/unpublish`)
    expect([status, body]).toMatchObject([200, { status: 'unpublished', article_id: id }])
    expect(body.message).toContain(`POST /articles/${id}/publish`)
    expect(atGhost(slug)).toMatchObject([{ id: post?.id, status: 'draft' }])
    const draft = (await api.get(`/articles/${id}`)).body
    expect(draft).toMatchObject({ Status: 'Draft', Slug: slug, PublishState: 'idle', Receipt: null, PublishedAt: null })
    expect(await pagesOf(id)).toEqual([])
    await api.put(`/articles/${id}`, { title: 'A better title' })
    expect((await api.post(`/articles/${id}/publish`)).status).toBe(200)
    expect(atGhost(slug)).toMatchObject([{ id: post?.id, status: 'published', title: 'A better title' }])
    const again = (await api.get(`/articles/${id}`)).body
    expect(again).toMatchObject({ Status: 'Published', Slug: slug, PublishedAt: before.PublishedAt })
    const audit = await rowsIn<{ action: string }>(
      stack,
      sql`select action from audit_log where subject = ${`article:${id}`} and action like 'article.unpublish%'`,
    )
    expect(audit).toEqual([{ action: 'article.unpublish' }])
  })

  it('keeps the published slug, whatever the keyword is now', async () => {
    const { api, id, slug } = await published()
    expect((await api.post(`/articles/${id}/unpublish`)).status).toBe(200)
    const { status, body } = await api.put(`/articles/${id}`, { keyword: 'another keyword altogether' })
    expect([status, body.slug]).toEqual([200, undefined])
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({
      Slug: slug,
      MainKeyword: 'another keyword altogether',
    })
  })

  it('does not prevent another target from getting the post', async () => {
    const { api, project, id } = await published()
    expect((await api.post(`/articles/${id}/unpublish`)).status).toBe(200)
    await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
    expect((await api.post(`/articles/${id}/publish`)).body).toMatchObject({ status: 'published', article_id: id })
    const { body } = await api.get(`/webhook-deliveries?article_id=${id}&limit=1`)
    expect(body.deliveries).toMatchObject([{ event_type: 'publish_articles', status: 'delivered' }])
  })

  it('says, once the article is deleted, what stays at the site', async () => {
    const { api, id, published: before } = await published()
    expect((await api.post(`/articles/${id}/unpublish`)).status).toBe(200)
    const { body } = await api.del(`/articles/${id}`)
    expect(body).toMatchObject({ deleted: true, message: expect.stringContaining(String(before.Url)) })
  })

  it('is for published articles only', async () => {
    const { api, project } = await fresh()
    const id = await newArticle(api, project)
    const refused = await api.post(`/articles/${id}/unpublish`)
    expectError(refused, 'not_published')
    expect(refused.body.message).toContain('take down')
  })

  it('is refused if the platform has no way, and if the post is at another target', async () => {
    const { api, project, id } = await published()
    await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
    const elsewhere = await api.post(`/articles/${id}/unpublish`)
    expectError(elsewhere, 'unsupported_for_sync')
    expect(elsewhere.body.message).toContain('no longer connected')
    const own = await publishedArticle(api, project)
    const refused = await api.post(`/articles/${own}/unpublish`)
    expectError(refused, 'unsupported_for_sync')
    expect(refused.body.message).toContain('webhook')
    expect((await api.get(`/articles/${own}`)).body.Status).toBe('Published')
  })

  it('is refused at another site of the same kind, even if a delivery was replayed there', async () => {
    const next = await startGhost()
    const { api, project, id, slug } = await published()
    const connected = await api.post(`/projects/${project}/integrations`, {
      ...{ platform: 'ghost', api_url: next.url, admin_api_key: next.key },
    })
    expect(connected.status).toBe(201)
    const { body } = await api.get(`/webhook-deliveries?article_id=${id}`)
    const [delivery] = body.deliveries as { id: number }[]
    expect((await api.post(`/webhook-deliveries/${delivery?.id}/replay`)).status).toBe(201)
    const elsewhere = await api.post(`/articles/${id}/unpublish`)
    expectError(elsewhere, 'unsupported_for_sync')
    expect(elsewhere.body.message).toContain('no longer connected')
    expect(atGhost(slug)).toMatchObject([{ status: 'published' }])
    await next.close()
  })

  it('unpublishes the post also after its site was connected again with another key', async () => {
    const { api, project, id, slug } = await published()
    expect((await connectGhost(api, project)).status).toBe(201)
    const { status, text } = await api.post(`/articles/${id}/unpublish`)
    expect(status, text).toBe(200)
    expect(atGhost(slug)).toMatchObject([{ status: 'draft' }])
  })

  it('one of two calls at once wins', { tags: ['services'] }, async () => {
    const { api, id } = await published()
    const answers = await Promise.all([1, 2].map(() => api.post(`/articles/${id}/unpublish`)))
    const codes = answers.map(({ status }) => status).sort()
    expect([
      [200, 400],
      [200, 409],
    ]).toContainEqual(codes)
    expect((await api.get(`/articles/${id}`)).body.Status).toBe('Draft')
  })

  it('keeps the article published with the reason if the site refuses; the same key can try again', async () => {
    const { api, id, slug } = await published()
    await tell(ghost.url, '/_faults', { path: '/ghost/', status: 503 })
    const key = { headers: { 'idempotency-key': 'down' } }
    const refused = await api.post(`/articles/${id}/unpublish`, undefined, key)
    await tell(ghost.url, '/_faults')
    expect([refused.status, refused.body.code, refused.body.retryable]).toEqual([502, 'unpublish_failed', true])
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({
      Status: 'Published',
      PublishState: 'failed',
      PublishError: refused.body.message,
    })
    expect((await api.post(`/articles/${id}/unpublish`, undefined, key)).status).toBe(200)
    expect(atGhost(slug)).toMatchObject([{ status: 'draft' }])
  })

  it('makes the article a draft if the site no longer has the post; publishing creates it again', async () => {
    const { api, id, slug } = await published()
    ghost.state.posts.delete(String(atGhost(slug)[0]?.id))
    const { status } = await api.post(`/articles/${id}/unpublish`)
    expect(status).toBe(200)
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Status: 'Draft', Url: null })
  })

  it('is free again after a process died in the middle of it', async () => {
    const { api, id } = await published()
    await rowsIn(
      stack,
      sql`update articles set publish_state = 'publishing', publish_lease_until = now() - interval '1 second' where id = ${id}::int`,
    )
    expect((await api.post(`/articles/${id}/unpublish`)).status).toBe(200)
  })
})
