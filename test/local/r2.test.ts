import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { filesIn } from '../../local/r2/files.ts'
import { type R2Server, startR2 } from '../../local/r2/server.ts'
import { ended, serveConfig } from '../../local/serve-config.ts'
import { bucketService, bucketServices, quote } from '../../local/workerd.ts'

/** Runs the code of a request against the bucket, as a Worker would. */
const WORKER = `export default {
  async fetch(request, env) {
    const { run, bytes } = await request.json()
    const RUN = {
      put: (key, text, options) => env.FILES.put(key, new TextEncoder().encode(text), options),
      replace: (key, text, before) => env.FILES.put(key, new TextEncoder().encode(text), { onlyIf: { uploadedBefore: new Date(before) } }),
      fill: (key, size) => env.FILES.put(key, new Uint8Array(size).fill(7)),
      head: (key) => env.FILES.head(key),
      get: async (key, options) => {
        const object = await env.FILES.get(key, options)
        return object && { ...JSON.parse(JSON.stringify(object)), text: object.body ? await object.text() : undefined }
      },
      sum: async (key) => {
        let [size, chunks] = [0, 0]
        for await (const chunk of (await env.FILES.get(key)).body) { size += chunk.byteLength; chunks += 1 }
        return { size, chunks }
      },
      other: (key) => env.OTHER.head(key),
      parts: async (key, sizes, options) => {
        const upload = await env.FILES.createMultipartUpload(key, options)
        const parts = []
        for (const [n, size] of sizes.entries()) parts.push(await upload.uploadPart(n + 1, new Uint8Array(size).fill(n + 1)))
        const before = await env.FILES.head(key)
        if (before) throw new Error('it was there before its end')
        return await upload.complete(parts)
      },
      given: async (key, size) => {
        const upload = await env.FILES.createMultipartUpload(key)
        await upload.uploadPart(1, new Uint8Array(size))
        await upload.abort()
        return await env.FILES.head(key)
      },
      delete: (keys) => env.FILES.delete(keys),
      list: async (options) => {
        const { objects, truncated, cursor } = await env.FILES.list(options)
        return { keys: objects.map(({ key }) => key), truncated, cursor }
      },
    }
    try {
      return Response.json({ result: (await RUN[run[0]](...run.slice(1))) ?? null })
    } catch (error) {
      return Response.json({ error: error.message })
    }
  },
}`

let dir: string
let r2: R2Server
let url: string
let stop: () => Promise<void>

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'galley-r2-'))
  r2 = await startR2({ dir: join(dir, 'objects') })
  writeFileSync(join(dir, 'worker.js'), WORKER)
  const binding = (name: string, bucket: string) =>
    `(name = ${quote(name)}, r2Bucket = ${quote(bucketService(bucket))})`
  writeFileSync(
    join(dir, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "worker", worker = .worker), ${bucketServices(['files', 'other'], r2.url).join(', ')}],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "worker")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-11-01",
  bindings = [${binding('FILES', 'files')}, ${binding('OTHER', 'other')}],
);
`,
  )
  const { child, ports } = await serveConfig(join(dir, 'config.capnp'), ['http'], join(dir, 'log'))
  url = `http://127.0.0.1:${ports.http}`
  stop = async () => {
    child.kill()
    await ended(child)
  }
})
afterAll(async () => {
  await stop?.()
  await r2?.close()
  rmSync(dir, { recursive: true, force: true })
})

const ask = async (...run: unknown[]): Promise<{ result?: Record<string, unknown> | null; error?: string }> =>
  (await (await fetch(url, { method: 'POST', body: JSON.stringify({ run }) })).json()) as never

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

it('returns what was stored, with size, tag, type and checksum', async () => {
  const sha = sha256('some bytes')
  await ask('put', 'a/b.txt', 'some bytes', { sha256: sha, httpMetadata: { contentType: 'text/plain' } })
  const md5 = createHash('md5').update('some bytes').digest('hex')
  expect((await ask('get', 'a/b.txt')).result).toMatchObject({
    key: 'a/b.txt',
    size: 10,
    etag: md5,
    httpEtag: `"${md5}"`,
    httpMetadata: { contentType: 'text/plain' },
    checksums: { sha256: sha },
    text: 'some bytes',
  })
  expect((await ask('head', 'a/b.txt')).result).toMatchObject({ size: 10 })
})

