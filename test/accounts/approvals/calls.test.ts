import { type SQL, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { ACCOUNT_CLOSED } from '../../../src/platform/jobs/job.ts'
import { callExecutor, flush } from '../../publishing/scene.ts'
import { madeBy, openSocial, type SocialScene, until } from '../../reach/social/scene.ts'
import { rowsIn } from '../../support/client.ts'
import { signInAsOwner, type Visitor } from '../people/browser.ts'
import { setPolicy } from '../policy/set.ts'

const stack = inject('stack')

let scene: SocialScene
let person: Visitor
let bluesky: string

beforeAll(async () => {
  scene = await openSocial(stack)
  ;({ person } = await signInAsOwner(stack, scene.api))
  bluesky = await scene.connect('bluesky')
  await scene.connect('googlebusiness')
})

const needs = (clause: 'off' | 'every') => setPolicy(stack, scene.projectId, { needs_approval: clause })

const post = (path: string, body: Record<string, unknown>) =>
  scene.api.post(path, { project_id: scene.projectId, ...body })

const publish = (content: string, more: Record<string, unknown> = {}) =>
  post('/social/publish', { content, platforms: ['bluesky'], ...more })

type Approval = Record<string, unknown> & { status: string; proposed: unknown; result: unknown }
const approvalOf = async (id: unknown) => (await scene.api.get(`/approvals/${id}`)).body.approval as Approval

const decide = async (id: unknown, decision: 'approve' | 'return', comment = 'Too long.') => {
  await person.post(`/p/${scene.projectId}/approvals/${id}/decide`, { decision, comment })
  await flush(stack, true)
}

const out = async (content: string) =>
  (await scene.provided(bluesky)).filter((one) => JSON.stringify(one).includes(content)).length

describe('a call that a person has to approve', () => {
  it('shows what would go out, and has its answer afterwards', async () => {
    await needs('every')
    const { status, body } = await publish('A shed of oak.', { link: 'https://sheds.example/oak' })
    expect([status, body.article_id]).toEqual([202, null])
    expect(await approvalOf(body.approval_id)).toMatchObject({
      kind: 'social_post',
      target: expect.stringMatching(/^Bluesky, \S/),
      proposed: { body: 'A shed of oak.', format: 'text', fields: { Link: 'https://sheds.example/oak' } },
      result: null,
    })
    expect((await person.get(`/p/${scene.projectId}/approvals/${body.approval_id}`)).text).toContain('A shed of oak.')
    await decide(body.approval_id, 'approve')
    const done = await approvalOf(body.approval_id)
    expect(done).toMatchObject({ status: 'used', result: { status: 201, body: { status: 'publishing' } } })
    const [made] = madeBy((done.result as { body: Record<string, unknown> }).body)
    expect(await scene.ended(made?.post_id ?? 0)).toMatchObject({ status: 'published', content: 'A shed of oak.' })
    expect(await out('A shed of oak.')).toBe(1)
    const { body: feed } = await scene.api.get('/events?limit=200')
    const types = (feed.events as { type: string; subject: string }[])
      .filter(({ subject }) => subject === `approval:${body.approval_id}`)
      .map(({ type }) => type)
    expect(types).toEqual(['approval.requested', 'approval.approved', 'approval.used'])
  })

  it('needs another approval for other content, which ends the older one', async () => {
    await needs('every')
    const [one, other] = [await publish('First words.'), await publish('Other words.')]
    expect(one.body.approval_id).not.toBe(other.body.approval_id)
    const { body } = await scene.api.get(`/profile/reviews?project_id=${scene.projectId}&limit=50`)
    const [review] = body.reviews as { review_id: string; text: string }[]
    const reply = (message: string) => post('/profile/reviews/reply', { review_id: review?.review_id, message })
    const [first, second] = [await reply('Thank you.'), await reply('Thank you!')]
    expect((await approvalOf(first.body.approval_id)).status).toBe('superseded')
    expect(await approvalOf(second.body.approval_id)).toMatchObject({
      status: 'awaiting',
      proposed: { body: 'Thank you!', fields: { Review: review?.text } },
    })
  })

  it('shows the date of a post by the clock of the project', async () => {
    await needs('every')
    await scene.api.put(`/projects/${scene.projectId}`, { timezone: 'America/New_York', publish_time: '08:30' })
    const dated = async (scheduled_for: string) => {
      const { body } = await publish(`At ${scheduled_for}.`, { scheduled_for })
      const { proposed } = await approvalOf(body.approval_id)
      expect((await person.get(`/p/${scene.projectId}/approvals/${body.approval_id}`)).text).toContain('New_York')
      return (proposed as { fields: Record<string, string> }).fields['Goes out']
    }
    expect(await dated('2099-07-05T09:00:00+02:00')).toBe('2099-07-05 03:00 (America/New_York)')
    expect(await dated('2099-07-05')).toBe('2099-07-05 08:30 (America/New_York)')
    const saved = await publish('A draft.', { draft: true })
    const [draft] = madeBy(saved.body)
    const asked = await scene.api.post(`/social/posts/${draft?.post_id}/publish`, { scheduled_for: '2099-01-05T09:00' })
    expect((await approvalOf(asked.body.approval_id)).proposed).toMatchObject({
      fields: { 'Goes out': '2099-01-05 09:00 (America/New_York)' },
    })
  })

  it('keeps its 202 under an Idempotency-Key', async () => {
    await needs('every')
    const headers = { 'Idempotency-Key': 'one-post' }
    const send = () =>
      scene.api.post(
        '/social/publish',
        { project_id: scene.projectId, content: 'Once.', platforms: ['bluesky'] },
        { headers },
      )
    const first = await send()
    await decide(first.body.approval_id, 'approve')
    const again = await send()
    expect([again.status, again.body.approval_id]).toEqual([202, first.body.approval_id])
    await until(async () => ((await out('Once.')) === 1 ? true : undefined))
  })

  it('a dry run requests no approval, uses up no Idempotency-Key, and returns the answer of the call', async () => {
    await needs('every')
    const [draft] = madeBy((await publish('Tried first.', { draft: true })).body)
    const send = (query: string, key: string, content = 'Tried first.') =>
      scene.api.post(
        `/social/posts/${draft?.post_id}/publish${query}`,
        { content },
        { headers: { 'Idempotency-Key': key } },
      )
    const questions = async () => {
      const { body } = await scene.api.get(`/approvals?project_id=${scene.projectId}&limit=200`)
      return (body.approvals as unknown[]).length
    }
    const before = await questions()
    const would = async (key: string, content?: string) =>
      (await send('?dry_run=true', key, content)).body.would as { status: number; body: Record<string, unknown> }
    const tried = await would('tried')
    expect([tried.status, tried.body.status]).toEqual([202, 'awaiting_approval'])
    expect(await questions()).toBe(before)
    const real = await send('', 'tried')
    expect([real.status, real.headers.get('idempotency-replayed')]).toEqual([202, null])
    // Under its key the call is answered as before, and so says its dry run; another key asks the same question.
    expect((await would('tried')).body.approval_id).toBe(real.body.approval_id)
    expect((await would('another')).body.approval_id).toBe(real.body.approval_id)
    expect(await would('tried', 'Never tried.')).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    })
  })

  it('is carried out for a key that was revoked since: a person approved it', async () => {
    await needs('every')
    const { body } = await publish('By a lost key.')
    const revoke = (at: SQL) =>
      rowsIn(
        stack,
        sql`update api_keys set revoked_at = ${at} where 'key:' || id =
          (select requested_by from approvals where id = ${Number(body.approval_id)}::int)`,
      )
    await revoke(sql`now()`)
    await decide(body.approval_id, 'approve')
    // The other tests use the key, too.
    await revoke(sql`null`)
    expect(await approvalOf(body.approval_id)).toMatchObject({ status: 'used', result: { status: 201 } })
    await until(async () => ((await out('By a lost key.')) === 1 ? true : undefined))
    const other = await openSocial(stack)
    expect((await other.api.get(`/approvals/${body.approval_id}`)).status).toBe(403)
  })
})

