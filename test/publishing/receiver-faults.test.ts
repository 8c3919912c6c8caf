import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, tell } from '../support/client.ts'
import { borrowTestStack, type TestStack } from '../support/stack.ts'
import { startTimer } from '../support/timer.ts'
import { accessOf, deliveriesOf, heal, openScene, type Scene, type StackAccess, wake, write } from './scene.ts'
import { startSite } from './site.ts'

let stack: TestStack
let access: StackAccess
let scene: Scene
/** Takes 30 s, so it starts first and is looked at last. */
let slow: {
  scene: Scene
  id: number
  startedAt: number
  endedAt: Promise<number>
  behind: Promise<number>
  answer: Promise<Answer>
}

beforeAll(async () => {
  stack = await borrowTestStack()
  access = accessOf(stack)
  const other = await openScene(access)
  const id = await write(other)
  await other.mood({ mode: 'timeout', times: 1 })
  const startedAt = performance.now()
  const answer = other.publish(id)
  const timer = startTimer(30_000)
  const endedAt = answer.then(() => performance.now())
  slow = { scene: other, id, startedAt, answer, endedAt, behind: endedAt.then((at) => timer.behind(at)) }
})
afterAll(async () => {
  await slow.scene.receiver.close()
  await stack.close()
})
beforeEach(async () => {
  scene = await openScene(access)
})
afterEach(() => scene.receiver.close())

/** Publishes into a mood, sees it retried, and has it published by the retry: one post, one key. */
const mendsByItself = async (reason: string | RegExp): Promise<void> => {
  const id = await write(scene)
  const answer = await scene.publish(id)
  expect(answer).toMatchObject({ status: 202, body: { status: 'retrying' } })
  expect(answer.body.error).toMatch(reason)
  expect(answer.body.next_attempt_at).toEqual(expect.any(String))
  expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: 'retrying' })
  await wake(scene, id)
  const article = await scene.article(id)
  expect(article).toMatchObject({ Status: 'Published', PublishState: 'idle', PublishError: null })
  expect(article.Url).toBe(`${scene.receiver.url}/posts/${article.Slug}`)
  expect(await scene.posts()).toHaveLength(1)
  // Without the article's id: a request that was turned away unread is noted without one.
  const keys = (await scene.deliveries()).map((d) => d.idempotency_key)
  expect(keys).toEqual([keys[0], keys[0]])
}

/** Publishes to a receiver in a mood that no retry can fix. */
const failsAtOnce = async (reason: string | RegExp): Promise<void> => {
  const id = await write(scene)
  const { status, body } = await scene.publish(id)
  expect(status).toBe(202)
  expect(body).toMatchObject({ status: 'failed', article_id: id })
  expect(body.error).toMatch(reason)
  expect(body).not.toHaveProperty('next_attempt_at')
  expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: 'failed', PublishError: body.error })
  await heal(scene)
  expect(await deliveriesOf(scene, id)).toMatchObject([{ status: 'failed', attempts: 1 }])
}

const publishes = async (): Promise<Record<string, unknown>> => {
  const id = await write(scene)
  expect(await scene.publish(id)).toMatchObject({ status: 200, body: { status: 'published', article_id: id } })
  expect(await scene.posts()).toHaveLength(1)
  return await scene.article(id)
}

describe('retried', () => {
  test('the receiver is down', async () => {
    await scene.mood({ mode: 'down', times: 1 })
    await mendsByItself(/HTTP 500 \(The blog is down\.\)/)
  })
  test('the connection is closed before anything was read', async () => {
    await scene.mood({ mode: 'close_before', times: 1 })
    await mendsByItself(/connection to the receiver failed/)
  })
  test('the post was stored, but the answer never came: one post, the same key', async () => {
    await scene.mood({ mode: 'close_after_read', times: 1 })
    await mendsByItself(/connection to the receiver failed/)
    const [first, second] = await scene.deliveries()
    expect([first?.action, second?.action]).toEqual(['created', 'unchanged'])
    expect(second?.warnings).toEqual([])
  })
  test('no server listens at the address', async () => {
    const id = await write(scene)
    await scene.receiver.close()
    const answer = await scene.publish(id)
    expect(answer).toMatchObject({ status: 202, body: { status: 'retrying' } })
    expect(await scene.article(id)).toMatchObject({ PublishState: 'retrying' })
  })
})

