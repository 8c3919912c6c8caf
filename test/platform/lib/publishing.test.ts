import { describe, expect, it } from 'vitest'
import { showsContent } from '../../../src/content/html/shown.ts'
import { readAnswer } from '../../../src/providers/cms/webhook/transform.ts'
import { deliveryKey, leaseMs, nextAttempt } from '../../../src/publishing/send/rules.ts'

const now = new Date('2027-01-01T00:00:00Z')

describe('when to try again', () => {
  const wait = (attempts: number, more: { random?: number; scale?: number; retryAfterS?: number } = {}) => {
    const at = nextAttempt('publish_articles', attempts, { now, random: 0.5, scale: 1, ...more })
    return at && (at.getTime() - now.getTime()) / 1_000
  }

  it('is after 30 s, 2 min and 8 min, ±20 %, and then never', () => {
    expect([1, 2, 3, 4, 5].map((n) => wait(n))).toEqual([30, 120, 480, undefined, undefined])
    expect([0, 1].map((random) => wait(1, { random }))).toEqual([24, 36])
    expect([0, 1].map((random) => wait(3, { random }))).toEqual([384, 576])
  })

  it('is the receiver’s Retry-After, and sooner in development', () => {
    expect(wait(1, { retryAfterS: 900 })).toBe(900)
    expect(wait(1, { retryAfterS: 0 })).toBe(0)
    expect(wait(2, { scale: 10 })).toBe(12)
    expect(wait(4, { retryAfterS: 5 })).toBeUndefined()
  })

  it('is never for an update', () => {
    expect(nextAttempt('update_articles', 1, { now, random: 0.5, scale: 1 })).toBeUndefined()
  })
})

it('the lease is a minute for a webhook, and longer for a CMS', () => {
  expect(['webhook', 'wordpress', 'ghost', 'framer'].map(leaseMs)).toEqual([60_000, 300_000, 300_000, 540_000])
})

describe('content', () => {
  it.each(['<p>word</p>', 'word', '<img src="x">', '<p><iframe src="x"></iframe></p>', '<table></table>', '&amp;'])(
    '%s shows something',
    (html) => expect(showsContent(html)).toBe(true),
  )
  it.each(['', ' \n', '<p></p>', '<p>&nbsp; </p><br>', '<div><h2> </h2></div>'])('%j shows nothing', (html) =>
    expect(showsContent(html)).toBe(false),
  )
})