it('an approved call of an account that was suspended since is not carried out, and says so', async () => {
  const own = await openSocial(stack)
  await own.connect('bluesky')
  await setPolicy(stack, own.projectId, { needs_approval: 'every' })
  const asked = { project_id: own.projectId, content: 'After the end.', platforms: ['bluesky'] }
  const id = Number((await own.api.post('/social/publish', asked)).body.approval_id)
  const suspend = (at: SQL) =>
    rowsIn(stack, sql`update accounts set suspended_at = ${at} where id = ${own.api.accountId}::int`)
  await suspend(sql`now()`)
  // As an approval of a moment before does.
  const [row] = await rowsIn<{ id: string }>(
    stack,
    sql`with done as (update approvals set status = 'approved', decided_at = now() where id = ${id}::int returning id, account_id)
      insert into outbox (account_id, job, key, payload, run_at)
      select account_id, 'approvals.call', 'approved_call:' || id, jsonb_build_object('approval_id', id), now() + interval '30 days' from done
      returning id`,
  )
  await callExecutor(stack, JSON.stringify({ outbox_id: Number(row?.id) }))
  await suspend(sql`null`)
  const { approval } = (await own.api.get(`/approvals/${id}`)).body
  expect(approval).toMatchObject({
    status: 'failed',
    result: { status: 401, body: { code: 'account_inactive', error: ACCOUNT_CLOSED } },
  })
  expect((await own.api.get(`/social/posts?project_id=${own.projectId}`)).body.posts).toEqual([])
})

