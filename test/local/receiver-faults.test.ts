import { once } from 'node:events'
import { request as open } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { startReceiver } from '../../local/receiver/server.ts'
import { ownFaults } from '../support/faults.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import {
  article,
  bodyOf,
  closeAll,
  control,
  deliver,
  deliveries,
  type Fields,
  posts,
  start,
  TOKEN,
} from './receiver-scene.ts'

afterEach(closeAll)

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

  it('keeps misbehaving until reset if no number is given', async () => {
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

  it('timeout holds the request until the sender disconnects', async () => {
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

  it('the time of a delivery is that of its headers, however late its body was read', async () => {
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

  it('a held answer is sent when its rule is removed, with the work done at once', async () => {
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
