import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import type { FaultRule } from '../../../local/faults.ts'
import { numberOf } from '../../../local/google/business.ts'
import { formOn, newOwner, type Visitor } from '../../accounts/people/browser.ts'
import { hiddenIn } from '../../insights/search/google.ts'
import { type Api, newProject, rowsIn, tell } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { ownFaults } from '../../support/faults.ts'
import { manyKeys } from '../../support/keys.ts'
import { until } from '../social/scene.ts'

const stack = inject('stack')
const faults = ownFaults(stack.googleUrl)
const GOOGLE = '/settings/social/google'

type Owner = { api: Api; person: Visitor; project: number; email: string }

/** Returns a person with a project, whose Google account manages these locations. */
const owner = async (locations?: object[]): Promise<Owner> => {
  const { api, person } = await newOwner(stack)
  const email = `${randomBytes(6).toString('hex')}@business.example`
  await tell(stack.googleUrl, '/_accounts', { email, sites: [], ...(locations ? { locations } : {}) })
  return { api: manyKeys(stack, api), person, project: await newProject(api), email }
}

/** Goes to Google from the settings and comes back, as a person who allows it. */
const atGoogle = async ({ person, project, email }: Owner, answer: Record<string, string> = {}) => {
  const page = await person.get(`/settings/social?project_id=${project}`)
  const begun = await person.post(GOOGLE, formOn(page, GOOGLE), { follow: false })
  const consentUrl = begun.headers.get('location') ?? ''
  const consent = await (await fetch(consentUrl)).text()
  const allowed = await fetch(consentUrl.split('?')[0] ?? '', {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ...hiddenIn(consent), email, business: 'yes', allow: 'yes', ...answer }),
  })
  return { page, consentUrl, back: allowed.headers.get('location') ?? '' }
}

const connected = async (locations?: object[]): Promise<Owner> => {
  const one = await owner(locations)
  const { back } = await atGoogle(one)
  const page = await one.person.get(back)
  if (!page.text.includes('Connected.')) throw new Error(page.text)
  return one
}

const accounts = async ({ api, project }: Owner) =>
  (await api.get(`/social/accounts?project_id=${project}`)).body.accounts as { account_id: string; platform: string }[]

afterEach(() => faults.clear())

describe('connecting in the settings', () => {
  it('requests only this permission from Google, and shows the profile afterwards', async () => {
    const one = await owner()
    const { page, consentUrl, back } = await atGoogle(one)
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' ${stack.googleUrl}`)
    expect(Object.fromEntries(new URL(consentUrl).searchParams)).toMatchObject({
      scope: 'openid email https://www.googleapis.com/auth/business.manage',
      redirect_uri: `${stack.url}${GOOGLE}/callback`,
      code_challenge_method: 'S256',
      access_type: 'offline',
    })
    expect((await one.person.get(back)).text).toContain('Garden Sheds')
    expect(await accounts(one)).toEqual([
      {
        platform: 'googlebusiness',
        account_id: expect.stringMatching(/^acc_\d+$/),
        account_name: 'Garden Sheds',
        username: 'Garden Sheds',
      },
    ])
    const kept = await rowsIn<{ text: string }>(
      stack,
      sql`select sealed_secrets || coalesce(sealed_session, '') as text from social_accounts where project_id = ${one.project}::int`,
    )
    expect(kept).toHaveLength(1)
    expect(kept[0]?.text).not.toMatch(/1\/\/ey|ya29\.ey/)
    const again = await one.person.get(back)
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('Nothing was connected.')])
  })

  it('lets the person choose among several, and only listed ones', async () => {
    const one = await owner([{ title: 'North' }, { title: 'South' }])
    const { back } = await atGoogle(one)
    const page = await one.person.get(back)
    expect(page.text).toContain('Choose the business profile')
    const form = formOn(page, `${GOOGLE}/location`)
    const [, south = ''] = /<option value="([^"]+)">South/.exec(page.text) ?? []
    const foreign = await one.person.post(`${GOOGLE}/location`, { ...form, location: 'accounts/1/locations/2' })
    expect(foreign.text).toContain('Choose the business profile')
    const other = await owner()
    const stolen = await other.person.post(`${GOOGLE}/location`, { ...form, location: south })
    expect([stolen.status, stolen.text]).toEqual([400, expect.stringContaining('Nothing was connected.')])
    expect(await accounts(one)).toEqual([])
    expect((await one.person.post(`${GOOGLE}/location`, { ...form, location: south })).text).toContain('South</span>')
  })

  it.each([
    ['no box is ticked', { business: 'no' }, 400, 'was not ticked'],
    ['it is not allowed', { allow: 'no' }, 400, 'You did not allow it'],
  ])('connects nothing when %s', async (_, answer, status, words) => {
    const one = await owner()
    const { back } = await atGoogle(one, answer)
    const page = await one.person.get(back)
    expect([page.status, page.text]).toEqual([status, expect.stringContaining(words)])
    expect(await accounts(one)).toEqual([])
  })

  it('connects nothing for an account without profiles, in another browser, or to another account’s project', async () => {
    const [none, one] = [await owner([]), await owner()]
    const empty = await none.person.get((await atGoogle(none)).back)
    expect([empty.status, empty.text]).toEqual([422, expect.stringContaining('manages no business profile')])
    const { back } = await atGoogle(one)
    expect((await none.person.get(back)).status).toBe(400)
    // The browser that began the connection, with another person signed in meanwhile.
    const session = [...none.person.cookies].filter(([name]) => !one.person.cookies.has(name) || /session/.test(name))
    const trip = new Map(one.person.cookies)
    for (const [name, value] of session) one.person.cookies.set(name, value)
    const changed = await one.person.get(back)
    expect([changed.status, changed.text]).toEqual([400, expect.stringContaining('was started in another browser')])
    one.person.cookies.clear()
    for (const [name, value] of trip) one.person.cookies.set(name, value)
    expect((await none.person.post(GOOGLE, { project_id: String(one.project) })).status).toBe(404)
    expect(await accounts(one)).toEqual([])
  })

  it('says if Google has not approved the service: a quota of zero', async () => {
    const one = await owner()
    const details = [{ reason: 'RATE_LIMIT_EXCEEDED', metadata: { quota_limit_value: '0' } }]
    const error = { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded', details }
    await faults.set({ path: '/v1/accounts', status: 429, answer: { error }, times: 1 })
    const page = await one.person.get((await atGoogle(one)).back)
    expect([page.status, page.text]).toEqual([422, expect.stringContaining('has not let this service use the API')])
  })
})

