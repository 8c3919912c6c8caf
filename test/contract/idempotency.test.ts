import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { type Api, anotherKey, connectReceiver, newAccount, newArticle, newProject, rowsIn } from '../support/client.ts'
import { expectError } from '../support/contract.ts'

const stack = inject('stack')

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })

const articleCount = async (api: Api): Promise<number> => {
  const [row] = await rowsIn<{ n: number }>(
    stack,
    sql`select count(*)::int as n from articles where account_id = ${api.accountId}`,
  )
  return row?.n ?? 0
}

const start = async () => {
  const api = await newAccount(stack)
  return { api, project: await newProject(api) }
}

it('returns the same 201 again, and creates nothing twice', async () => {
  const { api, project } = await start()
  const body = { project_id: project, keyword: 'sheds', content: '<p>one</p>' }
  const first = await api.post('/articles', body, withKey('once'))
  const again = await api.post('/articles', body, withKey('once'))
  expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null])
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
  expect(again.text).toBe(first.text)
  expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
  expect(await articleCount(api)).toBe(1)
})

it('returns the first answer’s ETag again, whatever was saved since', async () => {
  const { api, project } = await start()
  await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
  const twice = async (path: string, body: object) => {
    const first = await api.post(path, body, withKey('tag'))
    const tag = first.headers.get('etag')
    expect([first.status < 300, tag], first.text).toEqual([true, expect.stringMatching(/^"\d+-\w+"$/)])
    const again = await api.post(path, body, withKey('tag'))
    expect([again.headers.get('idempotency-replayed'), again.headers.get('etag')], path).toEqual(['true', tag])
    return { id: Number(first.body.article_id), body, path, tag }
  }
  const made = await twice('/articles', { project_id: project, keyword: 'sheds', content: '<p>one</p>' })
  await api.put(`/articles/${made.id}`, { content: '<p>two</p>' })
  await twice(`/articles/${made.id}/revisions/1/restore`, {})
  await api.post(`/articles/${made.id}/publish`)
  await twice(`/articles/${made.id}/sync`, { title: 'Sheds of oak' })
  expect((await api.post(made.path, made.body, withKey('tag'))).headers.get('etag')).toBe(made.tag)
})

it.each([
  ['400', (project: number) => ({ project_id: project, keyword: '' }), 400],
  ['404', () => ({ project_id: 2_147_483_647, keyword: 'sheds' }), 404],
])('a %s changed nothing and leaves the key free for the corrected call', async (_, bodyFor, status) => {
  const { api, project } = await start()
  const body = bodyFor(project)
  for (let call = 0; call < 2; call += 1) {
    const refused = await api.post('/articles', body, withKey('refused'))
    expect([refused.status, refused.headers.get('idempotency-replayed')]).toEqual([status, null])
    expect(refused.headers.get('x-request-id')).toBe(refused.body.request_id)
  }
  const corrected = { project_id: project, keyword: 'sheds' }
  const made = await api.post('/articles', corrected, withKey('refused'))
  expect([made.status, made.headers.get('idempotency-replayed')]).toEqual([201, null])
  expect((await api.post('/articles', corrected, withKey('refused'))).text).toBe(made.text)
})

it('a refusal that the caller can fix leaves the key free: 400 without a target, 409 during a publication', async () => {
  const { api, project } = await start()
  const id = await newArticle(api, project)
  const publish = () => api.post(`/articles/${id}/publish`, undefined, withKey('put right'))
  const hold = (until: string) =>
    rowsIn(
      stack,
      sql`update articles set publish_state = ${until === 'null' ? 'idle' : 'publishing'}, publish_lease_until = ${sql.raw(until)} where id = ${id}`,
    )
  expectError(await publish(), 'no_cms_integration')
  await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
  await hold("now() + interval '1 hour'")
  expectError(await publish(), 'publish_in_progress')
  await hold('null')
  const published = await publish()
  expect([published.status, published.body.status]).toEqual([200, 'published'])
  expect(published.headers.get('idempotency-replayed')).toBeNull()
  expect((await publish()).headers.get('idempotency-replayed')).toBe('true')
})

it('bad JSON leaves the key free too', async () => {
  const { api, project } = await start()
  expectError(await api.call('POST', '/articles', { raw: '{"a":', ...withKey('bad') }), 'invalid_json')
  expect((await api.post('/articles', { project_id: project, keyword: 'k' }, withKey('bad'))).status).toBe(201)
})

it('compares the body by its values, however they are written', async () => {
  const { api, project } = await start()
  const first = await api.post('/articles', { project_id: project, keyword: 'sheds', tags: ['a', 'b'] }, withKey('k'))
  const raw = (text: string) => api.call('POST', '/articles', { raw: text, ...withKey('k') })
  const again = await raw(`{ "tags": ["a", "\\u0062"],\n "keyword": "sheds", "project_id": ${project}.0 }`)
  expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true'])
  const swapped = `{"tags": ["b", "a"], "keyword": "sheds", "project_id": ${project}}`
  expectError(await raw(swapped), 'idempotency_key_reused')
})

