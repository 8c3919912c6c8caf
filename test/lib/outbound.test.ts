import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createOutbound } from '../../src/runtime/outbound.ts'

const servers: Server[] = []

const serve = (answer: (path: string) => { body: string; type: string }): Promise<{ url: string; paths: string[] }> =>
  new Promise((resolve) => {
    const paths: string[] = []
    const server = createServer((req, res) => {
      paths.push(req.url ?? '')
      const { body, type } = answer(req.url ?? '')
      res.writeHead(200, { 'content-type': type }).end(body)
    })
    servers.push(server)
    server.listen(0, '127.0.0.1', () =>
      resolve({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths }),
    )
  })

/** A DNS-over-HTTPS server that knows some names. */
const dns = (names: Record<string, string[]>) =>
  serve((path) => {
    const query = new URL(path, 'http://dns').searchParams
    const isV6 = query.get('type') === 'AAAA'
    const addresses = (names[query.get('name') ?? ''] ?? []).filter((a) => a.includes(':') === isV6)
    return {
      type: 'application/dns-json',
      body: JSON.stringify({ Answer: addresses.map((data) => ({ type: isV6 ? 28 : 1, data })) }),
    }
  })

const outboundWith = (dnsQueryUrl: string, allowLoopback = false) =>
  createOutbound({ allowLoopback, dnsQueryUrl, log: () => {}, now: () => new Date() })

const get = (url: string) => ({ url, method: 'GET' as const, timeoutMs: 2_000, maxBytes: 1_000 })

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

describe('addresses that resolve to private networks', () => {
  it.each([
    ['an IPv4 address of a private network', ['10.1.2.3']],
    ['the metadata address', ['169.254.169.254']],
    ['loopback', ['127.0.0.1']],
    ['one private address among public ones', ['93.184.216.34', '192.168.0.7']],
    ['a private IPv6 address', ['fd00::1']],
    ['an IPv4 address mapped into IPv6', ['::ffff:10.0.0.1']],
  ])('are refused: %s', async (_, addresses) => {
    const { url } = await dns({ 'innocent.example': addresses })
    expect(await outboundWith(url)(get('http://innocent.example/hook'))).toEqual({ kind: 'forbidden' })
  })

  it('asks once for a name within a minute', async () => {
    const { url, paths } = await dns({ 'inner.example': ['10.0.0.1'] })
    const outbound = outboundWith(url)
    await outbound(get('http://inner.example/a'))
    await outbound(get('http://inner.example/b'))
    expect(paths.length).toBe(2)
  })

  it('does not look up what is an address already', async () => {
    const { url, paths } = await dns({})
    const target = await serve(() => ({ type: 'text/plain', body: 'hello' }))
    const answer = await outboundWith(url, true)(get(target.url))
    expect(answer).toMatchObject({ kind: 'answered', status: 200, body: 'hello', truncated: false })
    expect(paths).toEqual([])
  })
})

describe('limits', () => {
  it('reads no more than maxBytes', async () => {
    const target = await serve(() => ({ type: 'text/plain', body: 'x'.repeat(50_000) }))
    const answer = await outboundWith('', true)(get(target.url))
    expect(answer).toMatchObject({ kind: 'answered', truncated: true, body: 'x'.repeat(1_000) })
  })

  it('says that a refused connection gave no answer', async () => {
    const target = await serve(() => ({ type: 'text/plain', body: '' }))
    const server = servers.pop()
    await new Promise((resolve) => server?.close(resolve))
    expect(await outboundWith('', true)(get(target.url))).toEqual({ kind: 'no_answer', reason: 'connection' })
  })

  it('sends nothing to loopback outside development', async () => {
    const target = await serve(() => ({ type: 'text/plain', body: '' }))
    expect(await outboundWith('', false)(get(target.url))).toEqual({ kind: 'forbidden' })
    expect(target.paths).toEqual([])
  })
})
