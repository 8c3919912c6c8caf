import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { callerOf, type Front, inNetworks, serveFront } from '../../server/front.ts'
import { type Serving, serveAt } from '../../server/socket.ts'

const isTrusted = inNetworks(['127.0.0.0/8', '::1', '10.0.0.0/8'])

it.each([
  ['a direct caller', '203.0.113.9', undefined, '203.0.113.9'],
  ['a direct caller who names another address', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['a caller behind the proxy', '127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['one who sent the header to the proxy', '127.0.0.1', '192.0.2.66, 198.51.100.1', '198.51.100.1'],
  ['one behind two proxies', '::ffff:127.0.0.1', '192.0.2.66, 198.51.100.1, 10.0.0.3', '198.51.100.1'],
  ['IPv6', '::1', '2001:db8::7', '2001:db8::7'],
  ['a proxy that sends nonsense', '127.0.0.1', '198.51.100.1, unknown', '127.0.0.1'],
])('counts %s by the address that the proxy saw', (_, peer, forwarded, caller) => {
  expect(callerOf(peer, forwarded, isTrusted)).toBe(caller)
})

const running: (Serving | Front)[] = []
let folder = ''

afterEach(async () => {
  for (const one of running.splice(0)) await one.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts a front before Workers that repeat what they got. */
const frontBefore = async (
  handle: (req: IncomingMessage) => string,
  isThere = true,
  mostPerMinute = 1_000,
): Promise<Front> => {
  folder = mkdtempSync(join(tmpdir(), 'galley-front-'))
  const socket = join(folder, 'workers.sock')
  running.push(
    await serveAt(
      socket,
      async (req, res) => void res.end(handle(req)),
      () => ({ status: 500, headers: {}, body: '' }),
    ),
  )
  const front = await serveFront({
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'https://galley.example',
    trustedProxies: ['127.0.0.1'],
    mostPerMinute,
    workers: async () => (isThere ? socket : undefined),
  })
  running.push(front)
  return front
}

it('tells the Workers the caller’s address, and nothing that a caller says of it', async () => {
  const front = await frontBefore((req) => JSON.stringify({ url: req.url, ...req.headers }))
  const answer = await fetch(`http://127.0.0.1:${front.port}/api/v1/x%2Fy?a=1`, {
    headers: {
      'cf-connecting-ip': '192.0.2.66',
      'cf-timezone': 'Mars/Base',
      'true-client-ip': '192.0.2.66',
      'x-forwarded-for': '192.0.2.66, 198.51.100.1',
      'x-forwarded-proto': 'http',
      authorization: 'Bearer key',
    },
  })
  const seen = (await answer.json()) as Record<string, string>
  expect(seen).toMatchObject({
    url: '/api/v1/x%2Fy?a=1',
    host: 'galley.example',
    'cf-connecting-ip': '198.51.100.1',
    'x-forwarded-proto': 'https',
    authorization: 'Bearer key',
  })
  for (const name of ['cf-timezone', 'true-client-ip', 'x-forwarded-for']) expect(seen).not.toHaveProperty(name)
})

it('passes dot segments as they were sent, so that the gateway refuses them', async () => {
  const front = await frontBefore((req) => req.url ?? '')
  const text = await new Promise<string>((resolve, reject) => {
    const call = request({ port: front.port, host: '127.0.0.1', path: '/api/../secret' }, (answer) => {
      let body = ''
      answer.on('data', (chunk: Buffer) => {
        body += chunk
      })
      answer.on('end', () => resolve(body))
    })
    call.on('error', reject)
    call.end()
  })
  expect(text).toBe('/api/../secret')
})

it('answers 503 with a time to wait while the Workers are not there', async () => {
  const front = await frontBefore(() => '', false)
  const answer = await fetch(`http://127.0.0.1:${front.port}/readyz`)
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toBe('5')
  expect(await answer.json()).toMatchObject({ code: 'unavailable', retryable: true })
})

it('names a port that another program has', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as { port: number }
  const options = { host: '127.0.0.1', port, publicUrl: 'https://galley.example', trustedProxies: [] }
  await expect(serveFront({ ...options, workers: async () => undefined })).rejects.toThrow(`Port ${port}`)
  other.close()
})

it('refuses an address that floods, and only that one', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_790_000_010_000 })
  const front = await frontBefore(() => 'fine', true, 2)
  const from = (address: string) =>
    fetch(`http://127.0.0.1:${front.port}/`, { headers: { 'x-forwarded-for': address } })
  for (const address of ['2001:db8::1', '2001:db8::2']) expect((await from(address)).status).toBe(200)
  const refused = await from('2001:db8::3')
  expect({ status: refused.status, after: refused.headers.get('retry-after') }).toEqual({ status: 429, after: '30' })
  expect(await refused.json()).toMatchObject({ code: 'rate_limited', retryable: true })
  expect((await from('198.51.100.1')).status).toBe(200)
  vi.setSystemTime(1_790_000_040_000)
  expect((await from('2001:db8::3')).status).toBe(200)
  vi.useRealTimers()
})
