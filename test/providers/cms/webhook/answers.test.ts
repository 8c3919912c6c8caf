import { describe, expect, it } from 'vitest'
import { webhookTarget } from '../../../../src/providers/cms/webhook/index.ts'
import type { Connection, PublishOutcome } from '../../../../src/publishing/target/publish-target.ts'
import { clockAt, requestOf } from '../../drive.ts'

const clock = clockAt('2026-11-21T10:00:00Z')
const connection = {
  id: 7,
  url: 'https://receiver.example/in',
  secrets: { access_token: 'a-token', signing_secret: 'whsec_AAAA' },
} as unknown as Connection

/** Returns the outcome of a delivery that gets this answer from the receiver. */
const outcomeOf = (status: number, answer: unknown): Promise<PublishOutcome> => {
  const target = webhookTarget(connection, {
    outbound: async () => ({
      kind: 'answered',
      status,
      headers: new Headers({ 'content-type': 'application/json' }),
      body: JSON.stringify(answer),
      bytes: new Uint8Array(0),
      truncated: false,
      incomplete: false,
    }),
    serviceName: 'Galley',
    now: clock.now,
  })
  return target.deliver(requestOf(clock))
}

describe('an answer of a receiver', () => {
  it.each([408, 425, 429, 500, 502, 503, 504])('with HTTP %i is a refusal that is tried again', async (status) => {
    const reason = expect.stringContaining(`HTTP ${status}`)
    expect(await outcomeOf(status, { error: 'not now' })).toMatchObject({ kind: 'refused', retryable: true, reason })
  })

  it.each([400, 401, 403, 404, 405, 409, 410, 413, 422])('with HTTP %i is one that is not', async (status) => {
    const reason = expect.stringContaining(`HTTP ${status}`)
    expect(await outcomeOf(status, { error: 'no' })).toMatchObject({ kind: 'refused', retryable: false, reason })
  })

  it.each([
    [{ error: 'No such category' }, 'No such category'],
    [{ processed: 0 }, 'processed: 0'],
    [{ processed_count: 0 }, 'processed_count: 0'],
    [{ articles: [] }, 'empty list'],
  ])('with HTTP 200 that says %j is no publication', async (answer, reason) => {
    expect(await outcomeOf(200, answer)).toMatchObject({
      kind: 'refused',
      retryable: false,
      reason: expect.stringContaining(reason),
    })
  })

  it.each([
    [{ result: 'Error', message: 'Slug exists' }, 'result: Error (Slug exists)'],
    [{ status: 500, message: 'Broken' }, 'status: 500 (Broken)'],
    [{ published: false, reason: 'quota' }, 'published: false (quota)'],
    [{ failed: ['a'] }, 'failed: a'],
    [{ code: 'rest_cannot_create', data: { status: 401 } }, 'status: 401'],
    [{ errcode: 40_013, errmsg: 'no such app' }, 'errcode: 40013'],
    [{ type: 'error', message: 'a-token is wrong' }, 'is wrong'],
    [false, 'false'],
  ])(
    'with HTTP 200 that reads like a failure, %j, is one with a word of it, without secrets',
    async (answer, words) => {
      const outcome = await outcomeOf(200, answer)
      expect(outcome).toMatchObject({ kind: 'accepted', notes: [expect.stringContaining(words)] })
      expect(JSON.stringify(outcome)).not.toContain('a-token')
    },
  )

  it.each([
    { status: 0, error: 'no error' },
    { code: 0, failed: 0, errors: [], errcode: 0, error_code: null },
    { status: 'success', error: 'N/A' },
  ])('with HTTP 200 that says nothing against it, %j, has no note', async (answer) => {
    expect(await outcomeOf(200, answer)).not.toHaveProperty('notes')
  })

  it('with HTTP 200 names its post in any spelling', async () => {
    const answer = { publishedUrl: 'https://x.example/a', _id: 'abc' }
    expect(await outcomeOf(200, answer)).toMatchObject({ url: 'https://x.example/a', remoteId: 'abc' })
    const wrapped = { data: { id: 3, attributes: { url: 'https://x.example/b' } } }
    expect(await outcomeOf(200, wrapped)).toMatchObject({ url: 'https://x.example/b', remoteId: '3' })
  })

  it('with HTTP 200 and nothing against it is one', async () => {
    expect(await outcomeOf(200, { success: true })).toMatchObject({ kind: 'accepted' })
  })
})
