import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cron, deliveriesOf, flush, heal, openScene, passTime, type Scene, write } from '../publishing/scene.ts'
import { whenMade } from '../publishing/waits.ts'
import { steppedStack } from './stepped-stack.ts'

const { steps, stack, access } = steppedStack(100)
let scene: Scene

beforeEach(async () => {
  scene = await openScene(access, { publishing_status: 'Publish Immediately' })
  // The scan of the new project's site is a job too, and would come to the same steps.
  await whenMade(scene)
})
afterEach(() => scene.receiver.close())

/** Kills the Workers at a step of the work that `begin` starts, and starts them again. */
const crashAt = async (name: string, begin: () => Promise<unknown>): Promise<void> => {
  const reached = steps.stopAt(name)
  const begun = begin().then(
    () => 'ended',
    () => 'cut off',
  )
  await reached
  await stack.crash()
  await begun
  steps.letGo()
  await stack.restart()
}

/** Holds the process at a step of the work that `begin` starts, until its leases have ended and other work is done. */
const stallAt = async <T>(name: string, begin: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T> => {
  const reached = steps.stopAt(name)
  const begun = begin()
  await reached
  await passTime(scene)
  await meanwhile()
  steps.letGo()
  return await begun
}

/** After everything has healed: published, one post, and every request for it under one key. */
const expectOnce = async (id: number, requests: number): Promise<void> => {
  await heal(scene)
  const article = await scene.article(id)
  expect(article).toMatchObject({ Status: 'Published', PublishState: 'idle', PublishError: null })
  expect(article.Url).toBe(`${scene.receiver.url}/posts/${article.Slug}`)
  expect(await scene.posts()).toMatchObject([{ article_id: String(id), status: 'Published' }])
  const sent = await scene.deliveries(id)
  expect(sent).toHaveLength(requests)
  expect(new Set(sent.map((d) => d.idempotency_key)).size).toBe(1)
  expect(sent.flatMap((d) => d.warnings)).toEqual([])
  expect(sent.map((d) => (JSON.parse(d.raw_body) as { data: unknown }).data)).toEqual(
    sent.map(() => (JSON.parse(sent[0]?.raw_body ?? '{}') as { data: unknown }).data),
  )
  const attempts = await scene.rows<{ status: string }>(
    sql`select a.status from delivery_attempts a join deliveries d on d.id = a.delivery_id where d.article_id = ${id}::int and a.status = 'sending'`,
  )
  expect(attempts).toEqual([])
}

describe('killed while an article is published by hand', () => {
  test('after the claim, before anything was sent', async () => {
    const id = await write(scene)
    await crashAt('claimed', () => scene.publish(id))
    expect(await scene.deliveries(id)).toHaveLength(0)
    expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: 'publishing' })
    await expectOnce(id, 1)
  })

  test('after the receiver answered, before that was written', async () => {
    const id = await write(scene)
    await crashAt('answered', () => scene.publish(id))
    expect(await scene.posts()).toHaveLength(1)
    expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: 'publishing' })
    await expectOnce(id, 2)
  })

  test('after it was written, before the caller got the answer', async () => {
    const id = await write(scene)
    await crashAt('concluded', () => scene.publish(id))
    expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
    expect(await scene.publish(id)).toMatchObject({ status: 200, body: { status: 'published' } })
    await expectOnce(id, 1)
  })

  test('while it is unclear, publishing again is refused; when the lease has ended, it works', async () => {
    const id = await write(scene)
    await crashAt('answered', () => scene.publish(id))
    expect(await scene.publish(id)).toMatchObject({ status: 409, body: { error: 'publish_in_progress' } })
    expect(await scene.api.put(`/articles/${id}`, { title: 'Other' })).toMatchObject({ status: 409 })
    expect(await scene.api.del(`/articles/${id}`)).toMatchObject({ status: 409 })
    await passTime(scene)
    expect(await scene.publish(id)).toMatchObject({ status: 200, body: { status: 'published' } })
    await expectOnce(id, 2)
  })

  test('an Idempotency-Key that was in use does not stay blocked, and does not publish twice', async () => {
    const id = await write(scene)
    const publish = () =>
      scene.api.post(`/articles/${id}/publish`, undefined, { headers: { 'idempotency-key': `crash-${id}` } })
    await crashAt('answered', publish)
    expect(await publish()).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } })
    await scene.rows(sql`update idempotency_records set lease_until = now() - interval '1 second'
      where account_id = ${scene.api.accountId}::int and status is null`)
    await passTime(scene)
    expect(await publish()).toMatchObject({ status: 200, body: { status: 'published', article_id: id } })
    const replayed = await publish()
    expect(replayed.headers.get('idempotency-replayed')).toBe('true')
    await expectOnce(id, 2)
  })

  test('edited after the crash, before it healed: the one post has the new words', async () => {
    const id = await write(scene, { content: '<p>The first words.</p>' })
    await crashAt('answered', () => scene.publish(id))
    await passTime(scene)
    expect((await scene.api.put(`/articles/${id}`, { content: '<p>The second words.</p>' })).status).toBe(200)
    await heal(scene)
    expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishState: 'idle' })
    const posts = await scene.posts()
    expect(posts).toHaveLength(1)
    expect(posts[0]?.content_html).toBe('<p>The second words.</p>')
    expect(await deliveriesOf(scene, id)).toMatchObject([{ status: 'superseded' }, { status: 'delivered' }])
    const open = await scene.rows(sql`select a.id from delivery_attempts a join deliveries d on d.id = a.delivery_id
      where d.article_id = ${id}::int and a.status = 'sending'`)
    expect(open).toEqual([])
  })

  test('deleted after the crash: nothing more is sent, nothing stays open', async () => {
    const id = await write(scene)
    await crashAt('claimed', () => scene.publish(id))
    await passTime(scene)
    expect((await scene.api.del(`/articles/${id}`)).status).toBe(200)
    await heal(scene)
    expect(await scene.deliveries()).toHaveLength(0)
    const [attempt] = await scene.rows<{ status: string }>(sql`select a.status from delivery_attempts a
      join deliveries d on d.id = a.delivery_id where d.account_id = ${scene.api.accountId}::int`)
    expect(attempt?.status).toBe('failed')
  })
})

