import { describe, expect, it } from 'vitest'
import { readAnswer } from '../../../../src/providers/cms/webhook/answer.ts'
import { webhookTarget } from '../../../../src/providers/cms/webhook/index.ts'
import type { Connection, PublishOutcome } from '../../../../src/publishing/target/publish-target.ts'
import { cpuMs } from '../../../support/cpu-time.ts'
import { clockAt, requestOf } from '../../drive.ts'

const clock = clockAt('2027-01-01T00:00:00Z')

type Event = 'publish' | 'update' | 'draft'
type Http = { truncated?: boolean; incomplete?: boolean; headers?: Record<string, string> }

/** Returns the outcome of a delivery with a 200 and this body. */
const outcomeOf = (body: unknown, event: Event = 'publish', { headers, ...http }: Http = {}): PublishOutcome => {
  const status = event === 'draft' ? 'Draft' : 'Published'
  return readAnswer(
    {
      status: 200,
      headers: new Headers(headers),
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...http,
    },
    { ...requestOf(clock, { status }, event === 'update'), hasArticles: true, sentBytes: 0 },
    clock.now(),
  )
}

/** Returns how a person reads an outcome: done, unclear or refused. */
const readingOf = (outcome: PublishOutcome): string =>
  outcome.kind === 'accepted' ? (outcome.isUnclear ? 'unclear' : 'done') : outcome.kind

const wordsOf = (outcome: PublishOutcome): string =>
  'reason' in outcome ? outcome.reason : 'notes' in outcome ? (outcome.notes ?? []).join(' ') : ''

const POST = { id: 900, title: 'How to build a shed', status: 'published', errors: [], url: 'https://x.example/a' }

describe('words of failure in the answer itself, or in a wrapper of results, refuse the delivery', () => {
  it.each<[unknown, string]>([
    [{ ok: false }, 'ok: false'],
    [{ ok: 'no' }, 'ok: no'],
    [{ accepted: false }, 'accepted: false'],
    [{ acknowledged: false }, 'acknowledged: false'],
    [{ status: 'error' }, 'status: error'],
    [{ status: 'fail', data: { title: 'too long' } }, 'status: fail'],
    [{ Status: ' FAILED ' }, 'Status: FAILED'],
    [{ state: 'error' }, 'state: error'],
    [{ outcome: 'rejected' }, 'outcome: rejected'],
    [{ result: 'failed' }, 'result: failed'],
    [{ result: 'Error', message: 'Slug exists' }, 'result: Error (Slug exists)'],
    [{ type: 'error', message: 'is wrong' }, 'is wrong'],
    [{ errors: ['a'] }, 'errors: a'],
    [{ errors: { title: ['is too long'] } }, 'is too long'],
    [{ errors: 2 }, 'errors: 2'],
    [{ error_message: 'no room' }, 'error_message: no room'],
    [{ errorMessage: 'no room' }, 'errorMessage: no room'],
    [{ errcode: 40_013, errmsg: 'no such app' }, 'errcode: 40013 (no such app)'],
    [{ hasErrors: true }, 'hasErrors: true'],
    [{ failed: ['a'] }, 'failed: a'],
    [{ failed: 1, succeeded: 0 }, 'succeeded: 0'],
    [{ success: true, failed: 1 }, 'failed: 1'],
    [{ exception: 'PDOException' }, 'PDOException'],
    [{ status: 500, message: 'Broken' }, 'status: 500 (Broken)'],
    [{ statusCode: '422' }, 'statusCode: 422'],
    [{ code: 503, msg: 'busy' }, 'code: 503 (busy)'],
    [{ code: 'rest_cannot_create', data: { status: 401 } }, 'data.status: 401'],
    [{ data: { status: 'error', message: 'too long' } }, 'data.status: error (too long)'],
    [{ result: { ok: false } }, 'result.ok: false'],
    [{ results: [{ ok: true }, { ok: false }] }, 'results[1].ok: false'],
    [{ success: true, articles: [{ id: '7', status: 'failed' }] }, 'articles[0].status: failed'],
    [{ workflows: [{ name: 'store', status: 'error' }] }, 'workflows[0].status: error'],
    [
      { success: true, workflows: [{ status: 'success' }, { error: 'no such node' }] },
      'workflows[1].error: no such node',
    ],
    [{ data: { articles: [{ error: 'slug taken' }] } }, 'data.articles[0].error: slug taken'],
    [[{ status: 'error' }], 'status: error'],
    [[POST, { ok: false }], 'ok: false'],
  ])('%j', (body, words) => {
    for (const event of ['publish', 'update', 'draft'] as const) {
      const outcome = outcomeOf(body, event)
      expect(outcome).toMatchObject({ kind: 'refused', retryable: false })
      expect(wordsOf(outcome)).toContain(words)
    }
  })
})

