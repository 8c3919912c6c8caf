import { afterEach, describe, expect, it } from 'vitest'
import { checkSignature } from '../../local/receiver/signature.ts'
import {
  article,
  bodyOf,
  closeAll,
  control,
  deliver,
  deliveries,
  posts,
  SECRET,
  sign,
  start,
  TOKEN,
  update,
} from './receiver-scene.ts'

afterEach(closeAll)

describe('who may deliver', () => {
  it.each([
    ['authorization', `Bearer ${TOKEN}`],
    ['x-api-key', TOKEN],
    ['x-automation-apikey', TOKEN],
  ])('accepts the token only in %s, and never logs it', async (name, value) => {
    const receiver = await start()
    const headers = { 'content-type': 'application/json', [name]: value }
    const answer = await fetch(`${receiver.url}/webhook`, { method: 'POST', headers, body: bodyOf([article()]) })
    expect(answer.status).toBe(200)
    const log = await deliveries(receiver)
    expect(log[0]?.token_in).toEqual([name])
    expect(JSON.stringify(log)).not.toContain(TOKEN)
  })

  it('refuses a wrong or missing token and stores nothing, but logs the request', async () => {
    const receiver = await start()
    expect((await deliver(receiver, bodyOf([article()]), { authorization: 'Bearer other' })).status).toBe(401)
    expect((await fetch(`${receiver.url}/webhook`, { method: 'POST', body: '{}' })).status).toBe(401)
    expect(await posts(receiver)).toEqual([])
    expect((await deliveries(receiver)).map((row) => [row.token_in, row.answer.status])).toEqual([
      [[], 401],
      [[], 401],
    ])
    expect(JSON.stringify(await deliveries(receiver))).not.toContain('Bearer other')
  })

  it('agrees with the reference vector of Standard Webhooks', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    const check = (body: string, atS: number) => checkSignature(secret, headers, Buffer.from(body), atS * 1000)
    expect(check('{"test": 2432232314}', 1614265330)).toBe('valid')
    expect(check('{"test": 2432232314}', 1614265330 + 299)).toBe('valid')
    expect(check('{"test": 2432232314}', 1614265330 + 301)).toBe('invalid')
    expect(check('{"test": 2432232315}', 1614265330)).toBe('invalid')
    expect(checkSignature(secret, {}, Buffer.from(''), 0)).toBe('absent')
  })

  it('requires a signature only after a secret is set', async () => {
    const receiver = await start()
    const body = bodyOf([article()])
    expect((await deliver(receiver, body)).status).toBe(200)
    expect(await control(receiver, { signing_secret: SECRET })).toMatchObject({ signing_secret_set: true })
    expect((await deliver(receiver, body)).status).toBe(401)
    expect((await deliver(receiver, body, sign('msg_1', new Date(), `${body} `))).status).toBe(401)
    expect((await deliver(receiver, body, sign('msg_1', new Date(Date.now() - 301_000), body))).status).toBe(401)
    expect((await deliver(receiver, body, sign('msg_1', new Date(), body))).status).toBe(200)
    const checks = (await deliveries(receiver)).map((row) => row.signature)
    expect(checks).toEqual(['not_checked', 'absent', 'invalid', 'invalid', 'valid'])
    await control(receiver, { signing_secret: null })
    expect((await deliver(receiver, body)).status).toBe(200)
  })
})

describe('integrations with their own path', () => {
  it('are distinguished: each needs only its own secret', async () => {
    const receiver = await start()
    const body = bodyOf([article()])
    const demo = { ...receiver, url: `${receiver.url}/webhook/demo?from=` }
    await control(receiver, { webhook: '/webhook/demo', signing_secret: SECRET })
    expect((await deliver(receiver, body)).status).toBe(200)
    expect((await deliver(demo, body)).status).toBe(401)
    expect((await deliver(demo, body, sign('msg_1', new Date(), body))).status).toBe(200)
    await control(receiver, { signing_secret: SECRET })
    expect((await deliver(receiver, body)).status).toBe(401)
    await control(receiver, { webhook: '/webhook/demo', signing_secret: null })
    expect((await deliver(demo, body)).status).toBe(200)
    expect((await deliver(receiver, body)).status).toBe(401)
  })
})

