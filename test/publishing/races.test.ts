/** @module-tag services */
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { type Answer, type Api, anotherKey, connectReceiver } from '../support/client.ts'
import { ownFaults } from '../support/faults.ts'
import { deliveriesOf, openScene, type Scene, write } from './scene.ts'
import { publishInTurn } from './waits.ts'

const stack = inject('stack')
let scene: Scene

beforeEach(async () => {
  scene = await openScene(stack)
})
afterEach(() => scene.receiver.close())

const keys = (count: number, { api } = scene): Promise<Api[]> =>
  Promise.all(Array.from({ length: count }, () => anotherKey(stack, api)))

/** Runs rounds at once, each in its own scene, because one account may publish 15 times a minute with all its keys. */
const inScenes = (count: number, round: (own: Scene) => Promise<void>) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const own = await openScene(stack)
      await round(own).finally(() => own.receiver.close())
    }),
  )
const publishWith = (api: Api, id: number): Promise<Answer> => api.post(`/articles/${id}/publish`)
const byStatus = (answers: Answer[], status: number) => answers.filter((a) => a.status === status)

test('of many simultaneous publications one is sent, and the others get publish_in_progress', async () => {
  const id = await write(scene)
  const callers = await keys(8)
  const faults = ownFaults(scene.receiver.url)
  await faults.set({ path: '/webhook', hold: true })
  const answers: Answer[] = []
  const calls = callers.map(async (api) => void answers.push(await publishWith(api, id)))
  // The one that is sent has no answer until all others have theirs.
  await expect.poll(() => answers.length).toBe(7)
  await faults.clear()
  await Promise.all(calls)
  expect(byStatus(answers, 200)).toHaveLength(1)
  const busy = byStatus(answers, 409)
  expect(busy).toHaveLength(7)
  for (const { body } of busy)
    expect(body).toMatchObject({ error: 'publish_in_progress', code: 'publish_in_progress', retryable: true })
  expect(await scene.deliveries(id)).toHaveLength(1)
  expect(await deliveriesOf(scene, id)).toMatchObject([{ status: 'delivered', attempts: 1 }])
})

test('many simultaneous publications to a receiver that is down: one delivery, none lost', async () => {
  await inScenes(6, async (own) => {
    await own.mood({ mode: 'unavailable', retry_after: 3_000 })
    const id = await write(own)
    const answers = await Promise.all((await keys(6, own)).map((api) => publishWith(api, id)))
    const tried = byStatus(answers, 202).length
    expect(tried).toBeGreaterThanOrEqual(1)
    expect(tried + byStatus(answers, 409).length).toBe(6)
    expect(await deliveriesOf(own, id)).toMatchObject([{ status: tried < 4 ? 'retrying' : 'failed' }])
    expect(await own.deliveries(id)).toHaveLength(tried)
  })
})

test('a running attempt is not marked as lost by a second publication', async () => {
  await scene.mood({ mode: 'unavailable', retry_after: 3_000, times: 1 })
  const id = await write(scene)
  await scene.publish(id)
  await scene.mood({ mode: 'slow', delay_ms: 300 })
  await Promise.all((await keys(4)).map((api) => publishWith(api, id)))
  const [row] = await deliveriesOf(scene, id)
  const { delivery } = (await scene.api.get(`/webhook-deliveries/${row?.id}`)).body as {
    delivery: { attempts: { status: string }[] }
  }
  expect(delivery.attempts.map((a) => a.status)).toEqual(['retrying', 'delivered'])
})

test('publish against edit: what is published is what was saved', async () => {
  const round = async (own: Scene) => {
    const id = await write(own, {
      keyword: `race ${randomBytes(4).toString('hex')}`,
      content: '<p>Old words.</p>',
    })
    const [publisher, editor] = await keys(2, own)
    if (!publisher || !editor) throw new Error('no keys')
    const [published, edited] = await Promise.all([
      publishWith(publisher, id),
      editor.put(`/articles/${id}`, { content: '<p>New words.</p>' }),
    ])
    expect([200, 409]).toContain(published.status)
    expect([200, 400, 409]).toContain(edited.status)
    if (published.status === 409) expect(await publishInTurn(own.api, id)).toMatchObject({ status: 200 })
    const article = await own.article(id)
    const [post] = (await own.posts()).filter((p) => p.article_id === String(id))
    expect(article.Status).toBe('Published')
    expect(post?.content_html).toBe(article.Content)
    expect(article.Content).toBe(edited.status === 200 ? '<p>New words.</p>' : '<p>Old words.</p>')
    expect(await own.deliveries(id)).toHaveLength(1)
  }
  await inScenes(3, async (own) => void (await Promise.all(Array.from({ length: 4 }, () => round(own)))))
})

