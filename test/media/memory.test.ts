import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newAccount, newProject, rowsIn, tell } from '../support/client.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'
import { pngOfBytes } from './pictures.ts'

const MIB = 1024 * 1024

let stack: TestStack
beforeAll(async () => {
  stack = await startTestStack({ limits: true })
}, 120_000)
afterAll(() => stack.close())

/** Memory of the Workers' process, MiB: what it holds, and the most it ever held. */
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

it('one image of 12 MB takes less than 64 MB over its body', { timeout: 60_000 }, async () => {
  const target = { url: stack.url, neonUrl: stack.neon.url, connectionString: stack.connectionString }
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

it('an image that cannot be stored is 503, nothing is held, and the same call succeeds later', async () => {
  const target = { url: stack.url, neonUrl: stack.neon.url, connectionString: stack.connectionString }
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

it('twelve at once, within the memory of one isolate', { timeout: 120_000 }, async () => {
  const target = { url: stack.url, neonUrl: stack.neon.url, connectionString: stack.connectionString }
  const api = await newAccount(target)
  const pid = stack.workers().pid
  const bodies = Array.from({ length: 12 }, (_, n) => image(n + 10))
  const answers = await Promise.all(bodies.map((raw) => api.call('POST', '/images', { raw })))
  expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 201))
  expect(new Set(answers.map(({ body }) => body.url)).size).toBe(12)
  const { most } = memory()
  console.log(`twelve at once: at most ${most.toFixed(0)} MiB in all Workers together`)
  expect(most).toBeLessThan(512)
  expect(stack.workers().pid).toBe(pid)
})
