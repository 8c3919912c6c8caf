import { sql } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { rowsIn } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { ownFaults } from '../../support/faults.ts'
import { fieldsOf } from '../../support/keys.ts'
import { openSocial, type SocialScene } from '../social/scene.ts'

const stack = inject('stack')
const faults = ownFaults(stack.zernioUrl)

type Review = { review_id: string; rating: number; updated_at: string; reply: { message: string } | null }

let scene: SocialScene
let google: string

beforeAll(async () => {
  scene = await openSocial(stack)
  google = await scene.connect('googlebusiness')
})
afterEach(() => faults.clear())

const get = (path: string, query = '') => scene.api.get(`/profile/${path}?project_id=${scene.projectId}${query}`)
const reviews = async (query = ''): Promise<Review[]> => (await get('reviews', query)).body.reviews as Review[]
const review = async (id: string) => (await reviews('&limit=50')).find(({ review_id }) => review_id === id)
const reply = (review_id: string, message: string, headers = {}) =>
  scene.api.post('/profile/reviews/reply', { project_id: scene.projectId, review_id, message }, { headers })

/** Returns the number of times that a reply was sent to the provider. */
const sent = async (message: string): Promise<number> =>
  (
    await rowsIn<{ n: number }>(
      stack,
      sql`select count(*)::int as n from audit_log where account_id = ${scene.api.accountId}::int
    and action = 'profile.reply' and detail ->> 'message' = ${message}`,
    )
  )[0]?.n ?? 0

describe('a profile that is not connected', () => {
  it('is reported to reads, and refuses changes, both with what to do', async () => {
    const other = await openSocial(stack)
    for (const path of ['status', 'reviews', 'analytics']) {
      const { status, body } = await other.api.get(`/profile/${path}?project_id=${other.projectId}`)
      expect([status, body]).toEqual([
        200,
        {
          connected: false,
          project_id: other.projectId,
          message: expect.stringMatching(/\S/),
          instructions_for_agent: expect.stringContaining('googlebusiness'),
        },
      ])
    }
    const target = { project_id: other.projectId }
    for (const answer of [
      await other.api.post('/profile/reviews/reply', { ...target, review_id: 'r1', message: 'Thank you!' }),
      await other.api.call('DELETE', '/profile/reviews/reply', { body: { ...target, review_id: 'r1' } }),
      await other.api.post('/gbp/posts', { ...target, summary: 'Open on Sunday.' }),
    ]) {
      expectError(answer, 'profile_not_connected')
      expect(answer.body.instructions_for_agent).toContain('googlebusiness')
    }
  })

  it('of another account is neither shown nor changed', async () => {
    const other = await openSocial(stack)
    const [first] = await reviews()
    const body = { project_id: other.projectId, account_id: google, review_id: first?.review_id, message: 'Mine!' }
    expectError(await other.api.post('/profile/reviews/reply', body), 'profile_not_connected')
    await other.connect('googlebusiness')
    expectError(await other.api.post('/profile/reviews/reply', body), 'invalid_input')
    expectError(await other.api.post('/profile/reviews/reply', { ...body, account_id: undefined }), 'not_found')
    expectError(await other.api.get(`/profile/reviews?project_id=${scene.projectId}`), 'forbidden')
    expect((await reviews())[0]).toEqual(first)
  })
})

