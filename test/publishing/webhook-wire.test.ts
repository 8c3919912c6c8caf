import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { type Api, newArticle } from '../support/client.ts'
import { tirelessAccount } from './scene.ts'
import { connectedTo, headerOf, type Site, startSite } from './site.ts'

const stack = inject('stack')
const TOKEN = 'a-Token.of_visible~ASCII!'
const ISO_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

let site: Site
let api: Api
let projectId: number
let secret: string

beforeEach(async () => {
  site = await startSite((_, url) => ({
    body: { success: true, published_url: `${url}/a-post`, external_id: 'post-7' },
  }))
  api = await tirelessAccount(stack)
  const connected = await connectedTo(site, api, TOKEN, {
    custom_author_name: 'Ada Byron',
  })
  projectId = connected.projectId
  secret = String(connected.integration.signing_secret)
})
afterEach(() => site.close())

/** Returns the deliveries to the webhook; checks of the live page are GETs. */
const sent = () => site.seen.filter(({ method }) => method === 'POST')

type Body = { event_type: string; timestamp: string; data: { articles: Record<string, unknown>[] } }

const only = () => {
  expect(sent()).toHaveLength(1)
  const [request] = sent()
  const body = JSON.parse(request?.body ?? '') as Body
  expect(body.data.articles).toHaveLength(1)
  return { request, body, article: body.data.articles[0] ?? {} }
}

const FIELDS = {
  keyword: 'tea kettles',
  title: 'Tea kettles & pots',
  content:
    '<h2>Which kettle?</h2><p>The <strong>steel</strong> one, see <a href="https://example.com/steel">here</a>.</p><ul><li>light</li><li>fast</li></ul>',
  meta_description: 'Which kettle to buy.',
  feature_image: 'https://images.example/kettle.png',
  alt_text: 'A kettle',
  tags: ['tea', 'kitchen'],
  category: 'Kitchen',
}

const publish = async (fields: Record<string, unknown> = {}): Promise<number> => {
  const id = await newArticle(api, projectId, { ...FIELDS, ...fields })
  const { status, text } = await api.post(`/articles/${id}/publish`)
  expect(status, text).toBe(200)
  return id
}

test('the request: POST to the address as given, all headers of the contract, each once', async () => {
  await publish()
  const { request } = only()
  expect(request).toMatchObject({ method: 'POST', path: '/webhook' })
  expect(headerOf(request, 'Content-Type')).toBe('application/json')
  expect(headerOf(request, 'Authorization')).toBe(`Bearer ${TOKEN}`)
  expect(headerOf(request, 'X-API-Key')).toBe(TOKEN)
  expect(headerOf(request, 'x-automation-apikey')).toBe(TOKEN)
  expect(headerOf(request, 'User-Agent')).toBe('Galley-Publisher/1.0')
  expect(headerOf(request, 'Idempotency-Key')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
  )
})

test('the signature verifies by an independent HMAC over id, timestamp and the raw body', async () => {
  const before = Math.floor(Date.now() / 1000)
  await publish()
  const { request } = only()
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const id = headerOf(request, 'webhook-id')
  const timestamp = headerOf(request, 'webhook-timestamp')
  const signed = createHmac('sha256', key).update(`${id}.${timestamp}.${request?.body}`).digest('base64')
  expect(headerOf(request, 'webhook-signature')).toBe(`v1,${signed}`)
  expect(id).toBe(headerOf(request, 'Idempotency-Key'))
  expect(Number(timestamp)).toBeGreaterThanOrEqual(before)
  expect(Number(timestamp)).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000))
})