describe('words deeper in an answer, or that can mean both, make it unclear', () => {
  it.each<[unknown, string]>([
    [{ success: true, post: { id: 1, status: 'error' } }, 'post.status: error'],
    [{ success: true, data: { post: { ok: false } } }, 'data.post.ok: false'],
    [{ data: { createPost: { userErrors: [{ message: 'Slug is taken' }] } } }, 'Slug is taken'],
    [
      { success: true, data: { notifications: [{ type: 'mail', status: 'failed' }] } },
      'data.notifications[0].status: failed',
    ],
    [{ meta: { code: 200, errors: ['no category'] } }, 'meta.errors: no category'],
    [{ response: { status: 500 } }, 'response.status: 500'],
    [{ published: false, reason: 'quota' }, 'published: false (quota)'],
    [{ action: 'skipped' }, 'action: skipped'],
    [{ status: 'ignored' }, 'status: ignored'],
    [{ inserted: 0 }, 'inserted: 0'],
    [{ message: 'Error: could not save the post' }, 'could not save'],
    [{ msg: 'Failed to connect to the database' }, 'Failed to connect'],
    ['false', 'false'],
    ['0', '0'],
    ['"error"', 'error'],
    ['Error: no space', 'no space'],
    ['Fatal error: Uncaught PDOException', 'Uncaught'],
    ['Unable to store the post', 'Unable'],
  ])('%j', (body, words) => {
    const outcome = outcomeOf(body)
    expect(readingOf(outcome)).toBe('unclear')
    expect(wordsOf(outcome)).toContain(words)
  })

  it('and the post is known by what else it says', () => {
    const answer = { success: true, data: { ...POST, seo: { status: 'error' } } }
    expect(outcomeOf(answer)).toMatchObject({ isUnclear: true, url: 'https://x.example/a', remoteId: '900' })
  })
})

describe('an answer without words of failure is a success without a note', () => {
  it.each<[unknown, Event?]>([
    [{}],
    [[]],
    ['', 'update'],
    ['ok'],
    ['true', 'update'],
    [{ success: true, error: '' }],
    [{ status: 0, error: 'no error' }],
    [{ code: 0, failed: 0, errors: [], errcode: 0, error_code: null }],
    [{ status: 'success', error: 'N/A' }],
    [{ error: { code: 0, message: 'OK' } }],
    [{ ok: true }, 'update'],
    [POST],
    [POST, 'update'],
    [{ data: POST }],
    [{ data: { ...POST, author: { id: 3, error: null }, meta: { errors: [], failed: 0 } } }, 'update'],
    [{ success: true, articles: [{ ...POST, errors: {} }] }, 'update'],
    [{ status: 'success', message: 'Error handling was improved' }],
    [{ success: true, category: { code: 404 } }],
    [{ created: 1, updated: 0 }],
    [{ created: 0, updated: 1 }],
    [{ action: 'unchanged' }],
    [{ duplicate: true }],
    [{ published: false }, 'draft'],
    [{ updated: 1 }, 'update'],
    [{ updated: true, created: false }, 'update'],
    [{ rowsAffected: 1, skipped: 0 }, 'update'],
    [{ matchedCount: 1, modifiedCount: 1 }, 'update'],
    [{ updated: 1, skipped: 3, unchanged: 4 }, 'update'],
    [{ success: true, ignored: ['tags'], unchanged: ['slug'] }, 'update'],
    [{ success: true, updated: 1, cache: { updated: 0 } }, 'update'],
    [{ id: 7, created: 1_735_689_600, updated: 1_735_689_700 }, 'update'],
    [{ id: 7, created: '2027-01-01', updated: '2027-01-02', modified: '2027-01-02' }, 'update'],
    [{ action: 'updated', updated_at: null }, 'update'],
  ])('%j (%s)', (body, event) => {
    const outcome = outcomeOf(body, event)
    expect([readingOf(outcome), wordsOf(outcome)]).toEqual(['done', ''])
  })
})

