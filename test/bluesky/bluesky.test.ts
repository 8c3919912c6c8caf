import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { picture } from '../content/media/pictures.ts'
import { until } from '../reach/social/scene.ts'
import { type Answer, type Api, newAccount, newProject } from '../support/client.ts'
import { manyKeys } from '../support/keys.ts'
import { startTestStack, type TestStack, targetOf } from '../support/stack.ts'

const given = (name: string): string => {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: run npm run test:bluesky`)
  return value
}
const [SERVER, HANDLE, DID, PASSWORD] = [
  given('BLUESKY_URL'),
  given('BLUESKY_HANDLE'),
  given('BLUESKY_DID'),
  given('BLUESKY_APP_PASSWORD'),
]

/** Trouble of the next calls of a method: its answer is lost after the server took it, or it never gets there. */
type Mood = { method: string; loses: 'answer' | 'request'; times: number }

let stack: TestStack
let api: Api
let project: number
let front: Server
let frontUrl: string
let moods: Mood[] = []
let heard: string[] = []

/** Starts a proxy of the real server. It passes every call on, and loses those that a test chooses. */
const startFront = async (): Promise<void> => {
  front = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk)
    const method = /\/xrpc\/([\w.]+)/.exec(req.url ?? '')?.[1] ?? ''
    heard.push(method)
    const mood = moods.find((one) => one.method === method && one.times > 0)
    if (mood) mood.times -= 1
    if (mood?.loses === 'request') return void req.socket.destroy()
    const { authorization, 'content-type': type } = req.headers
    const answer = await fetch(`${SERVER}${req.url}`, {
      method: req.method ?? 'GET',
      headers: { ...(authorization ? { authorization } : {}), ...(type ? { 'content-type': type } : {}) },
      ...(chunks.length > 0 ? { body: new Uint8Array(Buffer.concat(chunks)) } : {}),
    })
    // The account's document names the server itself, but the tests call the proxy in front of it.
    const text = (await answer.text()).replaceAll(SERVER, frontUrl)
    if (mood) return void req.socket.destroy()
    return void res.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  frontUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
}

const connect = (password: string): Promise<Answer> =>
  api.post('/social/accounts', {
    project_id: project,
    platform: 'bluesky',
    identifier: HANDLE,
    app_password: password,
    service_url: frontUrl,
  })

beforeAll(async () => {
  await startFront()
  stack = await startTestStack({ timeScale: 100 })
  const target = targetOf(stack)
  api = manyKeys(target, await newAccount(target))
  project = await newProject(api)
  expect((await connect('abcd-efgh-ijkl-mnop')).body.code).toBe('social_account_rejected')
  const connected = await connect(PASSWORD)
  expect([connected.status, connected.text]).toEqual([201, connected.text])
  expect(connected.text).not.toContain(PASSWORD)
})
afterAll(async () => {
  await stack?.close()
  front?.close()
})
beforeEach(() => {
  moods = []
  heard = []
})

type Post = { status: string; error: string | null; url: string | null }
type Embed = {
  external?: object
  images: { alt: string; image: { ref: { $link: string } }; aspectRatio: object }[]
}
type Facet = { index: { byteStart: number; byteEnd: number }; features: object[] }
type Record_ = { uri: string; cid: string; value: { text: string; facets?: Facet[]; embed?: Embed } }

const publish = async (body: Record<string, unknown>): Promise<Post> => {
  const answer = await api.post('/social/publish', { project_id: project, platforms: ['bluesky'], ...body })
  const [made] = (answer.body.posts ?? []) as { post_id: number }[]
  if (!made) throw new Error(answer.text)
  return await until(async () => {
    const post = (await api.get(`/social/posts/${made.post_id}`)).body.post as Post
    return post.status === 'published' || post.status === 'failed' ? post : undefined
  })
}

/** Returns the server's own records of posts whose text has this beginning. */
const recordsOf = async (text: string): Promise<Record_[]> => {
  const query = new URLSearchParams({ repo: DID, collection: 'app.bsky.feed.post', limit: '100' })
  const answer = await fetch(`${SERVER}/xrpc/com.atproto.repo.listRecords?${query}`)
  return ((await answer.json()) as { records: Record_[] }).records.filter(({ value }) => value.text.startsWith(text))
}

let serial = 0
const words = (): string => {
  serial += 1
  return `Sheds on level ground, number ${serial}`
}

it('a post is a record the server validates, with live links and hashtags, counted in bytes', async () => {
  const content = `👋 ${words()} #gardensheds`
  const post = await publish({ content, link: 'https://sheds.example/level-ground' })
  expect(post).toMatchObject({ status: 'published', error: null })
  const [record, ...others] = await recordsOf(content)
  expect(others).toEqual([])
  expect(post.url).toBe(`https://bsky.app/profile/${HANDLE}/post/${record?.uri.split('/').at(-1)}`)
  const { text = '', facets = [], embed } = record?.value ?? {}
  expect(text).toBe(`${content}\n\nhttps://sheds.example/level-ground`)
  expect(embed).toMatchObject({ external: { uri: 'https://sheds.example/level-ground' } })
  const bytes = Buffer.from(text)
  const named = facets.map(({ index }) => bytes.subarray(index.byteStart, index.byteEnd).toString())
  expect(named).toEqual(['#gardensheds', 'https://sheds.example/level-ground'])
})

