import { Hono } from 'hono'
import { readiness } from '../../src/http/readiness.ts'
import { execute, type Registry } from '../../src/jobs/executor.ts'
import { offerRows } from '../../src/jobs/offer.ts'
import { EXECUTOR_PATH } from '../../src/jobs/paths.ts'
import type { Queue } from '../../src/jobs/queue.ts'
import type { Deps } from '../../src/runtime/ctx.ts'
import { errorFields } from '../../src/runtime/log.ts'

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
      const { ready, ...parts } = await readiness(deps)
      if (!ready) c.header('Retry-After', '5')
      return c.json({ status: ready ? 'ready' : 'not_ready', ...parts }, ready ? 200 : 503)
    })
    .onError((error, c) => {
      deps.log('error', 'jobs.failed', errorFields(error))
      return c.json({ error: 'The run failed.' }, 500)
    })
