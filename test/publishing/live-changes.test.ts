import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { type GhostStandIn, startGhost } from '../../local/cms/ghost.ts'
import type { FaultRule } from '../../local/faults.ts'
import { type Answer, type Api, newAccount, newProject, rowsIn, tell } from '../support/client.ts'
import { manyKeys } from '../support/keys.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { publishedArticle } from '../support/story.ts'

const stack = inject('stack')
let ghost: GhostStandIn

beforeAll(async () => {
  ghost = await startGhost()
})
afterAll(() => ghost.close())
afterEach(() => tell(ghost.url, '/_faults'))

const published = async () => {
  const api = manyKeys(stack, await newAccount(stack))
  const project = await newProject(api)
  const connected = await api.post(`/projects/${project}/integrations`, {
    platform: 'ghost',
    api_url: ghost.url,
    admin_api_key: ghost.key,
  })
  expect(connected.status).toBe(201)
  const id = await publishedArticle(api, project, { content: '<p>First words.</p>', title: 'First title' })
  const slug = String((await api.get(`/articles/${id}`)).body.Slug)
  const post = () => ghost.posts().find((one) => one.slug === slug) ?? expect.unreachable('no post')
  const stateOf = async () => (await api.get(`/articles/${id}`)).body
  return { api, id, post, stateOf, path: (verb: string) => `/articles/${id}/${verb}` }
}

const READ = 'GET /ghost'
const WRITE = 'PUT /ghost'

/** Makes one call while requests to the site of this kind go wrong. */
const during = async (rule: FaultRule, call: () => Promise<Answer>): Promise<Answer> => {
  await tell(ghost.url, '/_faults', rule)
  const answer = await call()
  await tell(ghost.url, '/_faults')
  return answer
}

/** Makes one call whose answer is lost, after which the site is away, so that it cannot be asked how the call ended. */
const lostThenAway = async (call: () => Promise<Answer>): Promise<void> => {
  await tell(ghost.url, '/_faults', { path: WRITE, drop: 'after' })
  await call()
  await tell(ghost.url, '/_faults', { path: '/ghost/', status: 503 })
}

/** Waits until the service has asked the site how the last change ended. */
const settled = (stateOf: () => Promise<Record<string, unknown>>) =>
  vi.waitFor(
    async () => {
      const state = await stateOf()
      expect(state.PublishState).not.toBe('unknown')
      return state
    },
    { timeout: PATIENCE_MS, interval: 200 },
  )

describe('a rollback that failed', () => {
  it.each<[string, FaultRule]>([
    ['refused at the first read', { path: READ, status: 503 }],
    ['refused at the write', { path: WRITE, status: 429, answer: { errors: [{ message: 'Slow down.' }] } }],
    ['broken off before the write', { path: WRITE, drop: 'before' }],
    ['broken off after the write', { path: WRITE, drop: 'after' }],
    ['answered with an error after nothing was done', { path: WRITE, status: 503 }],
  ])('ends as one undisturbed call if it is repeated: %s', async (_, rule) => {
    const { api, post, stateOf, path } = await published()
    await api.post(path('sync'), { content: '<p>Second words.</p>', title: 'Second title' })
    const failed = await during(rule, () => api.post(path('rollback')))
    expect([failed.status, failed.body.code, failed.body.retryable]).toEqual([502, 'rollback_failed', true])
    const again = await api.post(path('rollback'))
    expect([again.status, again.body.version_id]).toEqual([200, failed.body.version_id])
    expect(post()).toMatchObject({ title: 'First title', html: expect.stringContaining('First words.') })
    expect(await stateOf()).toMatchObject({ PublishState: 'idle', PublishError: null })
    expect((await api.post(path('rollback'))).status).toBe(200)
    expect(post()).toMatchObject({ title: 'Second title', html: expect.stringContaining('Second words.') })
  })

  it.each([
    ['was made', 'after', { PublishState: 'idle', PublishError: null }, 'First words.'],
    ['was not made', 'before', { PublishState: 'failed' }, 'Second words.'],
  ] as const)('is looked up if its answer was lost, and ends in the truth: it %s', async (_, drop, ends, words) => {
    const { api, post, stateOf, path } = await published()
    await api.post(path('sync'), { content: '<p>Second words.</p>' })
    const lost = await during({ path: WRITE, drop }, () => api.post(path('rollback')))
    expect(lost.body).toMatchObject({ code: 'rollback_failed', retry_after: 30 })
    expect(await settled(stateOf)).toMatchObject({ Status: 'Published', ...ends })
    expect(post().html).toContain(words)
    expect((await api.post(path('rollback'))).status).toBe(200)
    expect(post().html).toContain(drop === 'after' ? 'Second words.' : 'First words.')
  })

  it('keeps no version if the write was refused, so that a rollback after a sync goes to what that replaced', async () => {
    const { api, id, path } = await published()
    await api.post(path('sync'), { title: 'Second title' })
    const kept = () => rowsIn<{ id: number }>(stack, sql`select id from remote_versions where article_id = ${id}::int`)
    const before = await kept()
    await during({ path: WRITE, status: 429, answer: {} }, () => api.post(path('rollback')))
    expect(await kept()).toEqual(before)
  })
})