describe('an update that changed nothing, or made a post, is no success', () => {
  it.each<[unknown, string]>([
    [{ updated: 0 }, 'updated: 0'],
    [{ success: true, updated: '0' }, 'updated: 0'],
    [{ updated: false }, 'updated: false'],
    [{ updated: [] }, 'updated: []'],
    [{ processed: 1, updated: 0, skipped: 1 }, 'updated: 0'],
    [{ rowsAffected: 0 }, 'rowsAffected: 0'],
    [{ affected_rows: 0 }, 'affected_rows: 0'],
    [{ acknowledged: true, matchedCount: 1, modifiedCount: 0 }, 'modifiedCount: 0'],
    [{ matchedCount: 0 }, 'matchedCount: 0'],
    [{ nModified: 0 }, 'nModified: 0'],
    [{ changes: 0 }, 'changes: 0'],
    [{ unchanged: true }, 'unchanged: true'],
    [{ unchanged: 1 }, 'unchanged: 1'],
    [{ skipped: 1 }, 'skipped: 1'],
    [{ success: true, skipped: true, reason: 'older' }, 'skipped: true (older)'],
    [{ skipped: ['7'] }, 'skipped: 7'],
    [{ not_found: 1 }, 'not_found: 1'],
    [{ action: 'noop' }, 'action: noop'],
    [{ action: 'Ignored' }, 'action: Ignored'],
    [{ action: 'none' }, 'action: none'],
    [{ result: 'noop' }, 'result: noop'],
    [{ status: 'unchanged' }, 'status: unchanged'],
    [{ status: 'not_found' }, 'status: not_found'],
    [{ action: 'created' }, 'action: created'],
    [{ result: 'created' }, 'result: created'],
    [{ created: 1 }, 'created: 1'],
    [{ created: true, id: 901 }, 'created: true'],
    [{ data: { rowsAffected: 0 } }, 'data.rowsAffected: 0'],
    [{ result: { modifiedCount: 0 } }, 'result.modifiedCount: 0'],
    [{ results: [{ action: 'skipped' }] }, 'results[0].action: skipped'],
    [{ success: true, articles: [] }, 'empty list of articles'],
    [{ processed: 0 }, 'processed: 0'],
  ])('%j', (body, words) => {
    const outcome = outcomeOf(body, 'update')
    expect(outcome).toMatchObject({ kind: 'refused', retryable: false })
    expect(wordsOf(outcome)).toContain(words)
  })

  it('and it is unclear if that is said of something deeper', () => {
    expect(readingOf(outcomeOf({ success: true, db: { rowsAffected: 0 } }, 'update'))).toBe('unclear')
  })

  it.each([{ action: 'unchanged' }, { unchanged: 1 }, { status: 'no_change' }])(
    'but %j may answer an update with text that the receiver accepted before',
    (body) => {
      const http = { status: 200, headers: new Headers(), body: JSON.stringify(body) }
      const delivery = { ...requestOf(clock, {}, true), hasArticles: true, sentBytes: 0 }
      const kindOf = (isRepeat: boolean) => readAnswer(http, { ...delivery, isRepeat }, clock.now()).kind
      expect([kindOf(true), kindOf(false)]).toEqual(['accepted', 'refused'])
    },
  )

  it('but a test event without an article may be answered so', () => {
    const http = {
      status: 200,
      headers: new Headers(),
      body: '{"success":true,"processed":0,"updated":0,"articles":[]}',
    }
    const delivery = { ...requestOf(clock, {}, true), hasArticles: false, sentBytes: 0 }
    expect(readAnswer(http, delivery, clock.now())).toMatchObject({ kind: 'accepted' })
  })
})

