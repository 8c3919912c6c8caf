import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { FaultRule } from '../../local/faults.ts'
import { KEEP_ALIVE_MS } from '../../local/loopback.ts'
import { accessOf, cron, openScene, type Scene, type StackAccess, write } from '../publishing/scene.ts'
import { tell } from '../support/client.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'

let stack: TestStack
let access: StackAccess
let scene: Scene

/** A service that is to hear of each minute. */
let monitor: Server
let beats = 0
let monitorStatus = 200

beforeAll(async () => {
  monitor = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (_, res) => {
    beats += 1
    res.writeHead(monitorStatus).end()
  })
  await new Promise<void>((resolve) => monitor.listen(0, '127.0.0.1', resolve))
  const HEARTBEAT_URL = `http://127.0.0.1:${(monitor.address() as AddressInfo).port}/ping`
  stack = await startTestStack({ timeScale: 100, vars: { CRON_REST_MINUTES: '60', HEARTBEAT_URL } })
  access = accessOf(stack)
})
afterAll(async () => {
  await stack.close()
  monitor.close()
})
beforeEach(async () => {
  scene = await openScene(access, { publishing_status: 'Publish Immediately' })
})
afterEach(async () => {
  await database()
  await redis()
  await scene.receiver.close()
})

/** Text long enough to be the caller's own: the writer leaves it alone. */
const OWN = { content: `<p>${'Sheds of oak stand for decades. '.repeat(80)}</p>` }
const TIMEOUT_MS = 120_000

const database = (rule?: FaultRule) => tell(access.neonUrl, '/_faults', rule)
const redis = (rule?: FaultRule) => tell(access.redisUrl, '/_faults', rule)

/** True if the minute passes without a query. The database refuses the last of its queries meanwhile. */
const rests = async (): Promise<boolean> => {
  await database({ body: 'overdue_s', status: 500 })
  try {
    await cron(access)
    return true
  } catch {
    return false
  } finally {
    await database()
  }
}

/** Runs the minute until all work at hand is done and it rests. The heartbeat is called once for the resting minute. */
const becomesQuiet = () =>
  vi.waitFor(
    async () => {
      await cron(access)
      const before = beats
      expect(await rests()).toBe(true)
      expect(beats).toBe(before + 1)
    },
    { timeout: 90_000, interval: 100 },
  )

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString()
const planned = () => write(scene, { ...OWN, status: 'Planned', scheduled_date: inSeconds(2) })
const isPublished = async (id: number) => expect(await scene.article(id)).toMatchObject({ Status: 'Published' })

/** Runs the minute until the article is out. */
const goesOutOnItsDate = (id: number) =>
  vi.waitFor(
    async () => {
      await cron(access)
      await isPublished(id)
    },
    { timeout: PATIENCE_MS, interval: 200 },
  )

test(
  'while nothing changes and nothing is due, the cron makes no query',
  async () => {
    await becomesQuiet()
  },
  TIMEOUT_MS,
)

test(
  'a change wakes it: an article planned during the rest is published on its date',
  async () => {
    await becomesQuiet()
    await goesOutOnItsDate(await planned())
  },
  TIMEOUT_MS,
)

test(
  'a change whose answer was lost wakes it too',
  async () => {
    await becomesQuiet()
    await database({ body: 'article.create', drop: 'after', times: 1 })
    const given = { project_id: scene.projectId, keyword: 'oak sheds', ...OWN, scheduled_date: inSeconds(2) }
    const lost = await scene.api.post('/articles', { ...given, status: 'Planned' })
    expect(lost).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    const { body } = await scene.api.get(`/articles?project_id=${scene.projectId}`)
    const [made] = body.articles as { ID: number }[]
    await vi.waitFor(
      async () => {
        await cron(access)
        await isPublished(made?.ID ?? 0)
      },
      { timeout: PATIENCE_MS, interval: 200 },
    )
  },
  TIMEOUT_MS,
)

test(
  'a date wakes it: an article planned before the rest is published on its date',
  async () => {
    await becomesQuiet()
    const id = await write(scene, { ...OWN, status: 'Planned', scheduled_date: inSeconds(20) })
    await becomesQuiet()
    expect(await scene.article(id)).toMatchObject({ Status: 'Planned' })
    await vi.waitFor(
      async () => {
        await cron(access)
        await isPublished(id)
      },
      { timeout: PATIENCE_MS, interval: 200 },
    )
    expect(await scene.posts()).toHaveLength(1)
  },
  TIMEOUT_MS,
)

test(
  'without Redis it queries the database every minute',
  async () => {
    await becomesQuiet()
    await redis({ status: 500 })
    expect(await rests()).toBe(false)
    const id = await write(scene, { ...OWN, status: 'Planned', scheduled_date: inSeconds(1) })
    await vi.waitFor(
      async () => {
        await cron(access)
        await isPublished(id)
      },
      { timeout: PATIENCE_MS, interval: 200 },
    )
  },
  TIMEOUT_MS,
)

const MARKING = '["set","galley:changed"'

test(
  'a change that Redis first refused wakes it too',
  async () => {
    await becomesQuiet()
    await redis({ body: MARKING, status: 500, times: 3 })
    await goesOutOnItsDate(await planned())
  },
  TIMEOUT_MS,
)

test(
  'after a minute without Redis it does not rest, because changes may be unreported',
  async () => {
    await becomesQuiet()
    await redis({ body: '["get","galley:changed"', status: 500 })
    expect(await rests()).toBe(false)
    await redis({ body: '["get","galley:changed"', status: 500, times: 1 })
    await cron(access)
    await redis()
    expect(await rests()).toBe(false)
    await becomesQuiet()
  },
  TIMEOUT_MS,
)

test(
  'each successful minute calls the heartbeat, also a resting one; a failed minute does not',
  async () => {
    await becomesQuiet()
    const before = beats
    expect(await write(scene, OWN)).toBeGreaterThan(0)
    await cron(access)
    expect(beats).toBe(before + 1)
    await redis({ status: 500 })
    expect(await rests()).toBe(false)
    expect(beats).toBe(before + 1)
    await redis()
    monitorStatus = 500
    await cron(access)
    expect(beats).toBe(before + 2)
  },
  TIMEOUT_MS,
)
