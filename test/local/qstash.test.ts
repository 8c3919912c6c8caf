import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client, Receiver } from '@upstash/qstash'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { compileRetryDelay } from '../../local/qstash/expression.ts'
import type { QStashOptions } from '../../local/qstash/server.ts'
import { startQStash } from '../../local/qstash/server.ts'

type Received = { at: number; method: string; url: string; headers: IncomingHttpHeaders; body: string }
type Reply = { status?: number; headers?: Record<string, string>; body?: string; hang?: boolean; destroy?: boolean }

const token = 'local-token'
const signingKeys = { current: 'sig_current', next: 'sig_next' }
const cleanups: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

const respond = (res: ServerResponse, { status = 200, headers = {}, body = '', hang, destroy }: Reply): void => {
  if (destroy) res.destroy()
  else if (!hang) res.writeHead(status, headers).end(body)
}

/** An endpoint that answers the given replies in turn, then 200. */
const startEndpoint = async (...replies: Reply[]) => {
  const received: Received[] = []
  const held: ServerResponse[] = []
  const watchers: (() => void)[] = []
  const server = createServer(async (req, res) => {
    const at = performance.now()
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers } = req
    received.push({ at, method, url, headers, body: Buffer.concat(chunks).toString('utf8') })
    const reply = replies.shift() ?? {}
    if (reply.hang) held.push(res)
    respond(res, reply)
    for (const watcher of watchers) watcher()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    server.close()
    server.closeAllConnections()
  })
  /** The n-th request, as soon as it has come. */
  const nth = (n: number): Promise<Received> =>
    new Promise((resolve) => {
      const check = (): void => {
        const found = received[n - 1]
        if (found) resolve(found)
      }
      watchers.push(check)
      check()
    })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, received, replies, held, nth }
}

