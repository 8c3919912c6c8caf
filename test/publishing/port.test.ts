import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { Ctx } from '../../src/platform/runtime/ctx.ts'
import { connectionForms } from '../../src/providers/publishing.ts'
import { connectIntegration } from '../../src/publishing/connect/connect.ts'
import { deliverWaiting } from '../../src/publishing/send/deliver.ts'
import { publishArticle } from '../../src/publishing/send/publish.ts'
import type {
  FindOutcome,
  PublishOutcome,
  PublishRequest,
  TargetFactory,
} from '../../src/publishing/target/publish-target.ts'
import { eachRunByHand } from './by-hand.ts'
import { deliveriesOf, passTime, write } from './scene.ts'
import { overtaken, systemFor } from './system.ts'

const { access, scene, ctx } = eachRunByHand()

/** CMS that can be queried: its next answers, and the calls it received, in order. */
type Cms = { delivers: PublishOutcome[]; finds: FindOutcome[]; calls: string[]; requests: PublishRequest[] }
let cms: Cms

const targets: TargetFactory = () => ({
  deliver: async (request) => {
    cms.calls.push('deliver')
    cms.requests.push(request)
    return cms.delivers.shift() ?? { kind: 'accepted', remoteId: 'post-1', url: 'https://cms.example/post' }
  },
  find: async (request) => {
    cms.calls.push('find')
    cms.requests.push(request)
    return cms.finds.shift() ?? { kind: 'absent' }
  },
  probe: async () => ({ kind: 'accepted' }),
})

const UNKNOWN: PublishOutcome = { kind: 'unknown', reason: 'The answer was lost.' }
const PASSING: PublishOutcome = { kind: 'refused', reason: 'Busy.', retryable: true }

beforeEach(() => {
  cms = { delivers: [], finds: [], calls: [], requests: [] }
})

const publish = (id: number) => publishArticle(ctx, targets, id)
const again = async (id: number) => {
  await passTime(scene)
  const rows = await deliveriesOf(scene, id)
  return await deliverWaiting(ctx, targets, rows.at(-1)?.id ?? 0)
}

/** Connects another receiver in this process, which does no deferred work. The stack's jobs would run it. */
const replaceTarget = () =>
  connectIntegration(ctx, targets, connectionForms, scene.projectId, {
    platform: 'webhook',
    url: `${scene.receiver.url}/next`,
    access_token: 'a-token',
  })

test('an unknown outcome: the target is asked before anything is sent again; a found post is published', async () => {
  cms.delivers = [UNKNOWN]
  cms.finds = [{ kind: 'found', remoteId: 'post-9', url: 'https://cms.example/found' }]
  const id = await write(scene)
  expect(await publish(id)).toMatchObject({ status: 202, body: { status: 'unknown', error: 'The answer was lost.' } })
  expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: 'unknown' })
  expect(await again(id)).toEqual({ kind: 'settled' })
  expect(cms.calls).toEqual(['deliver', 'find'])
  expect(await scene.article(id)).toMatchObject({
    Status: 'Published',
    PublishState: 'idle',
    Url: 'https://cms.example/found',
  })
  const [row] = await scene.rows<{ remote_id: string }>(sql`select remote_id from articles where id = ${id}::int`)
  expect(row?.remote_id).toBe('post-9')
})

test('asked, and there is no post: the same request is sent again with the same key', async () => {
  cms.delivers = [UNKNOWN]
  cms.finds = [{ kind: 'absent' }]
  const id = await write(scene)
  await publish(id)
  await again(id)
  expect(cms.calls).toEqual(['deliver', 'find', 'deliver'])
  expect(cms.requests[1]).toEqual(cms.requests[0])
  expect(cms.requests[2]).toEqual(cms.requests[0])
  expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
})

test('unsure: asked again later, and nothing is sent meanwhile', async () => {
  cms.delivers = [UNKNOWN]
  cms.finds = [
    ...Array.from({ length: 6 }, () => ({ kind: 'unsure', reason: 'The site does not answer.' }) as const),
    { kind: 'absent' },
  ]
  const id = await write(scene)
  await publish(id)
  for (let n = 0; n < 6; n += 1) {
    await again(id)
    expect(await scene.article(id)).toMatchObject({
      Status: 'Draft',
      PublishState: 'unknown',
      PublishError: 'The site does not answer.',
    })
  }
  expect(cms.calls).toEqual(['deliver', ...Array(6).fill('find')])
  await again(id)
  expect(cms.calls.at(-1)).toBe('deliver')
  expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
})

