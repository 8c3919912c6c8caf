import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createQueue, type Queue, queueFault } from '../../../src/platform/jobs/queue.ts'

/** Undefined if there is no answer. */
let answer: [status: number, body: unknown] | undefined
const server = createServer((_, res) => {
  if (answer) res.writeHead(answer[0], { 'content-type': 'application/json' }).end(JSON.stringify(answer[1]))
})
let queue: Queue
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const keys = { QSTASH_CURRENT_SIGNING_KEY: 'current', QSTASH_NEXT_SIGNING_KEY: 'next' }
  queue = createQueue({ QSTASH_URL: url, QSTASH_TOKEN: 'token', ...keys }, 'https://galley.test', new Set(), 1_000)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const wake = (id: number) => ({ id, offers: 1, notBefore: undefined })

it('messages that QStash refuses from a batch are reported, each with its reason', async () => {
  answer = [200, [{ messageId: 'm1' }, { error: 'quota maxRetries exceeded' }, {}]]
  expect(await queue.offer([wake(1), wake(2), wake(3)])).toEqual([
    { id: 2, reason: 'quota maxRetries exceeded' },
    { id: 3, reason: 'no message id in the answer' },
  ])
})

it('if QStash refuses a whole batch, the log has its status and its message', async () => {
  answer = [404, { error: 'user not found in this region' }]
  const fault = await queue.offer([wake(1)]).catch((error: unknown) => error)
  expect(queueFault(fault)).toEqual({ status: 404, reason: expect.stringContaining('not found in this region') })
  expect(queueFault(new Error('a secret'))).toEqual({})
})

it('an offer without an answer fails after the time limit', async () => {
  answer = undefined
  await expect(queue.offer([wake(1)])).rejects.toThrow('timeout')
})
