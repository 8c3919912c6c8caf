import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { redisCommand } from '../../src/http/redis.ts'
import { execute, type Registry } from '../../src/jobs/executor.ts'
import { offerRows } from '../../src/jobs/offer.ts'
import { EXECUTOR_PATH } from '../../src/jobs/paths.ts'
import type { Queue } from '../../src/jobs/queue.ts'
import type { Deps } from '../../src/runtime/ctx.ts'
import { errorFields } from '../../src/runtime/log.ts'

const READY_TIMEOUT_MS = 2_000

const timed = async (now: () => Date, work: () => Promise<unknown>): Promise<{ ok: boolean; latency_ms: number }> => {
  const startedAt = now().getTime()
  const limit = new Promise<false>((resolve) => setTimeout(() => resolve(false), READY_TIMEOUT_MS))
  const ok = await Promise.race([
    work().then(
      () => true,
      () => false,
    ),
    limit,
  ])
  return { ok, latency_ms: now().getTime() - startedAt }
}

/** The executor QStash calls, the offer other Workers ask for after a commit, and readiness. */
export const jobsApp = (deps: Deps, queue: Queue, registry: Registry) =>
  new Hono()
    .post(EXECUTOR_PATH, async (c) => {
      const rawBody = await c.req.text()
      if (!(await queue.isGenuine(c.req.header('upstash-signature'), rawBody)))
        return c.json({ error: 'The signature is not valid.' }, 401)
      const { status, body } = await execute(deps, registry, rawBody, (work) => c.executionCtx.waitUntil(work))
      if (status === 489) c.header('Upstash-NonRetryable-Error', 'true')
      return c.body(JSON.stringify(body), status as 200, { 'Content-Type': 'application/json' })
    })
    .post('/internal/offer', async (c) => c.json({ offered: await offerRows(deps, queue) }))
    .get('/readyz', async (c) => {
      const [database, limiter] = await Promise.all([
        timed(deps.now, async () => await deps.db.execute(sql`select 1`)),
        timed(deps.now, () => redisCommand(deps.settings.redisUrl, deps.settings.redisToken, ['PING'])),
      ])
      const ready = database.ok && limiter.ok
      if (!ready) c.header('Retry-After', '5')
      return c.json({ status: ready ? 'ready' : 'not_ready', database, redis: limiter }, ready ? 200 : 503)
    })
    .onError((error, c) => {
      deps.log('error', 'jobs.failed', errorFields(error))
      return c.json({ error: 'The run failed.' }, 500)
    })
