import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { FaultRule } from '../../local/faults.ts'
import { type RunningImages, startImages } from '../../local/images/server.ts'
import { slowAnswers } from '../../local/stand-in.ts'
import { type RunningYouTube, startYouTube } from '../../local/youtube/server.ts'
import { formOn, mailsTo, newOwner, signInByMail, type Visitor } from '../accounts/people/browser.ts'
import { generate } from '../content/writing/scene.ts'
import { order } from '../reach/crowdwork/scene.ts'
import { type Answer, newAccount, newProject, rowsIn, type Target, tell } from '../support/client.ts'
import { manyKeys } from '../support/keys.ts'
import { startTestStack, type TestStack, targetOf } from '../support/stack.ts'

/** Draws the slow answers; SEED repeats a run. */
const SEED = Number(process.env.SEED ?? 1)
/** Just shorter, and just longer, than a call waits for an answer, ms. */
const WAITS = {
  images: [170_000, 182_000],
  youtube: [9_000, 10_500],
  stripe: [13_500, 16_000],
  mail: [7_000, 9_000],
  crowdwork: [18_000, 22_000],
} as const
const ARTICLES = 6
const BUYERS = 12
const READERS = 24
const CUSTOMERS = 12
const ONE_IN = 5

const slowAndLate = (path: string, [slow, late]: readonly [number, number]): FaultRule[] => [
  slowAnswers(path, slow, SEED, ONE_IN),
  slowAnswers(path, late, SEED + 1, ONE_IN),
]

let stack: TestStack
let target: Target & { mailUrl: string }
let images: RunningImages
let youtube: RunningYouTube

beforeAll(async () => {
  images = await startImages('images-key')
  youtube = await startYouTube('youtube-key')
  const vars = {
    IMAGES_PROVIDER: 'openai-compatible',
    IMAGES_BASE_URL: images.baseUrl,
    IMAGES_API_KEY: 'images-key',
    IMAGES_MODEL: 'painter-1',
    IMAGES_SIZE: '64x64',
    YOUTUBE_API_URL: youtube.url,
    YOUTUBE_API_KEY: 'youtube-key',
    // The stand-in counts as the real provider, whose first campaign of an account is a trial.
    CROWDWORK_SANDBOX: '',
  }
  stack = await startTestStack({ timeScale: 30, vars })
  target = { ...targetOf(stack), mailUrl: stack.mail.url }
})
afterAll(async () => {
  await stack?.close()
  await images?.close()
  await youtube?.close()
})

/** Returns how often each rule of a stand-in was used: first those in time, then those too late. */
const usesAt = async (url: string): Promise<number[]> => {
  const { rules } = (await (await fetch(new URL('/_faults', url))).json()) as { rules: { used: number }[] }
  return rules.map(({ used }) => used)
}

