import { createHmac, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { KEEP_ALIVE_MS } from '../../../local/loopback.ts'
import { startReceiver } from '../../../local/receiver/server.ts'
import { connectReceiver, newAccount, newProject, rowsIn, tell } from '../../support/client.ts'
import { rowsOf } from '../../support/keys.ts'

const stack = inject('stack')

/** Time that the receiver takes to answer. */
const SLOW_MS = 120

type Received = {
  headers: Record<string, string>
  token_in: string[]
  signature: string
  idempotency_key: string
  event_type: string
  raw_body: string
}

/** Returns a receiver of this test's own, with a project connected to it. */
const withReceiver = async (work: (given: Awaited<ReturnType<typeof connected>>) => Promise<void>) => {
  const token = `tok-${randomBytes(8).toString('hex')}`
  const receiver = await startReceiver({ port: 0, token })
  try {
    await work(await connected(receiver.url, token))
  } finally {
    await receiver.close()
  }
}

const connected = async (url: string, token: string) => {
  const api = await newAccount(stack)
  const project = await newProject(api)
  const { integration_id, signing_secret } = await connectReceiver(api, project, url, token)
  const received = async (): Promise<Received[]> => {
    const answer = (await (await fetch(`${url}/api/deliveries`)).json()) as { deliveries: Received[] }
    return answer.deliveries
  }
  /** Returns the tests without an article since the connection, which sends one. */
  const tests = async (): Promise<Received[]> => {
    const answer = (await (await fetch(`${url}/api/tests`)).json()) as { tests: Received[] }
    return answer.tests.slice(1)
  }
  return { api, url, token, id: Number(integration_id), secret: String(signing_secret), received, tests }
}

/** Returns a receiver that answers everything with 200 and this body, with a project connected to it. */
const answering = async (
  type: string,
  said: string,
  work: (given: Awaited<ReturnType<typeof connected>>) => Promise<void>,
) => {
  const receiver = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (req, res) => {
    req.resume().on('end', () => res.writeHead(200, { 'content-type': type }).end(said))
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  try {
    await work(await connected(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}`, 'a-token'))
  } finally {
    receiver.closeAllConnections()
    await new Promise((resolve) => receiver.close(resolve))
  }
}

/** Returns everything the database keeps of an account that a test delivery could have touched. */
const stored = (accountId: number, id: number) =>
  rowsIn(
    stack,
    sql`select (select to_jsonb(i) - 'last_used_at' from integrations i where id = ${id}) as integration,
      (select count(*) from deliveries where account_id = ${accountId}) as deliveries,
      (select count(*) from articles where account_id = ${accountId}) as articles,
      (select count(*) from outbox where account_id = ${accountId}) as outbox`,
  )

describe('POST /integrations/:id/test', () => {
  it('sends exactly one signed sample, and records only when the target was tried', async () => {
    await withReceiver(async ({ api, token, url, id, secret, received, tests }) => {
      await tell(url, '/_control', { signing_secret: secret })
      const before = await stored(api.accountId, id)
      await tell(url, '/_control', { mode: 'slow', delay_ms: SLOW_MS, times: 1 })
      const { status, body } = await api.post(`/integrations/${id}/test`)
      expect(status).toBe(200)
      expect(body).toMatchObject({ integration_id: id, platform: 'webhook', message: expect.any(String) })
      expect(body.duration_ms).toBeGreaterThanOrEqual(SLOW_MS)
      expect(await stored(api.accountId, id)).toEqual(before)
      expect(await received()).toEqual([])
      const sent = await tests()
      expect(sent).toHaveLength(1)
      const [sample] = sent as [Received]
      expect(sample.signature).toBe('valid')
      expect([...sample.token_in].sort()).toEqual(['authorization', 'x-api-key', 'x-automation-apikey'])
      expect(sample.headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'Galley-Publisher/1.0',
        'webhook-id': sample.idempotency_key,
      })
      const signed = `${sample.idempotency_key}.${sample.headers['webhook-timestamp']}.${sample.raw_body}`
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
      expect(sample.headers['webhook-signature']).toBe(
        `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
      )
      expect(JSON.parse(sample.raw_body)).toMatchObject({
        event_type: 'publish_articles',
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        test: true,
        data: { articles: [] },
      })
      expect(sample.raw_body).not.toContain(token)
    })
  })

  it('sends a sample article only if the call asks for it, and the receiver makes no post of either', async () => {
    await withReceiver(async ({ api, url, id, received }) => {
      expect((await api.post(`/integrations/${id}/test`, { sample: true })).body).toMatchObject({ status: 'ok' })
      const [sample] = (await received()).map(({ raw_body }) => JSON.parse(raw_body))
      expect(sample).toMatchObject({
        event_type: 'publish_articles',
        test: true,
        data: { articles: [{ status: 'Draft', is_update: false, update_only: false }] },
      })
      expect((await api.post(`/integrations/${id}/test`)).body).toMatchObject({ status: 'ok' })
      expect(await (await fetch(`${url}/api/posts`)).json()).toMatchObject({ posts: [] })
    })
  })

  it('calls at once with one Idempotency-Key send one test and get its answer; without a key each is a test', {
    tags: ['services'],
  }, async () => {
    await withReceiver(async ({ api, url, id, tests }) => {
      await tell(url, '/_control', { mode: 'slow', delay_ms: SLOW_MS, times: 1 })
      const send = (options = {}) => api.post(`/integrations/${id}/test`, undefined, options)
      const keyed = { headers: { 'idempotency-key': 'once' } }
      const answers = await Promise.all(Array.from({ length: 4 }, () => send(keyed)))
      expect(answers.map(({ status }) => status)).toEqual(Array<number>(4).fill(200))
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
      expect(await tests()).toHaveLength(1)
      await Promise.all([send(), send()])
      expect(await tests()).toHaveLength(3)
    })
  })

  it('a receiver that counts no article in the test is well', async () => {
    await answering('application/json', '{"processed":0,"articles":[]}', async ({ api, id }) => {
      expect((await api.post(`/integrations/${id}/test`)).body).toMatchObject({ status: 'ok' })
      expect((await api.post(`/integrations/${id}/test`, { sample: true })).body).toMatchObject({ status: 'failed' })
    })
  })

  it('HTML instead of JSON is not a right answer: the message refers to the warning', async () => {
    await answering('text/html', '<!doctype html><title>Shop</title>', async ({ api, id }) => {
      const { body } = await api.post(`/integrations/${id}/test`)
      expect(body).toMatchObject({ status: 'ok', warning: expect.stringContaining('web page') })
      expect(body.message).toBe('The target accepted the test. Read the warning before you publish.')
    })
  })

  it('distinguishes a target that answers correctly from one that does not, and records which it was', async () => {
    await withReceiver(async ({ api, url, id, tests }) => {
      const recorded = async () => rowsOf((await api.get('/integrations')).body, 'integrations')[0]
      expect((await api.post(`/integrations/${id}/test`)).body).toMatchObject({ status: 'ok', http_status: 200 })
      const cases: [control: Record<string, unknown>, http: number | null][] = [
        [{ mode: 'down' }, 500],
        [{ mode: 'reject' }, 401],
        [{ mode: 'success_false' }, 200],
        [{ mode: 'redirect', location: 'http://10.0.0.1/' }, 307],
        [{ mode: 'close_after_read' }, null],
      ]
      for (const [control, http] of cases) {
        await tell(url, '/_control', { ...control, times: 1 })
        const { status, body } = await api.post(`/integrations/${id}/test`)
        expect([control.mode, status]).toEqual([control.mode, 200])
        expect(body).toMatchObject({ status: 'failed', http_status: http, error: expect.any(String) })
        expect(await recorded()).toMatchObject({ LastError: body.error })
      }
      expect(await tests()).toHaveLength(cases.length + 1)
      expect((await api.post(`/integrations/${id}/test`)).body).toMatchObject({ status: 'ok' })
      expect(await recorded()).toMatchObject({ ID: id, LastUsedAt: expect.any(String), LastError: null })
    })
  })

  it('shows no secret if the target repeats the request', async () => {
    const token = `tok-${randomBytes(16).toString('hex')}`
    const echo = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (req, res) => {
      const said = JSON.stringify({
        success: false,
        error: `bad token ${req.headers['x-api-key']}`,
        headers: req.headers,
      })
      res.writeHead(401, { 'content-type': 'application/json' }).end(said)
    })
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
    try {
      const { api, id } = await connected(`http://127.0.0.1:${(echo.address() as AddressInfo).port}`, token)
      const { body, text } = await api.post(`/integrations/${id}/test`)
      expect(body).toMatchObject({ status: 'failed', http_status: 401, error: expect.stringContaining('bad token') })
      expect(body.response_excerpt).toContain('x-automation-apikey')
      expect(text).not.toContain(token)
    } finally {
      echo.closeAllConnections()
      await new Promise((resolve) => echo.close(resolve))
    }
  })

  it('is 403 for another account and sends nothing, 404 if it does not exist, 400 for an invalid id', async () => {
    await withReceiver(async ({ id, tests }) => {
      const api = await newAccount(stack)
      expect((await api.post(`/integrations/${id}/test`)).status).toBe(403)
      expect((await api.post('/integrations/2147483647/test')).status).toBe(404)
      expect((await api.post('/integrations/x/test')).status).toBe(400)
      expect(await tests()).toEqual([])
    })
  })
})
