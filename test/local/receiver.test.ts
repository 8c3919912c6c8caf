import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { request as open } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Post } from '../../local/receiver/blog.ts'
import type { Delivery } from '../../local/receiver/deliveries.ts'
import { type ReceiverOptions, type RunningReceiver, startReceiver } from '../../local/receiver/server.ts'
import { checkSignature } from '../../local/receiver/signature.ts'
import { ownFaults } from '../support/faults.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const TOKEN = 'tok_receiver_5d1f'
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const start = async (options: Partial<ReceiverOptions> = {}): Promise<RunningReceiver> => {
  const receiver = await startReceiver({ port: 0, token: TOKEN, ...options })
  cleanups.push(receiver.close)
  return receiver
}

type Fields = Record<string, unknown>

const article = (fields: Fields = {}): Fields => ({
  id: '41',
  title: 'Commuter bike service',
  slug: 'commuter-bike-service',
  content_html: '<h2 id="why">Why</h2><p>Rain &amp; salt.</p>',
  content_markdown: '## Why\n\nRain & salt.',
  meta_description: 'What to check, and when.',
  published_at: '2026-05-04T08:00:00Z',
  created_at: '2026-05-01T08:00:00Z',
  updated_at: '2026-05-04T08:00:00Z',
  image_url: 'https://media.example/bike.webp',
  alt_text: 'A bicycle "at rest"',
  tags: ['maintenance', 'commuting'],
  author: 'Noor de Wit',
  status: 'Published',
  is_update: false,
  ...fields,
})

const bodyOf = (articles: Fields[], event = 'publish_articles', extra: Fields = {}): string =>
  JSON.stringify({ event_type: event, timestamp: '2026-05-04T08:00:01Z', data: { articles }, ...extra })

const update = (fields: Fields = {}): string =>
  bodyOf([article({ is_update: true, update_only: true, ...fields })], 'update_articles')

const deliver = (receiver: RunningReceiver, body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${receiver.url}/webhook`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${TOKEN}`,
      'idempotency-key': randomUUID(),
      ...headers,
    },
    body,
    redirect: 'manual',
  })

const control = async (receiver: RunningReceiver, settings: Fields): Promise<Fields> => {
  const answer = await fetch(`${receiver.url}/_control`, { method: 'POST', body: JSON.stringify(settings) })
  expect(answer.status, JSON.stringify(settings)).toBe(200)
  return (await answer.json()) as Fields
}

const posts = async ({ url }: RunningReceiver): Promise<(Post & { url: string })[]> => {
  const answer = (await (await fetch(`${url}/api/posts`)).json()) as { posts: (Post & { url: string })[] }
  return answer.posts
}

const deliveries = async ({ url }: RunningReceiver): Promise<Delivery[]> => {
  const answer = (await (await fetch(`${url}/api/deliveries`)).json()) as { deliveries: Delivery[] }
  return answer.deliveries
}