describe('reading', () => {
  it('says how the business is rated', async () => {
    expect((await get('status')).body).toEqual({
      connected: true,
      project_id: scene.projectId,
      profile: { account_id: google, name: 'Sample googlebusiness', username: 'sample_googlebusiness' },
      business_name: 'Sample googlebusiness',
      location_address: null,
      connected_at: null,
      average_rating: 3,
      total_reviews: 120,
      unreplied_count: expect.any(Number),
      unreplied_count_is_partial: true,
    })
  })

  it('tells reviews by both names of each field', async () => {
    const { body } = await scene.api.get(`/gbp/reviews?project_id=${scene.projectId}&has_reply=true&limit=1`)
    const [row] = body.reviews as (Review & Record<string, unknown>)[]
    expect([body.has_more, row]).toMatchObject([
      true,
      {
        reviewer_name: row?.reviewer,
        text: row?.comment,
        created: row?.created_at,
        has_reply: true,
        reply_text: row?.reply?.message,
        review_url: null,
      },
    ])
    expect((await reviews('&has_reply=false&limit=1'))[0]).toMatchObject({ has_reply: false, reply_text: null })
  })

  it('adds the days up, under both names', async () => {
    const { body } = await scene.api.get(`/gbp/analytics?project_id=${scene.projectId}&days=7`)
    expect(body).toMatchObject({
      date_range: { days: 7 },
      totals: {
        impressions: 84,
        website_clicks: 14,
        call_clicks: 7,
        direction_requests: 0,
        conversations: 0,
        bookings: 0,
      },
    })
    expect(body.points).toHaveLength(7)
    expect((body.points as unknown[])[0]).toMatchObject({ impressions: 12, website_clicks: 2 })
  })

  it('pages through all reviews with the cursor, each once, newest first', async () => {
    const seen: Review[] = []
    let query = '&limit=50'
    for (let pages = 0; pages < 5 && query !== ''; pages += 1) {
      const { body } = await get('reviews', query)
      seen.push(...(body.reviews as Review[]))
      query = body.next_cursor === null ? '' : `&limit=50&cursor=${encodeURIComponent(String(body.next_cursor))}`
    }
    expect(new Set(seen.map(({ review_id }) => review_id)).size).toBe(120)
    expect(seen.map(({ updated_at }) => updated_at)).toEqual(
      seen
        .map((one) => one.updated_at)
        .sort()
        .reverse(),
    )
  })

  it('filters by rating and reply, and the pages continue where they ended', async () => {
    const first = (await get('reviews', '&has_reply=false&max_rating=2&limit=10')).body
    const second = (
      await get(
        'reviews',
        `&has_reply=false&max_rating=2&limit=10&cursor=${encodeURIComponent(String(first.next_cursor))}`,
      )
    ).body
    const found = [...(first.reviews as Review[]), ...(second.reviews as Review[])]
    expect(found).toHaveLength(20)
    expect(new Set(found.map(({ review_id }) => review_id)).size).toBe(20)
    expect(found.every(({ rating, reply: own }) => rating <= 2 && own === null)).toBe(true)
  })

  it('sorts by rating and by date, either way', async () => {
    const best = await reviews('&sort_by=rating&limit=3')
    expect(best.map(({ rating }) => rating)).toEqual([5, 5, 5])
    const worst = await reviews('&sort_by=rating&sort_order=asc&limit=3')
    expect(worst.map(({ rating }) => rating)).toEqual([1, 1, 1])
    const [oldest, next] = await reviews('&sort_order=asc&limit=2')
    expect(Date.parse(oldest?.updated_at ?? '')).toBeLessThan(Date.parse(next?.updated_at ?? ''))
  })

  it('takes has_reply in any case, or as a number', async () => {
    const asked = await Promise.all(['false', 'FALSE', '0'].map((value) => reviews(`&has_reply=${value}&limit=5`)))
    expect(asked[0]?.length).toBeGreaterThan(0)
    expect(asked.slice(1)).toEqual([asked[0], asked[0]])
  })

  it.each([
    'limit=0',
    'limit=x',
    'min_rating=6',
    'max_rating=0',
    'has_reply=maybe',
    'sort_by=size',
    'sort_order=up',
    'cursor=nonsense',
  ])('refuses %s', async (query) => {
    const answer = await get('reviews', `&${query}`)
    expectError(answer, 'invalid_input')
    expect(fieldsOf(answer.body)).toEqual([query.split('=')[0]])
  })

  it('lowers a limit above 50, and is 503 when the provider does not answer', async () => {
    expect((await get('reviews', '&limit=500')).body).toMatchObject({ limit: 50, count: 50 })
    await faults.set({ path: `${google}/gmb-reviews`, status: 500 })
    expectError(await get('reviews'), 'provider_unavailable')
  })
})

describe('a refusal that lasts', () => {
  it('is reported as such, with what a person must do, and without Retry-After', async () => {
    await faults.set({ path: `${google}/gmb-reviews`, status: 403, answer: { error: 'Permission denied' } })
    for (const answer of [await get('status'), await get('reviews'), await reply('r1', 'Thank you!')]) {
      expectError(answer, 'social_account_rejected')
      expect(answer.status).toBe(422)
      expect(answer.body).toMatchObject({
        retryable: false,
        message: 'The social provider answered 403: Permission denied. Nothing was changed.',
        instructions_for_agent: expect.stringContaining('POST /social/accounts'),
        upstream: { status: 403, message: 'The social provider answered 403: Permission denied' },
      })
      expect(answer.headers.get('retry-after')).toBeNull()
      expect(answer.body).not.toHaveProperty('retry_after')
    }
  })

  it('of the accounts of a project, too', async () => {
    const other = await openSocial(stack)
    await faults.set({ path: `profileId=${await other.profileOf(await other.connect('linkedin'))}`, status: 403 })
    expectError(await other.api.get(`/social/accounts?project_id=${other.projectId}`), 'social_account_rejected')
  })

  it('of an address for connecting needs the operator', async () => {
    const other = await openSocial(stack)
    const profile = await other.profileOf(await other.connect('linkedin'))
    await faults.set({
      path: `/connect/threads?profileId=${profile}`,
      status: 402,
      answer: { error: 'Not in the plan' },
    })
    const refused = await other.api.post('/social/accounts', { project_id: other.projectId, platform: 'threads' })
    expectError(refused, 'social_account_rejected')
    expect(refused.body.instructions_for_agent).toContain('the operator of this service')
    expect(refused.body).not.toHaveProperty('next_calls')
  })
})

