import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../src/operations.ts'
import { withTokens } from '../accounts/oauth/flow.ts'
import {
  type Answer,
  type Api,
  anotherKey,
  newAccount,
  newArticle,
  newProject,
  rowsIn,
  type Target,
  tell,
} from '../support/client.ts'
import { ABSENT, bodyOf, expectError, misspelt, named, pathOf, rateFields, unknownKey } from '../support/contract.ts'
import { LIMITER_WAIT_MS, startTestStack, type TestStack, targetOf } from '../support/stack.ts'

let stack: TestStack
let target: Target
let api: Api
let project: number

beforeAll(async () => {
  stack = await startTestStack({ vars: { ACCOUNT_RATE_FACTOR: '3' } })
  target = targetOf(stack)
  api = await newAccount(target)
  project = await newProject(api)
})
afterAll(() => stack.close())
const everybodyAnswers = async () => {
  await tell(stack.neon.url, '/_faults')
  await tell(stack.redis.url, '/_faults')
}
afterEach(everybodyAnswers)

/** Returns a rule for statements that hold `body`, whether or not they quote their names. */
const database = ({ body, ...rule }: Record<string, unknown>) => {
  if (typeof body !== 'string') return tell(stack.neon.url, '/_faults', rule)
  const quoted = body.replace(/ (\w+)$/, ' \\"$1\\"')
  return tell(stack.neon.url, '/_faults', [
    { ...rule, body },
    { ...rule, body: quoted },
  ])
}
const redis = (rule: Record<string, unknown>) => tell(stack.redis.url, '/_faults', rule)

const timed = async (call: () => Promise<Answer>): Promise<{ answer: Answer; ms: number }> => {
  const startedAt = performance.now()
  const answer = await call()
  return { answer, ms: performance.now() - startedAt }
}

const articles = async (keyword: string): Promise<number> => {
  const [row] = await rowsIn<{ n: number }>(
    target,
    sql`select count(*)::int as n from articles where main_keyword = ${keyword}`,
  )
  return row?.n ?? 0
}

/** No call is answered that waits for it. */
const SLOW_MS = 600_000

const REDIS_FAULTS: [string, Record<string, unknown>][] = [
  ['slow', { delay_ms: SLOW_MS }],
  ['failing', { status: 500 }],
  ['closing connections', { drop: 'before' }],
  ['answering nonsense', { status: 200, answer: 'nonsense' }],
  ['answering another shape', { status: 200, answer: { result: null } }],
]