const sign = (id: string, at: Date, body: string, secret = SECRET): Record<string, string> => {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const mac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64')).update(`${id}.${timestamp}.${body}`)
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,bm90LXRoaXMtb25l v1,${mac.digest('base64')}`,
  }
}

describe('who may deliver', () => {
  it.each([
    ['authorization', `Bearer ${TOKEN}`],
    ['x-api-key', TOKEN],
    ['x-automation-apikey', TOKEN],
  ])('accepts the token in %s alone, and keeps it out of the log', async (name, value) => {
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

  it('asks for a signature once a secret is set, and not before', async () => {
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

describe('integrations with a path of their own', () => {
  it('are distinguished: the secret of one is asked of it alone', async () => {
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

  it('does nothing twice for one Idempotency-Key, and says when the content was another', async () => {
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

  it('answers 415, 405 and 413 where they belong', async () => {
    const receiver = await start()
    expect((await deliver(receiver, bodyOf([article()]), { 'content-type': 'text/plain' })).status).toBe(415)
    const got = await fetch(`${receiver.url}/webhook`)
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await deliver(receiver, bodyOf([article({ content_html: 'x'.repeat(9 * 1024 * 1024) })]))).status).toBe(413)
  })
})

describe('misbehaviour', () => {
  it.each([
    [{ mode: 'down' }, 500, 0, '"success":false'],
    [{ mode: 'unavailable', retry_after: 7 }, 503, 0, '"success":false'],
    [{ mode: 'redirect', location: 'http://127.0.0.1:9/elsewhere' }, 307, 0, ''],
    [{ mode: 'success_false', error: 'Category missing.' }, 200, 0, '{"success":false,"error":"Category missing."}'],
    [{ mode: 'processed_zero' }, 200, 0, '{"success":true,"processed":0}'],
    [{ mode: 'reject' }, 401, 0, '"success":false'],
    [{ mode: 'gone' }, 410, 0, '"success":false'],
    [{ mode: 'html_firewall' }, 403, 0, '<h1>Forbidden</h1>'],
    [{ mode: 'empty' }, 200, 1, ''],
    [{ mode: 'not_json' }, 200, 1, 'OK'],
    [{ mode: 'down', store: true }, 500, 1, '"success":false'],
  ])('%j', async (settings, status, stored, text) => {
    const receiver = await start()
    await control(receiver, { ...settings, times: 1 })
    const answer = await deliver(receiver, bodyOf([article()]))
    const body = await answer.text()
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(body)))
    if (text === '') expect(body).toBe('')
    else expect(body).toContain(text)
    if ('retry_after' in settings) expect(answer.headers.get('retry-after')).toBe('7')
    if ('location' in settings) expect(answer.headers.get('location')).toBe(settings.location)
    expect(await posts(receiver)).toHaveLength(stored)
    expect((await deliveries(receiver))[0]).toMatchObject({ mode: settings.mode, answer: { status, outcome: 'sent' } })
    expect((await deliver(receiver, bodyOf([article()]))).status).toBe(200)
  })

  it('noise is 2 MiB that never repeat', async () => {
    const receiver = await start()
    await control(receiver, { mode: 'noise' })
    const read = async () => Buffer.from(await (await deliver(receiver, bodyOf([article()]))).arrayBuffer())
    const [first, second] = [await read(), await read()]
    expect([first.length, second.length]).toEqual([2_097_152, 2_097_152])
    expect(first.equals(second)).toBe(false)
    expect((await deliveries(receiver))[0]?.answer.body).toBe('[2097152 bytes]')
  })

  it('keeps misbehaving until told otherwise when no times are given', async () => {
    const receiver = await start()
    await control(receiver, { mode: 'down' })
    const twice = [await deliver(receiver, bodyOf([article()])), await deliver(receiver, bodyOf([article()]))]
    expect(twice.map((answer) => answer.status)).toEqual([500, 500])
    await control(receiver, { mode: 'ok' })
    expect((await deliver(receiver, bodyOf([article()]))).status).toBe(200)
  })

  it('close_after_read stores the post and drops the connection; close_before does not even read', async () => {
    const receiver = await start()
    await control(receiver, { mode: 'close_before', times: 1 })
    const headers = { 'idempotency-key': 'dropped' }
    await expect(deliver(receiver, bodyOf([article()]), headers)).rejects.toThrow('fetch failed')
    expect(await posts(receiver)).toEqual([])
    await control(receiver, { mode: 'close_after_read', times: 1 })
    await expect(deliver(receiver, bodyOf([article()]), headers)).rejects.toThrow('fetch failed')
    expect(await posts(receiver)).toHaveLength(1)
    const retry = await deliver(receiver, bodyOf([article()]), headers)
    expect(await retry.json()).toMatchObject({ action: 'unchanged' })
    expect((await deliveries(receiver)).map((row) => [row.attempt, row.answer.outcome, row.raw_body === ''])).toEqual([
      [1, 'closed', true],
      [2, 'closed', false],
      [3, 'sent', false],
    ])
  })

  it('timeout holds the request until the sender goes', async () => {
    const receiver = await start()
    await control(receiver, { mode: 'timeout' })
    const gone = new AbortController()
    const request = fetch(`${receiver.url}/webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
      body: bodyOf([article()]),
      signal: gone.signal,
    })
    const arrived = await fetch(`${receiver.url}/_wait?deliveries=1&timeout_ms=${PATIENCE_MS}`)
    expect(await arrived.json()).toEqual({ deliveries: 1, posts: 0 })
    expect((await deliveries(receiver))[0]?.answer).toEqual({ outcome: 'held', status: null, body: '', after_ms: null })
    gone.abort()
    await expect(request).rejects.toThrow()
    await expect.poll(async () => (await deliveries(receiver))[0]?.answer.after_ms).toBeGreaterThan(0)
  })

  it('a delivery came when its headers did, however late its body was read', async () => {
    let now = new Date('2026-05-04T08:00:00Z')
    const receiver = await start({ clock: () => now })
    const body = bodyOf([article()])
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      authorization: `Bearer ${TOKEN}`,
      expect: '100-continue',
    }
    const sending = open(`${receiver.url}/webhook`, { method: 'POST', headers })
    sending.flushHeaders()
    // Sent once the receiver has the headers.
    await once(sending, 'continue')
    now = new Date('2026-05-04T08:00:07Z')
    sending.end(body)
    const [answer] = await once(sending, 'response')
    expect(answer.resume().statusCode).toBe(200)
    expect((await deliveries(receiver))[0]?.received_at).toBe('2026-05-04T08:00:00.000Z')
  })

  it('an answer that is held comes once its rule is taken away, with the work done at once', async () => {
    const receiver = await start()
    const faults = ownFaults(receiver.url)
    await faults.set({ path: '/webhook', hold: true })
    let answered = false
    const answer = deliver(receiver, bodyOf([article()])).finally(() => {
      answered = true
    })
    await fetch(`${receiver.url}/_wait?posts=1&timeout_ms=${PATIENCE_MS}`)
    expect(await posts(receiver)).toHaveLength(1)
    expect(answered).toBe(false)
    await faults.clear()
    expect(await (await answer).json()).toMatchObject({ success: true, action: 'created' })
  })

  it('slow does the work at once', async () => {
    const receiver = await start()
    await control(receiver, { mode: 'slow', delay_ms: 3_600_000 })
    const answer = deliver(receiver, bodyOf([article()])).then(
      () => 'answered',
      () => 'cut off',
    )
    await fetch(`${receiver.url}/_wait?posts=1&timeout_ms=${PATIENCE_MS}`)
    expect(await posts(receiver)).toHaveLength(1)
    await receiver.close()
    expect(await answer).toBe('cut off')
  })

  it('still refuses a wrong token in a mode that stores', async () => {
    const receiver = await start()
    await control(receiver, { mode: 'empty' })
    expect((await deliver(receiver, bodyOf([article()]), { authorization: 'Bearer no' })).status).toBe(401)
  })

  it.each([
    [{ mode: 'sulking' }],
    [{ mode: 'redirect' }],
    [{ mode: 'slow' }],
    [{ mode: 'down', times: 0 }],
    [{ signing_secret: 'whsec_short' }],
    [{ reest: true }],
    ['not an object'],
  ])('refuses %j', async (settings) => {
    const receiver = await start()
    const answer = await fetch(`${receiver.url}/_control`, { method: 'POST', body: JSON.stringify(settings) })
    expect(answer.status).toBe(400)
    const view = (await (await fetch(`${receiver.url}/_control`)).json()) as Fields
    expect(view).toMatchObject({ mode: 'ok', signing_secret_set: false })
  })

  it('answers with whole lines, for those who read it in a terminal', async () => {
    const receiver = await start()
    const answer = await fetch(`${receiver.url}/_control`, { method: 'POST', body: '{"mode": "ok"}' })
    expect(await answer.text()).toMatch(/^\{.*\}\n$/)
  })

  it('reset clears posts, deliveries and known keys', async () => {
    const receiver = await start()
    const headers = { 'idempotency-key': 'again' }
    await deliver(receiver, bodyOf([article()]), headers)
    expect(await control(receiver, { reset: true })).toMatchObject({ posts: 0, deliveries: 0 })
    expect(await (await deliver(receiver, bodyOf([article()]), headers)).json()).toMatchObject({ action: 'created' })
    expect((await deliveries(receiver)).map((row) => [row.number, row.attempt])).toEqual([[1, 1]])
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

describe('waiting', () => {
  it('answers when the count is reached, for one article when asked', async () => {
    const receiver = await start()
    const two = fetch(`${receiver.url}/_wait?deliveries=2&timeout_ms=${PATIENCE_MS}`)
    const other = fetch(`${receiver.url}/_wait?posts=1&article_id=42&timeout_ms=${PATIENCE_MS}`)
    await deliver(receiver, bodyOf([article()]))
    await deliver(receiver, bodyOf([article({ id: '42', slug: 'second' })]))
    expect(await (await two).json()).toEqual({ deliveries: 2, posts: 2 })
    expect(await (await other).json()).toEqual({ deliveries: 1, posts: 1 })
  })

  it('answers 408 when the time is over, 400 to a bad question', async () => {
    const receiver = await start()
    const late = await fetch(`${receiver.url}/_wait?deliveries=1&timeout_ms=20`)
    expect(late.status).toBe(408)
    expect(await late.json()).toMatchObject({ deliveries: 0, posts: 0 })
    expect((await fetch(`${receiver.url}/_wait?timeout_ms=20`)).status).toBe(400)
    expect((await fetch(`${receiver.url}/_wait?deliveries=many`)).status).toBe(400)
  })

  it('close() ends held and waiting requests', async () => {
    const receiver = await startReceiver({ port: 0, token: TOKEN })
    const waiting = fetch(`${receiver.url}/_wait?deliveries=5&timeout_ms=${PATIENCE_MS}`).catch(
      (error: Error) => error.message,
    )
    await fetch(`${receiver.url}/api/version`)
    await receiver.close()
    expect(await waiting).toBe('fetch failed')
  })
})

describe('pages', () => {
  it('shows the article with what a search engine reads', async () => {
    const receiver = await start()
    const headline = 'Brakes & <bells>'
    await deliver(receiver, bodyOf([article({ title: headline })]))
    const answer = await fetch(`${receiver.url}/posts/commuter-bike-service`)
    const page = await answer.text()
    expect(answer.status).toBe(200)
    expect(page).toContain('<title>Brakes &amp; &lt;bells&gt; · The sample blog</title>')
    expect(page).toContain('<h1>Brakes &amp; &lt;bells&gt;</h1>')
    expect(page).toContain('<meta name="description" content="What to check, and when.">')
    expect(page).toContain(`<link rel="canonical" href="${receiver.url}/posts/commuter-bike-service">`)
    expect(page).toContain('<img src="https://media.example/bike.webp" alt="A bicycle &quot;at rest&quot;">')
    expect(page).toContain('<h2 id="why">Why</h2><p>Rain &amp; salt.</p>')
    expect(page).not.toContain('noindex')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page).not.toMatch(/<(?:script|link)[^>]+(?:src|href)="https?:\/\/(?!127\.0\.0\.1)/)
  })

  it('keeps a draft out of the index', async () => {
    const receiver = await start()
    await deliver(receiver, bodyOf([article({ status: 'Draft', published_at: undefined })]))
    const page = await (await fetch(`${receiver.url}/posts/commuter-bike-service`)).text()
    expect(page).toContain('<meta name="robots" content="noindex">')
    expect(page).toContain('>Draft</span>')
  })

  it('lists the posts, and every delivery with its attempt and its answer', async () => {
    const receiver = await start()
    await control(receiver, { mode: 'down', times: 1 })
    const headers = { 'idempotency-key': 'shown-key' }
    await deliver(receiver, bodyOf([article()]), headers)
    await deliver(receiver, bodyOf([article()]), headers)
    const page = await (await fetch(receiver.url)).text()
    expect(page).toContain('<a href="/posts/commuter-bike-service">Commuter bike service</a>')
    expect(page).toContain('Deliveries (2)')
    expect(page.indexOf('attempt 2')).toBeLessThan(page.indexOf('attempt 1'))
    expect(page.match(/<code>shown-key<\/code>/g)).toHaveLength(2)
    expect(page).toContain('<span class="badge bad">500</span>')
    expect(page).toContain('<span class="badge good">200</span>')
  })

  it('changes its version with every delivery', async () => {
    const receiver = await start()
    const version = async () =>
      ((await (await fetch(`${receiver.url}/api/version`)).json()) as { version: string }).version
    const before = await version()
    expect(await version()).toBe(before)
    await deliver(receiver, bodyOf([article()]))
    expect(await version()).not.toBe(before)
  })
})

describe('persistence', () => {
  const directory = async (): Promise<string> => {
    const dir = await mkdtemp(join(tmpdir(), 'receiver-'))
    cleanups.push(() => rm(dir, { recursive: true }))
    return dir
  }

  it('keeps posts, deliveries and keys over a restart', async () => {
    const dir = await directory()
    const first = await startReceiver({ port: 0, token: TOKEN, dir })
    const headers = { 'idempotency-key': 'kept' }
    await Promise.all([
      deliver(first, bodyOf([article()]), headers),
      deliver(first, bodyOf([article({ id: '42', slug: 'second' })])),
    ])
    await first.close()
    const second = await start({ dir })
    expect((await posts(second)).map((post) => post.slug).sort()).toEqual(['commuter-bike-service', 'second'])
    const again = await deliver(second, bodyOf([article()]), headers)
    expect(await again.json()).toMatchObject({
      action: 'unchanged',
      published_url: `${second.url}/posts/commuter-bike-service`,
    })
    const log = await deliveries(second)
    expect(log.map((row) => row.number)).toEqual([1, 2, 3])
    expect(log[2]).toMatchObject({ idempotency_key: 'kept', attempt: 2 })
  })

  it('does not start on an unreadable file, and names it', async () => {
    const dir = await directory()
    await writeFile(join(dir, 'receiver.json'), '{"posts": [')
    await expect(start({ dir })).rejects.toThrow(`${join(dir, 'receiver.json')} is damaged`)
    expect(await readdir(dir)).toEqual(['receiver.json'])
  })
})