describe('replying', () => {
  const without = async (n: number) => (await reviews('&has_reply=false&limit=50'))[n]?.review_id ?? ''

  it('posts once, records the text, and says if it is there already', async () => {
    const id = await without(0)
    const { status, body } = await reply(id, 'We will come and look at it.')
    expect([status, body]).toEqual([
      200,
      {
        project_id: scene.projectId,
        review_id: id,
        reply: 'We will come and look at it.',
        status: 'posted',
        message: expect.stringMatching(/\S/),
      },
    ])
    expect((await review(id))?.reply).toMatchObject({ message: 'We will come and look at it.' })
    expect((await reply(id, 'We will come and look at it.')).body.status).toBe('already_posted')
    expect(await sent('We will come and look at it.')).toBe(1)
  })

  it('is not posted again when its answer was lost', async () => {
    const id = await without(1)
    await faults.set({ path: `${google}/gmb-reviews/${id}/reply`, drop: 'after', times: 1 })
    expect((await reply(id, 'Sorry for the delay.')).body.status).toBe('posted')
    expect((await review(id))?.reply?.message).toBe('Sorry for the delay.')
  })

  it('is 503 when it did not arrive, and can be repeated', async () => {
    const id = await without(2)
    await faults.set({ path: `${google}/gmb-reviews/${id}/reply`, drop: 'before', times: 1 })
    expectError(await reply(id, 'Thank you, Dina.'), 'provider_unavailable')
    expect((await review(id))?.reply).toBeNull()
    expect((await reply(id, 'Thank you, Dina.')).body.status).toBe('posted')
  })

  it('runs one at a time: another one must wait, and one that lost its turn is not sent', async () => {
    const id = await without(3)
    const path = `GET /v1/accounts/${google}/gmb-reviews/${id}`
    await faults.set({ path, hold: true, times: 1 })
    const first = reply(id, 'First.')
    await expect.poll(() => faults.used()).toEqual([1])
    expectError(await reply(id, 'Second.'), 'edit_conflict')
    // As if its time had run out, and another call had its turn.
    await rowsIn(
      stack,
      sql`update review_replies set lease_until = lease_until + interval '1 second' where review_id = ${id} returning id`,
    )
    await faults.clear()
    expectError(await first, 'edit_conflict')
    expect([await sent('First.'), await sent('Second.'), (await review(id))?.reply]).toEqual([0, 0, null])
    await rowsIn(stack, sql`update review_replies set lease_until = now() where review_id = ${id} returning id`)
    expect((await reply(id, 'Second.')).body.status).toBe('posted')
  })

  it('is refused with Google’s reason, and the review stays as it is', async () => {
    const id = await without(4)
    const answer = await reply(id, 'See http://sheds.example')
    expectError(answer, 'profile_rejected')
    expect(answer.body.upstream).toMatchObject({ status: 400, message: expect.stringContaining('links') })
    expect((await review(id))?.reply).toBeNull()
    expectError(await reply('nothing-has-this', 'Hello'), 'not_found')
  })

  it('deletes a reply, once', async () => {
    const [replied] = await reviews('&has_reply=true&limit=1')
    const body = { project_id: scene.projectId, review_id: replied?.review_id }
    const remove = () => scene.api.call('DELETE', '/profile/reviews/reply', { body })
    expect((await remove()).body.status).toBe('removed')
    expect((await review(replied?.review_id ?? ''))?.reply).toBeNull()
    expect((await remove()).body.status).toBe('no_reply')
  })

  it('deletes a reply that is named in the query, for clients that send no body with DELETE', async () => {
    const [replied] = await reviews('&has_reply=true&limit=1')
    const id = String(replied?.review_id)
    const path = '/profile/reviews/reply'
    const query = `${path}?project_id=${scene.projectId}&review_id=${encodeURIComponent(id)}`
    const differs = await scene.api.call('DELETE', query, { body: { review_id: 'another' } })
    expectError(differs, 'invalid_input')
    expect(fieldsOf(differs.body)).toEqual(['review_id'])
    const unnamed = await scene.api.del(`${path}?account_id=${google}`)
    expectError(unnamed, 'invalid_input')
    expect(fieldsOf(unnamed.body)).toEqual(['project_id', 'review_id'])
    expect((await review(id))?.reply).not.toBeNull()
    expect((await scene.api.del(`${query}&account_id=${google}`)).body).toMatchObject({
      status: 'removed',
      review_id: id,
    })
    expect((await review(id))?.reply).toBeNull()
  })
})

