import { createHmac } from 'node:crypto'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { signDelivery } from '../../../local/qstash/signature.ts'
import { callExecutor } from '../../publishing/scene.ts'
import { type Api, newAccount } from '../../support/client.ts'
import { newOutboxRow, outboxRow } from './outbox-row.ts'

const stack = inject('stack')
let api: Api
beforeAll(async () => {
  api = await newAccount(stack)
})

const newRow = (job: string, payload: unknown) => newOutboxRow(stack, api.accountId, job, payload)
const rowOf = (id: number) => outboxRow(stack, id)

describe('the signature of POST /jobs/run', () => {
  const untouched = async (id: number) =>
    expect(await rowOf(id)).toMatchObject({ attempts: 0, done: false, dead: false })
  const envelope = (id: number) => JSON.stringify({ outbox_id: id })

  const forge = (claims: Record<string, unknown>, key: string, alg = 'HS256'): string => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const signed = `${encode({ alg, typ: 'JWT' })}.${encode(claims)}`
    return `${signed}.${alg === 'none' ? '' : createHmac('sha256', key).update(signed).digest('base64url')}`
  }

  const claimsOf = () => {
    const now = Math.floor(Date.now() / 1000)
    return {
      iss: 'Upstash',
      sub: `${stack.url}/jobs/run`,
      exp: now + 300,
      nbf: now - 5,
      iat: now,
      jti: 'jwt_x',
      body: 'x',
    }
  }

  test('missing, forged, without algorithm, or no token at all: 401, and nothing runs', async () => {
    const id = await newRow('publishing.receipt', { article_id: 1 })
    const signatures = [
      null,
      'nonsense',
      'a.b.c',
      forge(claimsOf(), 'sig_somebody_elses_key'),
      forge(claimsOf(), '', 'none'),
      forge(claimsOf(), 'sig_local_current_key'),
    ]
    for (const signature of signatures) {
      const { status, text } = await callExecutor(stack, envelope(id), { signature })
      expect(status, String(signature)).toBe(401)
      expect(text).not.toContain('done')
    }
    await untouched(id)
  })

  test('of a too large body is not checked: 401, announced or not, and nothing runs', async () => {
    const id = await newRow('publishing.receipt', { article_id: 1 })
    const body = envelope(id).padEnd(5_000, ' ')
    const signature = signDelivery('sig_local_current_key', `${stack.url}/jobs/run`, Buffer.from(body), Date.now())
    const headers = { 'upstash-signature': signature, 'content-type': 'application/json' }
    const announced = await fetch(`${stack.url}/jobs/run`, { method: 'POST', headers, body })
    const streamed = await fetch(`${stack.url}/jobs/run`, {
      method: 'POST',
      headers,
      body: new Blob([body]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect([announced.status, streamed.status]).toEqual([401, 401])
    await untouched(id)
  })

  test('is refused with 401 if it is stale, from the future, or made for another address or body', async () => {
    const id = await newRow('publishing.receipt', { article_id: 1 })
    const other = await newRow('publishing.receipt', { article_id: 1 })
    const stale = await callExecutor(stack, envelope(id), { signedAt: Date.now() - 10 * 60_000 })
    const early = await callExecutor(stack, envelope(id), { signedAt: Date.now() + 10 * 60_000 })
    const elsewhere = await callExecutor(stack, envelope(id), { url: 'https://elsewhere.example/jobs/run' })
    expect([stale.status, early.status, elsewhere.status]).toEqual([401, 401, 401])
    const keys = 'sig_local_current_key'
    const signature = signDelivery(keys, `${stack.url}/jobs/run`, Buffer.from(envelope(other)), Date.now())
    expect((await callExecutor(stack, envelope(id), { signature })).status).toBe(401)
    await untouched(id)
    await untouched(other)
  })

  test.each(['current', 'next'] as const)('signed with the %s key: it runs', async (key) => {
    const id = await newRow('publishing.receipt', { article_id: 2_147_483_647 })
    expect(await callExecutor(stack, envelope(id), { key })).toMatchObject({ status: 200, body: { done: true } })
    expect(await rowOf(id)).toMatchObject({ done: true })
  })

  test.each(['', 'not json', '[]', 'null', '{}', '{"outbox_id":"1"}', '{"outbox_id":0}', '{"outbox_id":1.5}'])(
    'genuine junk %j: 489, never to be sent again',
    async (body) => {
      const answer = await callExecutor(stack, body)
      expect(answer.status).toBe(489)
      expect(answer.headers.get('upstash-nonretryable-error')).toBe('true')
    },
  )

  test('an unknown row: 200, nothing to do', async () => {
    expect(await callExecutor(stack, envelope(2_000_000_000))).toMatchObject({
      status: 200,
      body: { nothing_to_do: true },
    })
    expect((await callExecutor(stack, envelope(Number.MAX_SAFE_INTEGER))).status).toBe(200)
  })

  test('the executor takes POST only, and the offer is not public', async () => {
    expect((await fetch(`${stack.url}/jobs/run`)).status).toBe(405)
    expect((await fetch(`${stack.url}/internal/offer`, { method: 'POST' })).status).toBe(404)
  })
})