test('words saved while a publication fails are waiting words, not failed ones', async () => {
  const claimed = { content: `<p>${'Old words. '.repeat(250)}</p>`, status: 'Planned', scheduled_date: '2099-01-05' }
  const id = await write(scene, claimed)
  const faults = ownFaults(stack.neonUrl)
  const words = `New words ${randomBytes(8).toString('hex')}`
  // The save has read the article, and its statement is held until the publication of the old words has failed.
  await faults.set({ body: `<p>${words}`, hold: true, times: 1 })
  try {
    const saving = scene.api.put(`/articles/${id}`, { content: `<p>${words}.</p>` })
    await expect.poll(faults.used).toEqual([1])
    await scene.mood({ mode: 'reject' })
    expect(await scene.publish(id)).toMatchObject({ status: 202 })
    expect(await scene.article(id)).toMatchObject({ PublishState: 'failed' })
    await faults.clear()
    expect(await saving).toMatchObject({ status: 200 })
  } finally {
    await faults.clear()
  }
  expect(await scene.article(id)).toMatchObject({
    Content: `<p>${words}.</p>`,
    PublishState: 'idle',
    PublishError: null,
  })
})

test('publish against delete: either it is gone and nothing was sent, or it is published and stays', async () => {
  const rounds = Array.from({ length: 12 }, async () => {
    const id = await write(scene)
    const [publisher, remover] = await keys(2)
    if (!publisher || !remover) throw new Error('no keys')
    const [published, removed] = await Promise.all([publishWith(publisher, id), remover.del(`/articles/${id}`)])
    const sent = await scene.deliveries(id)
    if (removed.status === 200) {
      expect([404, 409]).toContain(published.status)
      expect(sent).toHaveLength(0)
      expect((await scene.api.get(`/articles/${id}`)).status).toBe(404)
    } else {
      expect([400, 409]).toContain(removed.status)
      expect(published.status).toBe(200)
      expect(sent).toHaveLength(1)
      expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
    }
  })
  await Promise.all(rounds)
})

test('many articles at once: each once', async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, () => write(scene)))
  const callers = await keys(12)
  const answers = await Promise.all(callers.map((api, n) => publishInTurn(api, ids[n] ?? 0)))
  expect(byStatus(answers, 200)).toHaveLength(12)
  expect(await scene.posts()).toHaveLength(12)
  expect(await scene.deliveries()).toHaveLength(12)
})

test('the same Idempotency-Key twice at once: one answer, one delivery', async () => {
  await scene.mood({ mode: 'slow', delay_ms: 500 })
  const id = await write(scene)
  const headers = { 'idempotency-key': `race-${id}` }
  const answers = await Promise.all(
    (await keys(4)).map((api) => api.post(`/articles/${id}/publish`, undefined, { headers })),
  )
  expect(byStatus(answers, 200)).toHaveLength(4)
  expect(answers.filter((answer) => answer.headers.get('idempotency-replayed') === null)).toHaveLength(1)
  expect(await scene.deliveries(id)).toHaveLength(1)
  const later = await scene.api.post(`/articles/${id}/publish`, undefined, { headers })
  expect(later).toMatchObject({ status: 200, body: { status: 'published', article_id: id } })
  expect(await scene.deliveries(id)).toHaveLength(1)
})

test('two connections made at once leave one active target', async () => {
  const results = await Promise.allSettled(
    (await keys(4)).map((api) => connectReceiver(api, scene.projectId, scene.receiver.url, scene.token)),
  )
  expect(results.some((r) => r.status === 'fulfilled')).toBe(true)
  const { body } = await scene.api.get(`/integrations?project_id=${scene.projectId}`)
  expect(body.count).toBe(1)
  expect((await scene.publish(await write(scene))).status).toBe(200)
})
