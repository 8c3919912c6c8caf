import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { KEEP_ALIVE_MS } from '../../../local/loopback.ts'
import { type Answer, type Api, anotherKey, newAccount, rowsIn } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { fieldsOf, manyKeys } from '../../support/keys.ts'
import { picture, pngOfBytes } from './pictures.ts'

const stack = inject('stack')
const MIB = 1024 * 1024

let api: Api
let png: Buffer
beforeAll(async () => {
  api = manyKeys(stack, await newAccount(stack))
  png = await picture({ width: 30, height: 20, format: 'png' })
})

const host = (fields: Record<string, unknown>): Promise<Answer> => api.post('/images', fields)
const base64 = (bytes: Buffer): string => bytes.toString('base64')
const heldBy = (accountId: number) =>
  rowsIn<Record<string, unknown>>(
    stack,
    sql`select hash, extension, bytes, width, height from hosted_images where account_id = ${accountId}::int order by created_at, hash`,
  )

describe('POST /images with bytes', () => {
  it('answers 201 with a public address and the size, and nothing else', async () => {
    const { status, body } = await host({ image_base64: base64(png) })
    expect(status).toBe(201)
    expect(body).toEqual({ url: expect.stringMatching(/\/media\/[0-9a-f]{64}\.png$/), width: 30, height: 20 })
    expect(String(body.url).startsWith(`${stack.url}/media/`)).toBe(true)
  })

  it('accepts base64 as a data URL, with line breaks, without padding, URL-safe, and escaped', async () => {
    const plain = base64(png)
    const url = (await host({ image_base64: plain })).body.url
    const forms = [
      `data:image/png;base64,${plain}`,
      `data:image/png;name=x.png;base64,${plain}`,
      // The declared type does not count: the bytes decide.
      `data:image/jpeg;base64,${plain}`,
      plain.replace(/.{76}/g, '$&\r\n'),
      plain.replace(/=+$/, ''),
      plain.replaceAll('+', '-').replaceAll('/', '_'),
    ]
    for (const form of forms) expect((await host({ image_base64: form })).body.url, form.slice(0, 40)).toBe(url)
    const escaped = [plain.replaceAll('/', '\\/'), plain.replaceAll('+', '\\u002B').replaceAll('=', '\\u003d')]
    for (const text of escaped) {
      const raw = `{ "name" : "image_base64", "image_base64"\n: "${text}" , "after": [{"image_base64": "no"}] }`
      expect((await api.call('POST', '/images', { raw })).body.url).toBe(url)
    }
  })

  it('counts the last of several fields of one name, as JSON does', async () => {
    const other = await picture({ width: 9, height: 8, format: 'gif' })
    const raw = `{"image_base64":"${base64(png)}","image_base64":"${base64(other)}"}`
    expect((await api.call('POST', '/images', { raw })).body).toMatchObject({ width: 9, height: 8 })
    const undone = `{"image_base64":"${base64(png)}","image_base64":7}`
    expectError(await api.call('POST', '/images', { raw: undone }), 'invalid_input')
  })

  it('is 400 for both and for neither, and names the two fields', async () => {
    const url = 'https://example.com/a.png'
    for (const fields of [
      { image_base64: base64(png), image_url: url },
      { image_url: undefined, image_base64: undefined, x: 1 },
    ]) {
      const answer = await host(fields)
      expect(answer.status).toBe(400)
      if ('image_url' in fields && fields.image_url)
        expect(fieldsOf(answer.body)).toEqual(['image_base64', 'image_url'])
    }
  })

  it('is 415 for a data URL of another type, and 400 for invalid base64', async () => {
    expectError(await host({ image_base64: `data:text/html;base64,${base64(png)}` }), 'unsupported_image')
    for (const text of ['', '@@@', 'data:image/png,plain', 'data:image/png;base64'])
      expect([400, 415], text).toContain((await host({ image_base64: text })).status)
  })

  it('says which formats are taken, and why an SVG is not', async () => {
    const answer = await host({ image_base64: base64(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')) })
    expectError(answer, 'unsupported_image')
    expect(answer.body.error).toContain('scripts')
    expect(answer.body.allowed).toEqual(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])
  })

  it('takes 12 MB, and neither a byte more nor a body of more than 18 MiB', async () => {
    expect((await host({ image_base64: base64(pngOfBytes(12 * MIB)) })).status).toBe(201)
    const answer = await host({ image_base64: base64(pngOfBytes(12 * MIB + 1)) })
    expectError(answer, 'image_too_large')
    expect(answer.body.max_bytes).toBe(12 * MIB)
    const tooLarge = await host({ image_base64: 'A'.repeat(18 * MIB) })
    expectError(tooLarge, 'body_too_large')
    expect(tooLarge.body.max_bytes).toBe(18 * MIB)
  })

  it('stores an image once per account, however it was sent', async () => {
    const [one, two] = [await newAccount(stack), await newAccount(stack)]
    const first = await one.post('/images', { image_base64: base64(png) })
    await one.post('/images', { image_base64: `data:image/png;base64,${base64(png)}` })
    const second = await two.post('/images', { image_base64: base64(png) })
    expect(second.body.url).toBe(first.body.url)
    const row = {
      extension: 'png',
      bytes: png.length,
      width: 30,
      height: 20,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    }
    expect(await heldBy(one.accountId)).toEqual([row])
    expect(await heldBy(two.accountId)).toEqual([row])
  })

  it('keeps its answer under an Idempotency-Key, and knows other bytes from the same', async () => {
    const other = await picture({ width: 31, height: 20, format: 'png' })
    const headers = { 'idempotency-key': 'image-1' }
    const mine = await newAccount(stack)
    const first = await mine.post('/images', { image_base64: base64(png) }, { headers })
    const again = await mine.post('/images', { image_base64: base64(png).replace(/=+$/, '') }, { headers })
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expectError(await mine.post('/images', { image_base64: base64(other) }, { headers }), 'idempotency_key_reused')
  })

  it('is 403 for a read-only key, and stores nothing', async () => {
    const owner = await newAccount(stack)
    const reader = await anotherKey(stack, owner, ['read'])
    expectError(await reader.post('/images', { image_base64: base64(png) }), 'key_may_not')
    expect(await heldBy(owner.accountId)).toEqual([])
  })

  it('names the fields it does not know', async () => {
    const { status, body } = await host({ image_base64: base64(png), alt: 'a picture' })
    expect([status, body.ignored]).toEqual([201, ['alt']])
  })
})

describe('POST /images with an address', () => {
  let server: Server
  let origin: string
  const asked: string[] = []
  beforeAll(async () => {
    const jpeg = await picture({ width: 64, height: 48, format: 'jpg', orientation: 8 })
    server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (req, res) => {
      asked.push(`${req.url} ${req.headers['user-agent']}`)
      const send = (status: number, headers: Record<string, string>, body: Buffer | string = '') =>
        res.writeHead(status, headers).end(body)
      const redirect = (to: string) => send(302, { location: to })
      const path = new URL(req.url ?? '/', 'http://x').pathname
      if (path === '/photo') return send(200, { 'content-type': 'application/octet-stream' }, jpeg)
      if (path === '/page.png') return send(200, { 'content-type': 'image/png' }, '<!doctype html><h1>Not here</h1>')
      if (path === '/gone') return send(404, { 'content-type': 'image/png' }, png)
      if (path === '/empty') return send(204, {})
      if (path === '/busy') return send(429, {})
      if (path === '/large') return send(200, { 'content-type': 'image/png' }, pngOfBytes(12 * MIB + 1))
      if (path === '/endless') {
        res.writeHead(200, { 'content-type': 'image/png' })
        const more = () => {
          while (!res.destroyed && res.write(Buffer.alloc(64 * 1024))) {}
          if (!res.destroyed) res.once('drain', more)
        }
        return more()
      }
      if (path === '/hop') return redirect('/photo')
      if (path === '/private') return redirect('http://10.0.0.1/x.png')
      if (path === '/loop') return redirect('/loop')
      return send(500, {})
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  it('copies the file, whatever type it declares, also after a redirect', async () => {
    const { status, body } = await host({ image_url: `${origin}/photo` })
    expect([status, body.width, body.height]).toEqual([201, 48, 64])
    expect(body.url).toMatch(/\.jpg$/)
    expect((await host({ image_url: `${origin}/hop` })).body).toEqual(body)
    expect(asked[0]).toMatch(/^\/photo GalleyBot\/1\.0 \(\+http/)
  })

  it.each([
    ['/page.png', 'did not answer with an image', false],
    ['/gone', 'status 404', false],
    ['/empty', 'status 204', false],
    ['/loop', 'too many times', false],
    ['/broken', 'status 500', true],
    ['/busy', 'status 429', true],
  ])('is 422 where %s answers with no image, to be repeated only where that can help', async (path, reason, passes) => {
    const answer = await host({ image_url: `${origin}${path}` })
    expectError(answer, 'image_not_fetched', passes)
    expect(answer.body.error).toContain(reason)
  })

  it('is 422 if nothing answers', async () => {
    const answer = await host({ image_url: 'http://127.0.0.1:9/x.png' })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(['image_not_fetched', 'forbidden_url']).toContain(answer.body.code)
    expectError(await host({ image_url: 'http://127.0.0.1:1999/x.png' }), 'image_not_fetched')
  })

  it('reads no further than the limit: 413', async () => {
    expectError(await host({ image_url: `${origin}/large` }), 'image_too_large')
    expectError(await host({ image_url: `${origin}/endless` }), 'image_too_large')
  })

  it('is 400 for a private address, also after a redirect', async () => {
    for (const url of [
      'http://10.0.0.1/x.png',
      'http://169.254.169.254/latest',
      'http://[::ffff:10.0.0.1]/',
      `${origin}/private`,
    ]) {
      const answer = await host({ image_url: url })
      expectError(answer, 'forbidden_url')
      expect(fieldsOf(answer.body)).toEqual(['image_url'])
      expect(answer.body.message).toContain('public')
    }
    expect((await host({ image_url: 'http://images.example:25/x.png' })).body.message).toContain('port 80, 443')
  })

  it.each(['ftp://images.example/x.png', 'https://me:secret@images.example/x.png', 'data:image/png;base64,AA=='])(
    'is 400 for %s, an address of another kind',
    async (url) => {
      const answer = await host({ image_url: url })
      expectError(answer, 'forbidden_url')
      expect(fieldsOf(answer.body)).toEqual(['image_url'])
      expect(answer.body.message).toContain('http or https URL without credentials')
    },
  )

  it('is 400 for an invalid address', async () => {
    for (const url of ['images.example/x.png', '//images.example/x.png', 'http://'])
      expectError(await host({ image_url: url }), 'invalid_input')
  })
})

describe('GET /media', () => {
  let url: string
  beforeAll(async () => {
    url = String((await host({ image_base64: base64(png) })).body.url)
  })
  const ask = async (headers: Record<string, string> = {}, method = 'GET', at = url) => {
    const response = await fetch(at, { method, headers })
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  it('serves the bytes to everyone, for a year, only as an image', async () => {
    const { status, headers, bytes } = await ask()
    expect(status).toBe(200)
    expect(bytes.equals(png)).toBe(true)
    const told = Object.fromEntries(headers)
    expect(told).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(png.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(told['content-security-policy']).toContain("default-src 'none'")
    expect(told['content-security-policy']).toContain('sandbox')
    expect(told.etag).toMatch(/^"[0-9a-f]{64}"$/)
    expect(told['x-request-id']).toMatch(/\S/)
  })

  it('is 304 for one the caller has', async () => {
    const tag = (await ask()).headers.get('etag') ?? ''
    for (const condition of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { status, headers, bytes } = await ask({ 'if-none-match': condition })
      expect([status, bytes.length, headers.get('etag')], condition).toEqual([304, 0, tag])
      expect(headers.get('cache-control')).toContain('immutable')
    }
    expect((await ask({ 'if-none-match': '"other"' })).status).toBe(200)
    expect((await ask({ 'if-none-match': tag, range: 'bytes=0-1' })).status).toBe(304)
  })

  it('answers HEAD as GET without the bytes', async () => {
    const { status, headers, bytes } = await ask({}, 'HEAD')
    expect([status, headers.get('content-length'), bytes.length]).toEqual([200, String(png.length), 0])
  })

  it.each([
    ['bytes=0-9', 0, 10],
    ['bytes=5-5', 5, 6],
    ['bytes=20-', 20, undefined],
    ['bytes=-7', -7, undefined],
    ['bytes=10-99999999', 10, undefined],
    ['bytes=-99999999', 0, undefined],
  ])('gives a part for Range: %s', async (range, from, to) => {
    const { status, headers, bytes } = await ask({ range })
    const part = png.subarray(from, to)
    const first = from < 0 ? png.length + from : from
    expect(status).toBe(206)
    expect(bytes.equals(part)).toBe(true)
    expect(headers.get('content-range')).toBe(`bytes ${first}-${first + part.length - 1}/${png.length}`)
    expect(headers.get('content-length')).toBe(String(part.length))
  })

  it('is 416 for a part behind the end, and ignores a range it does not understand', async () => {
    for (const range of [`bytes=${png.length}-`, 'bytes=99999999-', 'bytes=-0']) {
      const { status, headers } = await ask({ range })
      expect([status, headers.get('content-range')], range).toEqual([416, `bytes */${png.length}`])
    }
    for (const range of ['bytes=5-2', 'lines=1-2', 'bytes=0-1,3-4', 'bytes=', 'bytes=a-b'])
      expect((await ask({ range })).status, range).toBe(200)
  })

  it('gives a part only of the version If-Range names', async () => {
    const tag = (await ask()).headers.get('etag') ?? ''
    expect((await ask({ range: 'bytes=0-1', 'if-range': tag })).status).toBe(206)
    expect((await ask({ range: 'bytes=0-1', 'if-range': '"older"' })).status).toBe(200)
  })

  it('is 404 for a missing file, and 405 for writing', async () => {
    const name = `${'0'.repeat(64)}.png`
    for (const path of [
      name,
      name.replace('png', 'svg'),
      'x.png',
      `${'0'.repeat(63)}.png`,
      `${url.split('/').at(-1)?.replace('png', 'gif')}`,
    ]) {
      const response = await fetch(`${stack.url}/media/${path}`)
      expect(response.status, path).toBe(404)
      expect(((await response.json()) as { code: string }).code).toBe('not_found')
      expect(response.headers.get('cache-control') ?? '').not.toContain('immutable')
    }
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { status, headers } = await ask({}, method)
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    }
    expect((await fetch(`${stack.url}/media/`)).status).toBe(404)
    expect((await fetch(`${stack.url}/media/a/b`)).status).toBe(404)
  })
})
