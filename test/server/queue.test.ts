import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Receiver } from '@upstash/qstash'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readBody } from '../../local/receiver/answers.ts'
import { serveQueue } from '../../server/queue.ts'
import { type Serving, serveAt } from '../../server/socket.ts'

const PUBLIC_URL = 'https://galley.example'
const URL_OF_JOBS = `${PUBLIC_URL}/jobs/run`

type Call = { headers: IncomingHttpHeaders; body: string }

const calls: Call[] = []
let statuses: number[] = []
const running: Serving[] = []
let folder = ''
const path = (name: string): string => join(folder, `${name}.sock`)

beforeEach(async () => {
  calls.length = 0
  statuses = []
  folder = mkdtempSync(join(tmpdir(), 'galley-queue-'))
  const workers = await serveAt(
    path('workers'),
    async (req, res) => {
      calls.push({ headers: req.headers, body: (await readBody(req, 10_000)).toString('utf8') })
      res.writeHead(statuses.shift() ?? 200, { 'retry-after': '0' }).end('{}')
    },
    () => ({ status: 500, headers: {}, body: '' }),
  )
  const queue = await serveQueue(path('queue'), {
    token: 'token',
    signingKey: 'signing-key',
    publicUrl: PUBLIC_URL,
    workers: () => path('workers'),
  })
  running.push(queue, workers)
})

afterEach(async () => {
  for (const one of running.splice(0)) await one.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Sends a batch as the Workers do. Returns status and answer. */
const offer = (items: unknown, token = 'token'): Promise<{ status: number; body: unknown }> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const call = request({ socketPath: path('queue'), path: '/v2/batch', method: 'POST', headers }, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => {
        text += chunk
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) }))
    })
    call.on('error', reject)
    call.end(JSON.stringify(items))
  })

const item = (id: number, headers: Record<string, string> = {}) => ({
  destination: URL_OF_JOBS,
  body: JSON.stringify({ outbox_id: id }),
  headers: { 'Upstash-Deduplication-Id': `outbox-${id}-1`, ...headers },
})

it('calls the Workers with a signature that QStash’s own receiver accepts', async () => {
  expect(await offer([item(1)])).toMatchObject({ status: 200, body: [{ messageId: expect.any(String) }] })
  await expect.poll(() => calls).toHaveLength(1)
  const [{ headers, body } = { headers: {}, body: '' }] = calls
  const receiver = new Receiver({ currentSigningKey: 'signing-key', nextSigningKey: 'other' })
  const signature = String(headers['upstash-signature'])
  expect(await receiver.verify({ signature, body, url: URL_OF_JOBS })).toBe(true)
  await expect(receiver.verify({ signature, body: '{"outbox_id":2}', url: URL_OF_JOBS })).rejects.toThrow()
})

it('calls again if the Workers fail, and not after a refusal for good', async () => {
  statuses = [500, 503, 200]
  await offer([item(1)])
  await expect.poll(() => calls.map(({ body }) => body)).toEqual(Array(3).fill('{"outbox_id":1}'))
  statuses = [489]
  await offer([item(2)])
  await expect.poll(() => calls.length).toBe(4)
  await offer([item(3)])
  await expect.poll(() => calls.at(-1)?.body).toBe('{"outbox_id":3}')
  expect(calls).toHaveLength(5)
})

it('waits until the time of a message, and runs a repeated one once', async () => {
  const at = String(Math.ceil(Date.now() / 1_000) + 1)
  await offer([item(1, { 'Upstash-Not-Before': at }), item(1, { 'Upstash-Not-Before': at })])
  expect(calls).toHaveLength(0)
  await expect.poll(() => calls.length, { timeout: 10_000 }).toBe(1)
  expect(Date.now()).toBeGreaterThanOrEqual(Number(at) * 1_000)
})

it('takes messages from its own Workers only, and to their own path only', async () => {
  expect((await offer([item(1)], 'another')).status).toBe(401)
  expect(await offer([{ ...item(1), destination: 'https://galley.example/api/v1/projects' }, item(2)])).toMatchObject({
    status: 200,
    body: [{ error: `only ${URL_OF_JOBS} is called` }, { messageId: expect.any(String) }],
  })
  expect((await offer({ not: 'a list' })).status).toBe(400)
  await expect.poll(() => calls.map(({ body }) => body)).toEqual(['{"outbox_id":2}'])
})