describe('a take-down whose answer was lost', () => {
  it.each([
    ['was made', 'after', { Status: 'Draft', PublishState: 'idle' }, 'draft'],
    ['was not made', 'before', { Status: 'Published', PublishState: 'failed' }, 'published'],
  ] as const)('is unknown, is looked up, and ends in the truth: it %s', async (_, drop, ends, status) => {
    const { api, post, stateOf, path } = await published()
    const lost = await during({ path: WRITE, drop }, () => api.post(path('unpublish')))
    expect([lost.status, lost.body]).toMatchObject([
      502,
      { code: 'unpublish_failed', retryable: true, retry_after: 30, next_calls: [{ method: 'GET' }] },
    ])
    expect(await settled(stateOf)).toMatchObject(ends)
    expect(post().status).toBe(status)
  })

  it('is finished by the same call', async () => {
    const { api, post, stateOf, path } = await published()
    await during({ path: WRITE, drop: 'after' }, () => api.post(path('unpublish')))
    expect((await api.post(path('unpublish'))).status).toBe(200)
    expect([post().status, (await stateOf()).Status]).toEqual(['draft', 'Draft'])
  })

  it.each(['after', 'before'] as const)(
    'is asked about before publishing claims anything: dropped %s',
    async (drop) => {
      const { api, post, stateOf, path } = await published()
      await during({ path: WRITE, drop }, () => api.post(path('unpublish')))
      const { status, body } = await api.post(path('publish'))
      expect([status, body]).toMatchObject([200, { status: 'published' }])
      expect(body).not.toHaveProperty('warnings')
      expect(post().status).toBe('published')
      expect(await stateOf()).toMatchObject({ Status: 'Published', PublishState: 'idle', PublishError: null })
    },
  )

  it('is unknown to a publication while the site cannot be asked', async () => {
    const { api, path } = await published()
    await lostThenAway(() => api.post(path('unpublish')))
    const { status, body } = await api.post(path('publish'))
    await tell(ghost.url, '/_faults')
    expect([status, body]).toMatchObject([202, { status: 'unknown' }])
  })

  it('stops changes of the post until it is known', async () => {
    const { api, path } = await published()
    await lostThenAway(() => api.post(path('unpublish')))
    const refused = await api.post(path('sync'), { title: 'Another' })
    await tell(ghost.url, '/_faults')
    expect(refused.body.code).toBe('sync_in_progress')
  })
})

