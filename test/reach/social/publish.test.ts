import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { ACCOUNT_CLOSED } from '../../../src/platform/jobs/job.ts'
import type { SocialProvider } from '../../../src/reach/social/port.ts'
import { runPost } from '../../../src/reach/social/run.ts'
import { systemFor } from '../../publishing/system.ts'
import { rowsIn } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { fieldsOf } from '../../support/keys.ts'
import { madeBy, openSocial, type SocialScene } from './scene.ts'

const stack = inject('stack')
const words = (): string => `Sheds stay dry on a level base ${randomBytes(6).toString('hex')}`

let scene: SocialScene
let x: string
let linkedin: string

beforeAll(async () => {
  scene = await openSocial(stack)
  x = await scene.connect('twitter')
  linkedin = await scene.connect('linkedin')
})

const publish = (body: Record<string, unknown>) =>
  scene.api.post('/social/publish', { project_id: scene.projectId, ...body })

describe('accounts', () => {
  it('lists those of the project, by the names of this service', async () => {
    const { body } = await scene.api.get(`/social/accounts?project_id=${scene.projectId}`)
    expect(body).toEqual({
      connected: true,
      accounts: [
        { platform: 'x', account_id: x, account_name: 'Sample twitter', username: 'sample_twitter' },
        { platform: 'linkedin', account_id: linkedin, account_name: 'Sample linkedin', username: 'sample_linkedin' },
      ],
    })
  })

  it('says what to do if there are none', async () => {
    const other = await openSocial(stack)
    const { body } = await other.api.get(`/social/accounts?project_id=${other.projectId}`)
    expect(body).toEqual({
      connected: false,
      accounts: [],
      instructions_for_agent: expect.stringContaining('POST /social/accounts'),
    })
  })

  it('names a field for another network than the connected one', async () => {
    const given = { project_id: scene.projectId, platform: 'threads', bot_token: '1:a', chat_id: '@sheds' }
    const { status, body } = await scene.api.post('/social/accounts', given)
    expect([status, body.ignored]).toEqual([201, ['bot_token', 'chat_id']])
  })
})

describe('a dry run', () => {
  const rows = () =>
    rowsIn<{ n: number }>(stack, sql`select count(*)::int as n from social_posts where project_id = ${scene.projectId}`)
  const dry = (body: Record<string, unknown>) =>
    scene.api.post('/social/publish?dry_run=true', { project_id: scene.projectId, ...body })

  it('predicts the answer or the refusal of the same call, and sends and saves nothing', async () => {
    const before = await rows()
    const content = words()
    const good = await dry({ platforms: ['x'], content })
    expect(good.body.would).toMatchObject({
      status: 201,
      body: { status: 'publishing', posts: [{ platform: 'x', account_id: x, status: 'publishing' }] },
    })
    for (const call of [
      { platforms: ['threads'], content },
      { platforms: [{ platform: 'x', account_id: 'nobody' }], content },
      { account_id: 'nobody', content },
      { platforms: ['x'], content: 'x'.repeat(60_000) },
    ]) {
      const { body, status } = await dry(call)
      const real = await publish(call)
      const { request_id: _, ...refusal } = real.body
      expect(status === 200 ? body.would : { status, body }).toMatchObject({ status: real.status, body: refusal })
    }
    expect(await rows()).toEqual(before)
    await publish({ platforms: ['x'], content })
    expect((await dry({ platforms: ['x'], content })).body.would).toMatchObject({
      status: 409,
      body: { code: 'duplicate_post' },
    })
  })
})

it('a post goes out without the marks of a model’s sources, and the answer says so', async () => {
  const content = words()
  const marked = `${content} citeturn0search0:contentReference[oaicite:0]{index=0}`
  const made = await publish({ platforms: ['linkedin'], content: marked, draft: true })
  expect(made.body.removed).toEqual(['citation marks of a model'])
  const [{ post_id: id }] = made.body.posts as [{ post_id: number }]
  expect((await scene.api.get(`/social/posts/${id}`)).body.post).toMatchObject({ content })
  const sent = await scene.api.post(`/social/posts/${id}/publish`, { content: `${content}【4:1†source】 Twice.` })
  expect(sent.body).toMatchObject({ removed: ['citation marks of a model'], post: { content: `${content} Twice.` } })
  const clean = await publish({ platforms: ['linkedin'], content: `${words()} [1]`, draft: true })
  expect(clean.body).not.toHaveProperty('removed')
})