describe('a profile at Google', () => {
  let one: Owner
  beforeAll(async () => {
    one = await connected()
  })
  const get = (path: string, query = '') => one.api.get(`/profile/${path}?project_id=${one.project}${query}`)
  type Review = {
    review_id: string
    rating: number
    updated_at: string
    reply: { message: string; state: string } | null
  }
  const reviews = async (query: string) => (await get('reviews', query)).body.reviews as Review[]
  const without = async (n: number) => (await reviews('&has_reply=false&limit=50'))[n]?.review_id ?? ''
  const review = async (id: string) => (await reviews('&limit=50')).find(({ review_id }) => review_id === id)
  const reply = (review_id: string, message: string) =>
    one.api.post('/profile/reviews/reply', { project_id: one.project, review_id, message })

  it('is read: rating, pages of reviews, filters, order, numbers', async () => {
    expect((await get('status')).body).toMatchObject({
      connected: true,
      profile: { name: 'Garden Sheds' },
      average_rating: 3,
      total_reviews: 120,
    })
    const seen: Review[] = []
    for (let cursor = ''; ; ) {
      const { body } = await get('reviews', `&limit=50${cursor}`)
      seen.push(...(body.reviews as Review[]))
      if (body.next_cursor === null) break
      cursor = `&cursor=${encodeURIComponent(String(body.next_cursor))}`
    }
    expect([seen.length, new Set(seen.map(({ review_id }) => review_id)).size]).toEqual([120, 120])
    expect((await reviews('&sort_by=rating&limit=3')).map(({ rating }) => rating)).toEqual([5, 5, 5])
    const poor = await reviews('&has_reply=true&max_rating=2&limit=50')
    expect(poor.length).toBeGreaterThan(5)
    expect(poor.every(({ rating, reply: own }) => rating <= 2 && own?.state === 'approved')).toBe(true)
    expect((await get('analytics', '&days=7')).body).toMatchObject({
      date_range: { days: 7 },
      totals: { impressions: 84, website_clicks: 14, call_clicks: 7, conversations: 21, bookings: 0 },
      points: Array.from({ length: 7 }, () => expect.objectContaining({ impressions: 12, website_clicks: 2 })),
    })
  })

  it('is answered once, with the text in the audit log and Google’s verdict', async () => {
    const id = await without(0)
    expect((await reply(id, 'We will look at it.')).body).toMatchObject({ status: 'posted' })
    expect((await reply(id, 'We will look at it.')).body).toMatchObject({ status: 'already_posted' })
    expect((await review(id))?.reply).toMatchObject({ message: 'We will look at it.', state: 'approved' })
    const said = await rowsIn(
      stack,
      sql`select 1 from audit_log where account_id = ${one.api.accountId}::int and action = 'profile.reply'
        and detail ->> 'message' = 'We will look at it.'`,
    )
    expect(said).toHaveLength(1)
    await reply(id, 'See http://sheds.example')
    expect((await review(id))?.reply).toMatchObject({ state: 'rejected' })
    const remove = () =>
      one.api.call('DELETE', '/profile/reviews/reply', { body: { project_id: one.project, review_id: id } })
    expect([(await remove()).body.status, (await remove()).body.status]).toEqual(['removed', 'no_reply'])
    expectError(await reply('nothing-has-this', 'Hello'), 'not_found')
  })

  it.each([
    ['takes it and breaks the connection', { drop: 'after' }, 'posted'],
    ['breaks the connection first', { drop: 'before' }, undefined],
    ['answers 503', { status: 503 }, undefined],
    ['answers with nothing to be read', { status: 200, answer: 'hm' }, undefined],
  ])('%s: a reply is posted once', async (_, fault, status) => {
    const [id, message] = [await without(1), `Sorry ${randomBytes(4).toString('hex')}`]
    await faults.set({ path: '/reply', body: message, times: 1, ...fault } as FaultRule)
    const first = await reply(id, message)
    if (status === undefined) {
      expectError(first, 'provider_unavailable')
      expect((await reply(id, message)).body.status).toBe('posted')
    } else expect(first.body.status).toBe(status)
    expect((await review(id))?.reply?.message).toBe(message)
  })

  it.each([
    ['answers', {}],
    ['takes it and breaks the connection', { drop: 'after' }],
    ['breaks the connection first', { drop: 'before' }],
    ['answers 500', { status: 500 }],
    ['has too many requests', { status: 429, answer: { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } } }],
  ])('%s: a post is out once', async (_, fault) => {
    const summary = `Open on Sunday ${randomBytes(4).toString('hex')}`
    if (Object.keys(fault).length > 0)
      await faults.set({ path: 'POST /v4', body: summary, times: 1, ...fault } as FaultRule)
    const { body } = await one.api.post('/profile/posts', {
      project_id: one.project,
      summary,
      call_to_action: { type: 'BOOK', url: 'https://sheds.example/sunday' },
    })
    const post = await until(async () => {
      const { post: found } = (await one.api.get(`/social/posts/${String(body.post_id)}`)).body as {
        post: Record<string, unknown>
      }
      return found.status === 'publishing' ? undefined : found
    })
    expect(post).toMatchObject({
      status: 'published',
      url: expect.stringContaining('local.google.example'),
      error: null,
    })
    const all = (await (await fetch(`${stack.googleUrl}/_posts`)).json()) as { summary: string; callToAction: object }[]
    expect(all.filter((found) => found.summary === summary)).toMatchObject([
      { callToAction: { actionType: 'BOOK', url: 'https://sheds.example/sunday' } },
    ])
  })

  it('a post that Google rejects is failed, with the reason', async () => {
    const { body } = await one.api.post('/profile/posts', { project_id: one.project, summary: 'Call me [rejected]' })
    const error = await until(async () => {
      const { post } = (await one.api.get(`/social/posts/${String(body.post_id)}`)).body as {
        post: { status: string; error: string }
      }
      return post.status === 'failed' ? post.error : undefined
    })
    expect(error).toContain('rejected it')
  })

  it('refreshes a token that ran out, and is read on', async () => {
    const error = { code: 401, status: 'UNAUTHENTICATED', message: 'Invalid credentials' }
    const path = `/v4/accounts/${numberOf(one.email)}/`
    await faults.set({ path, status: 401, answer: { error }, times: 1 })
    expect((await get('status')).body).toMatchObject({ connected: true, total_reviews: 120 })
  })

  it('takes precedence over a profile at the provider, which can be named', async () => {
    const { body } = await one.api.post('/social/accounts', { project_id: one.project, platform: 'googlebusiness' })
    const { connected: provided } = (await (await fetch(String(body.connect_url))).json()) as {
      connected: { _id: string }
    }
    expect((await get('status')).body).toMatchObject({ profile: { name: 'Garden Sheds' } })
    expect((await get('status', `&account_id=${provided._id}`)).body).toMatchObject({
      profile: { account_id: provided._id, name: 'Sample googlebusiness' },
    })
    expectError(await get('status', '&account_id=acc_1'), 'invalid_input')
    const made = await one.api.post('/profile/posts', { project_id: one.project, summary: 'By Google' })
    expect(made.body.account_id).toMatch(/^acc_/)
  })
})

