import type { Context } from 'hono'
import { Hono } from 'hono/tiny'
import { rememberedReadiness } from '../../src/platform/http/readiness.ts'
import { execute } from '../../src/platform/jobs/executor.ts'
import { EXECUTOR_PATH, type Registry } from '../../src/platform/jobs/job.ts'
import { offerRows, type Queue } from '../../src/platform/jobs/queue.ts'
import type { Deps } from '../../src/platform/runtime/ctx.ts'
import { OFFER_URL } from '../../src/platform/runtime/deps.ts'
import { errorFields } from '../../src/platform/runtime/log.ts'

/** Most bytes of a message: a job's name, its key and its payload of ids. */
const MAX_MESSAGE_BYTES = 4_096

/** Returns a body of at most 4 KiB as text, counted while reading; undefined for a larger one. */
const readSmall = async (request: Request): Promise<string | undefined> => {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_MESSAGE_BYTES) return undefined
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of (request.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > MAX_MESSAGE_BYTES) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

const failure =
  (deps: Deps) =>
  (error: Error, c: Context): Response => {
    deps.log('error', 'jobs.failed', errorFields(error))
    return c.json({ error: 'The run failed.' }, 500)
  }

/** Returns the executor that QStash calls, and readiness. */
export const jobsApp = (deps: Deps, queue: Queue, registry: Registry) => {
  const ready = rememberedReadiness(deps)
  return new Hono()
    .post(EXECUTOR_PATH, async (c) => {
      const signature = c.req.header('upstash-signature')
      const rawBody = signature === undefined ? undefined : await readSmall(c.req.raw)
      if (rawBody === undefined || !(await queue.isGenuine(signature, rawBody)))
        return c.json({ error: 'The signature is not valid.' }, 401)
      const { status, body } = await execute(deps, registry, rawBody, (work) => c.executionCtx.waitUntil(work))
      c.executionCtx.waitUntil(deps.noteChange())
      if (status === 489) c.header('Upstash-NonRetryable-Error', 'true')
      return c.body(JSON.stringify(body), status as 200, { 'Content-Type': 'application/json' })
    })
    .get('/readyz', async (c) => {
      const { ready: isReady, ...parts } = await ready()
      if (!isReady) c.header('Retry-After', '5')
      return c.json({ status: isReady ? 'ready' : 'not_ready', ...parts }, isReady ? 200 : 503)
    })
    .onError(failure(deps))
}

/** Returns the app that other Workers call after a commit. It offers the new outbox rows to QStash. */
export const offerApp = (deps: Deps, queue: Queue) =>
  new Hono()
    .post(new URL(OFFER_URL).pathname, async (c) => {
      c.executionCtx.waitUntil(deps.noteChange())
      return c.json({ offered: await offerRows(deps, queue) })
    })
    .onError(failure(deps))