it('a mention leads to the account it names', async () => {
  const content = `${words()} by @${HANDLE}`
  await publish({ content })
  expect((await recordsOf(content))[0]?.value.facets).toMatchObject([{ features: [{ did: DID }] }])
})

it('a picture that was uploaded here is a blob of the server’s, byte for byte', async () => {
  const png = await picture({ width: 40, height: 30, format: 'png', seed: 3 })
  const form = new FormData()
  form.append('project_id', String(project))
  form.append('file', new Blob([new Uint8Array(png)]), 'shed.png')
  const encoded = new Response(form)
  const uploaded = await api.call('POST', '/social/media', {
    raw: new Uint8Array(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
  })
  const content = words()
  const media = { ...(uploaded.body.media as object), alt_text: 'A shed' }
  expect(await publish({ content, media_files: [media] })).toMatchObject({ status: 'published', error: null })
  const images = (await recordsOf(content))[0]?.value.embed?.images ?? []
  expect(images).toMatchObject([{ alt: 'A shed', aspectRatio: { width: 40, height: 30 } }])
  const cid = images[0]?.image.ref.$link ?? ''
  const blob = await fetch(`${SERVER}/xrpc/com.atproto.sync.getBlob?${new URLSearchParams({ did: DID, cid })}`)
  expect(Buffer.from(await blob.arrayBuffer()).equals(png)).toBe(true)
})

it.each([
  ['the answer was lost after the server took the post', 'com.atproto.repo.putRecord', 'answer'],
  ['the request never got there', 'com.atproto.repo.putRecord', 'request'],
  ['the look-up was lost too', 'com.atproto.repo.getRecord', 'answer'],
] as const)('there is one post when %s', async (_, method, loses) => {
  const content = words()
  moods = [
    { method, loses, times: 2 },
    ...(method === 'com.atproto.repo.getRecord'
      ? [{ method: 'com.atproto.repo.putRecord', loses: 'answer' as const, times: 1 }]
      : []),
  ]
  expect(await publish({ content })).toMatchObject({ status: 'published', error: null })
  expect(await recordsOf(content)).toHaveLength(1)
  expect(heard).toContain('com.atproto.repo.getRecord')
})

it('the session is kept: no post signs in again', async () => {
  for (let n = 0; n < 3; n += 1) expect(await publish({ content: words() })).toMatchObject({ status: 'published' })
  expect(heard.filter((method) => method === 'com.atproto.server.createSession')).toEqual([])
})

it('expired tokens are renewed once, and the post is sent once', async () => {
  const content = words()
  // Only the server says when a token has ended: here its first answer is that it has.
  const real = front.listeners('request')[0] as (...args: unknown[]) => void
  let isEnded = true
  front.removeAllListeners('request')
  front.on('request', (req, res) => {
    if (isEnded && req.url?.includes('putRecord')) {
      isEnded = false
      req.resume()
      res.writeHead(400, { 'content-type': 'application/json' })
      return void res.end(JSON.stringify({ error: 'ExpiredToken', message: 'Token has expired' }))
    }
    return real(req, res)
  })
  expect(await publish({ content })).toMatchObject({ status: 'published', error: null })
  expect(heard.filter((method) => method === 'com.atproto.server.refreshSession')).toHaveLength(1)
  expect(await recordsOf(content)).toHaveLength(1)
  expect(await publish({ content: words() })).toMatchObject({ status: 'published' })
})

it('a text the server would refuse is refused before it is sent', async () => {
  const answer = await api.post('/social/publish', {
    project_id: project,
    platforms: ['bluesky'],
    content: 'x'.repeat(301),
  })
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_input'])
})