describe('the address of the post', () => {
  const url = 'https://x.example/a'
  const author = { id: 3, url: 'https://x.example/authors/jo', link: 'https://x.example/jo' }
  const image = { id: 4, url: 'https://x.example/a.jpg', published_url: 'https://x.example/b.jpg' }
  it.each<[string, unknown]>([
    ['published_url', { published_url: url }],
    ['publishedUrl', { publishedUrl: url }],
    ['PublishedURL', { PublishedURL: url }],
    ['public_url', { public_url: url }],
    ['url', { url }],
    ['permalink', { permalink: url }],
    ['link', { link: url }],
    ['post_url', { post_url: url }],
    ['href', { href: url }],
    ['data.url', { success: true, data: { url } }],
    ['post.url', { post: { url } }],
    ['article.link', { article: { link: url } }],
    ['data.post.permalink', { data: { post: { permalink: url } } }],
    ['data.attributes.url', { data: { id: 3, attributes: { url } } }],
    ['articles[0].published_url', { articles: [{ published_url: url }] }],
    ['a list', [{ url }]],
    ['results[0].url', { results: [{ url }] }],
    ['published_url before url', { url: 'https://api.example/hook', data: { published_url: url } }],
    ['the post before its author', { data: { author, image, published_url: url } }],
    ['the post after its author and image', { post: { author, featured_image: image, images: [image], url } }],
    [
      'the entry of the article, by its slug',
      [
        { slug: 'other', url: 'https://x.example/o' },
        { slug: 'how-to-build-a-shed', url },
      ],
    ],
    [
      'the entry of the article, by its id',
      {
        articles: [
          { id: 6, url: 'https://x.example/o' },
          { id: '7', url },
        ],
      },
    ],
  ])('is found at %s', (_, body) => {
    expect(outcomeOf(body)).toMatchObject({ kind: 'accepted', url })
  })

  it.each<[string, unknown]>([
    ['an author', { success: true, author }],
    ['an author of the post', { data: { author, content: 'x' } }],
    ['an image', { post: { featured_image: image, images: [image] } }],
    ['a category', { data: { categories: [{ url: 'https://x.example/c' }] } }],
    ['links to other pages', { success: true, meta: { url: 'https://x.example/docs' } }],
  ])('is not that of %s', (_, body) => {
    const outcome = outcomeOf(body)
    expect(outcome).toMatchObject({ kind: 'accepted' })
    expect(outcome).not.toHaveProperty('url')
  })
})

describe('an answer of which not all arrived', () => {
  const inner = '{"data":{"author":{"id":3,"url":"https://x.example/authors/jo"},"content_html":"'
  const end = '","id":17,"published_url":"https://x.example/a"}}'

  it('is read up to 1 MiB, behind any text of the post', () => {
    const body = `${inner}${'x'.repeat(70 * 1024)}${end}`
    expect(outcomeOf(body)).toMatchObject({ kind: 'accepted', url: 'https://x.example/a', remoteId: '17' })
    const failed = `{"data":{"content_html":"${'x'.repeat(70 * 1024)}"},"success":false}`
    expect(outcomeOf(failed).kind).toBe('refused')
  })

  it.each<[string, Http]>([
    ['it was cut', { truncated: true }],
    ['it broke off', { incomplete: true }],
    ['it ended too early', {}],
  ])('names no post by an object within it: %s', (_, http) => {
    const outcome = outcomeOf(`${inner}xxx`, 'publish', http)
    expect(outcome).toMatchObject({ kind: 'accepted', notes: [expect.stringMatching(/broke off|was cut/)] })
    expect(outcome).not.toHaveProperty('url')
    expect(outcome).not.toHaveProperty('remoteId')
  })

  it('is unclear if it was cut, since words of failure may follow', () => {
    expect(readingOf(outcomeOf(`{"success":true,"text":"xxx`, 'publish', { truncated: true }))).toBe('unclear')
    expect(readingOf(outcomeOf('{"success":true}', 'publish', { truncated: true }))).toBe('unclear')
  })

  it('is a receipt if it broke off', () => {
    for (const event of ['publish', 'update'] as const) {
      const outcome = outcomeOf('{"success":true,"published', event, { incomplete: true })
      expect([readingOf(outcome), wordsOf(outcome)]).toEqual(['done', expect.stringContaining('broke off')])
    }
    expect(readingOf(outcomeOf('', 'publish', { incomplete: true }))).toBe('done')
  })

  it('is read if its JSON is whole', () => {
    expect(outcomeOf('{"url":"https://x.example/a"}', 'publish', { incomplete: true })).toMatchObject({
      url: 'https://x.example/a',
    })
    expect(outcomeOf('{"success":false}', 'publish', { incomplete: true }).kind).toBe('refused')
  })
})