/** Wakes the delivery job through cron and queue. The message ends with the crash; the queue or the sweep repeats it. */
const runJobs = async (): Promise<void> => {
  await passTime(scene)
  await cron(access)
  await flush(access, true)
}

/** Returns an article whose delivery waits for its second attempt. */
const failedOnce = async (): Promise<number> => {
  await scene.mood({ mode: 'unavailable', retry_after: 3_000, times: 1 })
  const id = await write(scene)
  expect(await scene.publish(id)).toMatchObject({ status: 202, body: { status: 'retrying' } })
  return id
}

describe('killed while a retry is made', () => {
  test.each([
    ['leased', 2],
    ['claimed', 2],
    ['answered', 3],
    ['concluded', 2],
  ])('at the step %s', async (name, requests) => {
    const id = await failedOnce()
    await crashAt(name, runJobs)
    await expectOnce(id, requests)
  })
})

describe('killed while an article goes out on its date', () => {
  test.each([
    ['leased', 1],
    ['claimed', 1],
    ['answered', 2],
    ['concluded', 1],
  ])('at the step %s', async (name, requests) => {
    const id = await write(scene, { status: 'Planned', scheduled_date: '2026-01-05T09:00:00Z' })
    await crashAt(name, runJobs)
    await expectOnce(id, requests)
  })

  test('as a draft, after the receiver answered: one draft, and no update after it', async () => {
    await scene.api.put(`/projects/${scene.projectId}`, { publishing_status: 'Send as Drafts' })
    const id = await write(scene, { status: 'Planned', scheduled_date: '2026-01-05T09:00:00Z' })
    await crashAt('answered', runJobs)
    await heal(scene)
    expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: 'idle' })
    expect(await scene.posts()).toMatchObject([{ article_id: String(id), status: 'Draft' }])
    const sent = await scene.deliveries(id)
    expect(sent.map((d) => d.event_type)).toEqual(['publish_articles', 'publish_articles'])
    expect(new Set(sent.map((d) => d.idempotency_key)).size).toBe(1)
  })
})

describe('killed while a published article is synced', () => {
  test.each([
    ['claimed', 1],
    ['answered', 2],
  ])('at the step %s: the edit stays saved, nothing is sent again, and the next sync works', async (name, requests) => {
    const id = await write(scene, { content: '<p>The first words.</p>' })
    expect((await scene.publish(id)).status).toBe(200)
    const sync = (content: string) => scene.api.post(`/articles/${id}/sync`, { content })
    await crashAt(name, () => sync('<p>The second words.</p>'))
    await heal(scene)
    expect(await scene.deliveries(id)).toHaveLength(requests)
    const article = await scene.article(id)
    expect(article).toMatchObject({
      Status: 'Published',
      PublishState: 'failed',
      PublishError: expect.stringMatching(/interrupt/),
      Content: '<p>The second words.</p>',
    })
    expect(await sync('<p>The third words.</p>')).toMatchObject({ status: 200, body: { status: 'synced' } })
    expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishState: 'idle', PublishError: null })
    const posts = await scene.posts()
    expect(posts).toHaveLength(1)
    expect(posts[0]?.content_html).toBe('<p>The third words.</p>')
    await heal(scene)
  })
})

