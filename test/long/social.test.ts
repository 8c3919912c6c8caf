import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, newAccount, newProject, rowsIn, type Target } from '../support/client.ts'
import { manyKeys } from '../support/keys.ts'
import { startTestStack, type TestStack, targetOf } from '../support/stack.ts'

const POSTS = 1_000
const BATCH = 50

let stack: TestStack
let target: Target
let api: Api

beforeAll(async () => {
  stack = await startTestStack({ timeScale: 30 })
  target = targetOf(stack)
  api = manyKeys(target, await newAccount(target))
})
afterAll(() => stack?.close())

/** What a provider does to one post in five, each for one request. */
const TROUBLES = [
  { drop: 'after' },
  { drop: 'before' },
  { status: 502 },
  { status: 429, answer: { error: 'Too many requests' } },
  { status: 200, answer: 'no post in here' },
] as const

type Row = { id: number; content: string; status: string; url: string | null; error: string | null }

it(`${POSTS} posts under faults are out once each, and said to be what they are`, { timeout: 900_000 }, async () => {
  const projectId = await newProject(api)
  const { body } = await api.post('/social/accounts', { project_id: projectId, platform: 'linkedin' })
  await fetch(String(body.connect_url))
  const [account] = stack.zernio.data.accounts
  const words = Array.from({ length: POSTS }, (_, n) => {
    const manner = n % 10 === 3 ? ' [processing]' : n % 10 === 6 ? ' [flaky]' : n % 50 === 9 ? ' [fails]' : ''
    return `Post ${n} ${randomBytes(6).toString('hex')}${manner}`
  })
  stack.zernio.faults.set(
    words.flatMap((content, n) => {
      const trouble = TROUBLES[(n / 5) % TROUBLES.length]
      return n % 5 === 0 && trouble
        ? [{ path: 'POST /v1/posts', body: content.slice(0, 22), ...trouble, times: 1 }]
        : []
    }),
  )
  // Each post is asked for as the API asks for it: the row and its work in one statement.
  for (let from = 0; from < POSTS; from += BATCH)
    await rowsIn(
      target,
      sql`with made as (insert into social_posts (account_id, project_id, platform, route, social_account_id, content, status, send_key)
          select ${api.accountId}::int, ${projectId}::int, 'linkedin', 'provider', ${account?._id ?? ''}::text, content, 'publishing', gen_random_uuid()::text
          from unnest(${sql.param(words.slice(from, from + BATCH))}::text[]) as content returning id)
        insert into outbox (account_id, job, key, payload, run_at)
        select ${api.accountId}::int, 'social.post', 'social_post:' || id, jsonb_build_object('post_id', id), now() from made`,
    )
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
  const rows = await rowsIn<Row>(
    target,
    sql`select id, content, status, url, error from social_posts where project_id = ${projectId}::int`,
  )
  const held = new Map<string, string[]>()
  for (const post of stack.zernio.data.posts)
    held.set(post.content, [...(held.get(post.content) ?? []), post.platforms[0]?.platformPostUrl ?? ''])
  expect(rows).toHaveLength(POSTS)
  const wrong = rows.filter(({ content, status, url, error }) => {
    const urls = held.get(content) ?? []
    if (urls.length !== 1) return true
    return content.includes('[fails]') ? status !== 'failed' || !error : status !== 'published' || url !== urls[0]
  })
  expect(wrong).toEqual([])
})
