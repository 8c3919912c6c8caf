import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Ctx } from '../../src/platform/runtime/ctx.ts'
import { leaseNextDue } from '../../src/publishing/due.ts'
import { publishDue } from '../../src/publishing/send/clock.ts'
import type { TargetFactory } from '../../src/publishing/target/publish-target.ts'
import { newArticle } from '../support/client.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { borrowTestStack, type TestStack } from '../support/stack.ts'
import {
  accessOf,
  callExecutor,
  cron,
  deliveriesOf,
  flush,
  heal,
  openScene,
  type Post,
  type Scene,
  type StackAccess,
  write,
} from './scene.ts'
import { connectedTo, headerOf, startSite } from './site.ts'
import { systemFor } from './system.ts'

let stack: TestStack
let access: StackAccess
let scene: Scene

beforeAll(async () => {
  stack = await borrowTestStack()
  access = accessOf(stack)
})
afterAll(() => stack.close())
afterEach(() => scene.receiver.close())

const PAST = '2026-01-05T09:00:00Z'
const FUTURE = '2099-01-05T09:00:00Z'

/** Does one minute's work: cron, and all that the queue has. */
const tick = async (): Promise<void> => {
  await cron(access)
  await flush(access, true)
}

const planned = (fields: Record<string, unknown> = {}) =>
  write(scene, { status: 'Planned', scheduled_date: PAST, ...fields })

describe('on its date, by the project’s publishing_status', () => {
  test('Publish Immediately publishes the article', async () => {
    scene = await openScene(access, { publishing_status: 'Publish Immediately' })
    const id = await planned()
    await tick()
    const article = await scene.article(id)
    expect(article).toMatchObject({ Status: 'Published', PublishState: 'idle' })
    expect(article.Url).toBe(`${scene.receiver.url}/posts/${article.Slug}`)
    expect(await scene.posts()).toMatchObject([{ article_id: String(id), status: 'Published' }])
    await tick()
    expect(await scene.deliveries(id)).toHaveLength(1)
  })

  const jobsOf = (ids: readonly number[]) =>
    scene.rows<{ article: string; offers: number; done: boolean }>(
      sql`select payload->>'article_id' as article, offers, done_at is not null as done from outbox
        where job = 'publishing.publish_due' and payload->>'article_id' = any(${sql.param(ids.map(String))}::text[]) order by id`,
    )

  test('several late articles of a project: in the order of their dates, all in one run', async () => {
    scene = await openScene(access, { publishing_status: 'Publish Immediately' })
    const ids: number[] = []
    for (const day of ['07', '05', '06']) ids.push(await planned({ scheduled_date: `2099-01-${day}T09:00:00Z` }))
    // All become late at one moment, for every reader.
    await scene.rows(
      sql`update articles set scheduled_at = scheduled_at - interval '73 years' where project_id = ${scene.projectId}::int`,
    )
    await tick()
    const order = [ids[1], ids[2], ids[0]].map(String)
    expect((await scene.posts()).map(({ article_id }) => article_id).toSorted()).toEqual(order.toSorted())
    expect((await scene.deliveries()).map(({ article_ids }) => article_ids[0])).toEqual(order)
    expect(await jobsOf(ids)).toEqual(order.map((article, n) => ({ article, offers: n === 0 ? 1 : 0, done: true })))
  })

  test('an article whose run crashed before sending it is published after the lease', async () => {
    scene = await openScene(access, { publishing_status: 'Publish Immediately' })
    const id = await planned()
    const [takenAt, leaseUntil] = [180_000, 60_000].map((ms) => new Date(Date.now() - ms))
    if (takenAt && leaseUntil) await scene.rows(leaseNextDue(takenAt, scene.projectId, leaseUntil))
    expect(await jobsOf([id])).toEqual([{ article: String(id), offers: 0, done: false }])
    await tick()
    expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
    expect(await scene.deliveries(id)).toHaveLength(1)
    expect(await jobsOf([id])).toEqual([{ article: String(id), offers: 1, done: true }])
  })

  test('Save as Drafts: becomes a draft, nothing is sent', async () => {
    scene = await openScene(access, { publishing_status: 'Save as Drafts' })
    const id = await planned()
    await tick()
    await tick()
    expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: 'idle' })
    expect(await scene.deliveries()).toHaveLength(0)
  })

  test('Send as Drafts: created as a draft at the target, once', async () => {
    scene = await openScene(access, { publishing_status: 'Send as Drafts' })
    const id = await planned()
    await tick()
    await tick()
    expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: 'idle', PublishedAt: null })
    expect(await scene.posts()).toMatchObject([{ article_id: String(id), status: 'Draft' }])
    expect(await scene.deliveries(id)).toHaveLength(1)
  })

  test.each([
    ['at once', { mode: 'ok' }, ['created', 'unchanged']],
    ['after a failed attempt', { mode: 'down', times: 1 }, ['created', null, 'unchanged']],
  ])('Send as Drafts: a draft planned again with the same words may be unchanged, %s', async (_, control, actions) => {
    scene = await openScene(access, { publishing_status: 'Send as Drafts' })
    const id = await planned()
    await tick()
    await scene.mood(control)
    const { status } = await scene.api.put(`/articles/${id}`, { status: 'Planned', scheduled_date: PAST })
    expect(status).toBe(200)
    await tick()
    await heal(scene)
    expect((await scene.deliveries(id)).map(({ action }) => action)).toEqual(actions)
    expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: 'idle', PublishError: null })
  })
})

