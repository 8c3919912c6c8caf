import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { jobsApp } from '../../../functions/jobs/app.ts'
import { mintApiKey } from '../../../src/platform/accounts/api-key.ts'
import { routes } from '../../../src/platform/http/route.ts'
import { registryOf } from '../../../src/platform/jobs/job.ts'
import { sha256 } from '../../../src/platform/lib/crypto.ts'
import { attachment, upload } from '../../../src/platform/lib/file-fields.ts'
import type { Ctx } from '../../../src/platform/runtime/ctx.ts'
import { depsFrom } from '../../../src/platform/runtime/deps.ts'
import { AWAY_ENV, awayWorker, IDLE_CONTEXT } from '../../support/away.ts'

const newKey = () => mintApiKey('live', (bytes) => crypto.getRandomValues(bytes))

/** Returns a Worker without database and Redis, which admits no caller, and a record of what it did with bodies. */
const worker = () => {
  const done: string[] = []
  const operations = {
    save: {
      id: 'test.save',
      method: 'POST',
      path: '/save',
      perMinute: 10,
      scope: 'write',
      summary: 'Saves.',
      json: z.object({
        content: z.pipe(
          z.string(),
          z.transform((text) => {
            done.push('parsed')
            return text
          }),
        ),
      }),
      errors: [],
    },
    keep: {
      id: 'test.keep',
      method: 'POST',
      path: '/keep',
      perMinute: 10,
      scope: 'write',
      summary: 'Keeps a file.',
      json: z.object({ image: attachment('A file, as base64.') }),
      attachment: { field: 'image', maxBytes: 1_000 },
      errors: [],
    },
    take: {
      id: 'test.take',
      method: 'POST',
      path: '/take',
      perMinute: 10,
      scope: 'write',
      summary: 'Takes a file as it arrives.',
      json: z.object({ file: upload('A file.') }),
      upload: { field: 'file', maxBytes: 1_000 },
      errors: [],
    },
  } as const
  const verb = async (ctx: Ctx) => {
    done.push('begun')
    return { account: (await ctx.account()).id }
  }
  const files = async () => {
    done.push('read')
    throw new Error('a file was read')
  }
  const { app, limiter } = awayWorker(routes(operations, { save: verb, keep: verb, take: verb }), { files })
  const send = async (path: string, key: string, content: string): Promise<number> => {
    const body = JSON.stringify({ content })
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': `${body.length}`,
    }
    const request = new Request(`https://api.example/api/v1${path}`, { method: 'POST', headers, body })
    return (await app.fetch(request, {}, IDLE_CONTEXT)).status
  }
  return { send, done, limiter }
}

it('before admission only a small body is read', async () => {
  const { send, done } = worker()
  expect(await send('/save', newKey(), 'x'.repeat(4_096))).toBe(503)
  expect(done).toEqual([])
  expect(await send('/save', newKey(), 'x'.repeat(3_000))).toBe(503)
  expect(done).toEqual(['parsed', 'begun'])
})

it('no body of a known refused caller is read', async () => {
  const { send, done, limiter } = worker()
  expect(await send('/save', 'gly_live_x', 'x')).toBe(401)
  const key = newKey()
  limiter.close({ name: 'test.save', perMinute: 10 }, (await sha256(key)).slice(0, 32), 60)
  expect(await send('/save', key, 'x')).toBe(429)
  expect(done).toEqual([])
})

it.each(['/keep', '/take'])('a file is read for an admitted caller only: POST %s', async (path) => {
  const { send, done } = worker()
  expect(await send(path, newKey(), 'x')).toBe(503)
  expect(done).toEqual([])
})

it('POST /jobs/run without a signature reads nothing of its body', async () => {
  let read = 0
  const body = new ReadableStream(
    {
      pull: (controller) => {
        read += 1
        controller.enqueue(new Uint8Array(1_000))
      },
    },
    { highWaterMark: 0 },
  )
  const queue = { offer: async () => [], isGenuine: async () => false }
  const app = jobsApp({ ...depsFrom(AWAY_ENV, { name: 'projects' }), log: () => {} }, queue, registryOf([]))
  const request = new Request('https://api.example/jobs/run', { method: 'POST', body, duplex: 'half' } as RequestInit)
  expect((await app.fetch(request, {}, IDLE_CONTEXT)).status).toBe(401)
  expect(read).toBe(0)
})
