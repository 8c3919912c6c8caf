import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FaultRule } from '../../local/faults.ts'
import { type RunningBluesky, startBluesky } from '../../local/social/bluesky.ts'
import { slowAnswers } from '../../local/stand-in.ts'
import type { SocialRoute } from '../../schema/values/social.ts'
import { type Api, newAccount, newProject, rowsIn, type Target } from '../support/client.ts'
import { manyKeys } from '../support/keys.ts'
import { startTestStack, type TestStack, targetOf } from '../support/stack.ts'

const POSTS = 300
const BATCH = 50
const BOT = '100200300:local-telegram-bot-token-abcdef'
/** Draws the slow answers; SEED repeats a run. */
const SEED = Number(process.env.SEED ?? 1)
/** Just shorter than a look-up waits for an answer, ms. */
const SLOW_MS = { zernio: 18_000, bluesky: 14_000 }
/** Longer than a call of any of them waits for an answer, ms. */
const TOO_LATE_MS = 31_000

let stack: TestStack
let target: Target
let api: Api
let bluesky: RunningBluesky
let projectId: number
const texts = { linkedin: [] as string[], bluesky: [] as string[], telegram: [] as string[] }
type Network = keyof typeof texts

/**
 * Returns the fault for one post in five, each for one request. Few get `late`, because each of these takes as long as
 * a call may.
 */
const troubleOf = (n: number, called: string, tooMany: unknown): FaultRule | undefined => {
  if (n === 10 || n === 210) return { path: called, late_ms: 0, delay_ms: TOO_LATE_MS }
  const troubles: readonly FaultRule[] = [
    { path: called, drop: 'after' },
    { path: called, drop: 'before' },
    { path: called, status: 502 },
    { path: called, status: 429, answer: tooMany },
    { path: called, status: 200, answer: 'no post in here' },
  ]
  return n % 5 === 0 ? troubles[(n / 5) % troubles.length] : undefined
}

const rulesFor = (posts: readonly string[], called: string, tooMany: unknown): FaultRule[] =>
  posts.flatMap((content, n) => {
    const trouble = troubleOf(n, called, tooMany)
    return trouble ? [{ ...trouble, body: content.slice(0, content.indexOf('.')), times: 1 }] : []
  })

const wordsOf = (network: Network, manner: (n: number) => string): string[] =>
  Array.from({ length: POSTS }, (_, n) => `${network} ${n} ${randomBytes(6).toString('hex')}.${manner(n)}`)

const connect = async (platform: Network, given: Record<string, unknown>): Promise<string> => {
  const { body, text } = await api.post('/social/accounts', { project_id: projectId, platform, ...given })
  if (typeof body.connect_url === 'string') {
    const { connected } = (await (await fetch(body.connect_url)).json()) as { connected: { _id: string } }
    return connected._id
  }
  const account = body.account as { account_id: string } | undefined
  if (!account) throw new Error(text)
  return account.account_id
}

/** Adds posts as the API does: the row and its work in one statement. */
const ask = async (platform: Network, route: SocialRoute, account: string): Promise<void> => {
  for (let from = 0; from < POSTS; from += BATCH)
    await rowsIn(
      target,
      sql`with made as (insert into social_posts (account_id, project_id, platform, route, social_account_id, content, status, send_key)
          select ${api.accountId}::int, ${projectId}::int, ${platform}::text, ${route}::text, ${account}::text, content, 'publishing', gen_random_uuid()::text
          from unnest(${sql.param(texts[platform].slice(from, from + BATCH))}::text[]) as content returning id)
        insert into outbox (account_id, job, key, payload, run_at)
        select ${api.accountId}::int, 'social.post', 'social_post:' || id, jsonb_build_object('post_id', id), now() from made`,
    )
}