test('a receiver that hangs on one article does not delay others of its project', async () => {
  scene = await openScene(access)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const site = await startSite(async ({ body }) => {
    if (body.includes('Hangs')) await released
    return { body: { success: true, published_url: 'https://blog.example/a' } }
  })
  const { projectId } = await connectedTo(site, scene.api, 'token', { publishing_status: 'Publish Immediately' })
  const due = (title: string, day: string) =>
    newArticle(scene.api, projectId, { title, status: 'Planned', scheduled_date: `2026-01-${day}T09:00:00Z` })
  const hanging = await due('Hangs', '05')
  const others = [await due('Goes', '06'), await due('Goes too', '07')]
  const ticking = tick()
  const states = () => Promise.all(others.map(async (id) => (await scene.article(id)).Status))
  await vi.waitFor(async () => expect(await states()).toEqual(['Published', 'Published']), { timeout: PATIENCE_MS })
  expect(await scene.article(hanging)).toMatchObject({ Status: 'Planned', PublishState: 'publishing' })
  release()
  await ticking
  await vi.waitFor(async () => expect(await scene.article(hanging)).toMatchObject({ Status: 'Published' }))
  await site.close()
})

test('an article sent as a draft stays Draft without a date; publishing it updates the same post', async () => {
  scene = await openScene(access)
  const site = await startSite((_, url) => ({
    body: { success: true, published_url: `${url}/a-post`, external_id: 'post-7' },
  }))
  const sent = () => site.seen.filter(({ method }) => method === 'POST')
  const only = (n: number) => {
    expect(sent()).toHaveLength(n)
    const body = JSON.parse(sent()[n - 1]?.body ?? '') as { event_type: string; data: { articles: Post[] } }
    return { event: body.event_type, article: body.data.articles[0], key: headerOf(sent()[n - 1], 'Idempotency-Key') }
  }
  const { projectId } = await connectedTo(site, scene.api, 'token', { publishing_status: 'Send as Drafts' })
  const id = await newArticle(scene.api, projectId, { status: 'Planned', scheduled_date: PAST })
  await tick()
  const draft = only(1)
  expect(draft.event).toBe('publish_articles')
  expect(draft.article).toMatchObject({ id: String(id), status: 'Draft', is_update: false, update_only: false })
  expect(draft.article).not.toHaveProperty('published_at')

  expect((await scene.publish(id)).status).toBe(200)
  const live = only(2)
  expect(live.event).toBe('update_articles')
  expect(live.article).toMatchObject({
    id: String(id),
    status: 'Published',
    is_update: true,
    update_only: true,
    url: `${site.url}/a-post`,
    published_url: `${site.url}/a-post`,
    external_id: 'post-7',
    published_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  })
  expect(live.key).not.toBe(draft.key)
  await site.close()
})

test('a draft that its receiver has lost is made again by the publication after the one that was refused', async () => {
  scene = await openScene(access)
  const events: string[] = []
  const site = await startSite(({ method, body }) => {
    if (method !== 'POST') return { body: {} }
    const { event_type: event, test: isTest } = JSON.parse(body) as { event_type: string; test?: true }
    if (!isTest) events.push(event)
    return event === 'update_articles' ? { status: 404, body: { error: 'No such post.' } } : { body: { success: true } }
  })
  const { projectId } = await connectedTo(site, scene.api, 'token', { publishing_status: 'Send as Drafts' })
  const id = await newArticle(scene.api, projectId, { status: 'Planned', scheduled_date: PAST })
  await tick()
  expect((await scene.publish(id)).body).toMatchObject({ status: 'failed' })
  expect((await scene.publish(id)).body).toMatchObject({ status: 'published' })
  expect(events).toEqual(['publish_articles', 'update_articles', 'publish_articles'])
  await site.close()
})

