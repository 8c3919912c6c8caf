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
import { afterEach, describe, expect, it } from 'vitest'
import type { QStashOptions } from '../../local/qstash/server.ts'
import { startQStash } from '../../local/qstash/server.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { leastOf, startTimer } from '../support/timer.ts'

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

/** Starts an endpoint that answers the given replies in turn, then 200. */
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
  const client = new Client({ baseUrl: server.url, token, retry: false, enableTelemetry: false })
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
    const { messageId } = await client.publishJSON({ url, body: { text: 'héllo ✓' } })
    const request = await endpoint.nth(1)
    expect(request).toMatchObject({ method: 'POST', url: url.slice(endpoint.url.length), body: '{"text":"héllo ✓"}' })
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Upstash-QStash',
      'upstash-message-id': messageId,
      'upstash-retried': '0',
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

  it('waits for a not-before, divided by the time scale', async () => {
    const endpoint = await startEndpoint()
    const { client, call } = await start({ timeScale: 50 })
    await client.publish({ url: `${endpoint.url}/tomorrow`, notBefore: Math.floor(Date.now() / 1000) + 86_400 })
    expect((await call('GET', '/_state')).body).toMatchObject({
      time_scale: 50,
      pending: 1,
      in_flight: 0,
      delivered: 0,
    })
    const begun = performance.now()
    await client.publish({ url: `${endpoint.url}/not-before`, notBefore: Math.floor(Date.now() / 1000) + 21 })
    const timer = startTimer(420)
    const { at, url } = await endpoint.nth(1)
    expect(url).toBe('/not-before')
    expect(at - begun).toBeGreaterThanOrEqual(399)
    expect(await timer.behind(at)).toBeLessThan(400)
  })

  it('keeps a not-before if it is punctual, whatever the time scale', async () => {
    const endpoint = await startEndpoint()
    const { client } = await start({ timeScale: 50, punctual: true })
    const notBefore = Math.ceil(Date.now() / 1000) + 1
    await client.publish({ url: endpoint.url, notBefore })
    const timer = startTimer(notBefore * 1000 - Date.now())
    const { at } = await endpoint.nth(1)
    expect(Date.now()).toBeGreaterThanOrEqual(notBefore * 1000)
    expect(await timer.behind(at)).toBeLessThan(400)
  })

  it('answers a duplicate with 202 and the first id', async () => {
    const endpoint = await startEndpoint()
    const { client, flush } = await start()
    const once = { url: endpoint.url, deduplicationId: 'order-7' }
    const first = await client.publish({ ...once, body: 'a' })
    expect(await client.publish({ ...once, body: 'b' })).toEqual({ ...first, deduplicated: true })
    expect(await client.publish({ url: endpoint.url, body: 'c' })).not.toHaveProperty('deduplicated')
    await flush()
    expect(endpoint.received.map(({ body }) => body).sort()).toEqual(['a', 'c'])
  })

  it('handles each message of a batch separately: a refused one gets its error, the others are sent', async () => {
    const endpoint = await startEndpoint()
    const { client, call, flush } = await start()
    await call('POST', '/_message_faults', { body: '/faulty', status: 500, times: 1 })
    const answers = await client.batchJSON([
      { url: `${endpoint.url}/1`, body: { n: 1 } },
      { url: 'ftp://x', body: {} },
      { url: `${endpoint.url}/faulty`, body: {} },
      { url: `${endpoint.url}/2`, body: { n: 2 } },
    ])
    expect(answers).toMatchObject([
      { messageId: expect.any(String) },
      { error: expect.stringContaining('ftp://x') },
      { error: 'injected fault: status 500' },
      { messageId: expect.any(String) },
    ])
    await flush()
    const sorted = endpoint.received.toSorted((a, b) => a.url.localeCompare(b.url))
    expect(sorted.map(({ url, body }) => [url, body])).toEqual([
      ['/1', '{"n":1}'],
      ['/2', '{"n":2}'],
    ])
    expect(sorted.map(({ headers }) => headers['upstash-message-id'])).toEqual(
      [answers[0], answers[3]].map((one) => (one as { messageId: string }).messageId),
    )
  })

  it('refuses what it cannot deliver or does not serve, and survives malformed requests', async () => {
    const { url, call } = await start()
    const publish = (headers: Record<string, string>, destination = 'http://127.0.0.1:1/') =>
      fetch(`${url}/v2/publish/${destination}`, { method: 'POST', headers })
    const authorization = `Bearer ${token}`
    expect((await publish({ authorization: 'Bearer other' })).status).toBe(401)
    expect((await publish({})).status).toBe(401)
    expect((await publish({ authorization }, 'group-name')).status).toBe(400)
    expect((await publish({ authorization }, 'http%3A%2F%2F%ff')).status).toBe(400)
    for (const [name, value] of [
      ['retries', '-1'],
      ['retries', '6'],
      ['not-before', 'soon'],
      ['method', 'PUT'],
      ['delay', '10s'],
      ['timeout', '10s'],
      ['forward-x-tenant', 'seven'],
      ['callback', 'http://a.example'],
      ['failure-callback', 'http://a.example'],
      ['flow-control-key', 'k'],
      ['queue-name', 'q'],
    ] as const) {
      const answer = await publish({ authorization, [`upstash-${name}`]: value })
      expect([name, answer.status]).toEqual([name, 400])
    }
    expect((await call('POST', '/v2/batch', '[{')).status).toBe(400)
    expect((await call('POST', '/v2/batch', [null])).body).toEqual([{ error: 'the destination is missing' }])
    expect((await call('POST', '/v2/batch', Array(101).fill({}))).status).toBe(400)
    expect((await call('POST', '/_faults', '{')).status).toBe(400)
    expect((await call('POST', '/v2/publish/http://127.0.0.1:1/', 'x'.repeat(1024 * 1024 + 1))).status).toBe(413)
    for (const path of ['/v2/nothing', '/v2/schedules', '/v2/queues', '/v2/events', '/v2/dlq'])
      expect(await call('GET', path)).toMatchObject({ status: 404, body: { error: expect.any(String) } })
    expect((await call('GET', '/_state')).body).toMatchObject({ pending: 0, in_flight: 0, dead: 0 })
  })
})

