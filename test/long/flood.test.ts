import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishingJobs } from '../../functions/jobs/publishing.ts'
import type { Delivery } from '../../local/receiver/deliveries.ts'
import { execute } from '../../src/platform/jobs/executor.ts'
import { type Registry, registryOf } from '../../src/platform/jobs/job.ts'
import { offerRows, type Queue } from '../../src/platform/jobs/queue.ts'
import type { Deps } from '../../src/platform/runtime/ctx.ts'
import { createOutbound } from '../../src/platform/runtime/outbound.ts'
import { targetFactory } from '../../src/providers/publishing.ts'
import { receiptJob } from '../../src/publishing/jobs.ts'
import { claimDueArticles } from '../../src/publishing/send/clock.ts'
import { accessOf, openScene, type Scene, type StackAccess } from '../publishing/scene.ts'
import { systemDeps } from '../publishing/system.ts'
import { connectReceiver, newProject } from '../support/client.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'

/** The service's minutes pass this much faster than ours. */
const SPEED = 15
const START = Date.parse('2031-01-01T12:00:00.000Z')
const PER_PROJECT = 40
const MINUTE_MS = 60_000

let stack: TestStack
let access: StackAccess
let scene: Scene

beforeAll(async () => {
  stack = await startTestStack({ timeScale: 1 })
  access = accessOf(stack)
  scene = await openScene(access, { publishing_status: 'Publish Immediately' })
})
afterAll(async () => {
  await scene.receiver.close()
  await stack.close()
})

/** Starts the clock's side of the service in this process, in fast time: cron, queue and jobs as they are. */
const startService = () => {
  const realStart = Date.now()
  const now = () => new Date(START + (Date.now() - realStart) * SPEED)
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<unknown>>()
  const track = (work: Promise<unknown>): void => {
    const tracked: Promise<unknown> = work.catch(() => {}).finally(() => running.delete(tracked))
    running.add(tracked)
  }
  const base = systemDeps(access, { now, random: Math.random })
  const outbound = createOutbound({
    allowLoopback: true,
    dnsQueryUrl: base.settings.dnsQueryUrl,
    userAgent: 'Galley/test',
    log: base.log,
    now,
  })
  const queue: Queue = {
    isGenuine: async () => true,
    offer: async (wakes) => {
      for (const wake of wakes) {
        const waitMs = Math.max(0, ((wake.notBefore?.getTime() ?? 0) - now().getTime()) / SPEED)
        const timer = setTimeout(() => {
          timers.delete(timer)
          track(execute(deps, registry, JSON.stringify({ outbox_id: wake.id }), track))
        }, waitMs)
        timers.add(timer)
      }
      return []
    },
  }
  const deps: Deps = { ...base, outbound, wakeQueue: async () => void (await offerRows(deps, queue)) }
  const handlers = publishingJobs(targetFactory(deps, { fetch }), {} as Parameters<typeof publishingJobs>[1])
  // The looks at live pages are not part of this flood.
  const registry: Registry = registryOf(handlers.filter(({ name }) => name !== receiptJob.name))
  const minute = async () => {
    await claimDueArticles(deps)
    await offerRows(deps, queue)
  }
  const cron = setInterval(() => track(minute()), MINUTE_MS / SPEED)
  track(minute())
  const stop = async () => {
    clearInterval(cron)
    for (const timer of timers) clearTimeout(timer)
    while (running.size > 0) await Promise.all(running)
  }
  return { stop }
}

/** Articles that fell due one after the other in the hours before, in each of the projects. */
const seedLate = (projectIds: number[]) =>
  scene.rows(sql`insert into articles (account_id, project_id, status, title, main_keyword, slug, content, scheduled_at)
    select ${scene.api.accountId}::int, project, 'Planned', 'Article ' || n, 'word ' || n, 'late-' || n, '<p>Words.</p>',
      ${new Date(START).toISOString()}::timestamptz - make_interval(mins => 5 * (${PER_PROJECT}::int - n) + 1)
    from unnest(${sql.param(projectIds)}::int[]) project, generate_series(1, ${PER_PROJECT}::int) n`)

const allPublished = async (): Promise<boolean> => {
  const [row] = await scene.rows<{ left: string }>(
    sql`select count(*) as left from articles where account_id = ${scene.api.accountId}::int and status <> 'Published'`,
  )
  return Number(row?.left) === 0
}

const published = () =>
  scene.rows<{ id: number; project_id: number; minute: string }>(sql`
    select a.id, a.project_id, date_trunc('minute', t.started_at)::text as minute from delivery_attempts t
    join deliveries d on d.id = t.delivery_id join articles a on a.id = d.article_id
    where a.account_id = ${scene.api.accountId}::int order by t.started_at, t.id`)

/** Counts the requests that arrived while another of the same project was still open. */
const overlaps = (deliveries: Delivery[], projectOf: Map<string, number>): number => {
  const openUntil = new Map<number, number>()
  let count = 0
  for (const { article_ids, received_at, answer } of deliveries) {
    const project = projectOf.get(article_ids[0] ?? '') ?? 0
    const at = Date.parse(received_at)
    if (at < (openUntil.get(project) ?? 0)) count += 1
    openUntil.set(project, at + (answer.after_ms ?? 0))
  }
  return count
}

test('after an outage of hours 120 late articles of three projects go out in order, one at a time, 50 a minute', async () => {
  const others = [await newProject(scene.api), await newProject(scene.api)]
  for (const id of others) await connectReceiver(scene.api, id, scene.receiver.url, scene.token)
  const projectIds = [scene.projectId, ...others]
  await seedLate(projectIds)
  await scene.mood({ mode: 'slow', delay_ms: 40 })
  const service = startService()
  const until = Date.now() + 120_000
  while (!(await allPublished()) && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 200))
  await service.stop()

  const sent = await published()
  expect(sent).toHaveLength(3 * PER_PROJECT)
  for (const project of projectIds) {
    const ids = sent.filter((row) => row.project_id === project).map(({ id }) => id)
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    expect(new Set(ids).size).toBe(PER_PROJECT)
  }
  const perMinute = new Map<string, number>()
  for (const { minute } of sent) perMinute.set(minute, (perMinute.get(minute) ?? 0) + 1)
  expect(Math.max(...perMinute.values())).toBeLessThanOrEqual(50)
  // Each project begins at once; none waits until another has finished.
  const begins = projectIds.map((project) => sent.findIndex((row) => row.project_id === project))
  expect(Math.max(...begins)).toBeLessThan(10)
  const deliveries = await scene.deliveries()
  expect(deliveries).toHaveLength(3 * PER_PROJECT)
  expect(overlaps(deliveries, new Map(sent.map((row) => [String(row.id), row.project_id])))).toBe(0)
}, 150_000)