test('killed twice on the way, the article is still published once', async () => {
  const id = await write(scene)
  await crashAt('answered', () => scene.publish(id))
  await crashAt('answered', runJobs)
  await expectOnce(id, 3)
})

describe('stalled past its leases', () => {
  /** Publishes at the same time: manually, or by the queue if it is first. */
  const publishedMeanwhile = async (id: number): Promise<void> => {
    await scene.publish(id)
    await expect.poll(async () => (await scene.article(id)).Status).toBe('Published')
  }

  test('during a manual publication: others publish and edit it, and the late one changes nothing', async () => {
    const id = await write(scene)
    const newer = { content: '<p>The newer words.</p>' }
    const begin = () => scene.publish(id)
    await stallAt('answered', begin, async () => {
      await publishedMeanwhile(id)
      expect(await scene.api.post(`/articles/${id}/sync`, newer)).toMatchObject({ status: 200 })
    })
    await heal(scene)
    expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishState: 'idle', Content: newer.content })
    expect(await scene.posts()).toMatchObject([{ article_id: String(id), content_html: newer.content }])
    expect(await deliveriesOf(scene, id)).toMatchObject([
      { status: 'delivered', attempts: 2 },
      { status: 'delivered', attempts: 1 },
    ])
  })

  test('during a manual publication: edits are reported as missing at the target, and a sync sends them', async () => {
    const id = await write(scene)
    const newer = { content: '<p>The newer words.</p>' }
    await stallAt(
      'answered',
      () => scene.publish(id),
      async () => expect(await scene.api.put(`/articles/${id}`, newer)).toMatchObject({ status: 200 }),
    )
    await heal(scene)
    expect(await scene.article(id)).toMatchObject({
      ...{ Status: 'Published', PublishState: 'failed', Content: newer.content },
      PublishError: expect.stringContaining(`POST /articles/${id}/sync`),
    })
    expect(await scene.api.post(`/articles/${id}/sync`)).toMatchObject({ status: 200 })
    expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishState: 'idle', PublishError: null })
    expect(await scene.posts()).toMatchObject([{ article_id: String(id), content_html: newer.content }])
  })

  test('during a manual publication: an accepted article is published, and the waiting attempt is cancelled', async () => {
    const id = await write(scene)
    const begin = () => scene.publish(id)
    const answer = await stallAt('answered', begin, async () => {
      await scene.mood({ mode: 'unavailable', retry_after: 3_000 })
      await scene.publish(id)
      await expect.poll(() => deliveriesOf(scene, id)).toMatchObject([{ status: 'retrying' }])
    })
    expect(answer).toMatchObject({ status: 200, body: { status: 'published', article_id: id } })
    expect(await deliveriesOf(scene, id)).toMatchObject([{ status: 'delivered', attempts: 2, error: null }])
    await scene.mood({ mode: 'ok' })
    await expectOnce(id, 2)
  })

  test.each([
    ['leased', 2],
    ['claimed', 3],
    ['answered', 3],
    ['concluded', 2],
  ])('during a retry, at the step %s: another caller publishes', async (name, requests) => {
    const id = await failedOnce()
    await stallAt(name, runJobs, () => publishedMeanwhile(id))
    await expectOnce(id, requests)
  })

  test('while a published article is synced: a later sync wins', async () => {
    const id = await write(scene)
    expect((await scene.publish(id)).status).toBe(200)
    const sync = (content: string) => scene.api.post(`/articles/${id}/sync`, { content })
    const begin = () => sync('<p>The second words.</p>')
    await stallAt('answered', begin, async () =>
      expect(await sync('<p>The third words.</p>')).toMatchObject({ status: 200 }),
    )
    await heal(scene)
    const article = await scene.article(id)
    expect(article).toMatchObject({ PublishState: 'idle', PublishError: null, Content: '<p>The third words.</p>' })
    expect(await scene.posts()).toMatchObject([{ content_html: '<p>The third words.</p>' }])
  })
})