describe.each(REDIS_FAULTS)('Redis %s', (name, rule) => {
  it('admits requests, without the RateLimit header, soon', async () => {
    const caller = await newAccount(target)
    await caller.get('/projects')
    await redis(rule)
    const { answer, ms } = await timed(() => caller.get('/projects'))
    expect(answer.status).toBe(200)
    expect(rateFields(answer.headers)).toEqual({ policy: 'projects.list', q: 30, w: 60 })
    if (name === 'slow') expect(ms).toBeGreaterThanOrEqual(LIMITER_WAIT_MS - 10)
    else expect(ms).toBeLessThan(LIMITER_WAIT_MS)
    const created = await caller.post(
      '/projects',
      bodyOf(OPERATIONS.find(({ id }) => id === 'projects.create') ?? (OPERATIONS[0] as never)),
    )
    expect(created.status).toBe(201)
  })

  it('counts in the isolate and refuses past the rate', async () => {
    const caller = await newAccount(target)
    await redis(rule)
    const path = `/articles/${2_147_483_647}/publish`
    const from = performance.now()
    const answers = await Promise.all(Array.from({ length: 5 }, () => caller.post(path)))
    for (const answer of answers) expectError(answer, 'not_found')
    const sixth = await caller.post(path)
    expectError(sixth, 'rate_limited')
    expect(sixth.headers.get('ratelimit')).toBeNull()
    // The isolate's own minute begins with the first call.
    const left = 60 - (performance.now() - from) / 1_000
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThanOrEqual(Math.floor(left))
    expect(Number(sixth.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    await tell(stack.redis.url, '/_faults')
    expect(rateFields((await caller.post(path)).headers).r).toBeDefined()
  })
})

it('checks database and Redis at most once a second, however often /readyz is called', async () => {
  const ready = async () => (await fetch(`${stack.url}/readyz`)).status
  await expect.poll(ready).toBe(200)
  const from = performance.now()
  await redis({ body: 'PING', delay_ms: 0 })
  for (let volley = 0; volley < 10; volley += 1) await Promise.all(Array.from({ length: 20 }, ready))
  const { rules } = (await (await fetch(`${stack.redis.url}/_faults`)).json()) as { rules: { used: number }[] }
  expect(rules[0]?.used).toBeLessThanOrEqual(1 + (performance.now() - from) / 1_000)
  await redis({ status: 500 })
  await expect.poll(ready).toBe(503)
  await tell(stack.redis.url, '/_faults')
  await expect.poll(ready).toBe(200)
})

it('is not ready while the database takes no writes, and says why a write is refused', async () => {
  const ready = async () => (await fetch(`${stack.url}/readyz`)).status
  await expect.poll(ready).toBe(200)
  const fields = ['dead', 'overdue_s', 'writable'].map((name) => ({ name, dataTypeID: name === 'writable' ? 16 : 23 }))
  const answer = { command: 'SELECT', rowCount: 1, rowAsArray: true, fields, rows: [['0', '0', 'f']] }
  await database({ body: "current_setting('transaction_read_only')", status: 200, answer })
  await expect.poll(ready).toBe(503)
  await everybodyAnswers()
  await database({ status: 400, answer: { message: 'No space left on device', code: '53100' } })
  expect((await api.post('/projects', { website_url: 'https://full.example' })).body.error).toBe(
    'The database has no free space, so it takes no writes at the moment. Nothing was changed; repeat the same call shortly.',
  )
  await everybodyAnswers()
  await expect.poll(ready).toBe(200)
})

it('logs ids of key and account and a hash of the address, never key or address', async () => {
  const caller = await newAccount(target)
  const address = '198.51.100.77'
  const headers = { 'cf-connecting-ip': address, 'x-request-id': 'who-called-0001' }
  await caller.get('/projects', { headers })
  await caller.get('/projects', { headers: { ...headers, 'x-request-id': 'who-called-0002' }, key: unknownKey() })
  const lines = readFileSync(`${stack.workDir}/workers.log`, 'utf8').split('\n')
  const [known, unknown] = ['who-called-0001', 'who-called-0002'].map(
    (id) => JSON.parse(lines.find((line) => line.includes(id)) ?? '{}') as Record<string, unknown>,
  )
  expect(known).toMatchObject({ key_id: expect.any(Number), account_id: caller.accountId, status: 200 })
  expect(known?.address).toMatch(/^[0-9a-f]{16}$/)
  expect(unknown).toMatchObject({ address: known?.address, status: 401 })
  expect(Object.keys(unknown ?? {})).not.toContain('account_id')
  expect(lines.join('\n')).not.toContain(address)
  expect(lines.join('\n')).not.toContain(caller.key)
})

it('logs that Redis is away, and /readyz is not ready', async () => {
  await redis({ status: 500 })
  await api.get('/articles')
  expect(readFileSync(`${stack.workDir}/workers.log`, 'utf8')).toMatch(/ratelimit\.(away|slow)/)
  const ready = () => fetch(`${stack.url}/readyz`)
  await expect.poll(async () => (await ready()).status).toBe(503)
  const response = await ready()
  expect(await response.json()).toMatchObject({ status: 'not_ready', database: { ok: true }, redis: { ok: false } })
})

const DATABASE_FAULTS: [string, Record<string, unknown>][] = [
  ['failing', { status: 500 }],
  ['overloaded', { status: 503, answer: { message: 'too many connections' } }],
  ['closing connections', { drop: 'before' }],
  ['out of connections', { status: 400, answer: { message: 'sorry, too many clients already', code: '53300' } }],
  ['out of disk space', { status: 400, answer: { message: 'could not extend file "base/5/1"', code: '53100' } }],
  ['shutting down', { status: 400, answer: { message: 'terminating connection', code: '57P01' } }],
]

/** Failures with which the database certainly changed nothing. */
const REFUSING = ['out of connections', 'out of disk space']

/** A failure without a code of PostgreSQL, and one with: the others differ from them at no operation. */
const EVERYWHERE = ['failing', 'out of connections']
const READ_AND_WRITE = OPERATIONS.filter(({ id }) => id === 'articles.list' || id === 'projects.create')

const expectUnavailable = (answer: Answer): void => {
  expectError(answer, 'unavailable')
  expect(answer.headers.get('retry-after')).toBe('5')
  expect(answer.text).not.toMatch(/select|insert|too many|terminating|postgres|neon/i)
}

describe.each(DATABASE_FAULTS)('database %s', (name, rule) => {
  it.each(named(EVERYWHERE.includes(name) ? OPERATIONS : READ_AND_WRITE))('%s is 503 unavailable', async (_, op) => {
    const caller = await newAccount(target)
    await database(rule)
    expectUnavailable(await caller.call(op.method, pathOf(op), { body: bodyOf(op) }))
  })

  it('writes nothing when it fails at the write, and the same call goes through afterwards', async () => {
    const caller = await newAccount(target)
    const own = await newProject(caller)
    const keyword = `written once ${name}`
    const body = { project_id: own, keyword }
    const options = { headers: { 'idempotency-key': 'once' } }
    await database({ ...rule, body: 'insert into articles' })
    const failed = await caller.post('/articles', body, options)
    expectUnavailable(failed)
    expect(failed.body.error).toMatch(REFUSING.includes(name) ? /Nothing was changed/ : /not known whether/)
    expect(await articles(keyword)).toBe(0)
    await tell(stack.neon.url, '/_faults')
    const again = await caller.post('/articles', body, options)
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null])
    expect(await articles(keyword)).toBe(1)
  })

  it('uses no slot if creating a project fails', async () => {
    const caller = await newAccount(target)
    await database({ ...rule, body: 'insert into projects' })
    expectUnavailable(await caller.post('/projects', { website_url: 'https://never.example' }))
    await tell(stack.neon.url, '/_faults')
    expect((await caller.get('/projects')).body).toMatchObject({ projects: [], count: 0 })
    const [row] = await rowsIn<{ n: number }>(
      target,
      sql`select active_projects as n from accounts where id = ${caller.accountId}`,
    )
    expect(row?.n).toBe(0)
  })
})

