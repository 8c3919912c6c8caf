import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { accessOf, cron, flush, openScene, type Scene, type StackAccess, write } from '../publishing/scene.ts'
import { type Api, newAccount, newProject, rowsIn } from '../support/client.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'

/** Twelve calls at once: three for each copy. */
const CALLS = 12

let stack: TestStack
let access: StackAccess

beforeAll(async () => {
  stack = await startTestStack({ timeScale: 100 })
  access = accessOf(stack)
})
afterAll(() => stack?.close())

const atOnce = <T>(call: (n: number) => Promise<T>, times = CALLS): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, (_, n) => call(n)))

const statusesOf = (answers: readonly { status: number }[]): Record<number, number> => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

it('requests go to every copy in turn', async () => {
  const ids = await atOnce(async (n) => {
    const { headers } = await fetch(`${stack.url}/healthz`, { headers: { 'x-request-id': `copy-turn-${n}` } })
    return headers.get('x-request-id')
  })
  expect(new Set(ids).size).toBe(CALLS)
})

it('a limit is one limit, to the call', async () => {
  const minute = () => Math.floor(Date.now() / 60_000)
  let statuses: number[]
  let beganIn: number
  // All in one minute of the clock: when it turns, of the count before it only a share is taken.
  do {
    const api = await newAccount(access)
    beganIn = minute()
    await api.get('/projects')
    statuses = []
    for (let n = 0; n < 9; n += 1)
      statuses.push(...(await atOnce(() => api.get('/projects'), 4)).map(({ status }) => status))
  } while (minute() !== beganIn)
  expect(statuses.filter((status) => status === 200)).toHaveLength(29)
  // The four calls of a round are answered in any order.
  expect(statuses.slice(-4)).toEqual(Array(4).fill(429))
})

it('one Idempotency-Key has one effect and one answer', async () => {
  const api = await newAccount(access)
  const body = { project_id: await newProject(api), keyword: 'oak sheds' }
  const answers = await atOnce(() => api.post('/articles', body, { headers: { 'Idempotency-Key': 'only-once' } }), 8)
  expect(statusesOf(answers)).toEqual({ 201: 8 })
  expect(new Set(answers.map((answer) => answer.body.article_id)).size).toBe(1)
  expect((await api.get('/articles')).body.count).toBe(1)
})

it('the last slot is used once', async () => {
  const api = await newAccount(access)
  await rowsIn(access, sql`update accounts set project_slots = 1 where id = ${api.accountId}::int`)
  const answers = await atOnce(
    (n) => api.post('/projects', { website_url: `https://s${n}-${api.accountId}.example` }),
    8,
  )
  expect(statusesOf(answers)).toEqual({ 201: 1, 402: 7 })
})

const isPublishedOnce = async (scene: Scene, ids: readonly number[]): Promise<void> => {
  const posts = await scene.posts()
  expect(posts.map((post) => post.article_id).sort()).toEqual(ids.map(String).sort())
  for (const id of ids) expect(new Set((await scene.deliveries(id)).map((one) => one.idempotency_key)).size).toBe(1)
}

it('articles due in one minute are published once each, even if every copy has the cron and messages arrive twice', async () => {
  const scenes = await Promise.all(
    Array.from({ length: 4 }, () => openScene(access, { publishing_status: 'Publish Immediately' })),
  )
  const content = `<p>${'Sheds of oak stand for decades. '.repeat(80)}</p>`
  const soon = new Date(Date.now() + 5_000).toISOString()
  const planned = await Promise.all(
    scenes.map((scene) =>
      Promise.all(Array.from({ length: 3 }, () => write(scene, { content, status: 'Planned', scheduled_date: soon }))),
    ),
  )
  await vi.waitFor(
    async () => {
      await atOnce(() => cron(access), 4)
      await flush(access, true)
      for (const [n, scene] of scenes.entries()) expect(await scene.posts()).toHaveLength(planned[n]?.length ?? 0)
    },
    { timeout: 90_000, interval: 500 },
  )
  await atOnce(() => cron(access), 4)
  await flush(access, true)
  for (const [n, scene] of scenes.entries()) await isPublishedOnce(scene, planned[n] ?? [])
  await Promise.all(scenes.map((scene) => scene.receiver.close()))
})

it('an article that many publish at once is sent once', async () => {
  const scene = await openScene(access, { publishing_status: 'Publish Immediately' })
  const id = await write(scene)
  const answers = await atOnce(() => scene.publish(id), 8)
  for (const { status } of answers) expect([200, 202, 409]).toContain(status)
  await vi.waitFor(async () => expect(await scene.article(id)).toMatchObject({ Status: 'Published' }), PATIENCE_MS)
  await isPublishedOnce(scene, [id])
  await scene.receiver.close()
})

it('another copy reads at once what one copy saves', async () => {
  const api: Api = await newAccount(access)
  const { body } = await api.post('/projects', { website_url: `https://read-${api.accountId}.example` })
  for (const business_name of ['One', 'Two', 'Three', 'Four', 'Five']) {
    const saved = await api.put(`/projects/${body.project_id}`, { business_name: `Sheds ${business_name}` })
    expect(saved.status, saved.text).toBe(200)
    expect((await api.get(`/projects/${body.project_id}`)).text).toContain(`Sheds ${business_name}`)
  }
})