describe('Retry-After', () => {
  /** Returns the delay of the next attempt: seconds after the call was made, and after it was answered. */
  const waitS = async (
    retryAfter: string | number,
  ): Promise<{ atLeast: number; atMost: number; at: number; before: number }> => {
    await scene.mood({ mode: 'unavailable', retry_after: retryAfter })
    const id = await write(scene)
    const before = Date.now()
    const { status, body } = await scene.publish(id)
    const answered = Date.now()
    expect(status).toBe(202)
    const at = Date.parse(String(body.next_attempt_at))
    return { atLeast: (at - before) / 1000, atMost: (at - answered) / 1000, at, before }
  }
  test.each([
    ['in seconds', 90, 90, 90],
    ['shorter than our own wait', 3, 3, 3],
    ['longer than an hour, cut to one', 86_400, 3_600, 3_600],
    ['unreadable, so our own wait stands', 'soon', 24, 36],
  ])('%s', async (_, given, least, most) => {
    const { atLeast, atMost } = await waitS(given)
    expect(atLeast).toBeGreaterThanOrEqual(least)
    expect(atMost).toBeLessThanOrEqual(most)
  })
  test('is read as an HTTP date, too', async () => {
    const date = new Date(Date.now() + 300_000).toUTCString()
    const { at, atMost, before } = await waitS(date)
    expect(at).toBeGreaterThanOrEqual(Date.parse(date))
    expect(atMost).toBeLessThanOrEqual(Math.ceil((Date.parse(date) - before) / 1000))
  })
})