it('is 422 for the same key with another body or path, and keeps the first answer', async () => {
  const { api, project } = await start()
  const body = { project_id: project, keyword: 'sheds' }
  const first = await api.post('/articles', body, withKey('k'))
  expectError(await api.post('/articles', { ...body, title: 'T' }, withKey('k')), 'idempotency_key_reused')
  expect((await api.post('/articles', body, withKey('k'))).text).toBe(first.text)
  const other = await newProject(api)
  await api.post(`/projects/${project}/article-plan`, { plan: 8 }, withKey('plan'))
  expectError(await api.post(`/projects/${other}/article-plan`, { plan: 8 }, withKey('plan')), 'idempotency_key_reused')
  expect(await articleCount(api)).toBe(1)
})

it('is 422 for the same key with another query, also without a body; unknown parameters do not matter', async () => {
  const { api, project } = await start()
  const other = await newProject(api)
  const run = (query: string) => api.post(`/suggestions/run?${query}`, undefined, withKey('run'))
  const first = await run(`project_id=${project}`)
  expect([first.status, first.body.project_id]).toEqual([200, project])
  expectError(await run(`project_id=${other}`), 'idempotency_key_reused')
  const again = await run(`utm=1&project_id=${project}`)
  expect([again.status, again.body.project_id, again.headers.get('idempotency-replayed')]).toEqual([
    200,
    project,
    'true',
  ])
})

it('ten at once with one key make one article', { tags: ['services'] }, async () => {
  const { api, project } = await start()
  const body = { project_id: project, keyword: 'a race', content: '<p>one</p>' }
  const answers = await Promise.all(Array.from({ length: 10 }, () => api.post('/articles', body, withKey('race'))))
  const made = answers.filter(({ status }) => status === 201)
  for (const answer of answers) if (answer.status !== 201) expectError(answer, 'idempotency_in_progress')
  expect(made.length).toBeGreaterThan(0)
  expect(new Set(made.map(({ body }) => body.article_id)).size).toBe(1)
  expect(new Set(made.map(({ body }) => body.slug))).toEqual(new Set(['a-race']))
  expect(made.filter(({ headers }) => headers.get('idempotency-replayed') === null).length).toBe(1)
  expect(await articleCount(api)).toBe(1)
})

it('ten projects at once with one key take one slot', { tags: ['services'] }, async () => {
  const api = await newAccount(stack, { projects: 5 })
  const body = { website_url: 'https://one-slot.example' }
  const answers = await Promise.all(Array.from({ length: 10 }, () => api.post('/projects', body, withKey('slot'))))
  expect(answers.map(({ status }) => status)).toEqual(Array<number>(10).fill(201))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
  const [row] = await rowsIn<{ n: number }>(
    stack,
    sql`select active_projects as n from accounts where id = ${api.accountId}`,
  )
  expect(row?.n).toBe(1)
})

it('calls at once with one key that meet at the article all get the first one’s answer', {
  tags: ['services'],
}, async () => {
  const { api, project } = await start()
  await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
  const id = await newArticle(api, project)
  const calls: [path: string, body: object | undefined][] = [
    [`/articles/${id}/publish`, undefined],
    [`/articles/${id}/sync`, { title: 'Sheds of oak' }],
    [`/articles/${id}/revisions/1/restore`, { sync: true }],
  ]
  for (const [path, body] of calls) {
    const answers = await Promise.all(Array.from({ length: 5 }, () => api.post(path, body, withKey('at-once'))))
    expect(answers.map(({ status, body: { code } }) => code ?? status)).toEqual(Array<number>(5).fill(200))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
  }
})

/** Returns a publication that is under way, as its claim marks it. */
const underWay = async () => {
  const { api, project } = await start()
  await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
  const path = `/articles/${await newArticle(api, project)}/publish`
  await rowsIn(
    stack,
    sql`insert into idempotency_records (account_id, operation, key, fingerprint, lease_until, expires_at)
      select ${api.accountId}, 'articles.publish', 'running', encode(sha256(convert_to(${`POST /api/v1${path}\n`}, 'UTF8')), 'hex'),
        now() + interval '1 minute', now() + interval '1 day'`,
  )
  return { api, path }
}

it('a second call waits for the first and gets its answer', async () => {
  const { api, path } = await underWay()
  const waiting = api.post(path, undefined, withKey('running'))
  const body = { status: 'published', article_id: 1, url: null, message: 'The article is published.' }
  await rowsIn(
    stack,
    sql`update idempotency_records set status = 200, body = ${JSON.stringify(body)}, lease_until = null
      where account_id = ${api.accountId} and key = 'running' and pg_sleep(1.5) is not null`,
  )
  const answer = await waiting
  expect([answer.status, answer.headers.get('idempotency-replayed'), answer.body]).toEqual([200, 'true', body])
})

it('a replay names what was ignored as the first answer did', async () => {
  const { api, project } = await start()
  const body = { project_id: project, keyword: 'sheds', titel: 'Sheds' }
  const [first, again] = [
    await api.post('/articles', body, withKey('typo')),
    await api.post('/articles', body, withKey('typo')),
  ]
  expect(first.body.ignored).toEqual(['titel'])
  expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', first.body])
})