// hapi-fhir#3770, floecat#464
test.each([
  ['does not have it', { kind: 'absent' } as const],
  ['has it, but not as it was sent', { kind: 'absent', remoteId: 'post-9' } as const],
])('answers that are always lost: sent four times, then failed, for the site %s', async (state, found) => {
  cms.delivers = Array.from({ length: 9 }, () => UNKNOWN)
  cms.finds = Array.from({ length: 9 }, () => found)
  const id = await write(scene)
  await publish(id)
  const waits: number[] = []
  for (let n = 0; n < 4; n += 1) {
    const [row] = await scene.rows<{ wait: string }>(
      sql`select extract(epoch from next_attempt_at - updated_at) as wait from deliveries where article_id = ${id}::int`,
    )
    waits.push(Math.round(Number(row?.wait)))
    await again(id)
  }
  expect(waits).toEqual([30, 120, 480, 30])
  expect(cms.calls.filter((call) => call === 'deliver')).toHaveLength(4)
  expect(await scene.article(id)).toMatchObject({
    Status: 'Draft',
    PublishState: 'failed',
    PublishError: `The article was sent 4 times without a usable answer, and the site reports that it ${state}. The last attempt: The answer was lost.`,
  })
  cms.delivers = []
  expect(await publish(id)).toMatchObject({ status: 200, body: { status: 'published' } })
})

test('a site that never gives a clear answer is asked less and less often, for a day', async () => {
  cms.delivers = [UNKNOWN]
  cms.finds = Array.from({ length: 40 }, () => ({ kind: 'unsure', reason: 'The site does not answer.' }) as const)
  const id = await write(scene)
  await publish(id)
  let asked = 0
  for (; asked < 40 && (await scene.article(id)).PublishState === 'unknown'; asked += 1) await again(id)
  expect(asked).toBe(30)
  expect(await scene.article(id)).toMatchObject({
    PublishState: 'failed',
    PublishError: expect.stringContaining('asked the site for a day'),
  })
  expect(cms.calls.filter((call) => call === 'deliver')).toHaveLength(1)
})

test('an unknown outcome waits: an early run is postponed', async () => {
  cms.delivers = [UNKNOWN]
  const id = await write(scene)
  await publish(id)
  const [row] = await deliveriesOf(scene, id)
  expect(await deliverWaiting(ctx, targets, row?.id ?? 0)).toMatchObject({ kind: 'later', at: expect.any(Date) })
  expect(cms.calls).toEqual(['deliver'])
})

test('publishing manually while the outcome is unknown asks first, too', async () => {
  cms.delivers = [UNKNOWN]
  cms.finds = [{ kind: 'unsure', reason: 'Not now.' }, { kind: 'found' }]
  const id = await write(scene)
  await publish(id)
  expect(await publish(id)).toMatchObject({ status: 202, body: { status: 'unknown', error: 'Not now.' } })
  expect(await publish(id)).toMatchObject({ status: 200, body: { status: 'published' } })
  expect(cms.calls).toEqual(['deliver', 'find', 'find'])
})

test('edited while the outcome is unknown: the old post is searched and changed', async () => {
  cms.delivers = [UNKNOWN]
  cms.finds = [
    { kind: 'unsure', reason: 'Not now.' },
    { kind: 'absent', remoteId: 'post-9' },
  ]
  const id = await write(scene, { keyword: 'old shed', title: 'The old title' })
  await publish(id)
  await scene.api.put(`/articles/${id}`, { keyword: 'new shed', title: 'The new title' })
  expect(await publish(id)).toMatchObject({ status: 202, body: { status: 'unknown', error: 'Not now.' } })
  cms.delivers = [{ kind: 'refused', reason: 'Too long.', retryable: false }]
  expect(await publish(id)).toMatchObject({ status: 202, body: { status: 'failed' } })
  await scene.api.put(`/articles/${id}`, { title: 'The newest title' })
  expect(await publish(id)).toMatchObject({ status: 200 })
  expect(cms.calls).toEqual(['deliver', 'find', 'find', 'deliver', 'deliver'])
  expect(cms.requests.map(({ article: { title, slug, external_id } }) => [title, slug, external_id])).toEqual([
    ['The old title', 'old-shed', undefined],
    ['The old title', 'old-shed', undefined],
    ['The old title', 'old-shed', undefined],
    ['The new title', 'new-shed', 'post-9'],
    ['The newest title', 'new-shed', 'post-9'],
  ])
})