describe('a sync whose answer was lost', () => {
  const SECOND = { content: '<p>Second words.</p>', title: 'Second title' }

  it.each([
    ['was made', 'after', { PublishState: 'idle', PublishError: null }, 'Second words.', 'delivered'],
    [
      'was not made',
      'before',
      { PublishState: 'failed', PublishError: expect.stringMatching(/^The site still has the words from before/) },
      'First words.',
      'failed',
    ],
  ] as const)('is unknown, is looked up, and ends in the truth: it %s', async (_, drop, ends, words, delivered) => {
    const { api, post, stateOf, path } = await published()
    const lost = await during({ path: WRITE, drop }, () => api.post(path('sync'), SECOND))
    expect([lost.status, lost.body]).toMatchObject([
      502,
      { code: 'sync_failed', retryable: true, saved: true, retry_after: 30, next_calls: [{ method: 'GET' }] },
    ])
    expect(await settled(stateOf)).toMatchObject({ Status: 'Published', ...ends })
    expect(post().html).toContain(words)
    const { body } = await api.get(`/webhook-deliveries/${lost.body.delivery_id}`)
    expect(body.delivery).toMatchObject({ status: delivered })
    await api.post(path('sync'), { title: 'Third title' })
    expect(post()).toMatchObject({ title: 'Third title', html: expect.stringContaining('Second words.') })
  })

  it('is asked for again while the site is away, and is never sent a second time by itself', async () => {
    const { api, post, stateOf, path } = await published()
    await lostThenAway(() => api.post(path('sync'), SECOND))
    await vi.waitFor(
      async () => expect((await stateOf()).PublishError).toMatch(/^It is not known whether the site has the edits\./),
      { timeout: PATIENCE_MS, interval: 200 },
    )
    expect(await stateOf()).toMatchObject({ Status: 'Published', PublishState: 'unknown' })
    const changed = post().updated_at
    await tell(ghost.url, '/_faults')
    expect(await settled(stateOf)).toMatchObject({ PublishState: 'idle', PublishError: null })
    expect(post().updated_at).toBe(changed)
  })

  it('says that nobody knows if an editor has changed the words meanwhile', async () => {
    const { api, post, stateOf, path } = await published()
    await lostThenAway(() => api.post(path('sync'), SECOND))
    post().html = '<p>Words of an editor.</p>'
    await tell(ghost.url, '/_faults')
    expect(await settled(stateOf)).toMatchObject({
      PublishState: 'failed',
      PublishError: expect.stringMatching(/^It is not known/),
    })
  })

  it.each(['rollback', 'unpublish'])('is not looked up any more after a %s', async (verb) => {
    const { api, stateOf, path } = await published()
    let lost: Answer | undefined
    await lostThenAway(async () => {
      lost = await api.post(path('sync'), SECOND)
      return lost
    })
    await tell(ghost.url, '/_faults')
    expect((await api.post(path(verb))).status).toBe(200)
    const { body } = await api.get(`/webhook-deliveries/${lost?.body.delivery_id}`)
    expect(body.delivery).toMatchObject({ status: 'superseded' })
    expect(await stateOf()).toMatchObject({ PublishState: 'idle', PublishError: null })
  })
})

it.each(['rollback', 'unpublish'] as const)(
  'of two repeats of a %s at once, one continues the change, and one look-up waits',
  { tags: ['services'] },
  async (verb) => {
    const { api, id, post, stateOf, path } = await published()
    await api.post(path('sync'), { content: '<p>Second words.</p>' })
    await lostThenAway(() => api.post(path(verb)))
    const waiting = () =>
      rowsIn<{ id: number }>(
        stack,
        sql`select id from outbox where job = 'publishing.live_change' and done_at is null and dead_at is null
          and (payload ->> 'article_id')::int = ${id}::int`,
      )
    expect(await waiting()).toHaveLength(1)
    await tell(ghost.url, '/_faults', { path: WRITE, delay_ms: 500 })
    const answers = await Promise.all([1, 2, 3].map(() => api.post(path(verb))))
    await tell(ghost.url, '/_faults')
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(await waiting()).toHaveLength(0)
    expect(await stateOf()).toMatchObject({ PublishState: 'idle', Status: verb === 'rollback' ? 'Published' : 'Draft' })
    expect(post()).toMatchObject(
      verb === 'rollback' ? { html: expect.stringContaining('First words.') } : { status: 'draft' },
    )
  },
)