it('a web page is accepted with a note', () => {
  const headers = { 'content-type': 'text/html' }
  expect(outcomeOf('<!doctype html><p>Error</p>', 'publish', { headers })).toMatchObject({
    kind: 'accepted',
    notes: [expect.stringContaining('web page')],
  })
})

it('reading an answer of any shape costs its size', () => {
  const shapes: ((size: number) => string)[] = [
    (size) => `${'['.repeat(size / 2)}${']'.repeat(size / 2)}`,
    (size) => `{"error":${'['.repeat(size / 2 - 20)}1${']'.repeat(size / 2 - 20)}}`,
    (size) => `[${Array.from({ length: size / 3 }, () => '{}').join(',')}]`,
    (size) => `{"data":[${Array.from({ length: size / 10 }, () => '{"a":{}}').join(',')}]}`,
    (size) => `${'{"data":'.repeat(size / 9)}1${'}'.repeat(size / 9)}`,
    (size) => '{"'.repeat(size / 2),
    (size) => JSON.stringify({ body: JSON.stringify({ body: `[${'{},'.repeat(size / 4)}{}]` }) }),
  ]
  const costOf = (body: string): number => {
    const begun = cpuMs()
    outcomeOf(body, 'update')
    return cpuMs() - begun
  }
  for (const shape of shapes) {
    // Four times the size would cost sixteen times as much if the cost were quadratic.
    const [small, large] = [costOf(shape(128 * 1024)), costOf(shape(512 * 1024))]
    expect(large, shape(60)).toBeLessThan(8 * small + 500)
  }
})

it('an answer with more objects than are read is unclear', () => {
  const many = Array.from({ length: 10_001 }, () => '{}').join(',')
  expect(outcomeOf(`[${many}]`, 'update')).toMatchObject({ kind: 'accepted', isUnclear: true })
  expect(outcomeOf(`{"success":false,"rows":[${many}]}`, 'update')).toMatchObject({ kind: 'refused' })
})

it('an outcome has no secrets of the connection, which a receiver may echo', async () => {
  const connection = {
    id: 7,
    url: 'https://receiver.example/in',
    secrets: { access_token: 'a-token', signing_secret: 'whsec_AAAA' },
  } as unknown as Connection
  for (const answer of [{ type: 'error', message: 'a-token is wrong' }, { meta: { error: 'a-token is wrong' } }]) {
    const target = webhookTarget(connection, {
      outbound: async () => ({
        kind: 'answered',
        status: 200,
        headers: new Headers(),
        body: JSON.stringify(answer),
        bytes: new Uint8Array(0),
        truncated: false,
        incomplete: false,
      }),
      serviceName: 'Galley',
      now: clock.now,
    })
    const outcome = await target.deliver(requestOf(clock))
    expect(wordsOf(outcome)).toContain('is wrong')
    expect(JSON.stringify(outcome)).not.toContain('a-token')
  }
})

describe('the answer of a receiver', () => {
  const read = (
    status: number,
    body: unknown,
    event: 'publish_articles' | 'update_articles' = 'publish_articles',
    headers: Record<string, string> = {},
  ) =>
    readAnswer(
      { status, headers: new Headers(headers), body: typeof body === 'string' ? body : JSON.stringify(body) },
      { ...requestOf(clock, {}, event === 'update_articles'), hasArticles: true, sentBytes: 0 },
      clock.now(),
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
    ['Error: could not insert', 'Error: could not insert'],
    [{ action: 'skipped' }, 'action: skipped'],
  ])('of 200 with %j is unclear, with its words', (body, says) =>
    expect(read(200, body)).toMatchObject({
      kind: 'accepted',
      isUnclear: true,
      notes: [expect.stringContaining(says)],
    }),
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
