import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import type { FaultRule } from '../../../local/faults.ts'
import { startZernio } from '../../../local/social/zernio.ts'
import { postJob } from '../../../src/accounts/projects/jobs.ts'
import { execute } from '../../../src/platform/jobs/executor.ts'
import { handle, registryOf } from '../../../src/platform/jobs/job.ts'
import type { Ctx } from '../../../src/platform/runtime/ctx.ts'
import { createOutbound } from '../../../src/platform/runtime/outbound.ts'
import { parseGoogleSettings } from '../../../src/platform/runtime/provider-env.ts'
import { socialServices } from '../../../src/providers/social.ts'
import { endAttempt } from '../../../src/reach/social/attempt.ts'
import { publishPost } from '../../../src/reach/social/posts.ts'
import { runPost } from '../../../src/reach/social/run.ts'
import { systemDeps, systemFor } from '../../publishing/system.ts'
import { newAccount, newProject, rowsIn } from '../../support/client.ts'
import { ownFaults } from '../../support/faults.ts'
import { madeBy, openSocial, type SocialScene } from './scene.ts'

const stack = inject('stack')
const faults = ownFaults(stack.zernioUrl)

/** Returns a text no other test's rule is for. */
const words = (): string => `Level ground ${randomBytes(8).toString('hex')}`

const DAY_MS = 86_400_000
const later = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString()

let scene: SocialScene
let linkedin: string

beforeAll(async () => {
  scene = await openSocial(stack)
  linkedin = await scene.connect('linkedin')
})

const rules: FaultRule[] = []
const misbehave = (rule: FaultRule) => {
  rules.push(rule)
  return faults.set(...rules)
}

afterEach(async () => {
  rules.length = 0
  await faults.clear()
})

const publish = async (content: string) =>
  madeBy(
    (
      await scene.api.post('/social/publish', {
        project_id: scene.projectId,
        content,
        platforms: ['linkedin'],
        allow_duplicate: true,
      })
    ).body,
  )[0]?.post_id ?? 0

const provided = async (content: string) => (await scene.provided(linkedin)).filter((post) => post.content === content)

describe('the provider misbehaves', () => {
  const cases: [string, (content: string) => FaultRule][] = [
    [
      'takes the post, and the connection breaks',
      (body) => ({ path: 'POST /v1/posts', body, drop: 'after', times: 1 }),
    ],
    [
      'breaks the connection before it takes the post',
      (body) => ({ path: 'POST /v1/posts', body, drop: 'before', times: 1 }),
    ],
    ['answers 502', (body) => ({ path: 'POST /v1/posts', body, status: 502, times: 1 })],
    [
      'answers 429 twice',
      (body) => ({ path: 'POST /v1/posts', body, status: 429, answer: { error: 'Too many requests' }, times: 2 }),
    ],
    [
      'answers with a page instead of JSON',
      (body) => ({ path: 'POST /v1/posts', body, status: 200, answer: 'busy', times: 1 }),
    ],
  ]
  it.each(cases)('%s: the post is out once, and said to be', async (_, rule) => {
    const content = words()
    await misbehave(rule(content))
    const id = await publish(content)
    const found = await scene.ended(id)
    const [post, ...others] = await provided(content)
    expect(others).toEqual([])
    expect(found).toMatchObject({ status: 'published', error: null, url: post?.platforms[0]?.platformPostUrl })
  })

  it('answers 207 for a post in progress: it is checked until it is published', async () => {
    const content = `${words()} [processing]`
    const found = await scene.ended(await publish(content))
    expect(found).toMatchObject({ status: 'published', url: expect.stringContaining('linkedin') })
    expect(await provided(content)).toHaveLength(1)
  })

  it('answers 207 for a post the network refused: it has failed, with the network’s reason', async () => {
    const content = `${words()} [fails]`
    expect(await scene.ended(await publish(content))).toMatchObject({
      status: 'failed',
      url: null,
      published_at: null,
      error: 'The network does not accept this text.',
    })
    expect(await provided(content)).toHaveLength(1)
  })

  it.each([
    ['that had a fault', '[flaky]'],
    ['whose quota is used up for now', '[quota]'],
  ])('answers 207 for a network %s: the same post is tried again in its place', async (_, manner) => {
    const content = `${words()} ${manner}`
    expect(await scene.ended(await publish(content))).toMatchObject({ status: 'published' })
    expect(await provided(content)).toHaveLength(1)
  })

  it('answers 207 for an account that lost its access: it has failed, and the account has to be connected again', async () => {
    const content = `${words()} [expired]`
    expect(await scene.ended(await publish(content))).toMatchObject({
      status: 'failed',
      error: 'The access token was revoked. Connect the account again.',
    })
    expect(await provided(content)).toHaveLength(1)
  })

  it('has the same words from another post already: 409, and the second one has failed, naming the first', async () => {
    const content = words()
    const first = await scene.ended(await publish(content))
    const second = await scene.ended(await publish(content))
    expect(second.status).toBe('failed')
    expect(second.error).toBe(`The account posted the same within the last 24 hours: ${String(first.url)}`)
    expect(await provided(content)).toHaveLength(1)
  })

  it('refuses the account: the post has failed, with the provider’s code', async () => {
    const content = words()
    await misbehave({
      path: 'POST /v1/posts',
      body: content,
      status: 403,
      answer: { error: 'Disconnected', code: 'ACCOUNT_DISCONNECTED' },
    })
    expect(await scene.ended(await publish(content))).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/ACCOUNT_DISCONNECTED.*connect.*again/i),
    })
  })

  it('does not return its accounts: 503, and nothing is saved', async () => {
    await misbehave({ path: `GET /v1/accounts?profileId=${await scene.profileOf(linkedin)}`, status: 500 })
    const before = (await scene.api.get(`/social/posts?project_id=${scene.projectId}`)).body.count
    const answer = await scene.api.post('/social/publish', {
      project_id: scene.projectId,
      content: words(),
      platforms: ['linkedin'],
    })
    expect([answer.status, answer.body.code]).toEqual([503, 'provider_unavailable'])
    expect((await scene.api.get(`/social/posts?project_id=${scene.projectId}`)).body.count).toBe(before)
  })
})