describe('publishing an article whose last change failed', () => {
  it('shows a post again that was hidden at the site, and warns of edits that it lacks', async () => {
    const { api, post, path } = await published()
    await during({ path: WRITE, status: 429, answer: {} }, () => api.post(path('sync'), { title: 'Second title' }))
    const shown = await api.post(path('publish'))
    expect([shown.status, shown.body]).toMatchObject([200, { status: 'published', warnings: [expect.any(String)] }])
    post().status = 'draft'
    expect((await api.post(path('publish'))).body).toMatchObject({ status: 'published' })
    expect(post()).toMatchObject({ status: 'published', title: 'Second title' })
  })
})

describe('what the site lacks', () => {
  const edit = async (post: () => { html: string }) => {
    post().html = '<p>First words, as an editor corrected them.</p>'
  }

  it.each<[string, (api: Api, path: (verb: string) => string) => Promise<unknown>]>([
    ['a take-down', (api, path) => during({ path: READ, status: 503 }, () => api.post(path('unpublish')))],
    ['a sync of everything', (api, path) => during({ path: READ, status: 503 }, () => api.post(path('sync')))],
    [
      'a sync of another field',
      (api, path) => during({ path: READ, status: 503 }, () => api.post(path('sync'), { meta_description: 'Short.' })),
    ],
    ['a rollback', (api, path) => during({ path: READ, status: 503 }, () => api.post(path('rollback')))],
  ])('is nothing more after %s refused at its first read', async (_, fail) => {
    const { api, post, path } = await published()
    await api.post(path('sync'), { title: 'Second title' })
    await fail(api, path)
    await edit(post)
    const synced = await api.post(path('sync'), { title: 'Third title' })
    expect(synced.body).toMatchObject({ status: 'synced' })
    expect(synced.body).not.toHaveProperty('warnings')
    expect(post()).toMatchObject({ title: 'Third title', html: expect.stringContaining('an editor corrected') })
  })

  it.each<FaultRule>([
    { path: READ, status: 503 },
    { path: WRITE, drop: 'before' },
    { path: WRITE, drop: 'after' },
    { path: WRITE, status: 429, answer: {} },
  ])('is every edit of a failed sync, until one succeeds: %j', async (rule) => {
    const { api, post, path } = await published()
    await during(rule, () => api.post(path('sync'), { content: '<p>Second words.</p>' }))
    await api.post(path('sync'), { title: 'Second title' })
    expect(post()).toMatchObject({ title: 'Second title', html: expect.stringContaining('Second words.') })
    await edit(post)
    await api.post(path('sync'), { title: 'Third title' })
    expect(post()).toMatchObject({ title: 'Third title', html: expect.stringContaining('an editor corrected') })
  })
})

it.each(['sync', 'rollback', 'unpublish'])('a refused %s has the wait that the site asked for', async (verb) => {
  const { api, path } = await published()
  await api.post(path('sync'), { title: 'Second title' })
  const limited = { status: 429, answer: { errors: [{ message: 'Slow down.' }] }, headers: { 'retry-after': '77' } }
  const refused = await during({ path: WRITE, ...limited }, () => api.post(path(verb)))
  expect(refused.body).toMatchObject({ code: `${verb}_failed`, retryable: true, retry_after: 77 })
  const away = await during({ path: READ, status: 503, answer: '', headers: { 'retry-after': '33' } }, () =>
    api.post(path(verb)),
  )
  expect(away.body).toMatchObject({ code: `${verb}_failed`, retryable: true, retry_after: 33 })
})
