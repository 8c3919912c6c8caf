import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { checkSignature } from '../../../local/receiver/signature.ts'
import { cron, flush } from '../../publishing/scene.ts'
import { type Api, newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { expectError, whenScanned } from '../../support/contract.ts'
import { type Endpoint, startEndpoint } from '../../support/endpoint.ts'
import { manyKeys } from '../../support/keys.ts'
import { mailTo, newOwner } from '../people/browser.ts'

const stack = inject('stack')
const started: Endpoint[] = []
afterAll(async () => {
  await Promise.all(started.map((one) => one.close()))
})

const rows = <Row>(statement: ReturnType<typeof sql>) => rowsIn<Row>(stack, statement)

/** Does the minute's work, and all that follows from it. */
const minute = async () => {
  await cron(stack)
  await flush(stack)
}

/** Returns an endpoint that was added to an account. */
const added = async (api: Api, fields: Record<string, unknown> = {}) => {
  const endpoint = await startEndpoint()
  started.push(endpoint)
  const { status, body, text } = await api.post('/event-endpoints', {
    url: endpoint.url,
    kinds: ['article'],
    ...fields,
  })
  expect(status, text).toBe(201)
  const { id } = body.event_endpoint as { id: number }
  const shown = async () => (await api.get(`/event-endpoints/${id}`)).body.event_endpoint as Record<string, unknown>
  return { ...endpoint, got: endpoint.got, id, secret: String(body.signing_secret), shown }
}

const opened = async () => {
  const api = manyKeys(stack, await newAccount(stack))
  const project = await newProject(api)
  await whenScanned(api, project)
  return { api, project }
}

const idsOf = ({ got }: Pick<Endpoint, 'got'>) => got.map(({ event }) => event.id)
const subjects = ({ got }: Pick<Endpoint, 'got'>) => got.map(({ event }) => event.subject)

/** Lets the next attempt of an endpoint be due. */
const dueNow = (id: number) =>
  rows(
    sql`update outbox set run_at = now(), offered_at = null where key = ${`event_endpoint:${id}`} and done_at is null returning id`,
  )

const isSigned = (secret: string, { headers, body }: Endpoint['got'][number]) =>
  checkSignature(secret, headers, Buffer.from(body), Date.now())

describe('an event endpoint', () => {
  it('gets what happens from then on, once, in order, as the feed has it, and signed', async () => {
    const { api, project } = await opened()
    await newArticle(api, project)
    const endpoint = await added(api)
    const [one, two] = [await newArticle(api, project), await newArticle(api, project)]
    await api.put(`/articles/${one}`, { title: 'Another' })
    await minute()
    const { body } = await api.get('/events?limit=200')
    const feed = (body.events as Endpoint['got'][number]['event'][]).slice(-3)
    expect(endpoint.got.map(({ event }) => event)).toEqual(feed)
    expect(subjects(endpoint)).toEqual([`article:${one}`, `article:${two}`, `article:${one}`])
    expect(feed.map(({ project_id }) => project_id)).toEqual([project, project, project])
    expect(endpoint.got.map((one) => isSigned(endpoint.secret, one))).toEqual(['valid', 'valid', 'valid'])
    expect(endpoint.got.map(({ headers }) => headers['webhook-id'])).toEqual(feed.map(({ id }) => `event_${id}`))
    await minute()
    expect(endpoint.got).toHaveLength(3)
    expect(await endpoint.shown()).toMatchObject({ status: 'active', last_error: null, failing_since: null })
    const { body: tries } = await api.get(`/event-endpoints/${endpoint.id}/attempts?limit=2`)
    expect(tries).toMatchObject({ attempts: [{ status: 'delivered', http_status: 204 }, {}], count: 2, next_offset: 2 })
    expect(JSON.stringify([(await api.get('/event-endpoints')).body, tries])).not.toContain('whsec_')
  })

  it('gets an event when it is written, without the minute’s work; a run that has begun is followed by another', async () => {
    const { api, project } = await opened()
    const [endpoint, busy] = [await added(api), await added(api)]
    const key = `event_endpoint:${busy.id}`
    await rows(sql`insert into outbox (account_id, job, key, payload, run_at, offered_at, lease_until, attempts)
      values (${api.accountId}::int, 'events.push', ${key}, ${JSON.stringify({ endpoint_id: busy.id })}::jsonb, now(), now(),
        now() + interval '1 hour', 1) returning id`)
    const one = await newArticle(api, project)
    await expect.poll(() => subjects(endpoint), { timeout: 15_000 }).toEqual([`article:${one}`])
    expect(await rows(sql`select offered_at from outbox where key = ${key}`)).toEqual([{ offered_at: null }])
    expect(busy.got).toEqual([])
  })

  it('gets only its kinds and its project, and nothing of another account', async () => {
    const { api, project } = await opened()
    const other = await newProject(api)
    await whenScanned(api, other)
    const kinds = await added(api, { kinds: ['article.update'] })
    const site = await added(api, { kinds: [], project_id: other })
    const stranger = await opened()
    const foreign = await added(stranger.api, { kinds: [] })
    const [here, there] = [await newArticle(api, project), await newArticle(api, other)]
    await api.put(`/articles/${here}`, { title: 'Another' })
    await api.del(`/articles/${there}`)
    await minute()
    expect(kinds.got.map(({ event }) => [event.type, event.subject])).toEqual([['article.update', `article:${here}`]])
    expect(site.got.map(({ event }) => event.type)).toEqual(['article.create', 'article.delete'])
    expect(foreign.got).toEqual([])
    for (const call of [
      () => stranger.api.get(`/event-endpoints/${kinds.id}`),
      () => stranger.api.get(`/event-endpoints/${kinds.id}/attempts`),
      () => stranger.api.put(`/event-endpoints/${kinds.id}`, { description: 'mine' }),
      () => stranger.api.post(`/event-endpoints/${kinds.id}/rotate-secret`),
      () => stranger.api.post(`/event-endpoints/${kinds.id}/replay`, { after: 0 }),
      () => stranger.api.del(`/event-endpoints/${kinds.id}`),
      () => stranger.api.post('/event-endpoints', { url: 'https://receiver.example/', project_id: project }),
    ])
      expectError(await call(), 'forbidden')
  })

  it('that fails holds up its own later events, and no other endpoint', async () => {
    const { api, project } = await opened()
    const [failing, working] = [await added(api), await added(api)]
    failing.answerWith(() => ({ status: 500 }))
    const [one, two] = [await newArticle(api, project), await newArticle(api, project)]
    await minute()
    expect(subjects(working)).toEqual([`article:${one}`, `article:${two}`])
    expect(new Set(subjects(failing))).toEqual(new Set([`article:${one}`]))
    expect(await failing.shown()).toMatchObject({
      status: 'active',
      last_error: 'The endpoint answered 500.',
      failing_since: expect.any(String),
      next_attempt_at: expect.any(String),
    })
    failing.answerWith(() => ({ status: 200 }))
    await dueNow(failing.id)
    await minute()
    await expect.poll(() => subjects(failing).slice(-2)).toEqual([`article:${one}`, `article:${two}`])
    expect(failing.got[0]?.headers['webhook-id']).toBe(failing.got[1]?.headers['webhook-id'])
    expect(await failing.shown()).toMatchObject({ last_error: null, failing_since: null, next_attempt_at: null })
    expect(working.got).toHaveLength(2)
  })

  it('that fails for three days is paused, and its owner gets a mail; resumed, it misses nothing', async () => {
    const { api: first, email } = await newOwner(stack)
    const api = manyKeys(stack, first)
    const project = await newProject(api)
    await whenScanned(api, project)
    const endpoint = await added(api)
    endpoint.answerWith(() => ({ status: 503 }))
    const one = await newArticle(api, project)
    await minute()
    await rows(
      sql`update event_endpoints set failing_since = now() - interval '71 hours' where id = ${endpoint.id} returning id`,
    )
    await dueNow(endpoint.id)
    await minute()
    expect(await endpoint.shown()).toMatchObject({ status: 'active' })
    await rows(
      sql`update event_endpoints set failing_since = now() - interval '73 hours' where id = ${endpoint.id} returning id`,
    )
    await dueNow(endpoint.id)
    await minute()
    expect(await endpoint.shown()).toMatchObject({ status: 'paused', next_attempt_at: null })
    const tried = endpoint.got.length
    const two = await newArticle(api, project)
    await minute()
    expect(endpoint.got).toHaveLength(tried)
    const mail = await mailTo(stack.mailUrl, email, /Events are no longer sent to 127\.0\.0\.1/)
    expect(mail.text).toContain('/settings/event-endpoints')
    endpoint.answerWith(() => ({ status: 200 }))
    await api.post(`/event-endpoints/${endpoint.id}/resume`)
    await minute()
    await expect.poll(() => subjects(endpoint).slice(tried)).toEqual([`article:${one}`, `article:${two}`])
    expect(await endpoint.shown()).toMatchObject({ status: 'active', last_error: null })
  })

  it('that answers 410 is paused at once', async () => {
    const { api, project } = await opened()
    const endpoint = await added(api)
    endpoint.answerWith(() => ({ status: 410 }))
    await newArticle(api, project)
    await minute()
    expect(await endpoint.shown()).toMatchObject({ status: 'paused', last_error: 'The endpoint answered 410.' })
  })

  it('is tried again no sooner than it asks', async () => {
    const { api, project } = await opened()
    const endpoint = await added(api)
    endpoint.answerWith(() => ({ status: 429, retryAfter: '900' }))
    await newArticle(api, project)
    await minute()
    const { failing_since: since, next_attempt_at: next } = (await endpoint.shown()) as Record<string, string>
    expect(Date.parse(next ?? '') - Date.parse(since ?? '')).toBeGreaterThanOrEqual(900_000)
  })

  it('gets events again from a cursor, with the same ids', async () => {
    const { api, project } = await opened()
    const endpoint = await added(api)
    for (let n = 0; n < 3; n += 1) await newArticle(api, project)
    await minute()
    const [first = 0, ...later] = idsOf(endpoint)
    const { body } = await api.post(`/event-endpoints/${endpoint.id}/replay`, { after: first })
    expect(body).toMatchObject({ event_endpoint: { id: endpoint.id, status: 'active' } })
    await minute()
    await expect.poll(() => idsOf(endpoint).slice(3)).toEqual(later)
    await rows(
      sql`update audit_log set at = now() - interval '31 days' where account_id = ${api.accountId}::int and id <= ${first}::int returning id`,
    )
    await api.post(`/event-endpoints/${endpoint.id}/replay`, { after: 0 })
    await minute()
    await expect.poll(() => idsOf(endpoint).slice(5)).toEqual(later)
  })

  it('has a new secret beside the previous one, and a test event', async () => {
    const { api } = await opened()
    const endpoint = await added(api)
    const { body } = await api.post(`/event-endpoints/${endpoint.id}/rotate-secret`)
    expect(body.signing_secret).toMatch(/^whsec_/)
    expect(body.signing_secret).not.toBe(endpoint.secret)
    const test = () => api.post(`/event-endpoints/${endpoint.id}/test`)
    expect((await test()).body).toMatchObject({ status: 'delivered', http_status: 204, error: null })
    const [sent] = endpoint.got
    if (!sent) throw new Error('nothing arrived')
    expect(sent.event).toMatchObject({ type: 'endpoint.test', detail: {} })
    expect([endpoint.secret, String(body.signing_secret)].map((secret) => isSigned(secret, sent))).toEqual([
      'valid',
      'valid',
    ])
    endpoint.answerWith(() => ({ status: 302 }))
    expect((await test()).body).toMatchObject({
      status: 'failed',
      http_status: 302,
      error: 'The endpoint answered 302, a redirect, which is not followed.',
    })
    expect(await endpoint.shown()).toMatchObject({ failing_since: null })
  })

  it('of a suspended account, or deleted, gets nothing', async () => {
    const { api, project } = await opened()
    const article = await newArticle(api, project)
    const [kept, gone] = [await added(api), await added(api)]
    expect((await api.del(`/event-endpoints/${gone.id}`)).body).toMatchObject({ id: gone.id, deleted: true })
    expectError(await api.get(`/event-endpoints/${gone.id}`), 'not_found')
    await rows(sql`update accounts set suspended_at = now() where id = ${api.accountId}::int returning id`)
    await rows(
      sql`insert into audit_log (account_id, actor, action, subject) values (${api.accountId}::int, 'operator', 'article.create', ${`article:${article}`}) returning id`,
    )
    await minute()
    expect([kept.got, gone.got]).toEqual([[], []])
    await rows(sql`update accounts set suspended_at = null where id = ${api.accountId}::int returning id`)
    await minute()
    expect([kept.got.length, gone.got.length]).toEqual([1, 0])
  })

  it('has a public https address, known kinds and a project of the account; an account has ten', async () => {
    const { api } = await opened()
    const add = (fields: Record<string, unknown>) =>
      api.post('/event-endpoints', { url: 'https://receiver.example/', ...fields })
    for (const url of [
      'http://receiver.example/',
      'https://10.0.0.1/',
      'https://receiver.local/',
      'https://receiver.example:22/',
    ])
      expectError(await add({ url }), 'forbidden_url')
    expectError(await add({ kinds: ['key.create'] }), 'invalid_input')
    expectError(await add({ project_id: 2_147_483_647 }), 'not_found')
    expect((await api.get('/event-endpoints')).body.count).toBe(0)
    const many = await Promise.all(Array.from({ length: 12 }, () => add({})))
    expect(many.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), 409, 409])
    expectError(await add({}), 'endpoint_limit')
    const [one] = (await api.get('/event-endpoints')).body.event_endpoints as { id: number }[]
    expectError(await api.put(`/event-endpoints/${one?.id}`, { url: 'https://127.1.1.1.example:1/' }), 'forbidden_url')
    expectError(await api.put(`/event-endpoints/${one?.id}`, {}), 'no_fields')
    const changed = await api.put(`/event-endpoints/${one?.id}`, { kinds: ['social'], description: 'For the team' })
    expect(changed.body.event_endpoint).toMatchObject({ kinds: ['social'], description: 'For the team' })
  })
})