const start = async (options: Partial<QStashOptions> = {}) => {
  const server = await startQStash({ port: 0, token, signingKeys, ...options })
  cleanups.push(server.close)
  const client = new Client({ baseUrl: server.url, token, retry: false })
  const call = async (method: string, path: string, body?: unknown) => {
    const init = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const response = await fetch(server.url + path, { method, headers: { authorization: `Bearer ${token}` }, ...init })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const flush = (body: object = {}) => call('POST', '/_flush', body)
  return { ...server, client, call, flush }
}

const verify = (request: Received, url: string, keys: { current: string; next: string }): Promise<boolean> => {
  const receiver = new Receiver({ currentSigningKey: keys.current, nextSigningKey: keys.next })
  return receiver.verify({ signature: String(request.headers['upstash-signature']), body: request.body, url })
}

describe('publish', () => {
  it('delivers the body, headers and a signature that Receiver accepts for this body and url only', async () => {
    const endpoint = await startEndpoint()
    const { client } = await start()
    const url = `${endpoint.url}//hook/a%20b?next=http://x.example/?y=1&z=%2F`
    const { messageId } = await client.publishJSON({
      url,
      body: { text: 'héllo ✓' },
      headers: { 'X-Tenant': 'seven' },
      label: ['first', 'second'],
    })
    const request = await endpoint.nth(1)
    expect(request).toMatchObject({ method: 'POST', url: url.slice(endpoint.url.length), body: '{"text":"héllo ✓"}' })
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Upstash-QStash',
      'upstash-message-id': messageId,
      'upstash-retried': '0',
      'upstash-label': 'first,second',
      'x-tenant': 'seven',
    })
    expect(request.headers).not.toHaveProperty('authorization')
    expect(await verify(request, url, signingKeys)).toBe(true)
    await expect(verify(request, `${url}0`, signingKeys)).rejects.toThrow('invalid subject')
    await expect(verify({ ...request, body: '{}' }, url, signingKeys)).rejects.toThrow('body hash')
    await expect(verify(request, url, { current: 'sig_other', next: 'sig_next' })).rejects.toThrow('signature')
  })

  it('signs with the next key when told to', async () => {
    const endpoint = await startEndpoint()
    const { client, call } = await start()
    await call('POST', '/_control', { sign_with: 'next' })
    await client.publish({ url: endpoint.url, body: 'x' })
    const request = await endpoint.nth(1)
    expect(await verify(request, endpoint.url, { current: 'sig_old', next: 'sig_next' })).toBe(true)
    await expect(verify(request, endpoint.url, { current: 'sig_current', next: 'sig_x' })).rejects.toThrow('signature')
  })

  it('waits for delay and not-before, divided by the time scale', async () => {
    const endpoint = await startEndpoint()
    const { client, call } = await start({ timeScale: 50 })
    const begun = performance.now()
    await client.publish({ url: `${endpoint.url}/not-before`, notBefore: Math.floor(Date.now() / 1000) + 21 })
    await client.publish({ url: `${endpoint.url}/delay`, delay: 10 })
    expect((await call('GET', '/_state')).body).toMatchObject({
      time_scale: 50,
      pending: 2,
      in_flight: 0,
      delivered: 0,
    })
    const first = await endpoint.nth(1)
    const second = await endpoint.nth(2)
    expect([first.url, second.url]).toEqual(['/delay', '/not-before'])
    expect(first.at - begun).toBeGreaterThanOrEqual(199)
    expect(first.at - begun).toBeLessThan(2000)
    expect(second.at - begun).toBeGreaterThanOrEqual(399)
    expect(second.at - begun).toBeLessThan(4000)
  })

  it('answers a duplicate with 202 and the first id, by id and by content', async () => {
    const endpoint = await startEndpoint()
    const { client, flush } = await start()
    const byId = { url: endpoint.url, deduplicationId: 'order-7' }
    const first = await client.publish({ ...byId, body: 'a' })
    expect(await client.publish({ ...byId, body: 'b' })).toEqual({ ...first, deduplicated: true })
    const byContent = { url: endpoint.url, contentBasedDeduplication: true }
    const same = await client.publish({ ...byContent, body: 'c' })
    expect(await client.publish({ ...byContent, body: 'c' })).toEqual({ ...same, deduplicated: true })
    expect(await client.publish({ ...byContent, body: 'd' })).not.toHaveProperty('deduplicated')
    await flush()
    expect(endpoint.received.map(({ body }) => body).sort()).toEqual(['a', 'c', 'd'])
  })

  it('takes a batch, or refuses all of it', async () => {
    const endpoint = await startEndpoint()
    const { client, flush } = await start()
    const accepted = await client.batchJSON([
      { url: `${endpoint.url}/1`, body: { n: 1 }, headers: { 'X-N': 'one' } },
      { url: `${endpoint.url}/2`, body: { n: 2 }, queueName: 'orders' },
    ])
    await flush()
    const sorted = endpoint.received.toSorted((a, b) => a.url.localeCompare(b.url))
    expect(sorted.map(({ url, body }) => [url, body])).toEqual([
      ['/1', '{"n":1}'],
      ['/2', '{"n":2}'],
    ])
    expect(sorted.map(({ headers }) => headers['upstash-message-id'])).toEqual(accepted.map((one) => one.messageId))
    expect(sorted.map(({ headers }) => headers['x-n'] ?? headers['upstash-queue-name'])).toEqual(['one', 'orders'])
    await expect(client.batch([{ url: endpoint.url }, { url: 'ftp://x' }])).rejects.toThrow('ftp://x')
    await flush()
    expect(endpoint.received).toHaveLength(2)
  })

  it('refuses what it cannot deliver and survives malformed requests', async () => {
    const { url, call } = await start()
    const publish = (headers: Record<string, string>, destination = 'http://127.0.0.1:1/') =>
      fetch(`${url}/v2/publish/${destination}`, { method: 'POST', headers })
    const authorization = `Bearer ${token}`
    expect((await publish({ authorization: 'Bearer other' })).status).toBe(401)
    expect((await publish({})).status).toBe(401)
    expect((await publish({ authorization }, 'group-name')).status).toBe(400)
    expect((await publish({ authorization }, 'http%3A%2F%2F%ff')).status).toBe(400)
    expect((await publish({ authorization, 'upstash-delay': 'soon' })).status).toBe(400)
    expect((await publish({ authorization, 'upstash-retries': '-1' })).status).toBe(400)
    expect((await publish({ authorization, 'upstash-retry-delay': 'process.exit(1)' })).status).toBe(400)
    expect((await publish({ authorization, 'upstash-callback': 'nowhere' })).status).toBe(400)
    expect((await call('POST', '/v2/batch', '[{')).status).toBe(400)
    expect((await call('POST', '/v2/batch', [null])).status).toBe(400)
    expect((await call('POST', '/_faults', '{')).status).toBe(400)
    expect((await call('POST', '/v2/queues/%ff/pause')).status).toBe(400)
    expect((await call('POST', '/v2/publish/http://127.0.0.1:1/', 'x'.repeat(1024 * 1024 + 1))).status).toBe(413)
    expect(await call('GET', '/v2/nothing')).toMatchObject({ status: 404, body: { error: expect.any(String) } })
    expect((await call('GET', '/v2/keys')).body).toEqual(signingKeys)
    expect((await call('GET', '/_state')).body).toMatchObject({ pending: 0, in_flight: 0, dead: 0 })
  })

  it('delivers a public url to its local address and signs the public one', async () => {
    const endpoint = await startEndpoint()
    const { client, flush } = await start({ publicUrlAliases: { 'http://127.0.0.1:9/app': endpoint.url } })
    await client.publish({ url: 'http://127.0.0.1:9/app/jobs?a=1', body: 'x' })
    await client.publish({ url: 'http://127.0.0.1:9/apple', body: 'x', retries: 0 })
    const request = await endpoint.nth(1)
    expect(request.url).toBe('/jobs?a=1')
    expect(await verify(request, 'http://127.0.0.1:9/app/jobs?a=1', signingKeys)).toBe(true)
    await flush()
    expect(endpoint.received).toHaveLength(1)
  })
})

