import { describe, expect, it } from 'vitest'
import client from '../../packages/client/package.json' with { type: 'json' }
import { createGalley, each, GalleyError } from '../../packages/client/src/index.ts'
import { VERSION } from '../../src/platform/lib/version.generated.ts'

type Sent = { method: string; url: string; key: string | null; headers: Headers }

const answer = (status: number, body: unknown, headers: Record<string, string> = {}): (() => Response) => {
  return () => Response.json(body, { status, headers })
}

const refusal = (status: number, fields: Record<string, unknown>, headers: Record<string, string> = {}) =>
  answer(status, { error: 'No.', code: 'unavailable', retryable: true, request_id: 'r', ...fields }, headers)

const lost = (): Response => {
  throw new TypeError('fetch failed')
}

/**
 * Returns a client that gets these answers in turn, and then the last one again and again. Also returns its requests.
 */
const clientWith = (...answers: (() => Response)[]) => {
  const sent: Sent[] = []
  const galley = createGalley({
    url: 'https://api.example.com/',
    key: 'gly_test',
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers)
      sent.push({ method: init?.method ?? 'GET', url: String(input), key: headers.get('idempotency-key'), headers })
      const next = answers[Math.min(sent.length, answers.length) - 1]
      if (!next) throw new Error('no answer')
      return next()
    },
  })
  return { galley, sent }
}

const NOW = { 'retry-after': '0' }
const publish = (galley: ReturnType<typeof clientWith>['galley']) => galley.articlesPublish({ path: { id: 43 } })
const published = answer(200, { status: 'published', article_id: 43, url: 'https://a.example/b' })

describe('the TypeScript client', () => {
  it('has the version of the service', () => expect(client.version).toBe(VERSION))

  it('sends the API key, and each POST with its own Idempotency-Key', async () => {
    const { galley, sent } = clientWith(published)
    await publish(galley)
    await publish(galley)
    expect(sent[0]).toMatchObject({ method: 'POST', url: 'https://api.example.com/api/v1/articles/43/publish' })
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer gly_test')
    expect(sent[0]?.key).toMatch(/^[0-9a-f-]{36}$/)
    expect(sent[1]?.key).not.toBe(sent[0]?.key)
  })

  it('repeats calls that may succeed later, with the same Idempotency-Key', async () => {
    const { galley, sent } = clientWith(refusal(503, {}, NOW), refusal(409, {}, NOW), published)
    expect(await publish(galley)).toMatchObject({ status: 'published' })
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
    expect(sent).toHaveLength(3)
  })

  it('waits for the time in the answer', async () => {
    const { galley, sent } = clientWith(refusal(429, { retry_after: 1 }, { 'retry-after': '1' }), published)
    const began = performance.now()
    await publish(galley)
    expect(performance.now() - began).toBeGreaterThan(950)
    expect(sent).toHaveLength(2)
  })

  it.each([
    ['that will not succeed later', 503, { retryable: false }, NOW],
    ['that waits for a person', 402, { code: 'no_article_credits' }, NOW],
    ['whose wait is too long', 429, { retry_after: 3600 }, { 'retry-after': '3600' }],
    ['about the input', 400, { retryable: false, code: 'invalid_input' }, {}],
  ])('does not repeat a call %s', async (_, status, fields, headers) => {
    const { galley, sent } = clientWith(refusal(status, fields, headers), published)
    await expect(publish(galley)).rejects.toBeInstanceOf(GalleyError)
    expect(sent).toHaveLength(1)
  })

  it('repeats a call with a lost answer, unless it has If-Match', async () => {
    const { galley, sent } = clientWith(lost, published)
    await publish(galley)
    expect(sent).toHaveLength(2)
    const edit = clientWith(lost, published)
    await expect(
      edit.galley.articlesUpdate({ path: { id: 43 }, body: { title: 'A' }, headers: { 'If-Match': '"3"' } }),
    ).rejects.toThrow('fetch failed')
    expect(edit.sent).toHaveLength(1)
  })

  it('never repeats a POST without a key', async () => {
    const { galley, sent } = clientWith(refusal(503, {}, NOW), published)
    await expect(galley.articlesPublish({ path: { id: 43 } }, { idempotencyKey: false })).rejects.toThrow()
    expect(sent).toHaveLength(1)
  })

  it('throws refusals with their code, fields and next calls', async () => {
    const next = { method: 'GET', path: '/projects', why: 'lists your projects' }
    const details = [{ field: 'tone', message: 'is not known', allowed: ['Informative'] }]
    const fields = { code: 'invalid_input', retryable: false, details, next_calls: [next], docs_url: 'https://d' }
    const error = await publish(clientWith(refusal(400, fields)).galley).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      name: 'GalleyError',
      message: 'No.',
      status: 400,
      code: 'invalid_input',
      retryable: false,
      details,
      nextCalls: [next],
      docsUrl: 'https://d',
      requestId: 'r',
    })
  })

  it('follows before_id over all pages of a list', async () => {
    const page = (ids: number[], before_id: number | null) =>
      answer(200, { projects: ids.map((ID) => ({ ID })), before_id })
    const { galley, sent } = clientWith(page([9, 8], 8), page([7, 6], 6), page([], null))
    const ids: number[] = []
    for await (const { ID } of each(galley, 'projectsList', { query: { limit: 2 } })) ids.push(ID)
    expect(ids).toEqual([9, 8, 7, 6])
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([
      '?limit=2',
      '?limit=2&before_id=8',
      '?limit=2&before_id=6',
    ])
  })
})