/** Makes a post due that waits for an approval. */
const comeDue = async (id: number): Promise<void> => {
  await rowsIn(
    stack,
    sql`with due as (update social_posts set scheduled_for = now() - interval '1 minute' where id = ${id}::int returning id)
      update outbox set run_at = now(), offered_at = null where key in (select 'social_post:' || id from due)`,
  )
  await until(async () => {
    await flush(stack, true)
    return (await scene.post(id)).status === 'draft' ? true : undefined
  })
}

it('a post without approval on its date becomes a draft, and fails when a person returns it', async () => {
  await needs('off')
  const { body } = await publish('On its date.', { scheduled_for: '2099-01-05T09:00:00Z' })
  const [made] = madeBy(body)
  const id = made?.post_id ?? 0
  await needs('every')
  await comeDue(id)
  expect((await scene.post(id)).error).toContain('waits for the approval of a person')
  const { body: listed } = await scene.api.get(`/approvals?project_id=${scene.projectId}&kind=social_post&limit=1`)
  const [question] = listed.approvals as { id: number; requested_by: string }[]
  expect(question?.requested_by).toBe('job:social.post')
  await decide(question?.id, 'return', 'Not on a Sunday.')
  expect(await scene.post(id)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('Not on a Sunday.'),
  })
  const again = await scene.api.post(`/social/posts/${id}/publish`, {})
  expect(again.status).toBe(202)
  await decide(again.body.approval_id, 'approve')
  expect(await scene.ended(id)).toMatchObject({ status: 'published' })
  expect(await out('On its date.')).toBe(1)
})

it('a post that waits has failed when the approved call is refused', async () => {
  await needs('off')
  const { body } = await publish('Nowhere.', { scheduled_for: '2099-01-05T09:00:00Z' })
  const id = madeBy(body)[0]?.post_id ?? 0
  await needs('every')
  await comeDue(id)
  await setPolicy(stack, scene.projectId, { needs_approval: 'every', allowed_targets: ['ghost'] })
  const { body: listed } = await scene.api.get(`/approvals?project_id=${scene.projectId}&kind=social_post&limit=1`)
  const [question] = listed.approvals as { id: number }[]
  await decide(question?.id, 'approve')
  expect((await approvalOf(question?.id)).status).toBe('failed')
  expect(await scene.post(id)).toMatchObject({ status: 'failed', error: expect.stringContaining('ghost') })
})