describe('retries', () => {
  it('waits e^2.5 s by default and lets Retry-After override it', async () => {
    const mostBehind = async (): Promise<number> => {
      const endpoint = await startEndpoint({ status: 503 }, { status: 429, headers: { 'retry-after': '30' } })
      const { client } = await start({ timeScale: 100 })
      await client.publish({ url: endpoint.url, retries: 4 })
      const behind: number[] = []
      for (const [n, expected] of [121.8, 300].entries()) {
        const before = await endpoint.nth(n + 1)
        const timer = startTimer(expected)
        const { at } = await endpoint.nth(n + 2)
        expect(at - before.at).toBeGreaterThanOrEqual(expected - 2)
        behind.push(await timer.behind(at))
      }
      return Math.max(...behind)
    }
    expect(await leastOf(mostBehind)).toBeLessThan(100)
  })

  it('gives a 489 up at once', async () => {
    const refused = { status: 489, headers: { 'Upstash-NonRetryable-Error': 'true' }, body: 'no such article' }
    const endpoint = await startEndpoint(refused)
    const { client, call, flush } = await start()
    await client.publish({ url: endpoint.url, body: 'payload' })
    await flush()
    expect(endpoint.received).toHaveLength(1)
    expect((await call('GET', '/_state')).body).toMatchObject({ dead: 1, delivered: 0, pending: 0 })
  })

  it('gives up after the requested retries', async () => {
    const endpoint = await startEndpoint({ destroy: true }, { status: 500 }, { status: 500 })
    const { client, flush } = await start({ timeScale: 100_000 })
    await client.publish({ url: endpoint.url, retries: 2 })
    await endpoint.nth(3)
    expect((await flush({ run_delayed: true })).body).toMatchObject({ dead: 1, pending: 0 })
    expect(endpoint.received).toHaveLength(3)
  })
})

describe('flow', () => {
  it('delivers at most 20 at a time', async () => {
    const endpoint = await startEndpoint(...Array.from({ length: 20 }, () => ({ hang: true })))
    const { client, call } = await start()
    for (let n = 0; n < 29; n += 1) await client.publish({ url: endpoint.url })
    await endpoint.nth(20)
    expect((await call('GET', '/_state')).body).toMatchObject({ in_flight: 20, pending: 9 })
    for (const res of endpoint.held) res.end()
    await endpoint.nth(29)
    expect(endpoint.received).toHaveLength(29)
  })
})

describe('persistence', () => {
  const newDir = (): string => {
    const dir = mkdtempSync(join(tmpdir(), 'qstash-'))
    cleanups.push(() => rmSync(dir, { recursive: true }))
    return dir
  }

  it('loses no accepted message if the process is killed', async () => {
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
    const client = new Client({ baseUrl, token, retry: false, enableTelemetry: false })
    const { messageId } = await client.publish({
      url: `${endpoint.url}/in-flight`,
      body: Buffer.from([0, 255]) as never,
    })
    await endpoint.nth(1)
    await client.publish({ url: `${endpoint.url}/dead`, retries: 0 })
    // Killed before it has read that answer, it would deliver this one again, too.
    const dead = async () => ((await (await fetch(`${baseUrl}/_state`)).json()) as { dead: number }).dead
    await expect.poll(dead, { timeout: PATIENCE_MS }).toBe(1)
    const notBefore = Math.floor(Date.now() / 1000) + 3600
    await client.publish({ url: `${endpoint.url}/delayed`, notBefore, deduplicationId: 'once' })
    child.kill('SIGKILL')
    await once(child, 'exit')

    const restarted = await start({ dir })
    expect((await endpoint.nth(3)).headers['upstash-message-id']).toBe(messageId)
    const again = await restarted.client.publish({ url: `${endpoint.url}/delayed`, deduplicationId: 'once' })
    expect(again).toMatchObject({ deduplicated: true })
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