describe('a grant that ends', () => {
  it('at Google: the profile is no longer connected, and reads and writes say so', async () => {
    const one = await connected()
    await tell(stack.googleUrl, '/_withdraw', { email: one.email })
    const read = () => one.api.get(`/profile/status?project_id=${one.project}`)
    expectError(await read(), 'social_account_rejected')
    expect((await read()).body).toMatchObject({ connected: false })
    const body = { project_id: one.project, review_id: 'rev-0', message: 'Hello' }
    expectError(await one.api.post('/profile/reviews/reply', body), 'profile_not_connected')
  })

  it('here: the access is withdrawn at Google, unless another project uses it', async () => {
    const one = await connected()
    const second = { ...one, project: await newProject(one.api) }
    await one.person.get((await atGoogle(second)).back)
    const [first] = await accounts(one)
    expect((await one.api.del(`/social/accounts/${first?.account_id}`)).body).toMatchObject({ deleted: true })
    const read = () => one.api.get(`/profile/status?project_id=${second.project}`)
    expect((await read()).body).toMatchObject({ connected: true })
    const [last] = await accounts(second)
    expect((await one.api.del(`/social/accounts/${last?.account_id}`)).body).toMatchObject({ deleted: true })
    const refused = await until(async () => {
      const answer = await fetch(`${stack.googleUrl}/_grants?email=${encodeURIComponent(one.email)}`)
      const { withdrawn } = (await answer.json()) as { withdrawn: boolean }
      return withdrawn || undefined
    })
    expect(refused).toBe(true)
  })
})
