import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../src/operations.ts'
import { scopesOf } from '../../src/platform/accounts/scopes.ts'
import type { Operation } from '../../src/platform/http/operation.ts'
import { type Answer, type Api, anotherKey, newAccount, newArticle } from '../support/client.ts'
import { bodyOf, expectError, newThings, pathTo, rateFields, type Things } from '../support/contract.ts'
import { type SharedStack, sharedOf } from '../support/global.ts'
import { checksums, quiet } from '../support/rows.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'

const WRITES = OPERATIONS.filter(({ method }) => method !== 'GET')

let own: TestStack
let stack: SharedStack
let api: Api
let things: Things

beforeAll(async () => {
  own = await startTestStack()
  stack = sharedOf(own)
  api = await newAccount(stack, {}, scopesOf('admin'))
  things = await newThings(api, stack)
  await quiet(stack)
})
afterAll(() => own.close())

const dry = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}dry_run=true`

/** Returns the turn of an operation: late if it begins longer work, last if it removes the project's receiver. */
const turnOf = ({ id, typicalSeconds }: Operation): number => {
  if (id.startsWith('integrations.')) return id === 'integrations.connect' ? 3 : 2
  return typicalSeconds === undefined ? 0 : 1
}

/** Fields that differ from call to call. */
const VARIES = /(^|_)(id|url|key|last_four|path|poll|at|until|secret)$/

/** Returns an answer without ids and times. */
const comparable = (value: unknown, name = ''): unknown => {
  if (Array.isArray(value)) return value.map((one) => comparable(one, name))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([inner, one]) => [inner, comparable(one, inner)]))
  if (VARIES.test(name)) return typeof value
  return typeof value === 'string' ? value.replaceAll(/\d+/g, '#').replaceAll(/https?:\S+/g, 'url') : value
}

/** Writes whose refusal depends on what the social provider returns. Their dry run reads that, and sends nothing. */
const READ_AT_PROVIDER = ['/social/publish', '/profile/reviews/reply', '/profile/posts'].map((path) => `/api/v1${path}`)

describe('the dry run of every write', () => {
  it('answers 200, leaves every row as it was, sends nothing and keeps no Idempotency-Key', async () => {
    const before = await checksums(stack)
    const answers = new Map<string, Answer>()
    for (const [n, op] of WRITES.entries())
      answers.set(
        op.id,
        await api.call(op.method, dry(pathTo(op, things)), {
          body: bodyOf(op, things.project),
          headers: {
            'x-request-id': `dry-run-${n}-of-all`,
            ...(op.method === 'POST' ? { 'idempotency-key': 'dry' } : {}),
          },
        }),
      )
    expect(await checksums(stack)).toEqual(before)
    expect([...answers].filter(([, { status, body }]) => status !== 200 || body.dry_run !== true)).toEqual([])
    const lines = readFileSync(stack.logFile, 'utf8').split('\n')
    const own = lines.filter((line) => /dry-run-\d+-of-all/.test(line))
    expect(own.length).toBeGreaterThanOrEqual(WRITES.length)
    const outside = own.filter((line) => /"(outbound|queue)"/.test(line)).map((line) => JSON.parse(line).path)
    expect(new Set(outside)).toEqual(new Set(READ_AT_PROVIDER))
  })

  it('reports what would be sent to the receiver, with its payload', async () => {
    const article = await newArticle(api, things.project, { title: 'A Base That Stays Dry' })
    const { body } = await api.post(`/articles/${article}/publish?dry_run=true`)
    expect(body).toMatchObject({
      dry_run: true,
      would: {
        status: 200,
        body: {
          would_call: { to: 'webhook', call: 'deliver', payload: { article: { title: 'A Base That Stays Dry' } } },
        },
      },
    })
    expect((await api.get(`/articles/${article}`)).body).toMatchObject({
      Status: 'Draft',
      PublishState: 'idle',
    })
  })

  it('predicts the answer of the same call', async () => {
    // Some operations are limited to two calls a minute.
    const caller = await anotherKey(stack, api, ['read', 'write', 'admin'])
    const told: unknown[] = []
    const came: unknown[] = []
    let done = 0
    for (const op of WRITES.toSorted((one, other) => turnOf(one) - turnOf(other))) {
      const of = op.id === 'articles.delete' ? { ...things, article: await newArticle(api, things.project) } : things
      const path = pathTo(op, of)
      const body = bodyOf(op, of.project)
      const answered = await caller.call(op.method, dry(path), { body })
      const real = await caller.call(op.method, path, { body })
      const would = answered.body.would as { status: number; body: Record<string, unknown> }
      if (would.body.would_call !== undefined) continue
      told.push({ id: op.id, status: would.status, body: comparable(would.body) })
      came.push({ id: op.id, status: real.status, body: comparable(real.body) })
      if (real.status < 300) done += 1
    }
    expect(told).toEqual(came)
    expect(done).toBeGreaterThan(25)
  })
})

describe('a dry run', () => {
  // With a key that is below its rate limit.
  beforeAll(async () => {
    api = await anotherKey(stack, api)
  })

  it.each([
    ['?dry_run=yes', {}, 'dry_run'],
    ['?dry_run=', {}, 'dry_run'],
    ['?dry_run=true&dry_run=true', {}, 'dry_run'],
    ['?dry_run[]=true', {}, 'dry_run[]'],
    ['?dry_run%5B0%5D=true', {}, 'dry_run[0]'],
    ['?dry-run[a]=true', {}, 'dry-run[a]'],
    ['?dryRun=true', {}, 'dryRun'],
    ['?dry-run=true', {}, 'dry-run'],
    ['', { dry_run: true }, 'dry_run'],
  ])('requested as %s %j is 400, and saves nothing', async (query, more, field) => {
    const { articles } = await checksums(stack)
    const answer = await api.post(`/articles${query}`, { project_id: things.project, keyword: 'sheds', ...more })
    expectError(answer, 'invalid_input')
    expect(answer.body.details).toMatchObject([{ field }])
    expect((await checksums(stack)).articles).toBe(articles)
  })

  it('needs the scope of the call and counts against its rate', async () => {
    const reader = await anotherKey(stack, api, ['read'])
    expectError(
      await reader.post('/articles?dry_run=true', { project_id: things.project, keyword: 'sheds' }),
      'key_may_not',
    )
    const writer = await anotherKey(stack, api)
    const first = await writer.post(`/projects/${things.project}/scan?dry_run=true`)
    const second = await writer.post(`/projects/${things.project}/scan?dry_run=TRUE`)
    expect(rateFields(first.headers).r).toBe(4)
    expect(rateFields(second.headers).r).toBe(3)
  })

  it('is no matter of reads, and false is no dry run', async () => {
    const { body } = await api.get('/projects?dry_run=true')
    expect(body.ignored).toEqual(['dry_run'])
    const saved = await api.post('/articles?dry_run=false', { project_id: things.project, keyword: 'felt' })
    expect(saved.status).toBe(201)
    expect(saved.body.ignored).toBeUndefined()
  })
})