describe('a post that is changed', () => {
  /** Returns a post that waits for a date that has come, and a run of its job that does something else before it takes the post. */
  const due = async (content: string, meanwhile: (id: number) => Promise<unknown>) => {
    const body = { project_id: scene.projectId, content, platforms: ['linkedin'], scheduled_for: later(30) }
    const id = madeBy((await scene.api.post('/social/publish', body)).body)[0]?.post_id ?? 0
    const now = () => new Date(Date.now() + 31 * DAY_MS)
    const outbound = createOutbound({
      allowLoopback: true,
      dnsQueryUrl: '',
      userAgent: 'Galley/test',
      log: () => {},
      now,
    })
    const job = systemFor(stack, scene.api.accountId, { now, outbound })
    const settings = { baseUrl: stack.zernioUrl, key: 'local-social-key', telegramUrl: stack.zernioUrl }
    const { social } = socialServices(job, settings, parseGoogleSettings({}))
    const interrupted: Ctx = {
      ...job,
      batch: async (statements, options) => {
        await meanwhile(id)
        return await job.batch(statements, options)
      },
    }
    return { id, social, ended: await runPost(interrupted, social, id) }
  }

  it.each([
    ['put off', { scheduled_for: later(60) }],
    ['given other words', { scheduled_for: later(30), content: words() }],
  ])('is not sent in its old form if it is %s on its date', async (_, change) => {
    const content = words()
    const { id, ended } = await due(content, (post) => scene.api.post(`/social/posts/${post}/publish`, change))
    expect(ended.kind).toBe('later')
    expect(await provided(content)).toEqual([])
    expect(await scene.post(id)).toMatchObject({
      status: 'scheduled',
      ...('content' in change ? { content: change.content } : {}),
    })
  })

  it('is not sent again by a call that read it before it may have been sent', async () => {
    const content = words()
    const body = { project_id: scene.projectId, content, platforms: ['linkedin'], scheduled_for: later(30) }
    const id = madeBy((await scene.api.post('/social/publish', body)).body)[0]?.post_id ?? 0
    const caller = systemFor(stack, scene.api.accountId)
    const late: Ctx = {
      ...caller,
      batch: async (statements, options) => {
        await rowsIn(
          stack,
          sql`update social_posts set status = 'failed', maybe_sent = true, attempts = 1 where id = ${id}::int returning id`,
        )
        return await caller.batch(statements, options)
      },
    }
    await expect(publishPost(late, { provider: undefined, direct: {} }, id, {})).rejects.toMatchObject({
      code: 'invalid_transition',
    })
    expect(await scene.post(id)).toMatchObject({ status: 'failed' })
  })

  it('is sent with its new text if the network had refused the old one', async () => {
    const refused = `${words()} [fails]`
    const id = await publish(refused)
    expect(await scene.ended(id)).toMatchObject({ status: 'failed' })
    const content = words()
    expect((await scene.api.post(`/social/posts/${id}/publish`, { content })).status).toBe(200)
    expect(await scene.ended(id)).toMatchObject({ status: 'published', content })
    expect(await provided(content)).toMatchObject([{ status: 'published' }])
  })
})