describe('failed at once', () => {
  test('the token is refused', async () => {
    await scene.mood({ mode: 'reject' })
    await failsAtOnce(/HTTP 401 \(The access token is not valid\.\)/)
  })
  test('and is listed for updated_after', async () => {
    const id = await write(scene)
    const { UpdatedAt: savedAt } = await scene.article(id)
    const since = async () => (await scene.api.get(`/articles?updated_after=${savedAt}`)).body.articles
    const later = new Date(Date.parse(savedAt as string) + 1).toISOString()
    const changed = async () => (await scene.api.get(`/articles?updated_after=${later}`)).body.articles
    expect([await since(), await changed()]).toMatchObject([[{ ID: id }], []])
    await scene.mood({ mode: 'reject' })
    await scene.publish(id)
    expect(await changed()).toMatchObject([{ ID: id, Status: 'Draft', PublishState: 'failed' }])
  })
  test('a firewall answers with a page', async () => {
    await scene.mood({ mode: 'html_firewall' })
    await failsAtOnce(/HTTP 403/)
  })
  test('HTTP 413 has the sent size, and what usually helps', async () => {
    await tell(scene.receiver.url, '/_faults', { path: '/webhook', status: 413 })
    await failsAtOnce(/HTTP 413.*The delivery was \d+ KiB.*express\.json\(\{limit: '2mb'\}\)/)
  })
  test('an answer of 200 with success: false is a refusal', async () => {
    await scene.mood({ mode: 'success_false', error: 'The title is taken.' })
    await failsAtOnce(/success: false \(The title is taken\.\)/)
  })
  test('a redirect is not followed, wherever it leads', async () => {
    const trap = await startSite(() => ({}))
    await scene.mood({ mode: 'redirect', location: `${trap.url}/webhook` })
    await failsAtOnce(/redirects \(HTTP 307/)
    expect(trap.seen).toHaveLength(0)
    await trap.close()
  })
  test('a redirect to a private address is not followed', async () => {
    await scene.mood({ mode: 'redirect', location: 'http://169.254.169.254/latest/meta-data/' })
    await failsAtOnce(/Redirects are not followed/)
  })
})

describe('accepted', () => {
  test.each(['empty', 'not_json'])('%s: published, no URL known', async (mode) => {
    await scene.mood({ mode })
    expect(await publishes()).toMatchObject({ Status: 'Published', Url: null })
  })
  test('2 MB of noise: published, and only the beginning is stored', async () => {
    await scene.mood({ mode: 'noise' })
    const article = await publishes()
    expect(article).toMatchObject({ Status: 'Published', Url: null })
    const [delivery] = await deliveriesOf(scene, Number(article.ID))
    const { body } = await scene.api.get(`/webhook-deliveries/${delivery?.id}`)
    const { attempts } = body.delivery as { attempts: { response_excerpt: string }[] }
    expect(attempts[0]?.response_excerpt.length).toBeLessThanOrEqual(2_100)
  })
  test('202 with the work queued', async () => {
    await tell(scene.receiver.url, '/_faults', { path: '/webhook', status: 202, answer: { success: true } })
    const id = await write(scene)
    expect(await scene.publish(id)).toMatchObject({ status: 200, body: { status: 'published', url: null } })
  })
  test('an address that is not a web address is not stored', async () => {
    const answer = { success: true, published_url: 'javascript:alert(1)' }
    await tell(scene.receiver.url, '/_faults', { path: '/webhook', answer })
    const id = await write(scene)
    expect(await scene.publish(id)).toMatchObject({ status: 200, body: { url: null } })
  })
  test.each([
    ['an address with a character that nothing may hold', { published_url: 'https://a.example/\u0000' }, undefined],
    ['an id with such a character', { external_id: 'a\u0000b' }, undefined],
    ['half of a character in an id', { external_id: 'a\ud800' }, undefined],
    ['an empty id beside another', { external_id: '', post_id: 7 }, '7'],
  ])('%s: published, and what cannot be stored is left out', async (_, told, external_id) => {
    await tell(scene.receiver.url, '/_faults', { path: '/webhook', answer: { success: true, ...told } })
    const id = await write(scene)
    expect(await scene.publish(id)).toMatchObject({ status: 200, body: { status: 'published', url: null } })
    expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishState: 'idle', Url: null })
    const sync = await scene.api.post(`/articles/${id}/sync`)
    expect(sync.status).toBe(200)
    const { body } = await scene.api.get(`/webhook-deliveries/${sync.body.delivery_id}`)
    expect((body.delivery as { payload: { external_id?: string } }).payload.external_id).toBe(external_id)
  })
  test('secrets that a receiver echoes are not shown', async () => {
    const secret = String(scene.integration.signing_secret)
    await tell(scene.receiver.url, '/_faults', {
      path: '/webhook',
      status: 400,
      answer: { error: `bad token ${scene.token} ${secret}` },
    })
    const id = await write(scene)
    const answer = await scene.publish(id)
    const shown = await scene.api.get(`/webhook-deliveries/${answer.body.delivery_id}`)
    for (const text of [answer.text, shown.text, JSON.stringify(await scene.article(id))]) {
      expect(text).toContain('bad token')
      expect(text).not.toContain(scene.token)
      expect(text).not.toContain(secret)
    }
  })
})

test('a receiver that never answers is left after 30 s, and retried', async () => {
  const answer = await slow.answer
  const tookMs = (await slow.endedAt) - slow.startedAt
  expect(answer).toMatchObject({ status: 202, body: { status: 'retrying' } })
  expect(answer.body.error).toBe('The receiver did not answer within 30 s.')
  expect(tookMs).toBeGreaterThanOrEqual(29_500)
  expect(await slow.behind).toBeLessThan(6_000)
  // On a busy machine its retry has come by itself while the tests before this one ran.
  await heal(slow.scene)
  expect(await slow.scene.article(slow.id)).toMatchObject({ Status: 'Published' })
  expect(await slow.scene.posts()).toHaveLength(1)
})