describe('retries', () => {
  it('follows the retry-delay expression and counts in Upstash-Retried', async () => {
    const endpoint = await startEndpoint({ status: 500 }, { destroy: true })
    const { client, flush, call } = await start({ timeScale: 10 })
    await client.publish({ url: endpoint.url, body: 'x', retryDelay: '1000*(1+retried)' })
    const [first, second, third] = await Promise.all([endpoint.nth(1), endpoint.nth(2), endpoint.nth(3)])
    await flush()
    expect(endpoint.received.map(({ headers }) => headers['upstash-retried'])).toEqual(['0', '1', '2'])
    expect(second.at - first.at).toBeGreaterThanOrEqual(99)
    expect(second.at - first.at).toBeLessThan(900)
    expect(third.at - second.at).toBeGreaterThanOrEqual(199)
    expect(third.at - second.at).toBeLessThan(900)
    expect(await verify(third, endpoint.url, signingKeys)).toBe(true)
    expect((await call('GET', '/_state')).body).toMatchObject({ delivered: 1, pending: 0, dead: 0 })
  })

  it('waits e^2.5 s by default and lets Retry-After and X-RateLimit-Reset override it', async () => {
    const inTen = new Date(Date.now() + 10_500).toUTCString()
    const endpoint = await startEndpoint(
      { status: 503 },
      { status: 429, headers: { 'retry-after': '30' } },
      { status: 503, headers: { 'retry-after': inTen } },
      { status: 429, headers: { 'x-ratelimit-reset': '1m10s' } },
    )
    const { client } = await start({ timeScale: 100 })
    await client.publish({ url: endpoint.url, retries: 4 })
    await endpoint.nth(5)
    const waits = endpoint.received.slice(1).map(({ at }, n) => at - (endpoint.received[n]?.at ?? 0))
    const expected = [121.8, 300, 90, 700]
    for (const [n, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual((expected[n] ?? 0) - 2)
      expect(wait).toBeLessThan((expected[n] ?? 0) + 400)
    }
  })

  it('computes retry-delay expressions without running code', () => {
    const values: [string, number, number][] = [
      ['1000', 5, 1000],
      ['pow(2, retried) * 1000', 3, 8000],
      ['max(1000, min(5000, retried*500))', 4, 2000],
      ['-2 + 3*4 - 10/(1+retried)', 1, 5],
      ['round(sqrt(abs(-16))) + floor(1.9) + ceil(0.1) + exp(0)', 0, 7],
      ['-5', 0, 0],
    ]
    for (const [text, retried, ms] of values) expect([text, compileRetryDelay(text)(retried)]).toEqual([text, ms])
    for (const text of ['', '1+', 'pow(2)', 'retries', 'constructor(1)', '1 2', '((1)', '2;3', '('.repeat(900)]) {
      expect(() => compileRetryDelay(text), text).toThrow('invalid retry delay expression')
    }
  })

  it('gives up on an endpoint that does not answer in time', async () => {
    const endpoint = await startEndpoint({ hang: true })
    const { url, client, flush } = await start()
    const headers = { authorization: `Bearer ${token}`, 'upstash-timeout': '80ms', 'upstash-retries': '0' }
    await fetch(`${url}/v2/publish/${endpoint.url}/slow`, { method: 'POST', headers })
    await flush()
    const { messages } = await client.dlq.listMessages()
    expect(messages).toMatchObject([{ url: `${endpoint.url}/slow`, responseStatus: 0 }])
    expect(messages[0]?.responseBody).toContain('no answer within 80 ms')
  })

  it('buries a 489 at once, calls the failure callback, and delivers again on a dlq retry', async () => {
    const endpoint = await startEndpoint({
      status: 489,
      headers: { 'Upstash-NonRetryable-Error': 'true' },
      body: 'no such article',
    })
    const callbacks = await startEndpoint()
    const { client, call } = await start()
    const failureCallback = `${callbacks.url}/failed`
    const { messageId } = await client.publish({ url: endpoint.url, body: 'payload', failureCallback, label: 'bad' })
    const failed = JSON.parse((await callbacks.nth(1)).body)
    expect(failed).toMatchObject({ status: 489, retried: 0, maxRetries: 3, sourceMessageId: messageId })
    expect(Buffer.from(failed.sourceBody, 'base64').toString()).toBe('payload')
    const { messages } = await client.dlq.listMessages({ filter: { label: 'bad' } })
    expect(messages).toMatchObject([
      { messageId, dlqId: failed.dlqId, body: 'payload', responseStatus: 489, responseBody: 'no such article' },
    ])
    expect((await client.dlq.listMessages({ filter: { label: 'good' } })).messages).toEqual([])
    const { responses } = await client.dlq.retry(failed.dlqId)
    const again = await endpoint.nth(2)
    expect(again.body).toBe('payload')
    expect(again.headers).toMatchObject({ 'upstash-message-id': responses[0]?.messageId, 'upstash-retried': '0' })
    expect((await call('GET', `/v2/dlq/${failed.dlqId}`)).status).toBe(404)
  })

  it('sends the callback after every attempt, as a signed message of its own', async () => {
    const endpoint = await startEndpoint({ status: 500, body: 'broken' }, { body: 'done', headers: { 'x-a': 'b' } })
    const callbacks = await startEndpoint()
    const { client } = await start({ timeScale: 100 })
    const headers = { 'Upstash-Callback-Forward-X-Trace': 'abc', 'Upstash-Callback-Method': 'PUT' }
    await client.publish({ url: endpoint.url, callback: callbacks.url, headers, retryDelay: '1000' })
    const second = await callbacks.nth(2)
    const bodies = callbacks.received.map(({ body }) => JSON.parse(body))
    const answers = bodies.map(({ status, retried, body }) => [status, retried, Buffer.from(body, 'base64').toString()])
    expect(answers).toEqual([
      [500, 0, 'broken'],
      [200, 1, 'done'],
    ])
    expect(bodies[1].header['x-a']).toEqual(['b'])
    expect(second).toMatchObject({ method: 'PUT', headers: { 'x-trace': 'abc' } })
    expect(await verify(second, callbacks.url, signingKeys)).toBe(true)
  })
})

describe('responses', () => {
  it('reads at most 1 MiB of an answer, which still counts', async () => {
    const endpoint = await startEndpoint({ body: 'é'.repeat(1_500_000) })
    const callbacks = await startEndpoint()
    const { client, flush } = await start()
    await client.publish({ url: endpoint.url, callback: callbacks.url })
    const { status, body } = JSON.parse((await callbacks.nth(1)).body)
    expect([status, Buffer.from(body, 'base64').length]).toEqual([200, 1024 * 1024])
    expect((await flush()).body).toMatchObject({ delivered: 2, pending: 0 })
  })
})

describe('order and cancelling', () => {
  it('keeps a queue first in first out through a retry', async () => {
    const endpoint = await startEndpoint({ status: 500 })
    const { client, flush } = await start({ timeScale: 100 })
    const queue = client.queue({ queueName: 'fifo' })
    await queue.upsert({ parallelism: 1, paused: true })
    for (const body of ['a', 'b', 'c']) await queue.enqueue({ url: endpoint.url, body, retryDelay: '5000' })
    expect(await queue.get()).toMatchObject({ name: 'fifo', parallelism: 1, paused: true, lag: 3 })
    await flush()
    expect(endpoint.received).toHaveLength(0)
    await queue.resume()
    await endpoint.nth(4)
    expect(endpoint.received.map(({ body }) => body)).toEqual(['a', 'a', 'b', 'c'])
  })

  it('delivers at most 20 at a time, and at most the flow-control parallelism of one key', async () => {
    const endpoint = await startEndpoint(...Array.from({ length: 20 }, () => ({ hang: true })))
    const { client, call } = await start()
    const flowControl = { key: 'slow', parallelism: 2 }
    for (let n = 0; n < 4; n += 1) await client.publish({ url: `${endpoint.url}/flow`, flowControl })
    for (let n = 0; n < 25; n += 1) await client.publish({ url: `${endpoint.url}/free` })
    await endpoint.nth(20)
    expect((await call('GET', '/_state')).body).toMatchObject({ in_flight: 20, pending: 9 })
    expect(endpoint.received.filter(({ url }) => url === '/flow')).toHaveLength(2)
    for (const res of endpoint.held) res.end()
    await endpoint.nth(29)
    expect(endpoint.received).toHaveLength(29)
  })

  it('cancels a waiting message and lists what happened', async () => {
    const endpoint = await startEndpoint()
    const { client, call, flush } = await start()
    const { messageId } = await client.publish({ url: `${endpoint.url}/a`, delay: 60, body: 'x' })
    await client.publish({ url: `${endpoint.url}/b`, delay: 60, label: 'kept' })
    expect(await client.messages.get(messageId)).toMatchObject({ messageId, url: `${endpoint.url}/a`, body: 'x' })
    expect(await client.messages.cancel({ filter: { label: 'none' } })).toEqual({ cancelled: 0 })
    expect(await client.messages.cancel([messageId])).toEqual({ cancelled: 1 })
    await expect(client.messages.get(messageId)).rejects.toThrow('not found')
    expect((await flush({ run_delayed: true })).body).toMatchObject({ delivered: 1, pending: 0 })
    expect(endpoint.received.map(({ url }) => url)).toEqual(['/b'])
    const { logs, cursor } = await client.logs({ filter: { count: 2 } })
    expect(logs.map(({ state }) => state)).toEqual(['DELIVERED', 'ACTIVE'])
    const older = await client.logs({ cursor: String(cursor) })
    expect(older.logs.map(({ state }) => state)).toEqual(['CANCELED', 'CREATED', 'CREATED'])
    expect((await call('GET', '/v2/logs?state=CANCELED')).body.events).toMatchObject([{ messageId }])
  })
})

describe('schedules', () => {
  it('overwrites by id, knows its next time in its zone, pauses and deletes', async () => {
    const endpoint = await startEndpoint()
    const { client, call } = await start()
    const daily = { scheduleId: 'daily', destination: `${endpoint.url}/daily`, body: '{"job":1}' }
    expect(await client.schedules.create({ ...daily, cron: '0 0 1 1 *' })).toEqual({ scheduleId: 'daily' })
    await client.schedules.create({ ...daily, cron: 'CRON_TZ=Europe/Amsterdam 30 9 * * *', retries: 1 })
    const schedules = await client.schedules.list()
    expect(schedules).toHaveLength(1)
    const next = schedules[0]?.nextScheduleTime ?? 0
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Amsterdam', timeStyle: 'short' })
    expect(clock.format(next)).toBe('09:30')
    expect(next).toBeGreaterThan(Date.now())
    expect(schedules[0]).toMatchObject({ scheduleId: 'daily', destination: daily.destination, retries: 1 })
    await client.schedules.pause({ schedule: 'daily' })
    expect(await client.schedules.get('daily')).toMatchObject({ isPaused: true, body: '{"job":1}' })
    await call('POST', '/_control', { run_schedule: 'daily' })
    expect(await endpoint.nth(1)).toMatchObject({ url: '/daily', body: '{"job":1}' })
    await client.schedules.resume({ schedule: 'daily' })
    expect(await client.schedules.get('daily')).toMatchObject({ isPaused: false })
    await client.schedules.delete('daily')
    expect(await client.schedules.list()).toEqual([])
    for (const cron of ['61 * * * *', '* * * *', 'CRON_TZ=No/Where * * * * *', '0 0 0 * * *']) {
      await expect(client.schedules.create({ ...daily, cron })).rejects.toThrow('invalid cron')
    }
  })

  it('publishes when the minute comes', async () => {
    const endpoint = await startEndpoint()
    const realNow = Date.now
    const toMinute = 60_000 - (realNow() % 60_000)
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => realNow() + toMinute - 120)
    cleanups.push(() => clock.mockRestore())
    const { client } = await start()
    const begun = performance.now()
    await client.schedules.create({
      scheduleId: 'every',
      destination: `${endpoint.url}/job`,
      cron: '* * * * *',
      body: 'x',
    })
    const request = await endpoint.nth(1)
    expect(request.at - begun).toBeLessThan(500)
    expect(request.headers).toMatchObject({ 'upstash-schedule-id': 'every', 'content-type': 'application/json' })
    expect((await client.schedules.get('every')).lastScheduleTime).toBeGreaterThan(realNow())
  })
})