it('a delivery key has the form of a UUID and follows its hash', () => {
  const hash = '0123456789abcdef'.repeat(4)
  expect(deliveryKey(hash)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(deliveryKey(hash)).toBe(deliveryKey(hash))
  expect(deliveryKey(`f${hash.slice(1)}`)).not.toBe(deliveryKey(hash))
})

describe('a receiver’s answer', () => {
  const read = (
    status: number,
    body: unknown,
    event: 'publish_articles' | 'update_articles' = 'publish_articles',
    headers: Record<string, string> = {},
  ) =>
    readAnswer(
      { status, headers: new Headers(headers), body: typeof body === 'string' ? body : JSON.stringify(body) },
      event,
      now,
    )

  it.each([200, 201, 202, 204])('of %i without JSON is accepted, without an address', (status) => {
    const answer = read(status, 'thanks')
    expect(answer).toMatchObject({ kind: 'accepted', httpStatus: status })
    expect(answer).not.toHaveProperty('url')
  })

  it('gives the address and the id of the post, if they are sound', () => {
    expect(read(200, { success: true, published_url: 'https://a.example/p', external_id: 7 })).toMatchObject({
      kind: 'accepted',
      url: 'https://a.example/p',
      remoteId: '7',
    })
    for (const url of ['javascript:alert(1)', '/p', 7, null, `https://a.example/${'x'.repeat(2_000)}`, 'https://a b'])
      expect(read(200, { published_url: url })).not.toHaveProperty('url')
    for (const id of ['', { a: 1 }, true, 'a\u0000', 2 ** 60])
      expect(read(200, { external_id: id })).not.toHaveProperty('remoteId')
    expect(read(200, { external_id: '', post_id: null, id: 7 })).toMatchObject({ remoteId: '7' })
    expect(read(200, { post_id: 'x'.repeat(500) })).toMatchObject({ remoteId: 'x'.repeat(200) })
  })

  it.each([
    [{ Success: false, Error: 'in capitals' }],
    [{ is_error: true, message: 'no room' }],
    [{ isSuccess: false }],
    [{ succeeded: 'no' }],
    [[{ failed: true }]],
    [{ success: false }],
    [{ success: false, error: 'disk full' }],
    [{ error: 'disk full' }],
    [{ error: { code: 1 } }],
    [{ processed: 0 }],
    [{ processed_count: 0 }],
    [{ success: true, articles: [] }],
    // n8n#14587, gutenberg#4936, gutenberg#20365
    [[{ success: false, error: 'slug exists' }]],
    [[{ success: true }, { success: false }]],
    [{ success: 0 }],
    [{ success: 'No' }],
    [{ success: ' False ' }],
    [{ data: { success: false } }],
    [{ success: true, articles: [{ id: '7', success: false, error: 'slug exists' }] }],
    [{ statusCode: 200, body: '{"success":false,"message":"slug exists"}' }],
    [{ error: true, message: 'slug exists' }],
    [{ error: ['', 'slug exists'] }],
    [{ result: [{ error: { message: 'slug exists' } }] }],
    ['\ufeff{"success":false}'],
    [JSON.stringify('{"success":false,"error":"slug exists"}')],
    ['<br />\n<b>Notice</b>: x in {closure}() on line 3<br />\n{"success":false,"error":"slug exists"}'],
    ['{"success":false}\n<!-- page generated in 0.2 s -->'],
  ])('of 200 with %j is a failure that no retry fixes', (body) =>
    expect(read(200, body)).toMatchObject({ kind: 'refused', retryable: false, reason: expect.stringMatching(/\S/) }),
  )

  it.each([
    { success: true },
    ...[null, '', ' ', false, 0, [], {}, [null], [''], { message: '' }, 'null', 'None'].map((error) => ({ error })),
    { success: null },
    [{ success: true, error: [] }],
    { processed: 1 },
    { articles: [{}] },
    { action: 'created' },
    [],
  ])('of 200 with %j is no publication', (body) => expect(read(200, body).kind).toBe('accepted'))

  it('has the receiver’s reason, in any form', () => {
    for (const body of [
      [{ success: false, error: 'slug exists' }],
      { success: 'false', errors: [{ message: 'slug exists' }] },
      { data: { error: { detail: 'slug exists' } } },
    ])
      expect(read(200, body)).toMatchObject({ reason: expect.stringContaining('slug exists') })
    expect(read(500, [{ error: [], message: 'slug exists' }])).toMatchObject({
      reason: 'The receiver answered HTTP 500 (slug exists).',
    })
  })

  it.each([
    [{ success: true, error: [], published_url: 'https://a.example/p' }, 'https://a.example/p'],
    [{ published_url: ' https://a.example/my post ' }, 'https://a.example/my%20post'],
    [{ published_url: '//a.example/p' }, 'https://a.example/p'],
    [{ published_url: 'www.a.example' }, 'https://www.a.example/'],
    [{ published_url: 'a.example/p' }, 'https://a.example/p'],
    [{ data: { published_url: 'https://a.example/p', id: 7 } }, 'https://a.example/p'],
    [[{ json: { url: 'https://a.example/p' } }], 'https://a.example/p'],
    [{ success: true, articles: [{ id: '7', published_url: 'https://a.example/p' }] }, 'https://a.example/p'],
    [{ post: { id: 7, link: 'https://a.example/p' } }, 'https://a.example/p'],
    [{ published_url: '', url: 'https://a.example/p' }, 'https://a.example/p'],
  ])('of 200 with %j is published at %s', (body, url) => {
    const answer = read(200, body)
    expect(answer).toMatchObject({ kind: 'accepted', url })
    expect(answer).not.toHaveProperty('notes')
  })

  it.each(['/p', 'javascript:alert(1)', 'https://a b', 7, { a: 1 }, 'post.html'])(
    'with the unclear address %j is published with a word about it',
    (published_url) => {
      const answer = read(200, { success: true, published_url })
      expect(answer).toMatchObject({ kind: 'accepted', notes: [expect.stringContaining('no full http(s) address')] })
      expect(answer).not.toHaveProperty('url')
    },
  )

  it('finds the id of a wrapped post', () => {
    expect(read(200, { data: { id: 7 } })).toMatchObject({ remoteId: '7' })
    expect(read(200, { id: 'run-1', data: { post_id: 'p-7' } })).toMatchObject({ remoteId: 'p-7' })
  })

  it.each([
    [{ ok: false }, 'ok: false'],
    [{ status: 'error' }, 'status: error'],
    [{ state: 'error' }, 'state: error'],
    [{ error_message: 'no room' }, 'error_message: no room'],
    ['Error: could not insert', 'Error: could not insert'],
    [{ errors: ['bad title'] }, 'bad title'],
    [{ action: 'skipped' }, 'action: skipped'],
  ])('of 200 with %j is accepted, with a warning', (body, says) =>
    expect(read(200, body)).toMatchObject({ kind: 'accepted', notes: [expect.stringContaining(says)] }),
  )
  it.each([{ ok: true }, { status: 'ok' }, { errors: [] }, { articles: [{ success: true }] }, { action: 'updated' }])(
    'of 200 with %j is accepted without',
    (body) => expect(read(200, body)).not.toHaveProperty('notes'),
  )

  it.each(['created', 'Created', 'ignored', 'skipped'])('that says %s is a failure on an update only', (action) => {
    expect(read(200, { action }, 'update_articles')).toMatchObject({ kind: 'refused', retryable: false })
    expect(read(200, { action }).kind).toBe('accepted')
  })

  it.each([500, 502, 503, 504, 408, 425, 429])('of %i may be tried again', (status) =>
    expect(read(status, '')).toMatchObject({ kind: 'refused', retryable: true, httpStatus: status }),
  )
  it.each([400, 401, 403, 404, 409, 410, 413, 422, 301, 302, 307])('of %i fails at once', (status) =>
    expect(read(status, '')).toMatchObject({ kind: 'refused', retryable: false }),
  )

  it.each([
    ['120', 120],
    ['0', 0],
    ['86400', 3_600],
    ['Fri, 01 Jan 2027 00:01:30 GMT', 90],
    ['Thu, 31 Dec 2026 00:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
  ])('with Retry-After: %s waits %s s', (value, seconds) => {
    const answer = read(503, '', 'publish_articles', { 'retry-after': value })
    expect('retryAfterS' in answer ? answer.retryAfterS : undefined).toBe(seconds)
  })

  it('is kept in part and made storable', () => {
    const answer = read(200, `\u0000${'é'.repeat(5_000)}`)
    expect(answer.excerpt?.length).toBe(2_048)
    expect(answer.excerpt?.startsWith('\uFFFDé')).toBe(true)
    expect(read(422, { error: `bad\u0000thing ${'x'.repeat(900)}` })).toMatchObject({
      reason: expect.stringMatching(/^The receiver answered HTTP 422 \(bad\uFFFDthing x+\)\.$/),
    })
  })
})