it('the key of a crashed call can be used again when its lease has ended', async () => {
  const { api, project } = await start()
  const body = JSON.stringify({ keyword: 'left behind', project_id: project })
  await rowsIn(
    stack,
    sql`insert into idempotency_records (account_id, operation, key, fingerprint, lease_until, expires_at)
      select ${api.accountId}, 'articles.create', 'dead', encode(sha256(convert_to(${`POST /api/v1/articles\n${body}`}, 'UTF8')), 'hex'),
        now() - interval '1 second', now() + interval '1 day'`,
  )
  expect((await api.call('POST', '/articles', { raw: body, ...withKey('dead') })).status).toBe(201)
  expect(await articleCount(api)).toBe(1)
})

it('belongs to the account, for all its API keys, and to the operation', async () => {
  const { api, project } = await start()
  const other = await start()
  const body = { project_id: project, keyword: 'sheds' }
  const first = await api.post('/articles', body, withKey('shared'))
  const second = await anotherKey(stack, api)
  expect((await second.post('/articles', body, withKey('shared'))).text).toBe(first.text)
  const theirs = await other.api.post('/articles', { project_id: other.project, keyword: 'sheds' }, withKey('shared'))
  expect([theirs.status, theirs.headers.get('idempotency-replayed')]).toEqual([201, null])
  const elsewhere = await api.post(`/projects/${project}/article-plan`, { plan: 8 }, withKey('shared'))
  expect([elsewhere.status, elsewhere.headers.get('idempotency-replayed')]).toEqual([200, null])
})

it('is the same key with and without the quotes of a structured field', async () => {
  const { api, project } = await start()
  const body = { project_id: project, keyword: 'sheds' }
  const first = await api.post('/articles', body, withKey('"a \\"quoted\\" key"'))
  const again = await api.post('/articles', body, withKey('a "quoted" key'))
  expect([first.status, again.text]).toEqual([201, first.text])
})

it.each(['', '""', 'x'.repeat(256), 'caf\u00e9', 'tab\tin'])('refuses the header %j', async (header) => {
  const { api, project } = await start()
  const answer = await api.post('/articles', { project_id: project, keyword: 'k' }, withKey(header))
  expectError(answer, 'invalid_input')
  expect(answer.body.details).toMatchObject([{ field: 'Idempotency-Key' }])
  expect(await articleCount(api)).toBe(0)
})

it('takes a key of 255 characters', async () => {
  const { api, project } = await start()
  const send = () => api.post('/articles', { project_id: project, keyword: 'k' }, withKey('~'.repeat(255)))
  const first = await send()
  expect([first.status, (await send()).text]).toEqual([201, first.text])
})

it('is forgotten after 24 hours, not before', async () => {
  const { api, project } = await start()
  const body = { project_id: project, keyword: 'sheds' }
  const first = await api.post('/articles', body, withKey('day'))
  const [kept] = await rowsIn<{ hours: number }>(
    stack,
    sql`select extract(epoch from expires_at - created_at)::int / 3600 as hours from idempotency_records where account_id = ${api.accountId}`,
  )
  expect(kept?.hours).toBe(24)
  const age = (interval: string) =>
    rowsIn(
      stack,
      sql`update idempotency_records set expires_at = now() + ${interval}::interval where account_id = ${api.accountId}`,
    )
  await age('1 minute')
  expect((await api.post('/articles', body, withKey('day'))).text).toBe(first.text)
  await age('-1 second')
  const later = await api.post('/articles', body, withKey('day'))
  expect([later.status, later.headers.get('idempotency-replayed')]).toEqual([201, null])
  expect(later.body.article_id).not.toBe(first.body.article_id)
  expect((await api.post('/articles', body, withKey('day'))).text).toBe(later.text)
})

it('is not kept for a 429', async () => {
  const { api, project } = await start()
  const body = { project_id: project, keyword: 'later' }
  const pastTheRate = async (key: string) => {
    await Promise.all(Array.from({ length: 12 }, () => api.post('/articles', { project_id: project })))
    return { key, answer: await api.post('/articles', body, withKey(key)) }
  }
  const first = await pastTheRate('limited')
  // If the minute changes between the two, one more call is admitted, once.
  const { key, answer } = first.answer.status === 429 ? first : await pastTheRate('limited too')
  expectError(answer, 'rate_limited')
  const again = await (await anotherKey(stack, api)).post('/articles', body, withKey(key))
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null])
})

it('has no effect on PUT, DELETE and GET', async () => {
  const { api, project } = await start()
  const article = await newArticle(api, project)
  const path = `/articles/${article}`
  expect((await api.put(path, { title: 'One' }, withKey('put'))).status).toBe(200)
  expect((await api.put(path, { title: 'Two' }, withKey('put'))).headers.get('idempotency-replayed')).toBeNull()
  expect((await api.get(path, withKey('put'))).body).toMatchObject({ Title: 'Two' })
})