describe('faults of the api', () => {
  it('delays exactly, fails, drops and repeats', async () => {
    const endpoint = await startEndpoint()
    const { client, call, flush } = await start()
    const publish = (path: string) => client.publish({ url: `${endpoint.url}${path}`, body: path })
    await call('POST', '/_faults', [
      { path: '/late', delay_ms: 150, times: 1 },
      { path: '/broken', status: 503, answer: { error: 'down' } },
      { body: '/before', drop: 'before' },
      { path: '/after', drop: 'after' },
      { path: '/twice', repeat: 2 },
    ])
    const begun = performance.now()
    await publish('/late')
    const took = performance.now() - begun
    expect(took).toBeGreaterThanOrEqual(150)
    expect(took).toBeLessThan(250)
    await expect(publish('/broken')).rejects.toThrow('down')
    await expect(publish('/before')).rejects.toThrow('fetch failed')
    await expect(publish('/after')).rejects.toThrow('fetch failed')
    await publish('/twice')
    await call('DELETE', '/_faults')
    await publish('/broken')
    await flush()
    expect(endpoint.received.map(({ url }) => url).sort()).toEqual(['/after', '/broken', '/late', '/twice', '/twice'])
  })
})

describe('faults of deliveries', () => {
  it('delivers late, loses, repeats and pretends', async () => {
    const endpoint = await startEndpoint()
    const { client, call, flush } = await start({ timeScale: 100 })
    const publish = (path: string) => client.publish({ url: endpoint.url + path, body: path, retryDelay: '1000' })
    await call('POST', '/_delivery_faults', [
      { path: '/late', delay_ms: 150 },
      { path: '/lost', drop: 'before' },
      { body: '/again', drop: 'after', times: 1 },
      { path: '/twice', repeat: 2 },
      { path: '/pretend', status: 500, times: 2 },
    ])
    const begun = performance.now()
    await publish('/late')
    const { body: state } = await flush()
    expect(state).toMatchObject({ delivered: 1, pending: 0 })
    expect((endpoint.received[0]?.at ?? 0) - begun).toBeGreaterThanOrEqual(149)
    await publish('/lost')
    await publish('/twice')
    await publish('/again')
    await publish('/pretend')
    await endpoint.nth(6)
    await flush()
    const seen = endpoint.received.map(({ url, headers }) => `${url} ${headers['upstash-retried']}`)
    expect(seen.sort()).toEqual(['/again 0', '/again 1', '/late 0', '/pretend 2', '/twice 0', '/twice 0'])
    expect((await call('GET', '/_state')).body).toMatchObject({ delivered: 4, pending: 0, dead: 0 })
  })

  it('releases reordered messages last first, and incomplete ones on a flush', async () => {
    const endpoint = await startEndpoint()
    const { client, call, flush } = await start()
    await call('POST', '/_delivery_faults', { path: endpoint.url, reorder: 3 })
    for (const path of ['/1', '/2']) await client.publish({ url: endpoint.url + path })
    expect((await call('GET', '/_state')).body).toMatchObject({ pending: 2, in_flight: 0 })
    await client.publish({ url: `${endpoint.url}/3` })
    await endpoint.nth(3)
    for (const path of ['/4', '/5']) await client.publish({ url: endpoint.url + path })
    await flush()
    expect(endpoint.received.map(({ url }) => url)).toEqual(['/3', '/2', '/1', '/5', '/4'])
  })
})

