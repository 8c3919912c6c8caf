import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, newAccount, newProject, rowsIn, tell } from '../../support/client.ts'
import { startTestStack, type TestStack, targetOf } from '../../support/stack.ts'
import { pngOfBytes } from './pictures.ts'
import { video } from './videos.ts'

const MIB = 1024 * 1024

let stack: TestStack
beforeAll(async () => {
  stack = await startTestStack({ limits: true })
}, 120_000)
afterAll(() => stack.close())

/**
 * Sends all at once, and returns their answers.
 *
 * On a slow machine, one may wait for memory longer than a caller should. Its answer says that nothing changed and to
 * repeat, and it repeats after the others have ended.
 */
const allAtOnce = async (sends: readonly (() => Promise<Answer>)[]): Promise<Answer[]> => {
  const answers: Answer[] = []
  for (const [n, answer] of (await Promise.all(sends.map((send) => send()))).entries()) {
    if (answer.status === 503)
      expect(answer.body).toMatchObject({ code: 'unavailable', retryable: true, retry_after: 5 })
    answers.push(answer.status === 503 ? ((await sends[n]?.()) ?? answer) : answer)
  }
  return answers
}

/** Returns the memory of the Workers' process, MiB: now, and the most it ever had. */
const memory = (): { now: number; most: number } => {
  const status = readFileSync(`/proc/${stack.workers().pid}/status`, 'utf8')
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024
  return { now: of('VmRSS'), most: of('VmHWM') }
}

const image = (seed: number): string => {
  const bytes = pngOfBytes(12 * MIB)
  bytes.writeUInt32BE(seed, 100)
  return JSON.stringify({ image_base64: bytes.toString('base64') })
}

it.each(['/api/v1/./projects', '/api/v1/x/../projects', '/api/v1/projects/..', '*'])(
  '%s is 400 behind the edge as well',
  async (path) => {
    const { hostname, port } = new URL(stack.url)
    const status = await new Promise((resolve, reject) => {
      const sent = request({ hostname, port, path }, (response) => resolve(response.resume().statusCode))
      sent.on('error', reject).end()
    })
    expect(status).toBe(400)
  },
)

it('one image of 12 MB takes less than 64 MB over its body', async () => {
  const target = targetOf(stack)
  const api = await newAccount(target)
  expect(
    (
      await api.call('POST', '/images', {
        raw: JSON.stringify({ image_base64: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7' }),
      })
    ).status,
  ).toBe(201)
  const before = memory().now
  const raw = image(1)
  expect((await api.call('POST', '/images', { raw })).status).toBe(201)
  const over = memory().most - before - raw.length / MIB
  console.log(`12 MB image: ${over.toFixed(0)} MiB over its body of ${(raw.length / MIB).toFixed(0)} MiB`)
  expect(over).toBeLessThan(64)
})

it('an image that cannot be stored is 503, and the same call succeeds later', async () => {
  const target = targetOf(stack)
  const api = await newAccount(target)
  const project = await newProject(api)
  const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
  const article = { project_id: project, keyword: 'k', content: `<p>a</p><img src="data:image/gif;base64,${gif}">` }
  await tell(stack.r2.url, '/_faults', { path: 'PUT', status: 500, times: 2 })
  for (const [path, body] of [
    ['/images', { image_base64: gif }],
    ['/articles', article],
  ] as const) {
    const refused = await api.post(path, body)
    expect([refused.status, refused.body.code, refused.body.retryable]).toEqual([503, 'unavailable', true])
  }
  expect((await api.get('/articles')).body.count).toBe(0)
  expect(await rowsIn(target, sql`select 1 from hosted_images where account_id = ${api.accountId}::int`)).toEqual([])
  expect((await api.post('/images', { image_base64: gif })).status).toBe(201)
  expect((await api.post('/articles', article)).status).toBe(201)
})

it('twelve images at once fit into the memory of one isolate', { timeout: 120_000 }, async () => {
  const target = targetOf(stack)
  const api = await newAccount(target)
  const pid = stack.workers().pid
  const bodies = Array.from({ length: 12 }, (_, n) => image(n + 10))
  const before = memory().now
  const answers = await allAtOnce(bodies.map((raw) => () => api.call('POST', '/images', { raw })))
  expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 201))
  expect(new Set(answers.map(({ body }) => body.url)).size).toBe(12)
  const over = memory().most - before
  console.log(`twelve at once: ${over.toFixed(0)} MiB over the ${before.toFixed(0)} MiB that all Workers held before`)
  // Their bodies have 192 MiB, which stay for a while in the parts that pass them on. The memory for reading them is
  // freed late.
  expect(over).toBeLessThan(256)
  expect(stack.workers().pid).toBe(pid)
})