it('has nothing under another key, nor in another bucket', async () => {
  await ask('put', 'here', 'x')
  expect(await ask('get', 'there')).toEqual({ result: null })
  expect(await ask('head', 'there')).toEqual({ result: null })
  expect(await ask('other', 'here')).toEqual({ result: null })
})

it('refuses bytes with another checksum, and keeps the earlier object', async () => {
  await ask('put', 'sum', 'the first')
  const { error } = await ask('put', 'sum', 'the second', { sha256: sha256('something else') })
  expect(error).toMatch(/checksum you specified did not match.*10037/)
  expect((await ask('get', 'sum')).result).toMatchObject({ text: 'the first' })
})

it('gives parts of an object, and refuses those it does not have', async () => {
  await ask('put', 'part', '0123456789')
  const part = async (range: unknown) => (await ask('get', 'part', { range })).result
  expect(await part({ offset: 2, length: 3 })).toMatchObject({ text: '234', range: { offset: 2, length: 3 } })
  expect(await part({ offset: 8, length: 100 })).toMatchObject({ text: '89' })
  expect((await ask('get', 'part', { range: { offset: 11, length: 1 } })).error).toContain('10039')
})

it('refuses calls that the service does not make', async () => {
  await ask('put', 'once', 'first')
  for (const options of [{ onlyIf: { etagDoesNotMatch: '*' } }, { range: { suffix: 4 } }])
    expect((await ask('get', 'once', options)).error).toContain('10001')
  expect((await ask('put', 'once', 'second', { onlyIf: { etagMatches: 'x' } })).error).toContain('10001')
  expect((await ask('get', 'once')).result).toMatchObject({ text: 'first' })
})

it('streams an object of 12 MB', async () => {
  expect((await ask('fill', 'large', 12 * 1024 * 1024)).result).toMatchObject({ size: 12 * 1024 * 1024 })
  const { result } = await ask('sum', 'large')
  expect(result?.size).toBe(12 * 1024 * 1024)
  expect(Number(result?.chunks)).toBeGreaterThan(10)
})

it('holds an empty object', async () => {
  await ask('put', 'empty', '')
  expect((await ask('get', 'empty')).result).toMatchObject({ size: 0, text: '' })
})

it('forgets what was deleted, and leaves no file behind', async () => {
  const files = () => readdirSync(join(dir, 'objects', 'files')).length
  const before = files()
  await ask('put', 'gone-1', 'x')
  await ask('put', 'gone-2', 'x')
  await ask('put', 'gone-2', 'replaced')
  expect(files()).toBe(before + 4)
  expect(await ask('delete', ['gone-1', 'gone-2', 'never-there'])).toEqual({ result: null })
  expect(await ask('get', 'gone-1')).toEqual({ result: null })
  expect(files()).toBe(before)
})

it('keeps the objects of an earlier start', async () => {
  await ask('put', 'kept', 'still here')
  const again = await startR2({ dir: join(dir, 'objects') })
  const response = await fetch(again.url, {
    headers: { 'x-r2-bucket': 'files', 'cf-r2-request': JSON.stringify({ method: 'get', object: 'kept' }) },
  })
  expect(await response.text()).toMatch(/still here$/)
  await again.close()
})

it('reports its faults to the Worker', async () => {
  await fetch(`${r2.url}/_faults`, { method: 'POST', body: JSON.stringify({ path: 'PUT', status: 500, times: 1 }) })
  expect((await ask('put', 'faulty', 'x')).error).toContain('10001')
  expect(await ask('get', 'faulty')).toEqual({ result: null })
})

it('assembles an object from parts, and refuses parts that R2 would refuse', async () => {
  const MIB = 1024 * 1024
  const { result } = await ask('parts', 'parted', [5 * MIB, 5 * MIB, 3], { httpMetadata: { contentType: 'video/mp4' } })
  expect(result).toMatchObject({ size: 10 * MIB + 3, etag: expect.stringMatching(/^[0-9a-f]{32}-3$/) })
  expect((await ask('head', 'parted')).result).toMatchObject({ httpMetadata: { contentType: 'video/mp4' } })
  const end = { offset: 10 * MIB - 1, length: 4 }
  expect((await ask('get', 'parted', { range: end })).result).toMatchObject({
    text: '\u0002\u0003\u0003\u0003',
  })
  expect((await ask('parts', 'small', [5 * MIB - 1, 5])).error).toContain('10011')
  expect((await ask('parts', 'uneven', [5 * MIB, 6 * MIB, 5 * MIB])).error).toContain('10048')
})