describe('persistence', () => {
  const newDir = (): string => {
    const dir = mkdtempSync(join(tmpdir(), 'qstash-'))
    cleanups.push(() => rmSync(dir, { recursive: true }))
    return dir
  }

  it('loses nothing it has accepted when the process is killed', async () => {
    const dir = newDir()
    const module = new URL('../../local/qstash/server.ts', import.meta.url).href
    const options = JSON.stringify({ port: 0, token, signingKeys, dir })
    const script = `import { startQStash } from '${module}'; console.log((await startQStash(${options})).url)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    cleanups.push(() => void child.kill('SIGKILL'))
    const [baseUrl] = await once(createInterface(child.stdout), 'line')
    const endpoint = await startEndpoint({ hang: true }, { status: 500 })
    const callbacks = await startEndpoint()
    const client = new Client({ baseUrl, token, retry: false })
    const { messageId } = await client.publish({
      url: `${endpoint.url}/in-flight`,
      body: Buffer.from([0, 255]) as never,
    })
    await endpoint.nth(1)
    await client.publish({ url: `${endpoint.url}/dead`, retries: 0, failureCallback: callbacks.url })
    await callbacks.nth(1)
    await client.publish({ url: `${endpoint.url}/delayed`, delay: 3600, deduplicationId: 'once' })
    await client.queue({ queueName: 'q' }).upsert({ parallelism: 3 })
    await client.schedules.create({ scheduleId: 's', destination: endpoint.url, cron: '0 0 1 1 *' })
    child.kill('SIGKILL')
    await once(child, 'exit')

    const restarted = await start({ dir })
    expect((await endpoint.nth(3)).headers['upstash-message-id']).toBe(messageId)
    const again = await restarted.client.publish({ url: `${endpoint.url}/delayed`, deduplicationId: 'once' })
    expect(again).toMatchObject({ deduplicated: true })
    expect((await restarted.client.dlq.listMessages()).messages).toMatchObject([{ url: `${endpoint.url}/dead` }])
    expect((await restarted.client.schedules.list()).map(({ scheduleId }) => scheduleId)).toEqual(['s'])
    expect(await restarted.client.queue({ queueName: 'q' }).get()).toMatchObject({ parallelism: 3 })
    await restarted.flush({ run_delayed: true })
    expect(endpoint.received.map(({ url }) => url)).toEqual(['/in-flight', '/dead', '/in-flight', '/delayed'])
  })

  it('remembers retries through a restart and forgets what was delivered', async () => {
    const dir = newDir()
    const endpoint = await startEndpoint({}, { status: 500 })
    const first = await start({ dir })
    await first.client.publish({ url: `${endpoint.url}/done` })
    await first.flush()
    await first.client.publish({ url: `${endpoint.url}/retried` })
    await first.flush()
    await first.close()
    const second = await start({ dir })
    expect((await second.flush({ run_delayed: true })).body).toMatchObject({ delivered: 1, pending: 0 })
    const seen = endpoint.received.map(({ url, headers }) => `${url} ${headers['upstash-retried']}`)
    expect(seen).toEqual(['/done 0', '/retried 0', '/retried 1'])
  })
})