beforeAll(async () => {
  stack = await startTestStack({ timeScale: 30 })
  target = targetOf(stack)
  api = manyKeys(target, await newAccount(target))
  projectId = await newProject(api)
  bluesky = await startBluesky({ identifier: 'sheds.bsky.social', password: 'abcd-efgh-ijkl-mnop' })
  const pds = { identifier: 'sheds.bsky.social', app_password: 'abcd-efgh-ijkl-mnop', service_url: bluesky.url }
  const accounts = {
    linkedin: await connect('linkedin', {}),
    bluesky: await connect('bluesky', pds),
    telegram: await connect('telegram', { bot_token: BOT, chat_id: '@sample_channel' }),
  }
  const manner = (n: number) =>
    n % 10 === 3 ? ' [processing]' : n % 10 === 6 ? ' [flaky]' : n % 50 === 9 ? ' [fails]' : ''
  texts.linkedin = wordsOf('linkedin', manner)
  texts.bluesky = wordsOf('bluesky', () => '')
  texts.telegram = wordsOf('telegram', () => '')
  stack.zernio.faults.set([
    ...rulesFor(texts.linkedin, 'POST /v1/posts', { error: 'Too many requests' }),
    slowAnswers('GET /v1/posts', SLOW_MS.zernio, SEED),
  ])
  bluesky.faults.set([
    ...rulesFor(texts.bluesky, 'putRecord', { error: 'RateLimitExceeded', message: 'Rate Limit Exceeded' }),
    slowAnswers('getRecord', SLOW_MS.bluesky, SEED),
  ])
  const flood = { error_code: 429, description: 'Too Many Requests: retry after 1', parameters: { retry_after: 1 } }
  stack.telegram.faults.set(rulesFor(texts.telegram, 'sendMessage', { ok: false, ...flood }))
  await ask('linkedin', 'provider', accounts.linkedin)
  await ask('bluesky', 'direct', accounts.bluesky)
  await ask('telegram', 'direct', accounts.telegram)
  const end = Date.now() + 850_000
  for (;;) {
    await stack.workers().cron()
    const [open] = await rowsIn<{ n: number }>(
      target,
      sql`select count(*)::int as n from social_posts where project_id = ${projectId}::int and status not in ('published', 'failed')`,
    )
    if (Number(open?.n) === 0) break
    if (Date.now() > end) throw new Error(`${open?.n} posts are still on their way`)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}, 900_000)
afterAll(async () => {
  await bluesky?.close()
  await stack?.close()
})

type Row = { id: number; content: string; status: string; url: string | null; error: string | null }

const rowsOn = (platform: Network): Promise<Row[]> =>
  rowsIn<Row>(
    target,
    sql`select id, content, status, url, error from social_posts
      where project_id = ${projectId}::int and platform = ${platform}::text`,
  )

/** Returns the addresses of each text on the network. */
const held = <T>(posts: readonly T[], read: (post: T) => { text: string; url: string }): Map<string, string[]> => {
  const found = new Map<string, string[]>()
  for (const post of posts) {
    const { text, url } = read(post)
    found.set(text, [...(found.get(text) ?? []), url])
  }
  return found
}

describe(`of ${POSTS} posts under faults`, () => {
  it('through the provider, each is published once and has its true state', async () => {
    const rows = await rowsOn('linkedin')
    const there = held(stack.zernio.data.posts, (post) => ({
      text: post.content,
      url: post.platforms[0]?.platformPostUrl ?? '',
    }))
    const wrong = rows.filter(({ content, status, url, error }) => {
      const urls = there.get(content) ?? []
      if (urls.length !== 1) return true
      return content.includes('[fails]') ? status !== 'failed' || !error : status !== 'published' || url !== urls[0]
    })
    expect([rows.length, wrong]).toEqual([POSTS, []])
  })

  it('at Bluesky, each is published once and has its true state', async () => {
    const rows = await rowsOn('bluesky')
    const there = held([...bluesky.records], ([key, { value }]) => ({
      text: (value as { text: string }).text,
      url: `https://bsky.app/profile/sheds.bsky.social/post/${key.split('/').at(-1)}`,
    }))
    const wrong = rows.filter(({ content, status, url, error }) => {
      const urls = there.get(content) ?? []
      return urls.length !== 1 || status !== 'published' || url !== urls[0] || error !== null
    })
    expect([rows.length, wrong]).toEqual([POSTS, []])
  })

  it('at Telegram, none is published twice, and one with a lost answer is unknown', async () => {
    const rows = await rowsOn('telegram')
    const there = held(stack.telegram.messages, ({ message_id, text }) => ({
      text: text ?? '',
      url: `https://t.me/sample_channel/${message_id}`,
    }))
    /** Only an answer that the message was not accepted allows another try. */
    const isLost = (n: number) => {
      const trouble = troubleOf(n, '', '')
      return trouble !== undefined && trouble.status !== 429
    }
    const isOut = (n: number) => {
      const { drop, status } = troubleOf(n, '', '') ?? {}
      return drop !== 'before' && status !== 502 && status !== 200
    }
    const wrong = rows.filter(({ content, status, url, error }) => {
      const n = Number(content.split(' ')[1])
      const urls = there.get(content) ?? []
      if (urls.length !== (isOut(n) ? 1 : 0)) return true
      return isLost(n)
        ? status !== 'failed' || !error?.includes('not known whether the post is out') || url !== null
        : status !== 'published' || url !== urls[0] || error !== null
    })
    expect([rows.length, wrong]).toEqual([POSTS, []])
    const sent = stack.telegram.calls.filter((call) => call.endsWith('/sendMessage')).length
    const again = texts.telegram.filter((_, n) => troubleOf(n, '', '')?.status === 429).length
    expect(sent).toBe(POSTS + again)
  })
})