describe.concurrent('a provider that answers late', () => {
  it('for pictures and videos: nothing is made twice, and timely results are in the article', async ({ expect }) => {
    const keywords = Array.from({ length: ARTICLES }, () => `sheds ${randomBytes(4).toString('hex')}`)
    youtube.videos(
      keywords.map((keyword, n) => ({ id: `video${n}abcdef`.slice(0, 11), title: `All about ${keyword}` })),
    )
    images.faults(slowAndLate('/images/generations', WAITS.images))
    youtube.faults(slowAndLate('/youtube/v3/search', WAITS.youtube))
    const api = manyKeys(target, await newAccount(target, { projects: 100 }))
    const project = await newProject(api, { business_name: 'Shed Works', videos_enabled: true })
    const ids = await Promise.all(
      keywords.map(async (keyword) => {
        const { status, body, text } = await generate(api, project, { keyword })
        expect(status, text).toBe(202)
        return Number(body.article_id)
      }),
    )
    const read = async (id: number) => (await api.get(`/articles/${id}`)).body
    for (const id of ids)
      await expect.poll(async () => (await read(id)).Status, { timeout: 400_000, interval: 2_000 }).toBe('Draft')
    const articles = await Promise.all(ids.map(read))
    const count = (pattern: RegExp) =>
      articles.reduce((sum, { Content }) => sum + (String(Content).match(pattern)?.length ?? 0), 0)
    const prompts = images.heard().map(({ prompt }) => prompt)
    expect(new Set(prompts).size).toBe(prompts.length)
    const sections = count(/<h2/g)
    expect(prompts).toHaveLength(sections + ARTICLES)
    const [slow = 0, late = 0] = await usesAt(images.baseUrl)
    expect([slow > 0, late > 0]).toEqual([true, true])
    expect(count(/<img /g)).toBeGreaterThanOrEqual(sections - late)
    expect(articles.filter(({ FeatureImage }) => !FeatureImage)).toEqual([])
    expect(youtube.searches()).toHaveLength(ARTICLES)
    const [, lateSearches = 0] = await usesAt(youtube.url)
    expect(count(/<iframe /g)).toBe(ARTICLES - lateSearches)
  })

  it('that takes payments: each buyer pays once, has the plan, and no page breaks', async ({ expect }) => {
    stack.stripe.faults.set(slowAndLate('/v1/', WAITS.stripe))
    const buy = async (person: Visitor): Promise<string> => {
      const page = await person.get('/settings/billing')
      const fields = { ...formOn(page, '/settings/billing/checkout'), plan: 'pro', slots: '2' }
      const sent = await person.post('/settings/billing/checkout', fields, { follow: false })
      if (sent.status === 303) return sent.headers.get('location') ?? ''
      expect([sent.status, sent.text]).toEqual([503, expect.stringContaining('Nothing was changed')])
      return await buy(person)
    }
    const wrong = await Promise.all(
      Array.from({ length: BUYERS }, async () => {
        const { api, person } = await newOwner(target, { plan: 'agentic', projects: 0 })
        await fetch(await buy(person), { method: 'POST', redirect: 'manual' })
        const own = () =>
          [...stack.stripe.state.subscriptions.values()].filter(
            ({ metadata }) => metadata.account_id === String(api.accountId),
          )
        for (let n = 0; n < 20; n += 1) {
          const { plan } = (await api.get('/account')).body
          if (plan === 'pro') break
          await new Promise((resolve) => setTimeout(resolve, 5_000))
          // The provider sends an event again that was not answered well.
          if (n % 4 === 3) await tell(stack.stripe.url, '/_events', { id: own()[0]?.id, status: 'active' })
        }
        const { plan, project_slots } = (await api.get('/account')).body as {
          plan: string
          project_slots: { total: number }
        }
        const stands = [plan, project_slots.total, ...own().map(({ status }) => status)].join(' ')
        return stands === 'pro 2 active' ? [] : [stands]
      }),
    )
    expect(wrong.flat()).toEqual([])
    expect((await usesAt(stack.stripe.url)).every((used) => used > 0)).toBe(true)
  })

  it('that sends mails: each arrives once', async ({ expect }) => {
    stack.mail.faults.set(slowAndLate('/emails', WAITS.mail))
    const readers = await Promise.all(Array.from({ length: READERS }, () => signInByMail(target)))
    expect(readers.filter(({ page }) => page.status !== 200)).toEqual([])
    expect((await usesAt(stack.mail.url)).every((used) => used > 0)).toBe(true)
    // A mail with a late answer is sent again before it is done.
    const open = sql`select 1 from outbox where job = 'people.mail' and done_at is null`
    await expect.poll(() => rowsIn(target, open)).toEqual([])
    const counts = await Promise.all(readers.map(async ({ email }) => (await mailsTo(target.mailUrl, email)).length))
    expect(counts).toEqual(Array(READERS).fill(1))
  })

  it('that runs campaigns: the first of an account has one position, and each is made once', async ({ expect }) => {
    const path = 'POST /api/v2/basic-campaigns'
    const least = { type: '/handle-errors/api', title: 'ValidationFailed', detail: 'availablePositions: at least 30.' }
    stack.crowdwork.faults.set([
      { path, body: 'a refused trial', status: 400, answer: least },
      ...slowAndLate(path, WAITS.crowdwork),
    ])
    const customer = async (isRefused: boolean) => {
      const api = manyKeys(target, await newAccount(target))
      const project = await newProject(api)
      /** Repeats a call until it says that the campaign is made, or that it never will be. */
      const make = async (body: ReturnType<typeof order>): Promise<Answer> => {
        const answer = await api.post('/crowdwork/campaigns', body)
        if (![409, 503].includes(answer.status)) return answer
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        return await make(body)
      }
      const made = ({ title }: { title: string }) =>
        stack.crowdwork.campaigns.filter((one) => one.title === title).map((one) => one.availablePositions)
      for (const positions of [undefined, 2, 1_000]) {
        const early = order(project, positions === undefined ? {} : { available_positions: positions })
        const { status, body } = await make(early)
        expect([status, body.details, made(early)]).toEqual([
          400,
          [{ field: 'available_positions', message: expect.stringContaining('must be 1 for the first campaign') }],
          [],
        ])
      }
      const trial = order(project, { available_positions: 1, ...(isRefused ? { description: 'a refused trial' } : {}) })
      const { status, body } = await make(trial)
      if (isRefused) expect([status, body.message]).toEqual([422, expect.stringContaining('at least 30')])
      else expect(status).toBe(201)
      expect(made(trial)).toEqual(isRefused ? [] : [1])
      const next = order(project, { available_positions: 30 })
      expect([(await make(next)).status, made(next)]).toEqual([201, [30]])
    }
    await Promise.all(Array.from({ length: CUSTOMERS }, (_, n) => customer(n % 4 === 0)))
    expect((await usesAt(stack.crowdwork.url)).every((used) => used > 0)).toBe(true)
  })
})