test('the found post is linked to the site that has it, and not to the next', async () => {
  cms.delivers = [UNKNOWN, { kind: 'refused', reason: 'Too long.', retryable: false }]
  cms.finds = [{ kind: 'absent', remoteId: 'post-9' }]
  const id = await write(scene, { title: 'The old title' })
  await publish(id)
  await scene.api.put(`/articles/${id}`, { title: 'The new title' })
  expect(await publish(id)).toMatchObject({ status: 202, body: { status: 'failed' } })
  await replaceTarget()
  expect(await publish(id)).toMatchObject({ status: 200 })
  const told = cms.requests.map(({ article: { title, external_id } }) => [title, external_id])
  expect(told.slice(-2)).toEqual([
    ['The new title', 'post-9'],
    ['The new title', undefined],
  ])
})

test('a post that may be at a replaced target is not searched at the new one', async () => {
  cms.delivers = [UNKNOWN]
  const id = await write(scene, { title: 'The old title' })
  await publish(id)
  await scene.api.put(`/articles/${id}`, { title: 'The new title' })
  await replaceTarget()
  expect(await publish(id)).toMatchObject({ status: 200 })
  expect(cms.calls).toEqual(['deliver', 'deliver'])
})

test('edited while it waits for its next attempt: the new content is sent at once', async () => {
  cms.delivers = [PASSING]
  const id = await write(scene)
  await publish(id)
  await scene.api.put(`/articles/${id}`, { title: 'The new title' })
  expect(await publish(id)).toMatchObject({ status: 200 })
  expect(cms.calls).toEqual(['deliver', 'deliver'])
})

test('after a crashed attempt: the next one asks before it sends', async () => {
  cms.finds = [{ kind: 'found', url: 'https://cms.example/there' }]
  const died = systemFor(access, scene.api.accountId, {
    step: async (name) => {
      if (name === 'answered') throw new Error('died')
    },
  })
  const id = await write(scene)
  await expect(publishArticle(died, targets, id)).rejects.toThrow('died')
  await again(id)
  expect(cms.calls).toEqual(['deliver', 'find'])
  expect(await scene.article(id)).toMatchObject({ Status: 'Published', Url: 'https://cms.example/there' })
  const attempts = await scene.rows<{ status: string }>(
    sql`select a.status from delivery_attempts a join deliveries d on d.id = a.delivery_id where d.article_id = ${id}::int order by number`,
  )
  expect(attempts.map((a) => a.status)).toEqual(['failed', 'delivered'])
})

test('a temporary refusal is retried, three times, then failed', async () => {
  cms.delivers = [PASSING, PASSING, PASSING, PASSING]
  const id = await write(scene)
  expect(await publish(id)).toMatchObject({ status: 202, body: { status: 'retrying' } })
  for (let n = 0; n < 3; n += 1) await again(id)
  expect(cms.calls.filter((c) => c === 'deliver')).toHaveLength(4)
  expect(await scene.article(id)).toMatchObject({ PublishState: 'failed', PublishError: 'Busy.' })
  expect(await again(id)).toEqual({ kind: 'done' })
  expect(cms.calls.filter((c) => c === 'deliver')).toHaveLength(4)
})

test('an attempt that lost its lease changes nothing later', async () => {
  const id = await write(scene)
  let wake = () => {}
  const held = new Promise<void>((resolve) => {
    wake = resolve
  })
  let reached = () => {}
  const there = new Promise<void>((resolve) => {
    reached = resolve
  })
  const sleeper = systemFor(access, scene.api.accountId, {
    step: async (name) => {
      if (name !== 'answered') return
      reached()
      await held
    },
  })
  cms.delivers = [{ kind: 'refused', reason: 'Too late to matter.', retryable: false }]
  const slow = publishArticle(sleeper, targets, id)
  await there
  await again(id)
  expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
  wake()
  await slow
  expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishState: 'idle', PublishError: null })
  expect(await deliveriesOf(scene, id)).toMatchObject([{ status: 'delivered', attempts: 2 }])
})

/** Returns an article that publication changes nothing of: it is the caller's own. */
const writeClaimed = async (): Promise<number> => {
  const id = await write(scene, { content: `<h2>Own words</h2><p>${'word '.repeat(400)}</p>` })
  await scene.api.put(`/articles/${id}`, { status: 'Planned', scheduled_date: '2099-01-01T10:00:00Z' })
  return id
}