describe('people and their applications, while the database is away', () => {
  it('get 503, keep their session and their tokens, and continue afterwards', async () => {
    const { visitor, accessToken, refresh, refreshToken } = await withTokens({
      url: stack.url,
      mailUrl: stack.mail.url,
    })
    const tools = () =>
      fetch(`${stack.url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${accessToken}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      })
    await database({ status: 503 })
    for (const page of [
      await visitor.get('/settings', { follow: false }),
      await visitor.post('/sign-in', { email: 'jo@example.com', password: 'a long password' }),
    ]) {
      expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5'])
      expect(page.text).toContain('The database does not answer at the moment.')
    }
    expect(await refresh(refreshToken)).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } })
    const unchecked = await tools()
    expect([unchecked.status, unchecked.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await unchecked.json()).toMatchObject({ code: 'unavailable', retryable: true })
    await tell(stack.neon.url, '/_faults')
    expect((await visitor.get('/settings', { follow: false })).status).toBe(200)
    expect((await tools()).status).toBe(200)
    expect((await refresh(refreshToken)).status).toBe(200)
  })
})

it('logs why the database was away', async () => {
  await database({ status: 402, answer: { message: 'exceeded the compute time quota' } })
  expectUnavailable(await api.get('/articles', { headers: { 'x-request-id': 'why-away-0001' } }))
  const lines = readFileSync(`${stack.workDir}/workers.log`, 'utf8').split('\n')
  const line = lines.find((one) => one.includes('database.away') && one.includes('why-away-0001'))
  expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 'error', http_status: 402 })
  expect(line).not.toContain('quota')
})

describe('an answer lost after the database did the work', () => {
  it('is returned again for the Idempotency-Key: one article, its own answer', async () => {
    const body = { project_id: project, keyword: 'answer lost' }
    const options = { headers: { 'idempotency-key': 'lost' } }
    await database({ drop: 'after', body: 'insert into articles' })
    const lost = await api.post('/articles', body, options)
    expectUnavailable(lost)
    expect(lost.body.error).toMatch(/not known whether/)
    expect(await articles('answer lost')).toBe(1)
    await tell(stack.neon.url, '/_faults')
    const again = await api.post('/articles', body, options)
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    expect((await api.get(`/articles/${again.body.article_id}`)).body).toMatchObject({ MainKeyword: 'answer lost' })
    expect(await articles('answer lost')).toBe(1)
  })

  it('is no second article either when the database did it twice', async () => {
    await database({ repeat: 2, body: 'insert into articles' })
    const options = { headers: { 'idempotency-key': 'twice' } }
    const answer = await api.post('/articles', { project_id: project, keyword: 'done twice' }, options)
    expect(answer.status).toBeLessThan(500)
    await tell(stack.neon.url, '/_faults')
    expect(await articles('done twice')).toBe(1)
  })
})

it('a refusal is still returned if only its record cannot be stored', async () => {
  const article = await newArticle(api, project)
  const options = { headers: { 'idempotency-key': 'unkept' } }
  await database({ status: 500, body: 'insert into idempotency_records' })
  const answer = await api.post(`/articles/${article}/publish`, undefined, options)
  expect([400, 503]).toContain(answer.status)
  await tell(stack.neon.url, '/_faults')
  expectError(await api.post(`/articles/${article}/publish`, undefined, options), 'no_cms_integration')
})

describe('known refusals use neither database nor Redis', () => {
  const nobodyAnswers = async () => {
    await database({ status: 500 })
    await redis({ status: 500 })
  }

  it('of a key past its rate', async () => {
    const caller = await newAccount(target)
    const pastTheRate = async () => {
      await everybodyAnswers()
      for (let call = 0; call < 14; call += 1) await caller.post('/articles', {})
      await nobodyAnswers()
      return await caller.post('/articles', {})
    }
    const first = await pastTheRate()
    // A known refusal ends with its minute, which may change once just now.
    const answer = first.status === 429 ? first : await pastTheRate()
    expectError(answer, 'rate_limited')
    expect(rateFields(answer.headers)).toMatchObject({ policy: 'articles.create', r: 0 })
    expectUnavailable(await caller.get('/articles'))
  })

  it('of an address that sent 30 misspelt keys, but of no key of the right shape', async () => {
    const caller = await newAccount(target)
    await caller.get('/projects')
    for (let call = 0; call < 30; call += 1)
      expectError(await caller.get('/projects', { key: misspelt(unknownKey()) }), 'unauthorized')
    await nobodyAnswers()
    const answer = await caller.get('/projects', { key: misspelt(unknownKey()) })
    expectError(answer, 'rate_limited')
    expect(rateFields(answer.headers)).toMatchObject({ policy: 'unauthorized', q: 30, r: 0 })
    expectUnavailable(await caller.get('/projects', { key: unknownKey() }))
    expectUnavailable(await caller.get('/projects'))
  })
})

it('an unknown key is 401 again as soon as the database is back, and a misspelt one even while it is away', async () => {
  await database({ status: 500 })
  expectError(
    await api.get('/projects', { key: `${api.key.slice(0, -1)}${api.key.endsWith('a') ? 'b' : 'a'}` }),
    'unauthorized',
  )
  expectUnavailable(await api.get('/projects'))
  const ready = () => fetch(`${stack.url}/readyz`)
  await expect.poll(async () => (await ready()).status).toBe(503)
  expect((await ready()).headers.get('retry-after')).toBe('5')
  await tell(stack.neon.url, '/_faults')
  expect((await api.get('/projects')).status).toBe(200)
})

it('publications are counted for all keys of an account together, and for no other account', async () => {
  const own = await newAccount(target)
  const keys = [own, ...(await Promise.all(Array.from({ length: 3 }, () => anotherKey(target, own))))]
  const publish = (one: Api) => one.post(`/articles/${ABSENT}/publish`)
  for (const one of keys) await publish(one)
  const answers = (
    await Promise.all(keys.map((one) => Promise.all(Array.from({ length: 4 }, () => publish(one)))))
  ).flat()
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThanOrEqual(5 - 2)
  expect(refused[0]?.body).toMatchObject({ code: 'rate_limited', policy: 'account.articles.publish' })
  expect(answers.filter(({ status }) => status === 404).length).toBeGreaterThanOrEqual(11)
  expect((await publish(await newAccount(target))).status).toBe(404)
})