describe('with Publish Immediately', () => {
  beforeEach(async () => {
    scene = await openScene(access, { publishing_status: 'Publish Immediately', timezone: 'America/New_York' })
  })

  test('nothing is published before its date, without a date, or as a draft', async () => {
    const ids = [
      await planned({ scheduled_date: FUTURE }),
      await write(scene, { status: 'Planned' }),
      await write(scene, { status: 'Draft', scheduled_date: PAST }),
    ]
    await tick()
    expect(await scene.deliveries()).toHaveLength(0)
    const statuses = await Promise.all(ids.map(async (id) => (await scene.article(id)).Status))
    expect(statuses).toEqual(['Planned', 'Planned', 'Draft'])
  })

  test('a due article that the receiver refuses for now is retried as any other', async () => {
    await scene.mood({ mode: 'down', times: 2 })
    const id = await planned()
    await tick()
    expect(await scene.article(id)).toMatchObject({ Status: 'Planned', PublishState: 'retrying' })
    await heal(scene)
    expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
    expect(await deliveriesOf(scene, id)).toMatchObject([{ status: 'delivered', attempts: 3 }])
  })

  test('a due article that finally failed is not tried every minute', async () => {
    await scene.mood({ mode: 'reject' })
    const id = await planned()
    for (let n = 0; n < 3; n += 1) await tick()
    expect(await scene.article(id)).toMatchObject({ Status: 'Planned', PublishState: 'failed' })
    expect(await scene.deliveries(id)).toHaveLength(1)
  })

  test('after a failure, a save says that it is not published automatically, and a visible edit sends it again', async () => {
    await scene.mood({ mode: 'reject', times: 1 })
    const id = await planned()
    await tick()
    const { body } = await scene.api.put(`/articles/${id}`, { instructions: 'Shorter.' })
    expect(body.message).toContain(`does not go out by itself any more: publish it with POST /articles/${id}/publish`)
    expect(body.warnings).toEqual([expect.stringContaining('does not go out by itself')])
    await tick()
    expect(await scene.deliveries(id)).toHaveLength(1)
    const renamed = await scene.api.put(`/articles/${id}`, { title: 'A title that the receiver takes' })
    expect(renamed.body.message).toContain('it is published at once')
    await tick()
    expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
  })

  test('published manually after its date and failed, it is not published automatically either', async () => {
    await scene.mood({ mode: 'reject', times: 1 })
    const id = await planned()
    await scene.api.post(`/articles/${id}/publish`)
    await tick()
    expect(await scene.article(id)).toMatchObject({ Status: 'Planned', PublishState: 'failed' })
    expect(await scene.deliveries(id)).toHaveLength(1)
  })

  test('planned again after a failure, it is published on its new date', async () => {
    await scene.mood({ mode: 'reject', times: 1 })
    const id = await planned()
    await tick()
    expect(await scene.article(id)).toMatchObject({ PublishState: 'failed' })
    await scene.api.put(`/articles/${id}`, { scheduled_date: FUTURE })
    expect(await scene.article(id)).toMatchObject({ Status: 'Planned', PublishState: 'idle', PublishError: null })
    await tick()
    expect(await scene.deliveries(id)).toHaveLength(1)
    await scene.api.put(`/articles/${id}`, { scheduled_date: PAST })
    await tick()
    expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
    expect(await scene.deliveries(id)).toHaveLength(2)
  })

  test('without a target: failed with the reason; connected and planned again, it is published', async () => {
    await scene.api.del(`/integrations/${scene.integration.integration_id}`)
    const id = await planned()
    await tick()
    const article = await scene.article(id)
    expect(article).toMatchObject({ Status: 'Planned', PublishState: 'failed' })
    expect(article.PublishError).toMatch(/No CMS or webhook/)
    await scene.api.post(`/projects/${scene.projectId}/integrations`, {
      platform: 'webhook',
      url: `${scene.receiver.url}/webhook`,
      access_token: scene.token,
    })
    await scene.api.put(`/articles/${id}`, { scheduled_date: PAST })
    await tick()
    expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishState: 'idle', PublishError: null })
  })

  test('without content, on a plan that has the writer, it waits for its words', async () => {
    const id = await planned({ content: '<p> &nbsp;</p>' })
    await tick()
    expect(await scene.article(id)).toMatchObject({ Status: 'Planned', PublishState: 'idle', PublishError: null })
    const later = await planned()
    await tick()
    expect(await scene.article(later)).toMatchObject({ Status: 'Published' })
    await scene.api.put(`/articles/${id}`, { content: '<p>Words at last.</p>' })
    await tick()
    expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
  })

  test('without content and without a writer: failed with the reason, nothing is sent', async () => {
    await scene.rows(sql`update accounts set plan = 'agentic' where id = ${scene.api.accountId}::int`)
    const id = await planned({ content: '' })
    await tick()
    expect(await scene.article(id)).toMatchObject({ Status: 'Planned', PublishState: 'failed' })
    expect((await scene.article(id)).PublishError).toMatch(/content/)
    expect(await scene.deliveries()).toHaveLength(0)
  })

  /** The cron has taken the article, but the queue has not woken its job yet. */
  const takenButNotRun = async (): Promise<{ id: number; run: () => Promise<unknown> }> => {
    await fetch(`${access.qstashUrl}/_delivery_faults`, { method: 'POST', body: JSON.stringify({ drop: 'before' }) })
    const id = await planned()
    await tick()
    await fetch(`${access.qstashUrl}/_delivery_faults`, { method: 'DELETE' })
    const [job] = await scene.rows<{ id: string }>(
      sql`select id from outbox where job = 'publishing.publish_due' and payload->>'article_id' = ${String(id)}`,
    )
    expect(await scene.deliveries()).toHaveLength(0)
    return { id, run: () => callExecutor(access, JSON.stringify({ outbox_id: Number(job?.id) })) }
  }

  test('moved to a later date while its job waited, it is published on that date', async () => {
    const { id, run } = await takenButNotRun()
    await scene.api.put(`/articles/${id}`, { scheduled_date: FUTURE })
    await run()
    expect(await scene.article(id)).toMatchObject({ Status: 'Planned', PublishState: 'idle' })
    expect(await scene.deliveries()).toHaveLength(0)
    await scene.api.put(`/articles/${id}`, { scheduled_date: PAST })
    await tick()
    expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
    expect(await scene.deliveries(id)).toHaveLength(1)
  })

  test.each([
    ['moved to a later date', { scheduled_date: FUTURE }, 'Planned'],
    ['made a draft', { status: 'Draft' }, 'Draft'],
  ])('%s in the moment between being read and being claimed, it does not go', async (_, change, status) => {
    const { id } = await takenButNotRun()
    const ctx = systemFor(access, scene.api.accountId)
    const late: Ctx = {
      ...ctx,
      read: async (build) => {
        const rows = await ctx.read(build)
        await scene.api.put(`/articles/${id}`, change)
        return rows
      },
    }
    const sent: unknown[] = []
    const targets: TargetFactory = () => ({
      deliver: async (request) => {
        sent.push(request)
        return { kind: 'accepted' }
      },
      probe: async () => ({ kind: 'accepted' }),
    })
    expect(await publishDue(late, targets, id, true)).toMatchObject({ kind: 'again' })
    expect(await publishDue(ctx, targets, id, true)).toMatchObject({ kind: 'done' })
    expect(sent).toEqual([])
    expect(await scene.article(id)).toMatchObject({ Status: status, PublishState: 'idle' })
  })

  test('a run that finds its article live after a crash continues with the next one', async () => {
    const { id, run } = await takenButNotRun()
    await scene.api.post(`/articles/${id}/publish`)
    const next = await planned()
    expect(await scene.article(next)).toMatchObject({ Status: 'Planned' })
    await run()
    expect(await scene.article(next)).toMatchObject({ Status: 'Published' })
    expect(await scene.deliveries()).toHaveLength(2)
  })

  test('made a draft while its job waited, it is not published', async () => {
    const { id, run } = await takenButNotRun()
    await scene.api.put(`/articles/${id}`, { scheduled_date: null })
    await run()
    await heal(scene)
    expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: 'idle' })
    expect(await scene.deliveries()).toHaveLength(0)
  })

  test('published by hand while its job waited, it is not sent again', async () => {
    const { id, run } = await takenButNotRun()
    expect((await scene.publish(id)).status).toBe(200)
    await run()
    await heal(scene)
    expect(await scene.deliveries(id)).toHaveLength(1)
  })

  test('dates in the hour a clock skips move forward, in the hour it shows twice they are the first', async () => {
    const gap = await planned({ scheduled_date: '2027-03-14T02:30:00' })
    expect(await scene.article(gap)).toMatchObject({
      ScheduledDate: '2027-03-14T03:30:00',
      ScheduledAt: '2027-03-14T07:30:00.000Z',
    })
    const overlap = await planned({ scheduled_date: '2027-11-07T01:30:00' })
    expect(await scene.article(overlap)).toMatchObject({
      ScheduledDate: '2027-11-07T01:30:00',
      ScheduledAt: '2027-11-07T05:30:00.000Z',
    })
  })
})