/**
 * Returns a form with a file of so many bytes, made while it is sent. `sent` gets the number of bytes before the next
 * ones follow.
 */
const formOf = (
  projectId: number,
  bytes: number,
  seed: number,
  sent: (bytes: number) => Promise<void>,
): { raw: ReadableStream<Uint8Array>; type: string } => {
  const start = video({ bytes: 4_096, seed })
  const [moov, data] = [start.subarray(start.indexOf('moov') - 4), start.subarray(0, start.indexOf('mdat') - 4)]
  const length = bytes - moov.length - data.length
  const mdat = Buffer.concat([Buffer.alloc(4), Buffer.from('mdat')])
  mdat.writeUInt32BE(length)
  const field = `--b0\r\nContent-Disposition: form-data; name="project_id"\r\n\r\n${projectId}\r\n`
  const file = '--b0\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n'
  const chunk = Buffer.alloc(256 * 1024, `frame ${seed} `)
  async function* pieces() {
    yield Buffer.concat([Buffer.from(field + file), data, mdat])
    for (let left = length - 8; left > 0; left -= chunk.length) {
      await sent(length - 8 - left)
      yield chunk.subarray(0, Math.min(left, chunk.length))
    }
    yield Buffer.concat([moov, Buffer.from('\r\n--b0--\r\n')])
  }
  return { raw: ReadableStream.from(pieces()) as ReadableStream<Uint8Array>, type: 'multipart/form-data; boundary=b0' }
}

describe('videos', () => {
  const scene = async () => {
    const api = await newAccount(targetOf(stack))
    const projectId = await newProject(api)
    const send = (bytes: number, seed: number, sent: (bytes: number) => Promise<void> = async () => {}) => {
      const { raw, type } = formOf(projectId, bytes, seed, sent)
      return api.call('POST', '/social/media', { raw, headers: { 'content-type': type } })
    }
    return { api, projectId, send }
  }

  const uploads = async () =>
    (await (await fetch(`${stack.r2.url}/_uploads?bucket=galley-media`)).json()) as { open: string[]; arrived: number }

  it('one of 64 MB is never in memory whole, and one byte more is 413', { timeout: 120_000 }, async () => {
    const { send } = await scene()
    // The bucket is slow. A reader that does not wait for it would be far ahead.
    await tell(stack.r2.url, '/_faults', { path: 'PUT', late_ms: 200 })
    const before = (await uploads()).arrived
    let ahead = 0
    const { status, body, text } = await send(64 * MIB, 2, async (sent) => {
      if (sent % MIB === 0) ahead = Math.max(ahead, sent - ((await uploads()).arrived - before))
    })
    await tell(stack.r2.url, '/_faults')
    expect(status, text).toBe(201)
    console.log(`64 MB video: at most ${(ahead / MIB).toFixed(0)} MiB ahead of the bucket`)
    // One part in the Worker, one on its way to the bucket, and the system's buffers of each connection.
    expect(ahead).toBeLessThan(32 * MIB)
    const { url, size } = body.media as { url: string; size: number }
    expect(size).toBe(64 * MIB)
    expect((await fetch(url, { method: 'HEAD' })).headers.get('content-length')).toBe(String(64 * MIB))
    const refused = await send(64 * MIB + 1, 3)
    expect([refused.status, refused.body.code, refused.body.max_bytes]).toEqual([413, 'video_too_large', 64 * MIB])
    expect((await uploads()).open).toEqual([])
  })

  it('six of 24 MB at once fit into the memory of one isolate', { timeout: 180_000 }, async () => {
    const { send } = await scene()
    const pid = stack.workers().pid
    const answers = await allAtOnce(Array.from({ length: 6 }, (_, n) => () => send(24 * MIB, 10 + n)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    console.log(`six videos of 24 MB at once: at most ${memory().most.toFixed(0)} MiB in all Workers together`)
    expect(stack.workers().pid).toBe(pid)
  })

  it('a video that cannot be stored is 503, and the same call succeeds later', async () => {
    const { api, send } = await scene()
    await tell(stack.r2.url, '/_faults', { path: 'PUT', status: 500, times: 1 })
    const refused = await send(6 * MIB, 20)
    expect([refused.status, refused.body.code, refused.body.retryable]).toEqual([503, 'unavailable', true])
    expect((await send(6 * MIB, 20)).status).toBe(201)
    const target = targetOf(stack)
    expect(
      await rowsIn(target, sql`select 1 from hosted_videos where account_id = ${api.accountId}::int`),
    ).toHaveLength(1)
  })
})