describe('the receiver contract', () => {
  it('creates a post and answers with its address', async () => {
    const receiver = await start()
    const answer = await deliver(receiver, bodyOf([article()]))
    expect(answer.status).toBe(200)
    const url = `${receiver.url}/posts/commuter-bike-service`
    const text = await answer.text()
    expect(JSON.parse(text)).toEqual({ success: true, action: 'created', published_url: url })
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    expect(await posts(receiver)).toMatchObject([
      {
        article_id: '41',
        slug: 'commuter-bike-service',
        url,
        status: 'Published',
        changes: 0,
        tags: ['maintenance', 'commuting'],
      },
    ])
  })

  it('does nothing twice for one Idempotency-Key, and reports different content', async () => {
    const receiver = await start()
    const headers = { 'idempotency-key': 'key-1' }
    await deliver(receiver, bodyOf([article()]), headers)
    const again = await deliver(receiver, bodyOf([article()]), headers)
    expect(await again.json()).toMatchObject({ success: true, action: 'unchanged' })
    const other = await deliver(receiver, bodyOf([article({ id: '99', slug: 'other', title: 'Other' })]), headers)
    expect(await other.json()).toMatchObject({
      action: 'unchanged',
      published_url: `${receiver.url}/posts/commuter-bike-service`,
    })
    expect((await posts(receiver)).map((post) => post.title)).toEqual(['Commuter bike service'])
    const log = await deliveries(receiver)
    expect(log.map((row) => [row.attempt, row.warnings.length])).toEqual([
      [1, 0],
      [2, 0],
      [3, 1],
    ])
  })

  it('keeps one post per article id under another key', async () => {
    const receiver = await start()
    await deliver(receiver, bodyOf([article()]))
    expect(await (await deliver(receiver, bodyOf([article()]))).json()).toMatchObject({ action: 'unchanged' })
    const changed = await deliver(receiver, bodyOf([article({ title: 'New title' })]))
    expect(await changed.json()).toMatchObject({ action: 'updated' })
    expect((await posts(receiver)).map((post) => [post.title, post.changes])).toEqual([['New title', 1]])
  })

  it('gives two articles with one slug two addresses', async () => {
    const receiver = await start()
    const both = await deliver(receiver, bodyOf([article(), article({ id: '42' })]))
    expect(await both.json()).toMatchObject({
      action: 'created',
      articles: [
        { id: '41', published_url: `${receiver.url}/posts/commuter-bike-service` },
        { id: '42', published_url: `${receiver.url}/posts/commuter-bike-service-2` },
      ],
    })
  })

  it('keeps the permalink and the dates on an update', async () => {
    const receiver = await start()
    await deliver(receiver, bodyOf([article()]))
    const moved = {
      title: 'Edited',
      slug: 'somewhere-else',
      published_at: '2027-01-01T00:00:00Z',
      created_at: '2027-01-01T00:00:00Z',
    }
    const answer = await deliver(receiver, update(moved))
    expect(await answer.json()).toEqual({
      success: true,
      action: 'updated',
      published_url: `${receiver.url}/posts/commuter-bike-service`,
    })
    expect(await posts(receiver)).toMatchObject([
      {
        title: 'Edited',
        slug: 'commuter-bike-service',
        published_at: '2026-05-04T08:00:00Z',
        created_at: '2026-05-01T08:00:00Z',
      },
    ])
  })

  it('answers 404 to an update that matches nothing, and creates nothing', async () => {
    const receiver = await start()
    await deliver(receiver, bodyOf([article()]))
    expect((await deliver(receiver, update({ id: '77' }))).status).toBe(404)
    const half = bodyOf(
      [article({ title: 'Half', is_update: true }), article({ id: '77', is_update: true })],
      'update_articles',
    )
    expect((await deliver(receiver, half)).status).toBe(404)
    expect((await posts(receiver)).map((post) => post.title)).toEqual(['Commuter bike service'])
  })

  it('matches by slug only a post that has no id', async () => {
    const receiver = await start()
    await control(receiver, { old_post: { slug: 'commuter-bike-service', title: 'Old', content_html: '<p>Old</p>' } })
    expect(await (await deliver(receiver, update({ title: 'Adopted' }))).json()).toMatchObject({ action: 'updated' })
    expect(await posts(receiver)).toMatchObject([{ article_id: '41', title: 'Adopted', slug: 'commuter-bike-service' }])
    expect((await deliver(receiver, update({ id: '43', title: 'Thief' }))).status).toBe(404)
  })

  it('stores nothing for a connection test', async () => {
    const receiver = await start()
    expect((await deliver(receiver, bodyOf([article()], 'publish_articles', { test: true }))).status).toBe(200)
    expect(await posts(receiver)).toEqual([])
  })

  it.each([
    ['no JSON', '{"event_type":', 'not JSON'],
    ['an unknown event', bodyOf([article()], 'delete_articles'), 'event_type'],
    ['no article', bodyOf([]), 'data.articles'],
    ['a numeric id', bodyOf([article({ id: 41 })]), 'data.articles.0.id'],
    ['an array', '[]', 'expected object'],
  ])('answers 400 to %s', async (_, body, problem) => {
    const receiver = await start()
    const answer = await deliver(receiver, body)
    expect(answer.status).toBe(400)
    expect(((await answer.json()) as { error: string }).error).toContain(problem)
    expect(await posts(receiver)).toEqual([])
  })

  it('answers 415, 405 and 413 to the requests that need them', async () => {
    const receiver = await start()
    expect((await deliver(receiver, bodyOf([article()]), { 'content-type': 'text/plain' })).status).toBe(415)
    const got = await fetch(`${receiver.url}/webhook`)
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await deliver(receiver, bodyOf([article({ content_html: 'x'.repeat(9 * 1024 * 1024) })]))).status).toBe(413)
  })
})

it('survives nonsense', async () => {
  const receiver = await start()
  const nonsense = await fetch(`${receiver.url}/_faults`, { method: 'POST', body: '{' })
  expect(nonsense.status).toBe(400)
  expect((await fetch(`${receiver.url}/posts/%E0%A4%A`)).status).toBe(404)
  expect((await fetch(`${receiver.url}//`)).status).toBe(400)
  expect((await fetch(`${receiver.url}/`)).status).toBe(200)
})