it('keeps nothing of parts that were given up', async () => {
  const open = async () => ((await (await fetch(`${r2.url}/_uploads?bucket=files`)).json()) as { open: string[] }).open
  const before = await open()
  expect(await ask('given', 'given-up', 100)).toEqual({ result: null })
  expect(await open()).toEqual(before)
})

it('names each damaged object, serves the others, and accepts replacements', async () => {
  const place = join(dir, 'damaged')
  const files = filesIn(place)
  async function* bytes() {
    yield Buffer.from('four')
  }
  const put = (key: string) => files.put('b', key, bytes, { httpFields: {}, customFields: [] })
  const [cut, short, lost] = [await put('cut'), await put('short'), await put('lost'), await put('whole')]
  const metaOf = (key: string) => join(place, 'b', `${createHash('sha256').update(key).digest('hex')}.json`)
  const bytesOf = ({ version }: { version: string }) => join(place, 'b', `${version}.bin`)
  expect(await files.damaged()).toEqual([])
  writeFileSync(metaOf('cut'), readFileSync(metaOf('cut'), 'utf8').slice(0, -20))
  writeFileSync(bytesOf(short), 'fou')
  rmSync(bytesOf(lost))
  mkdirSync(metaOf('folder'))
  const said: string[] = []
  await (await startR2({ dir: place, say: (sentence) => said.push(sentence) })).close()
  expect(said.sort()).toEqual(
    [
      `${metaOf('cut')} does not say what it was stored for: this hosted file is not served.`,
      `${metaOf('folder')} does not say what it was stored for: this hosted file is not served.`,
      `${bytesOf(short)} does not hold the 4 bytes of short: this hosted file is not served whole.`,
      `${bytesOf(lost)} does not hold the 4 bytes of lost: this hosted file is not served whole.`,
    ].sort(),
  )
  expect(await files.head('b', 'cut')).toBeUndefined()
  expect(await files.head('b', 'whole')).toMatchObject({ size: 4 })
  const again = await put('cut')
  expect(again.version).not.toBe(cut.version)
  expect(await files.head('b', 'cut')).toEqual(again)
})

it('a file instead of its folder is reported', async () => {
  writeFileSync(join(dir, 'file'), '')
  await expect(startR2({ dir: join(dir, 'file') })).rejects.toMatchObject({
    file: join(dir, 'file'),
    reason: 'there is a file where a folder has to be',
  })
})

it('lists the objects with a prefix in pages, in the order of their names', async () => {
  for (const name of ['lists/b', 'lists/a', 'lists/c', 'others/a']) await ask('put', name, 'x')
  const { result: first } = await ask('list', { prefix: 'lists/', limit: 2 })
  expect(first).toMatchObject({ keys: ['lists/a', 'lists/b'], truncated: true })
  expect((await ask('list', { prefix: 'lists/', cursor: first?.cursor })).result).toMatchObject({
    keys: ['lists/c'],
    truncated: false,
  })
})

it('creates an object only if none has its key, and replaces one only if it is older than a time', async () => {
  const create = (text: string, progress: string) =>
    ask('put', 'created', text, { onlyIf: { etagDoesNotMatch: '*' }, customMetadata: { progress } })
  expect((await create('first', 'one')).result).toMatchObject({ size: 5 })
  expect(await create('second', 'two')).toEqual({ result: null })
  expect((await ask('get', 'created')).result).toMatchObject({ text: 'first', customMetadata: { progress: 'one' } })
  const hour = 3_600_000
  expect(await ask('replace', 'created', '', Date.now() - hour)).toEqual({ result: null })
  expect((await ask('head', 'created')).result).toMatchObject({ size: 5 })
  expect((await ask('replace', 'created', '', Date.now() + hour)).result).toMatchObject({ size: 0 })
  expect((await ask('replace', 'never', 'x', Date.now())).result).toMatchObject({ size: 1 })
})