it('a post on the profile is published once, with its button', async () => {
  const { status, body } = await scene.api.post('/profile/posts', {
    project_id: scene.projectId,
    summary: 'Open on Sunday.',
    call_to_action: { type: 'LEARN_MORE', url: 'https://sheds.example/sunday' },
  })
  expect([status, body]).toEqual([
    201,
    { post_id: expect.any(Number), account_id: google, status: 'publishing', message: expect.stringMatching(/\S/) },
  ])
  expect(body.message).toContain(`GET /social/posts/${body.post_id} `)
  expect(await scene.ended(body.post_id as number)).toMatchObject({ status: 'published', platform: 'googlebusiness' })
  expect((await scene.provided(google)).map(({ content }) => content)).toEqual(['Open on Sunday.'])
})

it('a post accepts the field names that clients send', async () => {
  const post = (fields: object) => scene.api.post('/gbp/posts', { project_id: scene.projectId, ...fields })
  const shown = async (id: unknown) => await scene.post(id as number)
  const sent = {
    text: 'New sheds are here.',
    link: 'https://sheds.example/new',
    image_url: 'https://images.example/shed.png',
  }
  const dated = await post({ ...sent, scheduled_date: '2099-07-15 09:00' })
  expect([dated.status, dated.body.status]).toEqual([201, 'scheduled'])
  expect(await shown(dated.body.post_id)).toMatchObject({
    content: sent.text,
    media_files: [{ url: sent.image_url }],
    scheduled_for: '2099-07-15T09:00:00.000Z',
  })
  const day = await post({ summary: 'A day alone.', scheduled_date: '2099-07-15' })
  expect(await shown(day.body.post_id)).toMatchObject({ scheduled_for: '2099-07-15T00:00:00.000Z' })
  const draft = await post(sent)
  expect([draft.status, draft.body]).toMatchObject([
    201,
    { status: 'draft', message: expect.stringContaining(`POST /social/posts/${draft.body.post_id}/publish`) },
  ])
  const { status } = await scene.api.post(`/social/posts/${draft.body.post_id}/publish`, {})
  expect([status, await scene.ended(draft.body.post_id as number)]).toMatchObject([200, { status: 'published' }])
  for (const [fields, wrong] of [
    [{}, ['summary']],
    [{ ...sent, summary: 'Twice' }, ['text']],
    [{ ...sent, scheduled_date: 'tomorrow' }, ['scheduled_date']],
    [{ text: 'x', image_url: 'ftp://x.example' }, ['image_url']],
  ] as const) {
    const refused = await post(fields)
    expectError(refused, 'invalid_input')
    expect(fieldsOf(refused.body)).toEqual(wrong)
  }
})

describe('a post on the profile is refused with its own field names', () => {
  const post = (fields: object) =>
    scene.api.post('/profile/posts', { project_id: scene.projectId, summary: 'Open on Sunday.', ...fields })

  it('for a profile the project has not', async () => {
    const answer = await post({ account_id: 'nobody' })
    expectError(answer, 'invalid_input')
    expect(answer.body.details).toMatchObject([{ field: 'account_id', allowed: [google] }])
  })

  it('for a picture at an address that is not public', async () => {
    const answer = await post({ media_url: 'http://10.0.0.1/a.png' })
    expectError(answer, 'forbidden_url')
    expect(answer.body.details).toEqual([{ field: 'media_url', message: 'must be a public address' }])
    expect(answer.body.message).toBe('media_url must be a public address.')
  })

  it('for want of a choice where it has several', async () => {
    const other = await openSocial(stack)
    const both = [await other.connect('googlebusiness'), await other.connect('googlebusiness')]
    const answer = await other.api.post('/profile/posts', { project_id: other.projectId, summary: 'Open on Sunday.' })
    expectError(answer, 'invalid_input')
    expect(answer.body.details).toEqual([
      { field: 'account_id', message: 'is required: the project has several profiles', allowed: both },
    ])
  })
})
