import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest'
import { picture } from '../content/media/pictures.ts'
import { until } from '../reach/social/scene.ts'
import { newAccount } from '../support/client.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/**
 * Tests the tasks of an agent that has only the documents.
 *
 * It reaches every goal with at most one refused call, and with none if the documents explain it.
 */

const stack = inject('stack')
const DAY_MS = 86_400_000

type Answer = { status: number; headers: Headers; body: Record<string, unknown> }

let key: string
let receiver: Receiver
let refused: Answer[] = []
let project: number

const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
  const response = await fetch(`${stack.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] }
  if (answer.status >= 400) refused.push(answer)
  return answer
}

beforeAll(async () => {
  key = (await newAccount(stack, { plan: 'pro', projects: 2, credits: 12 })).key
  receiver = await startReceiver()
})
afterAll(() => receiver.close())
beforeEach(() => {
  refused = []
})

const inTenDays = new Date(Date.now() + 10 * DAY_MS)

/** Returns a Friday at least ten days ahead, as a date. */
const friday = (weeks = 0): string => {
  const days = (5 - inTenDays.getUTCDay() + 7) % 7
  return new Date(inTenDays.getTime() + (days + 7 * weeks) * DAY_MS).toISOString().slice(0, 10)
}

/** Returns the time of a clock in Paris at an instant. */
const inParis = (instant: unknown): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Paris',
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(String(instant)))

const WORDS = 'A starter is flour and water that stand until they are alive. Feed it once a day and keep it warm. '
const articles: Record<string, number> = {}
const contentWith = (image: string): string =>
  `<p>A sourdough starter takes a week. ${WORDS.repeat(12)}</p><h2>Feeding a sourdough starter</h2>` +
  `<p>${WORDS.repeat(10)} See <a href="https://www.fao.org/flour">what flour is</a> and <a href="https://www.who.int/water">what water is</a>.</p>` +
  `<img src="${image}" alt="A jar of starter"><h2>Days</h2>` +
  '<table><thead><tr><th>Day</th><th>Flour</th></tr></thead><tbody><tr><td>1</td><td>50 g</td></tr></tbody></table>'

const save = async (name: string, fields: Record<string, unknown> = {}): Promise<number> => {
  const content = `<h2>Why ${name}</h2><p>${WORDS.repeat(4)}</p>`
  const { status, body } = await call('POST', '/articles', { project_id: project, keyword: name, content, ...fields })
  expect(status).toBe(201)
  const id = body.article_id as number
  articles[name] = id
  return id
}

const at = (name: string): string => `/articles/${articles[name]}`

it('makes a project with settings', async () => {
  const settings = {
    business_name: 'My Bakery',
    tone: 'Conversational',
    timezone: 'Europe/Paris',
    publish_time: '09:00',
    target_audience: ['people who bake at home'],
    publishing_status: 'Publish Immediately',
    backlinks_network: false,
  }
  const made = await call('POST', '/projects', { website_url: 'https://walk-bakery.example', ...settings })
  expect(made.status).toBe(201)
  expect([...(made.body.settings_applied as string[])].sort()).toEqual(Object.keys(settings).sort())
  project = made.body.project_id as number
  expect((await call('GET', `/projects/${project}`)).body.settings).toMatchObject(settings)
  expect(refused).toEqual([])
})

it('writes an article with an image, links and a table', async () => {
  const png = await picture({ width: 600, height: 400, format: 'png' })
  const { status, body } = await call('POST', '/images', { image_base64: png.toString('base64') })
  expect([status, body]).toMatchObject([201, { width: 600, height: 400 }])
  const content = contentWith(String(body.url))
  await save('sourdough starter', { title: 'How to Begin a Sourdough Starter', content, tags: ['baking'] })
  const read = await call('GET', at('sourdough starter'))
  expect(read.body).toMatchObject({ Status: 'Draft', Slug: 'sourdough-starter', Content: content, Tags: ['baking'] })
  expect(refused).toEqual([])
})

it('plans it for a Friday, 09:00 in Paris', async () => {
  const when = { status: 'Planned', scheduled_date: `${friday()}T09:00` }
  const { status, body } = await call('PUT', at('sourdough starter'), when)
  expect([status, body.ScheduledDate]).toEqual([200, `${friday()}T09:00:00`])
  expect(inParis(body.ScheduledAt)).toBe('Friday 09:00')
  expect(refused).toEqual([])
})

it('asks whether it can still be claimed, and claims it', async () => {
  const { body } = await call('GET', `${at('sourdough starter')}/brief`)
  const claim = body.claim as { claimable: boolean; claim_by: string; claimed: boolean }
  // Planning an article that has a long text of one's own claimed it.
  expect(claim).toMatchObject({ claimable: true, claimed: true })
  const { ScheduledAt, Content } = (await call('GET', at('sourdough starter'))).body
  expect(Date.parse(String(ScheduledAt)) - Date.parse(claim.claim_by)).toBe(3 * DAY_MS)
  expect((await call('PUT', at('sourdough starter'), { content: Content })).body.claimed).toBe(true)
  expect(refused).toEqual([])
})

it('moves it by a week', async () => {
  const { body } = await call('PUT', at('sourdough starter'), { scheduled_date: `${friday(1)}T09:00` })
  expect(inParis(body.ScheduledAt)).toBe('Friday 09:00')
  expect((await call('GET', at('sourdough starter'))).body).toMatchObject({
    Status: 'Planned',
    ScheduledDate: `${friday(1)}T09:00:00`,
    claimed: true,
  })
  expect(refused).toEqual([])
})

it('publishes it to a receiver that verifies the signature', async () => {
  const target = { platform: 'webhook', url: `${receiver.url}/hook`, access_token: 'walk-token' }
  const connected = await call('POST', `/projects/${project}/integrations`, target)
  receiver.secret = String(connected.body.signing_secret)
  const tested = await call('POST', `/integrations/${String(connected.body.integration_id)}/test`)
  expect(tested.body).toMatchObject({ status: 'ok', http_status: 200 })
  expect(receiver.posts.size).toBe(0)
  const { status, body } = await call('POST', `${at('sourdough starter')}/publish`)
  expect([status, body]).toMatchObject([200, { status: 'published', url: `${receiver.url}/sourdough-starter` }])
  const page = await (await fetch(String(body.url))).text()
  for (const part of ['<h1>How to Begin a Sourdough Starter', '<img ', '<table>', 'https://www.fao.org/flour'])
    expect(page).toContain(part)
  const forged = await fetch(`${receiver.url}/hook`, {
    method: 'POST',
    headers: { 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' },
    body: JSON.stringify({ event_type: 'publish_articles', data: { articles: [{ id: '9', slug: 'forged' }] } }),
  })
  expect(forged.status).toBe(401)
  expect(receiver.posts.size).toBe(1)
  expect(refused).toEqual([])
})

it('breaks the receiver, sees the retry, and has it delivered once that is well again', async () => {
  receiver.broken = 503
  await save('rye bread')
  const { status, body } = await call('POST', `${at('rye bread')}/publish`)
  expect([status, body]).toMatchObject([202, { status: 'retrying', next_attempt_at: expect.any(String) }])
  const { deliveries } = (await call('GET', `/webhook-deliveries?article_id=${articles['rye bread']}`)).body
  const [delivery] = deliveries as { status: string; attempts: { http_status: number }[] }[]
  // The next attempt starts within seconds here.
  expect([delivery?.status, delivery?.attempts[0]?.http_status]).toEqual(['retrying', 503])
  receiver.broken = undefined
  const published = await until(async () => {
    const article = (await call('GET', at('rye bread'))).body
    return article.Status === 'Published' ? article : undefined
  })
  expect(published).toMatchObject({ PublishState: 'idle', Url: `${receiver.url}/rye-bread` })
  const keys = receiver.seen.filter(({ article }) => article === String(articles['rye bread'])).map((one) => one.key)
  expect(new Set(keys).size).toBe(1)
  expect(refused).toEqual([])
})

it('replays a delivery that was finally refused', async () => {
  receiver.broken = 422
  await save('oat bread')
  const { status, body } = await call('POST', `${at('oat bread')}/publish`)
  expect([status, body.status]).toEqual([202, 'failed'])
  receiver.broken = undefined
  const list = () => call('GET', `/webhook-deliveries?article_id=${articles['oat bread']}`)
  type Delivery = { id: number; status: string; resolved_by: number | null }
  const [failed] = (await list()).body.deliveries as Delivery[]
  expect(failed?.status).toBe('failed')
  const replay = await call('POST', `/webhook-deliveries/${failed?.id}/replay`)
  expect([replay.status, replay.body.status]).toEqual([201, 'published'])
  const [made, before] = (await list()).body.deliveries as Delivery[]
  expect(made?.status).toBe('delivered')
  expect(before).toMatchObject({ id: failed?.id, status: 'failed', resolved_by: made?.id })
  expect(refused).toEqual([])
})

it('edits the live article', async () => {
  const title = 'How to Keep a Sourdough Starter'
  const { status, body } = await call('POST', `${at('sourdough starter')}/sync`, { title })
  expect([status, body]).toMatchObject([200, { status: 'synced', url: `${receiver.url}/sourdough-starter` }])
  expect(receiver.posts.get(String(articles['sourdough starter']))?.title).toBe(title)
  expect(receiver.seen.at(-1)?.event).toBe('update_articles')
  expect(refused).toEqual([])
})

it('restores revision 1, on the site too', async () => {
  const { revisions } = (await call('GET', `${at('sourdough starter')}/revisions`)).body
  expect((revisions as { revision: number }[]).map(({ revision }) => revision)).toContain(1)
  const { status } = await call('POST', `${at('sourdough starter')}/revisions/1/restore`, { sync: true })
  expect(status).toBe(200)
  expect(receiver.posts.get(String(articles['sourdough starter']))?.title).toBe('How to Begin a Sourdough Starter')
  expect(refused).toEqual([])
})

it('without the hint, restoring is refused with instructions', async () => {
  const plain = await call('POST', `${at('sourdough starter')}/revisions/1/restore`)
  expect([plain.status, plain.body.code]).toEqual([400, 'published_article'])
  const [next] = plain.body.next_calls as { method: string; path: string; body: unknown }[]
  expect((await call(next?.method ?? '', next?.path ?? '', next?.body)).status).toBe(200)
  expect(refused).toHaveLength(1)
})

it('finds which of five failed', async () => {
  await save('spelt bread')
  await save('corn bread')
  receiver.broken = 422
  await call('POST', `${at('spelt bread')}/publish`)
  receiver.broken = undefined
  await call('POST', `${at('corn bread')}/publish`)
  const all = (await call('GET', `/articles?project_id=${project}`)).body
  expect(all.count).toBe(5)
  const failed = (await call('GET', `/articles?project_id=${project}&publish_state=failed`)).body
  expect(failed.articles).toMatchObject([{ ID: articles['spelt bread'], PublishState: 'failed' }])
  const { deliveries } = (await call('GET', `/webhook-deliveries?project_id=${project}&status=failed`)).body
  const open = (deliveries as { article_id: number; resolved_by: number | null }[]).filter(
    (one) => one.resolved_by === null,
  )
  expect(open.map((one) => one.article_id)).toEqual([articles['spelt bread']])
  expect(refused).toEqual([])
})

it('asks for credits and limits', async () => {
  const { status, headers, body } = await call('GET', '/account')
  expect([status, body]).toMatchObject([200, { plan: 'pro', project_slots: { used: 1, total: 2 } }])
  expect(body.article_credits).toBeGreaterThanOrEqual(12)
  const limits = body.limits as { operation: string; per_minute: number }[]
  expect(limits.find(({ operation }) => operation === 'articles.publish')?.per_minute).toBe(5)
  expect(headers.get('ratelimit')).toMatch(/^"account\.get";r=29;t=\d+$/)
  expect(refused).toEqual([])
})

it('learns that its WordPress does not exist; nothing is saved', async () => {
  const site = {
    cms_url: 'https://no-such-blog.example',
    cms_username: 'editor',
    integration_key: 'abcd efgh ijkl mnop qrst uvwx',
  }
  const { status, body } = await call('POST', `/projects/${project}/cms-site`, site)
  expect([status, body]).toMatchObject([422, { code: 'cms_rejected', error: 'cms_rejected' }])
  expect(body.message).toContain('no-such-blog.example')
  const { integrations } = (await call('GET', `/integrations?project_id=${project}`)).body
  expect(integrations).toMatchObject([{ Platform: 'webhook' }])
  expect(refused).toHaveLength(1)
})
