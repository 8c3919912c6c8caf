import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type DirectusStandIn, startDirectus } from '../../local/cms/directus.ts'
import { anotherKey, newAccount, newArticle, newProject, rowsIn } from '../support/client.ts'
import { expectError } from '../support/contract.ts'
import { manyKeys, rowsOf } from '../support/keys.ts'
import { connectedProject, publishedArticle } from '../support/story.ts'

const stack = inject('stack')
let directus: DirectusStandIn

beforeAll(async () => {
  directus = await startDirectus()
})
afterAll(() => directus.close())

/** Returns an account with a project that publishes to the collection of the Directus. */
const open = async () => {
  const first = await newAccount(stack)
  const api = manyKeys(stack, first)
  const project = await newProject(api)
  const made = await api.post(`/projects/${project}/integrations`, {
    platform: 'directus',
    api_url: directus.url,
    access_token: directus.token,
    collection: 'posts',
    url_prefix: 'https://shed.example/blog',
  })
  expect(made.status, made.text).toBe(201)
  return { first, api, project, integration: Number(made.body.integration_id) }
}

describe('the fields of a platform', () => {
  it('are listed with what fills them and what they take', async () => {
    const { api, integration } = await open()
    const { status, body, text } = await api.get(`/integrations/${integration}/schema`)
    expect(status, text).toBe(200)
    expect(body).toMatchObject({ integration_id: integration, platform: 'directus', collection: 'posts' })
    const fields = rowsOf(body, 'fields')
    const named = (name: string) => fields.find((field) => field.name === name)
    expect(named('title')).toMatchObject({ type: 'text', filled_by: 'title', settable: false, required: true })
    expect(named('rating')).toMatchObject({ type: 'integer', filled_by: null, settable: true, native_type: 'input' })
    expect(named('layout')).toMatchObject({ type: 'text', choices: ['wide', 'narrow'], settable: true })
    expect(named('id')).toMatchObject({ type: 'other', settable: false })
  })

  it('are none at a webhook, and are not shown to others', async () => {
    const { integration } = await open()
    const other = manyKeys(stack, await newAccount(stack))
    expectError(await other.get(`/integrations/${integration}/schema`), 'forbidden')
    const project = await connectedProject(other, stack)
    const [webhook] = rowsOf((await other.get(`/integrations?project_id=${project}`)).body, 'integrations')
    expectError(await other.get(`/integrations/${String(webhook?.ID)}/schema`), 'unsupported_platform')
  })
})

describe('fields of an article', () => {
  it('are refused by name before anything is sent, and then get their values', async () => {
    const { api, project } = await open()
    const count = directus.items().length
    const id = await newArticle(api, project, { fields: { rating: 'good', layout: 'broad' } })
    const refused = await api.post(`/articles/${id}/publish`)
    expect(refused.text).toContain('“rating” must be a whole number')
    expect(refused.text).toContain('“layout” must be one of these: wide, narrow')
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Status: 'Draft', PublishState: 'failed' })
    expect(directus.items()).toHaveLength(count)

    const fields = { rating: 4, layout: 'wide', featured: true }
    await api.put(`/articles/${id}`, { fields })
    expect((await api.post(`/articles/${id}/publish`)).body).toMatchObject({ status: 'published' })
    expect(directus.items().at(-1)).toMatchObject(fields)
    const synced = await api.post(`/articles/${id}/sync`, { fields: { rating: 5 } })
    expect(synced.status, synced.text).toBe(200)
    expect(directus.items().at(-1)).toMatchObject({ ...fields, rating: 5 })
    const wrong = await api.post(`/articles/${id}/sync`, { fields: { rating: 'best' } })
    expect([wrong.body.code, wrong.text]).toEqual(['sync_failed', expect.stringContaining('“rating” must be')])
    expect(directus.items().at(-1)).toMatchObject({ ...fields, rating: 5 })
  })

  it('are kept and restored by revisions, and the same in any order', async () => {
    const { api, project } = await open()
    const id = await newArticle(api, project, { fields: { rating: 4, layout: 'wide' } })
    const read = async () => (await api.get(`/articles/${id}`)).body
    await api.put(`/articles/${id}`, { fields: { layout: 'wide', rating: 4 } })
    expect(await read()).toMatchObject({ Revision: 1, Fields: { rating: 4, layout: 'wide' } })
    await api.put(`/articles/${id}`, { fields: { rating: 2 } })
    expect(await read()).toMatchObject({ Revision: 2, Fields: { rating: 2 } })
    const kept = await api.get(`/articles/${id}/revisions/1`)
    expect(kept.body.fields).toEqual({ rating: 4, layout: 'wide' })
    expect((await api.post(`/articles/${id}/revisions/1/restore`)).status).toBe(200)
    expect((await read()).Fields).toEqual({ rating: 4, layout: 'wide' })
  })

  it('are restored by undo', async () => {
    const { first, api, project } = await open()
    const agent = await anotherKey(stack, first)
    const id = await newArticle(api, project, { fields: { rating: 4, layout: 'wide' } })
    const read = async () => (await api.get(`/articles/${id}`)).body
    await agent.put(`/articles/${id}`, { fields: null })
    expect((await read()).Fields).toEqual({})
    const [key] = await rowsIn<{ id: number }>(
      stack,
      sql`select max(id) as id from api_keys where account_id = ${first.accountId}::int and name = 'another'`,
    )
    const undone = await agent.post('/undo', { key_id: Number(key?.id), since: '2020-01-01' })
    expect(undone.status, undone.text).toBe(200)
    expect((await read()).Fields).toEqual({ rating: 4, layout: 'wide' })
  })

  it.each([
    [{ rating: { deep: 1 } }, 'fields.rating'],
    [{ rating: [[1]] }, 'fields.rating'],
    [{ rating: 'a\u0000b' }, 'fields.rating'],
    [{ ' ': 1 }, 'fields'],
    [Object.fromEntries(Array.from({ length: 26 }, (_, n) => [`f${n}`, n])), 'fields'],
  ])('are refused if they can be no values: %#', async (fields, field) => {
    const api = manyKeys(stack, await newAccount(stack))
    const project = await newProject(api)
    const { status, body } = await api.post('/articles', { project_id: project, keyword: 'sheds', fields })
    expect([status, body.details]).toMatchObject([400, [{ field: expect.stringContaining(field) }]])
  })

  it('reach a webhook with the article', async () => {
    const api = manyKeys(stack, await newAccount(stack))
    const project = await connectedProject(api, stack)
    const id = await publishedArticle(api, project, { fields: { rating: 4 } })
    const { body } = await api.get(`/webhook-deliveries?article_id=${id}`)
    const [delivery] = rowsOf(body, 'deliveries')
    const { body: whole } = await api.get(`/webhook-deliveries/${String(delivery?.id)}`)
    expect(JSON.stringify(whole)).toContain('"fields":{"rating":4}')
  })
})