test.each([
  ['an article', () => write(scene)],
  ['an article that stays as it is', writeClaimed],
])('an attempt that read %s before another’s outcome became unknown asks first', async (_, made) => {
  cms.delivers = [UNKNOWN]
  const id = await made()
  const racing = overtaken(systemFor(access, scene.api.accountId), () => publish(id))
  await expect(publishArticle(racing, targets, id)).rejects.toMatchObject({ code: 'publish_in_progress' })
  expect(cms.calls).toEqual(['deliver'])
  expect(await deliveriesOf(scene, id)).toMatchObject([{ status: 'unknown', attempts: 1 }])
})

test('an attempt that read the article before it was sent as a draft makes no second post', async () => {
  const id = await writeClaimed()
  const racing = overtaken(systemFor(access, scene.api.accountId), () => publishArticle(ctx, targets, id, false))
  await expect(publishArticle(racing, targets, id)).rejects.toMatchObject({ code: 'publish_in_progress' })
  expect(cms.requests).toMatchObject([{ event: 'publish_articles' }])
  expect(await deliveriesOf(scene, id)).toMatchObject([{ status: 'delivered', attempts: 1 }])
})

test('an attempt that read the article before it was claimed does not change it', async () => {
  const content = `<h2>Own words</h2><p>${'word '.repeat(400)}</p>`
  const id = await write(scene, { content })
  const late = systemFor(access, scene.api.accountId)
  const racing: Ctx = {
    ...late,
    read: async (build) => {
      const rows = await late.read(build)
      await scene.api.put(`/articles/${id}`, { status: 'Planned', scheduled_date: '2099-01-01T10:00:00Z' })
      return rows
    },
  }
  await expect(publishArticle(racing, targets, id)).rejects.toMatchObject({ code: 'publish_in_progress' })
  expect(cms.calls).toEqual([])
  expect(await scene.article(id)).toMatchObject({ Claimed: true, Content: content, MetaDescription: '', Revision: 1 })
})

test('an attempt that read a delivery which has ended leaves the article as it is', async () => {
  cms.delivers = [PASSING, { kind: 'refused', reason: 'Never.', retryable: false }]
  const id = await write(scene)
  await publish(id)
  const late = systemFor(access, scene.api.accountId)
  const racing: Ctx = {
    ...late,
    read: async (build) => {
      const rows = await late.read(build)
      await again(id)
      return rows
    },
  }
  await expect(publishArticle(racing, targets, id)).rejects.toMatchObject({ code: 'publish_in_progress' })
  expect(await scene.article(id)).toMatchObject({ PublishState: 'failed', PublishError: 'Never.' })
})

test('publishing is refused while another attempt has the lease, and nothing is sent', async () => {
  const id = await write(scene)
  await scene.rows(sql`update articles set publish_state = 'publishing', publish_lease_until = now() + interval '1 minute'
    where id = ${id}::int`)
  await expect(publish(id)).rejects.toMatchObject({ code: 'publish_in_progress' })
  expect(cms.calls).toEqual([])
  await scene.rows(sql`update articles set publish_lease_until = now() - interval '1 second' where id = ${id}::int`)
  expect(await publish(id)).toMatchObject({ status: 200 })
})

test('an article that the writer has claimed is not published', async () => {
  const id = await write(scene)
  await scene.rows(sql`update articles set writing_started_at = now() where id = ${id}::int`)
  await expect(publish(id)).rejects.toMatchObject({ code: 'already_being_written' })
  expect(cms.calls).toEqual([])
})

test.each([
  ['http://127.0.0.1:10999', expect.stringContaining('Ask the user for the address')],
  [undefined, expect.stringMatching(/the address of webflow itself.*same request again in a few minutes/)],
])('no answer at %s: asks for another address only if the caller gave one', async (api_url, what) => {
  const away: TargetFactory = () => ({
    deliver: async () => PASSING,
    probe: async () => ({ kind: 'refused', reason: 'No connection.', retryable: true, unreachable: true }),
  })
  const connecting = connectIntegration(ctx, away, connectionForms, scene.projectId, {
    platform: 'webflow',
    api_token: 'a-token',
    site_id: '5'.repeat(24),
    collection_id: '6'.repeat(24),
    ...(api_url === undefined ? {} : { api_url }),
  })
  await expect(connecting).rejects.toMatchObject({
    code: 'cms_rejected',
    extras: { instructions_for_agent: what },
  })
})