// CampaignChain/campaignchain#46
describe('the same post again', () => {
  it('is 409 within ten minutes, unless it is allowed or differs', async () => {
    const content = words()
    const first = madeBy((await publish({ content, platforms: ['x'] })).body)[0]?.post_id
    const again = await publish({ content, platforms: ['linkedin', 'x'] })
    expectError(again, 'duplicate_post')
    expect(again.body).toMatchObject({
      error: 'duplicate_post',
      post_id: first,
      next_calls: [{ path: `/social/posts/${first}` }],
    })
    for (const other of [
      { content, platforms: ['linkedin'] },
      { content: words(), platforms: ['x'] },
      { content, platforms: ['x'], link: 'https://sheds.example/a' },
      { content, platforms: ['x'], draft: true },
      { content, platforms: ['x'], scheduled_for: new Date(Date.now() + 86_400_000).toISOString() },
      { content, platforms: ['x'], allow_duplicate: true },
    ])
      expect((await publish(other)).status, JSON.stringify(other)).toBe(201)
    const keyed = { headers: { 'idempotency-key': `again-${first}` } }
    const body = { project_id: scene.projectId, content, platforms: ['x'] }
    expect((await scene.api.post('/social/publish', body, keyed)).status).toBe(201)
  })

  it('is made once by calls at the same moment', { tags: ['services'] }, async () => {
    const content = words()
    const answers = await Promise.all([1, 2, 3].map(() => publish({ content, platforms: ['x'] })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })
})

describe('publishing', () => {
  it('accepts only an account, and uses its network', async () => {
    const { status, body } = await publish({ content: words(), account_id: linkedin })
    expect(status).toBe(201)
    expect(madeBy(body)).toMatchObject([{ platform: 'linkedin', account_id: linkedin, status: 'publishing' }])
    expect(body.message).toContain(`GET /social/posts/${madeBy(body)[0]?.post_id} `)
  })

  it('measures the text of such a post by that network, and names the account’s own field', async () => {
    const long = await publish({ content: 'x'.repeat(281), account_id: x })
    expectError(long, 'invalid_input')
    expect(long.body.details).toMatchObject([{ field: 'content', message: expect.stringContaining('281 of 280') }])
    const unknown = await publish({ content: words(), account_id: 'nobody' })
    expect([unknown.status, unknown.body.details]).toMatchObject([
      400,
      [{ field: 'account_id', allowed: [x, linkedin] }],
    ])
    const other = await publish({ content: words(), account_id: linkedin, platforms: ['x'] })
    expect([other.status, fieldsOf(other.body)]).toEqual([400, ['account_id']])
    const neither = await publish({ content: words() })
    expect([neither.status, neither.body.details]).toEqual([
      400,
      [{ field: 'platforms', message: 'is required, or account_id' }],
    ])
    const none = await publish({ content: words(), platforms: [] })
    expect(none.body.details).toMatchObject([{ field: 'platforms', message: 'must have at least 1 entry' }])
  })

  it('makes one post on each network, with its time and address', async () => {
    const content = words()
    const { status, body } = await publish({
      content,
      platforms: ['x', { platform: 'LinkedIn', account_id: linkedin }],
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      scheduled: false,
      message: expect.stringContaining(`GET /social/posts?project_id=${scene.projectId} `),
    })
    const [first, second] = madeBy(body)
    expect(first).toEqual({
      post_id: expect.any(Number),
      platform: 'x',
      account_id: x,
      status: 'publishing',
      url: null,
      error: null,
    })
    expect(second).toMatchObject({ platform: 'linkedin', account_id: linkedin })
    const out = await scene.ended(first?.post_id ?? 0)
    expect(out).toMatchObject({
      project_id: scene.projectId,
      article_id: null,
      content,
      status: 'published',
      url: expect.stringMatching(/^https:\/\/x\.com\/sample_twitter\/status\//),
      error: null,
      published_at: expect.stringMatching(/Z$/),
      comment_for_guide: { enabled: false, config: null, automation: null },
    })
    expect(await scene.ended(second?.post_id ?? 0)).toMatchObject({ status: 'published' })
    const posts = (await scene.provided(x)).filter((post) => post.content === content)
    expect(posts.map(({ platforms }) => platforms.map((p) => p.accountId))).toEqual([[x]])
  })

  it('puts the link after the text, and uses a network’s own text instead of the common one', async () => {
    const content = words()
    const { body } = await publish({
      content,
      platforms: ['x', 'linkedin'],
      link: 'https://sheds.example/base',
      platform_overrides: { linkedin: { content: `${content}, at length`, link: null } },
    })
    for (const { post_id } of madeBy(body)) await scene.ended(post_id)
    expect((await scene.provided(x)).map((post) => post.content)).toContain(`${content}\n\nhttps://sheds.example/base`)
    expect((await scene.provided(linkedin)).map((post) => post.content)).toContain(`${content}, at length`)
  })

  it('saves drafts, which go out when they are published', async () => {
    const content = words()
    const { status, body } = await publish({ content, platforms: ['x'], draft: true })
    expect([status, body]).toMatchObject([201, { status: 'draft', scheduled: false, posts: [{ status: 'draft' }] }])
    const id = madeBy(body)[0]?.post_id ?? 0
    expect(await scene.post(id)).toMatchObject({ status: 'draft', scheduled_for: null })
    expect((await scene.api.post(`/social/posts/${id}/publish`, {})).status).toBe(200)
    expect(await scene.ended(id)).toMatchObject({ status: 'published', content })
    const dated = await publish({ content, platforms: ['x'], draft: true, scheduled_for: '2099-01-01' })
    expect([dated.status, fieldsOf(dated.body)]).toEqual([400, ['scheduled_for']])
  })

  it('waits for the date, and is sent then', async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString()
    const { body } = await publish({ content: words(), platforms: ['x'], scheduled_for: at })
    expect(body).toMatchObject({ scheduled: true, posts: [{ status: 'scheduled' }] })
    const id = madeBy(body)[0]?.post_id ?? 0
    expect(await scene.post(id)).toMatchObject({ status: 'scheduled', scheduled_for: at, published_at: null })

    // Its date may have passed before a busy machine reads it.
    const soon = new Date(Date.now() + 3_000).toISOString()
    const { body: near } = await publish({ content: words(), platforms: ['x'], scheduled_for: soon })
    const out = await scene.ended(madeBy(near)[0]?.post_id ?? 0)
    expect(out).toMatchObject({ status: 'published', scheduled_for: soon })
    expect(Date.parse(String(out.published_at))).toBeGreaterThanOrEqual(Date.parse(soon))
  })

  // bryntum/support#13336
  it('is sent on its day in the project’s time zone at that time, or at an exact time', async () => {
    const other = await openSocial(stack)
    await other.connect('twitter')
    const path = `/projects/${other.projectId}`
    // A zone in which it is about noon, whose days are also those of the zone before and behind it.
    const ahead = 12 - new Date().getUTCHours()
    const zone = (hours: number) => `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
    await other.api.put(path, { timezone: zone(ahead), publish_time: '09:00' })
    const dayOf = (inDays: number) =>
      new Date(Date.now() + ahead * 3_600_000 + inDays * 86_400_000).toISOString().slice(0, 10)
    const at = (day: string, time: string, hours: number) =>
      new Date(Date.parse(`${day}T${time}:00Z`) - hours * 3_600_000).toISOString()
    const send = async (body: Record<string, unknown>) => {
      const answer = await other.api.post('/social/publish', {
        project_id: other.projectId,
        content: words(),
        platforms: ['x'],
        ...body,
      })
      return madeBy(answer.body)[0]?.post_id ?? 0
    }
    const dateOf = async (id: number) => (await other.post(id)).scheduled_for
    const day = dayOf(30)
    const asDay = await send({ scheduled_for: day })
    const instant = await send({ scheduled_for: `${day}T09:00:00Z` })
    const wall = await send({ scheduled_for: `${day}T09:00` })
    const later = await send({ draft: true })
    await other.api.post(`/social/posts/${later}/publish`, { scheduled_for: day })
    expect(await dateOf(asDay)).toBe(at(day, '09:00', ahead))
    // Sent back as it is read it stays a day.
    await other.api.post(`/social/posts/${asDay}/publish`, { scheduled_for: await dateOf(asDay) })

    const moved = await other.api.put(path, { timezone: zone(ahead - 1) })
    expect(moved.body).toMatchObject({ planned_posts: { moved: 2, read_otherwise: 2 } })
    expect(moved.body.message).toContain(
      '2 planned posts with a day but no time moved with it. 2 planned posts with an exact time stayed at it and now show another local time.',
    )
    for (const id of [asDay, later]) expect(await dateOf(id)).toBe(at(day, '09:00', ahead - 1))
    expect(await dateOf(instant)).toBe(`${day}T09:00:00.000Z`)
    expect(await dateOf(wall)).toBe(at(day, '09:00', ahead))

    // Given as an instant it is one from then on.
    await other.api.post(`/social/posts/${later}/publish`, { scheduled_for: `${day}T20:20:00Z` })
    await other.api.put(path, { publish_time: '23:00' })
    const tonight = await send({ scheduled_for: dayOf(0) })
    expect(await other.post(tonight)).toMatchObject({ status: 'scheduled' })
    const early = await other.api.put(path, { publish_time: '00:30' })
    expect(early.body).toMatchObject({ planned_posts: { moved: 2, read_otherwise: 0 } })
    expect(await other.ended(tonight)).toMatchObject({
      status: 'published',
      scheduled_for: at(dayOf(0), '00:30', ahead - 1),
    })
    expect(await dateOf(later)).toBe(`${day}T20:20:00.000Z`)
    const none = await other.api.put(path, { business_name: 'Oak' })
    expect(none.body).not.toHaveProperty('planned_posts')
  })

  it('is sent now if its date has passed, and the answer says so', async () => {
    const at = '2020-01-02T03:04:05.000Z'
    const { body } = await publish({ content: words(), platforms: ['x'], scheduled_for: at })
    expect(body).toMatchObject({ scheduled: false, message: expect.stringContaining(`has passed (${at})`) })
    expect(await scene.ended(madeBy(body)[0]?.post_id ?? 0)).toMatchObject({ status: 'published' })
  })

  it('publishes a scheduled post early on request, and removes an unpublished one', async () => {
    const at = new Date(Date.now() + 86_400_000).toISOString()
    const { body } = await publish({ content: words(), platforms: ['x'], scheduled_for: at })
    const id = madeBy(body)[0]?.post_id ?? 0
    const { status, body: sent } = await scene.api.post(`/social/posts/${id}/publish`)
    expect([status, (sent.post as { status: string }).status]).toEqual([200, 'publishing'])
    expect(sent.message).toContain(`GET /social/posts/${id} shows`)
    expect(await scene.ended(id)).toMatchObject({ status: 'published' })
    expectError(await scene.api.post(`/social/posts/${id}/publish`), 'invalid_transition')
    expectError(await scene.api.del(`/social/posts/${id}`), 'invalid_transition')
    const other =
      madeBy((await publish({ content: words(), platforms: ['x'], scheduled_for: at })).body)[0]?.post_id ?? 0
    expect((await scene.api.del(`/social/posts/${other}`)).body).toMatchObject({ post_id: other, deleted: true })
    expectError(await scene.api.get(`/social/posts/${other}`), 'not_found')
  })

  it('is not sent while the account is suspended, and says so afterwards', async () => {
    const own = await openSocial(stack)
    await own.connect('linkedin')
    const at = new Date(Date.now() + 86_400_000).toISOString()
    const body = { project_id: own.projectId, content: 'Level ground.', platforms: ['linkedin'], scheduled_for: at }
    const id = madeBy((await own.api.post('/social/publish', body)).body)[0]?.post_id ?? 0
    const account = sql`where id = ${own.api.accountId}::int returning id`
    await rowsIn(stack, sql`update accounts set suspended_at = now() ${account}`)
    const due = systemFor(stack, own.api.accountId, { now: () => new Date(Date.parse(at) + 1_000) })
    const sent: unknown[] = []
    const send = async (post: unknown) => {
      sent.push(post)
      return { kind: 'published' as const, remoteId: 'out' }
    }
    await runPost(due, { provider: { send } as unknown as SocialProvider, direct: {} }, id)
    expect(sent).toEqual([])
    await rowsIn(stack, sql`update accounts set suspended_at = null ${account}`)
    expect(await own.post(id)).toMatchObject({
      status: 'failed',
      error: ACCOUNT_CLOSED,
    })
  })

  it('treats a date alone as publish_time of that day, also for a waiting post', async () => {
    const own = await openSocial(stack)
    await own.connect('twitter')
    await own.api.put(`/projects/${own.projectId}`, { publish_time: '14:30', timezone: 'Europe/Berlin' })
    const { body } = await own.api.post('/social/publish', {
      project_id: own.projectId,
      content: words(),
      platforms: ['x'],
      scheduled_for: '2030-06-07',
    })
    const id = madeBy(body)[0]?.post_id ?? 0
    expect(await own.post(id)).toMatchObject({ scheduled_for: '2030-06-07T12:30:00.000Z' })
    const moved = await own.api.post(`/social/posts/${id}/publish`, { scheduled_for: '2030-06-08' })
    expect(moved.body.post).toMatchObject({ scheduled_for: '2030-06-08T12:30:00.000Z' })
    expectError(await own.api.post(`/social/posts/${id}/publish`, { content: '  ' }), 'invalid_input')

    await own.api.post(`/projects/${own.projectId}/archive`)
    const archived = await own.api.post(`/social/posts/${id}/publish`)
    expectError(archived, 'project_archived')
    expect(archived.body.next_calls).toMatchObject([{ path: `/projects/${own.projectId}/unarchive` }])
  })

  it('is published once by calls at once; the others get its state', {
    tags: ['services'],
  }, async () => {
    const { body } = await publish({ content: words(), platforms: ['x'], scheduled_for: '2030-06-07' })
    const id = madeBy(body)[0]?.post_id ?? 0
    const answers = await Promise.all(Array.from({ length: 5 }, () => scene.api.post(`/social/posts/${id}/publish`)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(4)
    for (const answer of refused) {
      expectError(answer, 'invalid_transition')
      expect(['publishing', 'published']).toContain(answer.body.status)
    }
  })

  it('answers a repeat under the same Idempotency-Key as the first time, and posts once', async () => {
    const content = words()
    const body = { project_id: scene.projectId, content, platforms: ['x'] }
    const headers = { 'idempotency-key': randomBytes(8).toString('hex') }
    const answers = []
    for (let n = 0; n < 2; n += 1) answers.push(await scene.api.post('/social/publish', body, { headers }))
    expect(answers[1]?.text).toBe(answers[0]?.text)
    await scene.ended(madeBy(answers[0]?.body ?? {})[0]?.post_id ?? 0)
    expect((await scene.provided(x)).filter((post) => post.content === content)).toHaveLength(1)
  })
})

describe('refused calls', () => {
  const cases: [string, Record<string, unknown>, string, RegExp][] = [
    [
      'a text too long for X, counted as X counts',
      { content: `${'a'.repeat(257)} https://${'b'.repeat(200)}.example`, platforms: ['x'] },
      'content',
      /X: 281 of 280/,
    ],
    ['an emoji text too long for X', { content: '🏡'.repeat(141), platforms: ['x'] }, 'content', /X: 282 of 280/],
    [
      'a text too long with its link',
      { content: 'a'.repeat(260), link: 'https://sheds.example', platforms: ['x'] },
      'content',
      /with its link: 285 of 280/,
    ],
    ['a network twice', { content: 'x', platforms: ['x', 'twitter'] }, 'platforms.1', /one account on each network/],
    ['an unknown network', { content: 'x', platforms: ['myspace'] }, 'platforms.0', /must be one of: x, /],
    [
      'an unknown network of an account',
      { content: 'x', platforms: [{ platform: 'myspace' }] },
      'platforms.0.platform',
      /must be one of: x, /,
    ],
    ['nothing to post', { platforms: ['x'] }, 'content', /empty/],
    ['nothing but blanks to post', { content: ' \n\u3000', platforms: ['x'] }, 'content', /empty/],
    ['a network that wants a picture', { content: 'x', platforms: ['instagram'] }, 'media_files', /Instagram/],
    [
      'overrides of a network that is not asked',
      { content: 'x', platforms: ['x'], platform_overrides: { threads: {} } },
      'platform_overrides.threads',
      /./,
    ],
    [
      'two overrides of one network',
      { content: 'x', platforms: ['x'], platform_overrides: { X: { content: 'a' }, twitter: { content: 'b' } } },
      'platform_overrides.twitter',
      /^names X again, after platform_overrides\.X$/,
    ],
    [
      'an account of nobody',
      { content: 'x', platforms: [{ platform: 'x', account_id: 'nobody' }] },
      'platforms.0.account_id',
      /no X account/,
    ],
    [
      'a private message elsewhere than on Instagram',
      {
        content: 'x',
        platforms: ['x'],
        is_comment_for_guide: true,
        comment_for_guide_config: { trigger_keyword: 'guide', delivery_url: 'https://sheds.example' },
      },
      'comment_for_guide_config.delivery_method',
      /public_reply/,
    ],
  ]
  it.each(cases)('%s', async (_, body, field, message) => {
    const before = (await scene.api.get(`/social/posts?project_id=${scene.projectId}&limit=1`)).body.posts
    const answer = await publish(body)
    expectError(answer, 'invalid_input')
    expect(fieldsOf(answer.body)).toEqual([field])
    expect((answer.body.details as { message: string }[])[0]?.message).toMatch(message)
    expect((await scene.api.get(`/social/posts?project_id=${scene.projectId}&limit=1`)).body.posts).toEqual(before)
  })

  it('files at addresses that are not public, each by its place', async () => {
    const before = (await scene.api.get(`/social/posts?project_id=${scene.projectId}&limit=1`)).body.posts
    const answer = await publish({
      content: 'x',
      platforms: ['x', 'linkedin'],
      media_files: ['https://pictures.example/a.png', 'http://10.0.0.1/a.png'],
      platform_overrides: { linkedin: { media_files: [{ type: 'video', url: 'https://[fd00::1]/a.mp4' }] } },
    })
    expectError(answer, 'forbidden_url')
    expect(fieldsOf(answer.body)).toEqual(['media_files.1', 'platform_overrides.linkedin.media_files.0'])
    expect((await scene.api.get(`/social/posts?project_id=${scene.projectId}&limit=1`)).body.posts).toEqual(before)
  })

  it('a network without an account is refused with how to connect one', async () => {
    const answer = await publish({ content: 'x', platforms: ['threads'] })
    expectError(answer, 'no_social_account')
    expect(answer.body.next_calls).toMatchObject([
      { method: 'POST', path: '/social/accounts', body: { platform: 'threads' } },
    ])
    expect(answer.body.instructions_for_agent).toMatch(/^No Threads account is connected to this project.* Or publish/)
    const { api, projectId } = await openSocial(stack)
    const alone = await api.post('/social/publish', { project_id: projectId, content: 'x', platforms: ['threads'] })
    expectError(alone, 'no_social_account')
    expect(alone.body.instructions_for_agent).toMatch(/^No Threads account is connected to this project/)
    expect(alone.body.instructions_for_agent).not.toContain('networks that are connected')
  })

  it('an account of another project, and nothing goes out', async () => {
    const other = await openSocial(stack)
    const foreign = await other.connect('twitter')
    const answer = await publish({ content: words(), platforms: [{ platform: 'x', account_id: foreign }] })
    expectError(answer, 'invalid_input')
    expect(await scene.provided(foreign)).toEqual([])
  })
})

describe('the list', () => {
  it('filters by state and network, newest first', async () => {
    const { body } = await scene.api.get(
      `/social/posts?project_id=${scene.projectId}&status=published&platform=linkedin`,
    )
    const posts = body.posts as { post_id: number; platform: string; status: string }[]
    expect(posts.length).toBeGreaterThan(1)
    expect(new Set(posts.map(({ platform, status }) => `${platform} ${status}`))).toEqual(
      new Set(['linkedin published']),
    )
    expect(posts.map(({ post_id }) => post_id)).toEqual(posts.map(({ post_id }) => post_id).sort((a, b) => b - a))
  })
})