describe('the run dies', () => {
  /** Runs a post's job once in this process, with its own provider. It dies at a given step. */
  const runs = async () => {
    const provider = await startZernio({ key: 'test-key' })
    const api = await newAccount(stack)
    const projectId = await newProject(api)
    const accountId = provider.connect('test', 'twitter')
    let clock = Date.now()
    const deps = (diesAt?: string) => {
      const now = () => new Date(clock)
      const outbound = createOutbound({
        allowLoopback: true,
        dnsQueryUrl: '',
        userAgent: 'Galley/test',
        log: () => {},
        now,
      })
      return systemDeps(stack, {
        outbound,
        now,
        step: async (name) => {
          if (name === diesAt) throw new Error(`died at ${name}`)
        },
      })
    }
    const row = async (status = 'publishing') => {
      const [made] = await rowsIn<{ id: number; outbox: string }>(
        stack,
        sql`with post as (insert into social_posts (account_id, project_id, platform, route, social_account_id, content, status, send_key)
            values (${api.accountId}::int, ${projectId}::int, 'x', 'provider', ${accountId}, ${words()}, ${status}, ${crypto.randomUUID()}) returning id),
          work as (insert into outbox (account_id, job, key, payload, run_at) select ${api.accountId}::int, ${postJob.name}::text, 'test:' || post.id,
            jsonb_build_object('post_id', post.id), now() + interval '30 days' from post returning id)
          select post.id, work.id as outbox from post, work`,
      )
      return { post: Number(made?.id), outbox: Number(made?.outbox) }
    }
    const run = (outbox: number, diesAt?: string) => {
      const given = deps(diesAt)
      const settings = { baseUrl: provider.url, key: 'test-key', telegramUrl: provider.url }
      const { social } = socialServices(given, settings, parseGoogleSettings({}))
      const registry = registryOf([handle(postJob, { run: (ctx, { post_id }) => runPost(ctx, social, post_id) })])
      return execute(given, registry, JSON.stringify({ outbox_id: outbox }), () => {})
    }
    const stateOf = async (post: number) =>
      (
        await rowsIn<{ status: string; error: string | null; maybe_sent: boolean }>(
          stack,
          sql`select status, error, maybe_sent from social_posts where id = ${post}::int`,
        )
      )[0]
    return { provider, accountId: api.accountId, row, run, stateOf, pass: (ms: number) => (clock += ms) }
  }

  it.each(['claimed', 'answered'])('when it was %s: the next one finds out before it sends', async (step) => {
    const { provider, row, run, stateOf, pass } = await runs()
    const { post, outbox } = await row()
    await run(outbox, step)
    expect(provider.data.posts).toHaveLength(step === 'claimed' ? 0 : 1)
    expect(await stateOf(post)).toMatchObject({ status: 'publishing', maybe_sent: true })
    pass(200_000)
    expect(await run(outbox)).toMatchObject({ status: 200, body: { done: true } })
    expect(await stateOf(post)).toMatchObject({ status: 'published', error: null })
    expect(provider.data.posts).toHaveLength(1)
    expect(provider.calls.filter((call) => call === 'POST /v1/posts')).toHaveLength(1)
    expect(provider.calls).toContain('GET /v1/posts')
    await provider.close()
  })

  it('two runs at once send one post', { tags: ['services'] }, async () => {
    const { provider, row, run, stateOf } = await runs()
    const { post, outbox } = await row()
    const [twin] = await rowsIn<{ id: string }>(
      stack,
      sql`insert into outbox (account_id, job, key, payload, run_at) select account_id, job, key || ':twin', payload, run_at from outbox where id = ${outbox} returning id`,
    )
    await Promise.all([run(outbox), run(Number(twin?.id))])
    expect(await stateOf(post)).toMatchObject({ status: 'published' })
    expect(provider.calls.filter((call) => call === 'POST /v1/posts')).toHaveLength(1)
    await provider.close()
  })
  it('a run that has lost its lease records nothing over a later one', async () => {
    const { provider, accountId, row, run, stateOf } = await runs()
    const { post, outbox } = await row()
    await run(outbox)
    const lost = { post: { id: post, accountId }, lease: new Date(Date.now() - 60_000) }
    const ctx = systemFor(stack, accountId)
    await endAttempt(ctx, lost, { status: 'failed', error: 'Too late.' }, { action: 'social.failed' })
    expect(await stateOf(post)).toMatchObject({ status: 'published', error: null })
    const noted = sql`select 1 from audit_log where account_id = ${accountId}::int and action = 'social.failed'`
    expect(await rowsIn(stack, noted)).toEqual([])
    await provider.close()
  })
})
