import { readFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ROOT } from '../../../local/root.ts'
import {
  createGuard,
  createOutbound,
  fetchAs,
  unsentReason,
  userAgentOf,
} from '../../../src/platform/runtime/outbound.ts'
import { PATIENCE_MS } from '../../support/patience.ts'

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

/** Returns a DNS-over-HTTPS server that knows some names. */
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
  createOutbound({ allowLoopback, dnsQueryUrl, userAgent: 'Galley/test', log: () => {}, now: () => new Date() })

const get = (url: string) => ({ url, method: 'GET' as const, timeoutMs: PATIENCE_MS, maxBytes: 1_000 })

afterEach(() => {
  vi.unstubAllGlobals()
  for (const server of servers.splice(0)) server.close()
})

it('names the service in every request, and by another name if the caller gives one', async () => {
  const agents: (string | undefined)[] = []
  const server = createServer((req, res) => {
    agents.push(req.headers['user-agent'])
    res.end()
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const userAgent = userAgentOf({ serviceName: 'Acme', publicUrl: 'https://acme.example' })
  const outbound = createOutbound({
    allowLoopback: true,
    dnsQueryUrl: '',
    userAgent,
    log: () => {},
    now: () => new Date(),
  })
  await outbound(get(url))
  await outbound({ ...get(url), headers: { 'User-Agent': 'Acme-Publisher/1.0' } })
  await fetchAs(userAgent)(url, { headers: { 'user-agent': 'an-sdk/1' } })
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const own = `Acme/${version} (+https://acme.example)`
  expect(agents).toEqual([own, 'Acme-Publisher/1.0', own])
})

it('a browser may open only addresses that are public by name and by DNS', async () => {
  const { url } = await dns({
    'public.example.com': ['93.184.216.34', '2606:2800:220:1::1'],
    'mixed.example.com': ['93.184.216.34', '10.1.2.3'],
    'inside.example.com': ['fd00::1'],
  })
  const options = { allowLoopback: false, userAgent: 'Galley/test', log: () => {}, now: () => new Date() }
  const mayOpen = createGuard({ ...options, dnsQueryUrl: url })
  expect(await mayOpen('https://public.example.com/a')).toBe(true)
  for (const refused of [
    'https://mixed.example.com/',
    'https://inside.example.com/',
    'https://unknown.example.com/',
    'http://169.254.169.254/latest',
    'http://[::1]/',
    'http://localhost/',
    'file:///etc/passwd',
    'https://public.example.com:22/',
    'https://kim:secret@public.example.com/',
  ])
    expect([refused, await mayOpen(refused)]).toEqual([refused, false])
  const away = createGuard({ ...options, dnsQueryUrl: 'http://127.0.0.1:9/' })
  expect(await away('https://public.example.com/')).toBe(false)
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

  it('looks a name up once a minute', async () => {
    const { url, paths } = await dns({ 'inner.example': ['10.0.0.1'] })
    const outbound = outboundWith(url)
    await outbound(get('http://inner.example/a'))
    await outbound(get('http://inner.example/b'))
    expect(paths.length).toBe(2)
  })

  it('looks it up again after a minute, and uses the new answer', async () => {
    const names: Record<string, string[]> = { 'moving.example': ['93.184.216.34'] }
    const { url, paths } = await dns(names)
    let now = Date.parse('2026-01-01T00:00:00Z')
    const outbound = createOutbound({
      allowLoopback: false,
      dnsQueryUrl: url,
      userAgent: 'Galley/test',
      log: () => {},
      now: () => new Date(now),
    })
    const ask = () => outbound({ ...get('http://moving.example/'), timeoutMs: 1 })
    expect(await ask()).toMatchObject({ kind: 'no_answer' })
    names['moving.example'] = ['10.0.0.1']
    now += 59_999
    expect(await ask()).toMatchObject({ kind: 'no_answer' })
    // Both types are requested at the same time.
    expect(paths.toSorted()).toEqual(['/?name=moving.example&type=A', '/?name=moving.example&type=AAAA'])
    now += 1
    expect(await ask()).toEqual({ kind: 'forbidden' })
    expect(paths).toHaveLength(4)
  })

  it('keeps a thousand names at most', async () => {
    let asked = 0
    vi.stubGlobal('fetch', async () => {
      asked += 1
      return Response.json({ Answer: [{ type: 1, data: '10.0.0.1' }] })
    })
    const outbound = outboundWith('http://resolver.example/')
    for (let n = 0; n < 1_000; n += 1) await outbound(get(`http://n${n}.example/`))
    await outbound(get('http://n0.example/'))
    expect(asked).toBe(2_000)
    await outbound(get('http://n1000.example/'))
    await outbound(get('http://n0.example/'))
    expect(asked).toBe(2_004)
  })

  it('is read as JSON, for both kinds of address; other records do not count', async () => {
    const accepts: unknown[] = []
    const resolver = createServer((req, res) => {
      accepts.push(req.headers.accept)
      const isV6 = req.url?.endsWith('AAAA')
      const Answer = isV6
        ? []
        : [
            { type: 5, data: 'www.inner.example' },
            { type: 1, data: '127.0.0.1' },
          ]
      res.end(JSON.stringify({ Status: 0, Answer }))
    })
    servers.push(resolver)
    await new Promise<void>((done) => resolver.listen(0, '127.0.0.1', done))
    const { port } = resolver.address() as AddressInfo
    const outbound = (allowLoopback: boolean) => outboundWith(`http://127.0.0.1:${port}/`, allowLoopback)
    expect(await outbound(false)(get('http://inner.example/'))).toEqual({ kind: 'forbidden' })
    expect(accepts).toEqual(['application/dns-json', 'application/dns-json'])
    // In development a name may belong to this machine, so it is called. Here the name does not resolve.
    expect(await outbound(true)(get('http://inner.example/'))).toEqual({ kind: 'no_answer', reason: 'connection' })
  })

  it.each([['::1'], ['127.9.9.9']])('allows %s in development only', async (address) => {
    const { url } = await dns({ 'inner.example': [address] })
    expect(await outboundWith(url, true)(get('http://inner.example/'))).toMatchObject({ kind: 'no_answer' })
    expect(await outboundWith(url, false)(get('http://inner.example/'))).toEqual({ kind: 'forbidden' })
  })

  it('refuses any other private network in development, too', async () => {
    const { url } = await dns({ 'inner.example': ['10.0.0.1'] })
    expect(await outboundWith(url, true)(get('http://inner.example/'))).toEqual({ kind: 'forbidden' })
  })

  it('is made for names with digits in them, and for no address', async () => {
    const names = ['10.0.0.example', '1.example', 'a.1b']
    const { url, paths } = await dns(Object.fromEntries(names.map((name) => [name, ['10.0.0.1']])))
    const outbound = outboundWith(url)
    for (const name of names) expect(await outbound(get(`http://${name}/`)), name).toEqual({ kind: 'forbidden' })
    const asked = paths.length
    // The address is allowed without a DNS query, whether or not a server answers there.
    for (const address of ['8.8.8.8', '[2606:4700::1111]'])
      expect(['no_answer', 'answered']).toContain((await outbound({ ...get(`http://${address}/`), timeoutMs: 1 })).kind)
    expect(paths).toHaveLength(asked)
  })

  it('does not look up this machine in development', async () => {
    const { url, paths } = await dns({})
    const target = await serve(() => ({ type: 'text/plain', body: 'hello' }))
    const answer = await outboundWith(url, true)(get(target.url.replace('127.0.0.1', 'localhost')))
    expect(answer).toMatchObject({ kind: 'answered', body: 'hello' })
    expect(paths).toEqual([])
  })

  it('does not look up an IP address', async () => {
    const { url, paths } = await dns({})
    const target = await serve(() => ({ type: 'text/plain', body: 'hello' }))
    const answer = await outboundWith(url, true)(get(target.url))
    expect(answer).toMatchObject({ kind: 'answered', status: 200, body: 'hello', truncated: false })
    expect(paths).toEqual([])
  })
})

/** Returns a resolver that answers everything alike. */
const resolverWith = (status: number, body: string) =>
  new Promise<string>((resolve) => {
    const server = createServer((_, res) => void res.writeHead(status).end(body))
    servers.push(server)
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })

describe('sends nothing without an answer of the resolver', () => {
  const PUBLIC = JSON.stringify({ Status: 0, Answer: [{ type: 1, data: '93.184.216.34' }] })
  it.each([
    ['it answers with an error', 500, PUBLIC],
    ['it answers with a page', 200, '<html>'],
    ['the name servers of the host fail (SERVFAIL)', 200, JSON.stringify({ Status: 2 })],
    ['the name servers refuse (REFUSED)', 200, JSON.stringify({ Status: 5 })],
  ])('%s', async (_, status, body) => {
    const url = await resolverWith(status, body)
    const logged: unknown[] = []
    const log = (...entry: unknown[]) => logged.push(entry.slice(0, 2))
    const outbound = createOutbound({
      allowLoopback: false,
      dnsQueryUrl: url,
      userAgent: 'Galley/test',
      log,
      now: () => new Date(),
    })
    const answer = await outbound(get('http://site.example/'))
    expect(answer).toEqual({ kind: 'unsent', reason: 'lookup' })
    expect(logged).toEqual([['warn', 'outbound.dns_away']])
  })

  it('it is away, and is called again the next time', async () => {
    const { url, paths } = await dns({ 'inner.example': ['10.0.0.1'] })
    const away = outboundWith('http://127.0.0.1:9/')
    expect(await away(get('http://inner.example/'))).toEqual({ kind: 'unsent', reason: 'lookup' })
    const outbound = outboundWith(url)
    expect(await outbound(get('http://inner.example/'))).toEqual({ kind: 'forbidden' })
    expect(paths).toHaveLength(2)
  })

  it('only one of its two answers comes', async () => {
    const resolver = createServer((req, res) =>
      req.url?.endsWith('AAAA') ? res.writeHead(503).end() : void res.end(PUBLIC),
    )
    servers.push(resolver)
    await new Promise<void>((done) => resolver.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(resolver.address() as AddressInfo).port}/`
    expect(await outboundWith(url)(get('http://site.example/'))).toEqual({ kind: 'unsent', reason: 'lookup' })
  })

  it('the name does not exist, or has no address; it is looked up again the next time', async () => {
    const names: Record<string, string[]> = {}
    const { url } = await dns(names)
    const outbound = outboundWith(url)
    expect(await outbound(get('http://nobody.example/'))).toEqual({ kind: 'unsent', reason: 'no_host' })
    names['nobody.example'] = ['10.0.0.1']
    expect(await outbound(get('http://nobody.example/'))).toEqual({ kind: 'forbidden' })
    const gone = outboundWith(await resolverWith(200, JSON.stringify({ Status: 3 })))
    expect(await gone(get('http://nobody.example/'))).toEqual({ kind: 'unsent', reason: 'no_host' })
  })

  it('and the reason says that nothing was sent', () => {
    expect(unsentReason({ kind: 'unsent', reason: 'lookup' })).toMatch(/could not be looked up .* nothing was sent/)
    expect(unsentReason({ kind: 'unsent', reason: 'no_host' })).toMatch(/does not exist, so nothing was sent/)
  })
})

/** Sends a body in the given chunks, each after the one before was sent. */
const serveChunks = (chunks: readonly Uint8Array[]) =>
  new Promise<{ url: string; sent: () => number; closed: Promise<void> }>((resolve) => {
    let sent = 0
    let hasClosed = () => {}
    const closed = new Promise<void>((done) => {
      hasClosed = done
    })
    const server = createServer((_, res) => {
      res.on('close', hasClosed)
      const next = (n: number): void => {
        const chunk = chunks[n]
        if (!chunk) return void res.end()
        res.write(chunk, (error) => {
          sent += 1
          if (!error) setImmediate(next, n + 1)
        })
      }
      res.writeHead(200, { 'content-type': 'application/octet-stream' })
      next(0)
    })
    servers.push(server)
    server.listen(0, '127.0.0.1', () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      resolve({ url, sent: () => sent, closed })
    })
  })

const filled = (length: number, byte: number): Uint8Array => new Uint8Array(length).fill(byte)

describe('limits', () => {
  it.each([
    ['over several chunks, cut within one', [600, 300, 400, 900], 1_000, true],
    ["cut at a chunk's end", [600, 400, 1], 1_000, true],
    ['exactly full', [600, 400], 1_000, false],
    ['one byte under', [600, 399], 1_000, false],
    ['nothing', [], 1_000, false],
  ])('hold for bytes: %s', async (_, sizes, maxBytes, truncated) => {
    const chunks = sizes.map((size, n) => filled(size, n + 1))
    const { url } = await serveChunks(chunks)
    const answer = await outboundWith('', true)({ ...get(url), maxBytes, as: 'bytes' })
    const whole = Buffer.concat(chunks).subarray(0, maxBytes)
    expect(answer).toMatchObject({ kind: 'answered', truncated, body: '' })
    expect('bytes' in answer && Buffer.from(answer.bytes).equals(whole)).toBe(true)
  })

  it.each([
    ['cut within a character', ['äö', 'ü'], 5, true, 'äö'],
    ['a character over two chunks', ['ä', 'ö'], 10, false, 'äö'],
    ['cut at the limit', ['abc', 'def'], 4, true, 'abcd'],
    ['half a character at the end', [Buffer.from('aä').subarray(0, 2)], 10, false, 'a\ufffd'],
  ])('hold for text: %s', async (_, parts, maxBytes, truncated, body) => {
    const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)))
    const { url } = await serveChunks([bytes.subarray(0, 1), bytes.subarray(1)])
    const answer = await outboundWith('', true)({ ...get(url), maxBytes })
    expect(answer).toMatchObject({ kind: 'answered', truncated, body })
    expect('bytes' in answer && answer.bytes.length).toBe(0)
  })

  it('stops reading at the limit of an endless body', async () => {
    const endless = Array.from({ length: 4_000 }, () => filled(64 * 1024, 7))
    const { url, sent, closed } = await serveChunks(endless)
    const answer = await outboundWith('', true)({ ...get(url), maxBytes: 100_000, as: 'bytes' })
    expect(answer).toMatchObject({ kind: 'answered', truncated: true })
    expect('bytes' in answer && answer.bytes.length).toBe(100_000)
    await closed
    expect(sent()).toBeLessThan(endless.length)
  })

  it('believes no Content-Length further than the limit', async () => {
    const server = createServer((_, res) => {
      res.writeHead(200, { 'content-length': '9000000000' })
      res.write('abc')
    })
    servers.push(server)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const answer = await outboundWith('', true)({ ...get(url), maxBytes: 2, as: 'bytes' })
    expect('bytes' in answer && [...answer.bytes]).toEqual([97, 98])
    server.closeAllConnections()
  })

  it.each<[string, 'text' | 'bytes', (response: ServerResponse) => void]>([
    ['breaks off', 'text', (response) => void response.socket?.end()],
    ['breaks off', 'bytes', (response) => void response.socket?.end()],
    ['does not end in time', 'text', () => {}],
    ['does not end in time', 'bytes', () => {}],
  ])('an answer whose body %s keeps its status and what arrived of it (%s)', async (_, as, end) => {
    const server = createServer((_, res) => {
      res.writeHead(201, { 'content-length': '500', 'x-own': 'yes' })
      res.write(Buffer.from('abcä').subarray(0, 4), () => end(res))
    })
    servers.push(server)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const logged: unknown[] = []
    const outbound = createOutbound({
      allowLoopback: true,
      dnsQueryUrl: '',
      userAgent: 'Galley/test',
      log: (...entry) => logged.push(entry),
      now: () => new Date(),
    })
    const answer = await outbound({ ...get(url), as, timeoutMs: 300 })
    expect(answer).toMatchObject({ kind: 'answered', status: 201, incomplete: true, truncated: false })
    expect('headers' in answer && answer.headers.get('x-own')).toBe('yes')
    expect('body' in answer && (as === 'text' ? answer.body : new TextDecoder().decode(answer.bytes).slice(0, 3))).toBe(
      'abc',
    )
    expect(logged).toEqual([['info', 'outbound.incomplete', { host: new URL(url).host }]])
    server.closeAllConnections()
  })

  it('an answer that does not even begin in time is none', async () => {
    const server = createServer(() => {})
    servers.push(server)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const answer = await outboundWith('', true)({ ...get(url), timeoutMs: 50 })
    expect(answer).toEqual({ kind: 'no_answer', reason: 'timeout' })
    server.closeAllConnections()
  })

  it('follows no redirect, and sends method, headers and body as they are', async () => {
    const seen: unknown[] = []
    const server = createServer(async (req, res) => {
      let body = ''
      for await (const chunk of req) body += chunk
      seen.push([req.method, req.url, req.headers['x-own'], body])
      res.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    })
    servers.push(server)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a?b`
    const answer = await outboundWith('', true)({ ...get(url), method: 'PUT', headers: { 'x-own': 'yes' }, body: 'b' })
    expect(answer).toMatchObject({ kind: 'answered', status: 302 })
    expect('headers' in answer && answer.headers.get('location')).toBe('http://169.254.169.254/')
    expect(seen).toEqual([['PUT', '/a?b', 'yes', 'b']])
  })

  it('reads no more than maxBytes', async () => {
    const target = await serve(() => ({ type: 'text/plain', body: 'x'.repeat(50_000) }))
    const answer = await outboundWith('', true)(get(target.url))
    expect(answer).toMatchObject({ kind: 'answered', truncated: true, body: 'x'.repeat(1_000) })
  })

  it('reports a refused connection as no answer', async () => {
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