test('the body of a first publication: every field, exact names and types, and no other', async () => {
  const before = Date.now()
  const id = await publish()
  const { body, article } = only()
  expect(Object.keys(body).sort()).toEqual(['data', 'event_type', 'timestamp'])
  expect(body.event_type).toBe('publish_articles')
  expect(body.timestamp).toMatch(ISO_UTC)
  expect(Date.parse(body.timestamp)).toBeGreaterThanOrEqual(before)
  const { content_markdown: markdown, published_at, created_at, updated_at, ...rest } = article
  expect(rest).toEqual({
    id: String(id),
    title: 'Tea kettles & pots',
    slug: 'tea-kettles',
    content_html: FIELDS.content.replace('<h2>', '<h2 id="which-kettle">'),
    meta_description: 'Which kettle to buy.',
    image_url: 'https://images.example/kettle.png',
    alt_text: 'A kettle',
    tags: ['tea', 'kitchen'],
    category: 'Kitchen',
    author: 'Ada Byron',
    status: 'Published',
    is_update: false,
    update_only: false,
  })
  expect(markdown).toBe(
    '## Which kettle?\n\nThe **steel** one, see [here](https://example.com/steel).\n\n- light\n- fast',
  )
  for (const at of [published_at, created_at, updated_at]) expect(at).toMatch(ISO_UTC)
  const shown = (await api.get(`/articles/${id}`)).body
  expect(shown).toMatchObject({ PublishedAt: published_at, CreatedAt: created_at, Url: `${site.url}/a-post` })
})

test('fields that were not given are empty, never absent', async () => {
  const id = await newArticle(api, projectId, { content: '<img src="https://images.example/a.png" alt="">' })
  await api.post(`/articles/${id}/publish`)
  const { article } = only()
  expect(article).toMatchObject({ meta_description: '', image_url: '', alt_text: '', tags: [], author: 'Ada Byron' })
  for (const name of ['url', 'published_url', 'external_id']) expect(article).not.toHaveProperty(name)
})

test('an article with a date in the past is backdated in UTC', async () => {
  const id = await publish({ published_at: '2024-07-01T10:00:00+02:00' })
  expect(only().article.published_at).toBe('2024-07-01T08:00:00.000Z')
  expect((await api.get(`/articles/${id}`)).body.PublishedAt).toBe('2024-07-01T08:00:00.000Z')
})

test('text in every script arrives unchanged, and the signature is valid for its bytes', async () => {
  await publish({ title: 'Чай 茶 🍵 “quoted”', content: '<p>Ünïcödé — 茶 🍵 &lt;b&gt; &amp;</p>', tags: ['茶'] })
  const { request, article } = only()
  expect(article).toMatchObject({ title: 'Чай 茶 🍵 “quoted”', tags: ['茶'] })
  expect(article.content_html).toContain('Ünïcödé — 茶 🍵 &lt;b&gt; &amp;')
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const head = `${headerOf(request, 'webhook-id')}.${headerOf(request, 'webhook-timestamp')}.`
  const signed = createHmac('sha256', key)
    .update(head)
    .update(Buffer.from(request?.body ?? '', 'utf8'))
  expect(headerOf(request, 'webhook-signature')).toBe(`v1,${signed.digest('base64')}`)
})

test('the test of a connection is marked as such and stores nothing', async () => {
  const { body } = await api.get(`/integrations?project_id=${projectId}`)
  const [integration] = body.integrations as { ID: number }[]
  const probe = await api.post(`/integrations/${integration?.ID}/test`)
  expect(probe).toMatchObject({ status: 200, body: { status: 'ok', http_status: 200 } })
  const [request, ...others] = sent()
  expect(others).toEqual([])
  expect(JSON.parse(request?.body ?? '')).toMatchObject({
    event_type: 'publish_articles',
    test: true,
    data: { articles: [] },
  })
  expect(headerOf(request, 'Authorization')).toBe(`Bearer ${TOKEN}`)
  expect((await api.get(`/webhook-deliveries?project_id=${projectId}`)).body.count).toBe(0)
})

test('neither token nor signing secret is shown by any answer afterwards', async () => {
  const id = await publish()
  const list = await api.get(`/webhook-deliveries?project_id=${projectId}`)
  const [delivery] = list.body.deliveries as { id: number }[]
  const answers = [
    list,
    await api.get(`/webhook-deliveries/${delivery?.id}`),
    await api.get(`/integrations?project_id=${projectId}`),
    await api.get(`/articles/${id}`),
  ]
  for (const { status, text } of answers) {
    expect(status).toBe(200)
    expect(text).not.toContain(TOKEN)
    expect(text).not.toContain(secret)
  }
})
