import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { signInAsOwner } from '../accounts/people/browser.ts'
import { newAccount, newArticle } from '../support/client.ts'
import { expectError } from '../support/contract.ts'
import { manyKeys } from '../support/keys.ts'
import { publishedArticle } from '../support/story.ts'
import { cron, flush } from './scene.ts'
import { connectedTo, type Site, type SiteAnswer, startSite } from './site.ts'

const stack = inject('stack')
let site: Site
let answer: SiteAnswer

beforeAll(async () => {
  site = await startSite(() => answer)
})
afterAll(() => site.close())

const scene = async () => {
  answer = {}
  const api = manyKeys(stack, await newAccount(stack))
  const { projectId } = await connectedTo(site, api)
  const list = async (query: string) =>
    (await api.get(`/webhook-deliveries?${query}`)).body.deliveries as Record<string, unknown>[]
  return { api, projectId, list }
}

test('deliveries of one article are listed with their attempts, payloads and results', async () => {
  const { api, projectId, list } = await scene()
  const [one, other] = [await newArticle(api, projectId), await newArticle(api, projectId)]
  answer = { status: 401, body: { error: 'no' } }
  await api.post(`/articles/${one}/publish`)
  answer = {}
  await api.post(`/articles/${one}/publish`)
  await api.post(`/articles/${other}/publish`)
  const [delivered, failed, ...rest] = await list(`article_id=${one}`)
  expect(rest).toEqual([])
  expect(delivered).toMatchObject({ article_id: one, status: 'delivered', resolved_by: null })
  expect(failed).toMatchObject({
    article_id: one,
    status: 'failed',
    resolved_by: delivered?.id,
    attempt_count: 1,
    attempts: [{ number: 1, status: 'failed', http_status: 401 }],
  })
  expect(failed).not.toHaveProperty('payload')
  const { delivery } = (await api.get(`/webhook-deliveries/${failed?.id}`)).body as {
    delivery: Record<string, unknown>
  }
  const sent = JSON.parse(site.seen.at(-3)?.body ?? '{}').data.articles[0]
  expect(delivery).toMatchObject({
    attempt_count: 1,
    attempts: [{ number: 1 }],
    payload: { id: String(one), title: sent.title, content_html: sent.content_html },
  })
  const outsider = await newAccount(stack)
  expectError(await outsider.get(`/webhook-deliveries?article_id=${one}`), 'forbidden')
  expectError(await outsider.get('/webhook-deliveries?article_id=2147483647'), 'not_found')
})

test.each([
  ['success as a word', { success: 'false' }, 'success: false'],
  ['nothing processed as a word', { success: true, processed: '0' }, 'processed: 0'],
])('%s is a failure', async (_, body, reason) => {
  const { api, projectId } = await scene()
  answer = { body }
  const published = await api.post(`/articles/${await newArticle(api, projectId)}/publish`)
  expect(published).toMatchObject({ status: 202, body: { status: 'failed', error: expect.stringContaining(reason) } })
})

test.each([
  [{ external_id: 'a', post_id: 'b', id: 'c' }, 'a'],
  [{ post_id: 'b', id: 'c' }, 'b'],
  [{ id: 7 }, '7'],
])('the id of %j is sent with the update', async (body, externalId) => {
  const { api, projectId } = await scene()
  answer = { body: { success: true, ...body } }
  const id = await publishedArticle(api, projectId)
  answer = {}
  expect((await api.post(`/articles/${id}/sync`, { title: 'Another title' })).status).toBe(200)
  expect(JSON.parse(site.seen.at(-1)?.body ?? '{}').data.articles[0]).toMatchObject({ external_id: externalId })
})

test('a web page instead of JSON is accepted with a warning, which the delivery keeps', async () => {
  const { api, projectId, list } = await scene()
  answer = { body: '<!doctype html><title>Hello</title>' }
  const { status, body } = await api.post(`/articles/${await newArticle(api, projectId)}/publish`)
  const warnings = [expect.stringContaining('web page')]
  expect([status, body.warnings]).toEqual([200, warnings])

  // Published by the cron, so that no caller gets the answer.
  await api.put(`/projects/${projectId}`, { publishing_status: 'Publish Immediately' })
  const due = await newArticle(api, projectId, { status: 'Planned', scheduled_date: '2026-01-05T09:00:00Z' })
  await cron(stack)
  await flush(stack, true)
  const [delivery] = await list(`article_id=${due}`)
  expect(delivery).toMatchObject({ status: 'delivered', warnings })
  const { person } = await signInAsOwner(stack, api)
  for (const path of ['', `/${delivery?.id}`])
    expect((await person.get(`/p/${projectId}/deliveries${path}`)).text).toContain('web page')
})

test('a failed delivery is not resolved by older content', async () => {
  const { api, projectId, list } = await scene()
  const id = await newArticle(api, projectId)
  await api.post(`/articles/${id}/publish`)
  answer = { status: 403, body: {} }
  await api.post(`/articles/${id}/sync`, { title: 'A newer title' })
  answer = {}
  const [failed, older] = await list(`article_id=${id}`)
  expect((await api.post(`/webhook-deliveries/${older?.id}/replay`)).status).toBe(201)
  const shown = async () => (await list(`article_id=${id}`)).find((row) => row.id === failed?.id)
  expect(await shown()).toMatchObject({ status: 'failed', resolved_by: null })
  await api.post(`/articles/${id}/sync`)
  const [newest] = await list(`article_id=${id}`)
  expect(await shown()).toMatchObject({ status: 'failed', resolved_by: newest?.id })
})

test('older content than the live one is replayed only by force', async () => {
  const { api, projectId, list } = await scene()
  const id = await newArticle(api, projectId)
  await api.post(`/articles/${id}/publish`)
  await api.post(`/articles/${id}/sync`, { title: 'A newer title' })
  const [newer, older] = await list(`article_id=${id}`)
  const calls = site.seen.length
  expect(await api.post(`/webhook-deliveries/${older?.id}/replay`)).toMatchObject({
    status: 409,
    body: { error: 'superseded', code: 'superseded', retryable: false },
  })
  expect(site.seen).toHaveLength(calls)
  expect((await api.post(`/webhook-deliveries/${newer?.id}/replay`)).status).toBe(201)
  expect((await api.post(`/webhook-deliveries/${older?.id}/replay`, { force: true })).status).toBe(201)
  expect(site.seen).toHaveLength(calls + 2)
  // The effect of the sync is not measured with readers of the older text.
  expect((await api.get(`/suggestions/effects?project_id=${projectId}`)).body.effects).toMatchObject([
    { kind: 'rollback' },
    { kind: 'sync' },
  ])
})

test.each([
  ['the receiver is away', { status: 503, body: {} }, true],
  ['the receiver made another post', { body: { action: 'created' } }, false],
  ['the receiver refuses', { status: 403, body: {} }, false],
])('a sync that failed because %s says whether a repeat helps', async (_, failing, retryable) => {
  const { api, projectId } = await scene()
  const id = await newArticle(api, projectId)
  await api.post(`/articles/${id}/publish`)
  answer = failing
  const { status, body } = await api.post(`/articles/${id}/sync`, { title: 'Another title' })
  expect([status, body.code, body.retryable]).toEqual([502, 'sync_failed', retryable])
})
