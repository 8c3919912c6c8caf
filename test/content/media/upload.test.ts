import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { KEEP_ALIVE_MS } from '../../../local/loopback.ts'
import { type Answer, type Api, newAccount, newProject, rowsIn } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { fieldsOf, manyKeys } from '../../support/keys.ts'
import { picture, pngOfBytes } from './pictures.ts'
import { video } from './videos.ts'

const stack = inject('stack')
const MIB = 1024 * 1024

let api: Api
let project: number
let server: Server
let origin: string
let png: Buffer
const served = new Map<string, Buffer>()

beforeAll(async () => {
  api = manyKeys(stack, await newAccount(stack))
  project = await newProject(api)
  png = await picture({ width: 30, height: 20, format: 'png' })
  server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (req, res) => {
    const path = req.url ?? ''
    if (path === '/moved') return void res.writeHead(302, { location: `${origin}/video` }).end()
    if (path === '/page') return void res.writeHead(200, { 'content-type': 'video/mp4' }).end('<html>no video</html>')
    if (path === '/broken') {
      res.writeHead(200, { 'content-length': '100000' }).write(video().subarray(0, 3_000))
      return void setTimeout(() => res.destroy(), 50)
    }
    const bytes = served.get(path)
    return void (bytes ? res.writeHead(200).end(bytes) : res.writeHead(404).end('none'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

type Field = readonly [name: string, value: string | Buffer]

/** Sends a form as curl and browsers send it; its files are called by another type than they are of. */
const send = async (fields: readonly Field[], as: Api = api, headers: Record<string, string> = {}): Promise<Answer> => {
  const form = new FormData()
  for (const [name, value] of fields)
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, new Blob([new Uint8Array(value)], { type: 'text/plain' }), 'holiday.txt')
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type') ?? ''
  const raw = new Uint8Array(await encoded.arrayBuffer())
  return await as.call('POST', '/social/media', { raw, headers: { 'content-type': type, ...headers } })
}
const upload = (file: Buffer, as: Api = api) =>
  send(
    [
      ['project_id', String(project)],
      ['file', file],
    ],
    as,
  )
const mediaOf = ({ status, body, text }: Answer) => {
  expect(status, text).toBe(201)
  return body.media as { type: string; url: string; s3_url: string; size: number; width: number; height: number }
}
const seed = () => randomInt(1e9)
const POLL = { timeout: 20_000 }
/** Uploads in parts that have neither been ended nor called off, by id. */
const openUploads = async (): Promise<string[]> =>
  ((await (await fetch(`${stack.r2Url}/_uploads?bucket=galley-media`)).json()) as { open: string[] }).open
const heldVideos = (accountId: number) =>
  rowsIn(stack, sql`select name from hosted_videos where account_id = ${accountId}::int`)

describe('a form', () => {
  it('with a video: it is served whole and in parts, whatever order the fields have', async () => {
    const bytes = video({ bytes: 6 * MIB + 5, seed: seed(), isTurned: true })
    const media = mediaOf(
      await send([
        ['file', bytes],
        ['project_id', String(project)],
      ]),
    )
    expect(media).toEqual({
      type: 'video',
      url: expect.stringMatching(/\/media\/[0-9a-f]{64}\.mp4$/),
      s3_url: media.url,
      size: bytes.length,
      width: 360,
      height: 640,
    })
    const whole = await fetch(media.url)
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
    const part = await fetch(media.url, { headers: { range: `bytes=${5 * MIB - 2}-${5 * MIB + 1}` } })
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes ${5 * MIB - 2}-${5 * MIB + 1}/${bytes.length}`,
    ])
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(5 * MIB - 2, 5 * MIB + 2))
    const head = await fetch(media.url, { method: 'HEAD' })
    expect(head.headers.get('content-length')).toBe(String(bytes.length))
  })

  it('reports unknown fields, but nothing inside the file', async () => {
    const { status, body } = await send([
      ['project_id', String(project)],
      ['caption', 'x'],
      ['file', png],
    ])
    expect([status, body.ignored]).toEqual([201, ['caption']])
  })

  it('with a MOV, and with a picture, which has the address its bytes have anywhere', async () => {
    expect(mediaOf(await upload(video({ brand: 'qt  ', seed: seed() }))).url).toMatch(/\.mov$/)
    const media = mediaOf(await upload(png))
    expect(media).toMatchObject({ type: 'image', size: png.length, width: 30, height: 20 })
    expect((await api.post('/images', { image_base64: png.toString('base64') })).body.url).toBe(media.url)
  })

  it('returns the same address for the account’s own video, and another for another account', async () => {
    const bytes = video({ seed: seed() })
    const first = mediaOf(await upload(bytes))
    expect(mediaOf(await upload(bytes))).toEqual(first)
    const other = await newAccount(stack)
    const theirs = await send(
      [
        ['project_id', String(await newProject(other))],
        ['file', bytes],
      ],
      other,
    )
    expect(mediaOf(theirs).url).not.toBe(first.url)
  })

  it('is answered once under an Idempotency-Key, and another file under it is refused', async () => {
    const own = await newAccount(stack)
    const fields = (file: Buffer): Field[] => [
      ['project_id', String(ownProject)],
      ['file', file],
    ]
    const ownProject = await newProject(own)
    const key = { 'idempotency-key': `upload ${seed()}` }
    const bytes = video({ seed: seed() })
    const first = await send(fields(bytes), own, key)
    const again = await send(fields(bytes), own, key)
    expect([again.status, again.headers.get('idempotency-replayed'), again.text]).toEqual([201, 'true', first.text])
    expectError(await send(fields(video({ seed: seed() })), own, key), 'idempotency_key_reused')
    expect(await heldVideos(own.accountId)).toHaveLength(1)
  })

  it.each([
    ['nothing of a kind we take', Buffer.from('just some words that are long enough'), 'unsupported_media'],
    ['nothing at all', Buffer.alloc(0), 'unsupported_media'],
    ['a video that was cut off', video().subarray(0, 4_000), 'unsupported_media'],
    ['a sound', video({ tracks: ['soun'] }), 'unsupported_media'],
    ['a picture that was cut off', pngOfBytes(4_096).subarray(0, 3_000), 'unsupported_image'],
    ['a picture of more than 12 MB', pngOfBytes(12 * MIB + 1), 'image_too_large'],
  ] as const)('with %s is refused', async (_, file, code) => {
    const before = await heldVideos(api.accountId)
    expectError(await upload(file), code)
    expect(await heldVideos(api.accountId)).toEqual(before)
  })

  it('names what is wrong with its fields, and keeps nothing', async () => {
    const own = manyKeys(stack, await newAccount(stack))
    const file = video({ seed: seed() })
    const wrong: [Field[], string[]][] = [
      [[['file', file]], ['project_id']],
      [
        [
          ['file', file],
          ['project_id', 'abc'],
        ],
        ['project_id'],
      ],
      [[['project_id', String(project)]], ['file', 'media_url']],
      [
        [
          ['project_id', '1'],
          ['file', file],
          ['media_url', 'https://x.example/a.mp4'],
        ],
        ['file', 'media_url'],
      ],
      [
        [
          ['project_id', '1'],
          ['project_id', '2'],
          ['file', file],
        ],
        ['project_id'],
      ],
      [
        [
          ['project_id', '1'],
          ['file', file],
          ['other', file],
        ],
        ['file'],
      ],
    ]
    for (const [fields, named] of wrong) {
      const answer = await send(fields, own)
      expectError(answer, 'invalid_input')
      expect(fieldsOf(answer.body)).toEqual(named)
    }
    expectError(
      await send(
        [
          ['project_id', String(project)],
          ['file', file],
        ],
        own,
      ),
      'forbidden',
    )
    expectError(
      await send(
        [
          ['project_id', '2147483647'],
          ['file', file],
        ],
        own,
      ),
      'not_found',
    )
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    expectError(await own.call('POST', '/social/media', { raw: 'no form', headers }), 'invalid_input')
    expect(await heldVideos(own.accountId)).toEqual([])
    // Other tests upload to the same bucket: theirs end, too.
    const begun = await openUploads()
    await expect.poll(async () => (await openUploads()).filter((id) => begun.includes(id)), POLL).toEqual([])
  })
})

describe('an address', () => {
  it('is copied, also behind a redirect and as the download address of an attached file', async () => {
    const bytes = video({ bytes: 5 * MIB + 1_000, seed: seed() })
    served.set('/video', bytes)
    served.set('/picture', png)
    const body = { project_id: project }
    const media = mediaOf(await api.post('/social/media', { ...body, media_url: `${origin}/moved` }))
    expect(media).toMatchObject({ type: 'video', size: bytes.length, width: 640, height: 360 })
    expect(Buffer.from(await (await fetch(media.url)).arrayBuffer()).equals(bytes)).toBe(true)
    const again = await api.post('/social/media', { ...body, file: { download_url: `${origin}/video` } })
    expect(mediaOf(again)).toEqual(media)
    expect(mediaOf(await api.post('/social/media', { ...body, media_url: `${origin}/picture` })).type).toBe('image')
  })

  it.each([
    [{}, 'file.download_url', 'is required'],
    [{ url: 'https://videos.example/v.mp4' }, 'file.download_url', 'is required'],
    [{ download_url: 5 }, 'file.download_url', 'must be a string'],
    ['v.mp4', 'file', 'must be a file in a form, or in JSON an object with download_url'],
    [[], 'file', 'must be a file in a form, or in JSON an object with download_url'],
  ])('that an attached file %j does not name is 400 and says what is missing', async (file, field, message) => {
    const answer = await api.post('/social/media', { project_id: project, file })
    expectError(answer, 'invalid_input')
    expect(answer.body.details).toEqual([{ field, message }])
  })

  it.each([
    ['/none', false],
    ['/page', false],
    ['/broken', true],
  ])('that answers %s is refused, retryable only if that can help, and nothing is stored', async (path, passes) => {
    const before = await heldVideos(api.accountId)
    const answer = await api.post('/social/media', { project_id: project, media_url: `${origin}${path}` })
    expectError(answer, 'media_not_fetched', passes)
    expect(await heldVideos(api.accountId)).toEqual(before)
  })

  it('that is not public is refused', async () => {
    for (const url of ['http://10.0.0.1/video.mp4', 'ftp://videos.example/v.mp4', 'https://me@videos.example/v.mp4']) {
      const answer = await api.post('/social/media', { project_id: project, media_url: url })
      expectError(answer, 'forbidden_url')
      expect(fieldsOf(answer.body)).toEqual(['media_url'])
    }
    const file = { download_url: 'ftp://videos.example/v.mp4' }
    const attached = await api.post('/social/media', { project_id: project, file })
    expectError(attached, 'forbidden_url')
    expect(fieldsOf(attached.body)).toEqual(['file.download_url'])
  })
})
