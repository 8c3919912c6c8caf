import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { forgetRevisions } from '../../src/content/articles/forget.ts'
import { forgetAttempts, forgetTexts } from '../../src/publishing/forget.ts'
import { type Api, newAccount, newArticle, rowsIn } from '../support/client.ts'
import { expectError } from '../support/contract.ts'
import { manyKeys } from '../support/keys.ts'
import { connectedTo, type Site, startSite } from './site.ts'
import { systemDeps } from './system.ts'

const stack = inject('stack')
let site: Site

beforeAll(async () => {
  site = await startSite(() => ({}))
})
afterAll(() => site.close())

type Delivery = Record<string, unknown> & { id: number; payload: Record<string, string>; content_hash: string }

const deliveryOf = async (api: Api, id: number) =>
  (await api.get(`/webhook-deliveries/${id}`)).body.delivery as unknown as Delivery

const deliveriesOf = async (api: Api, article: number): Promise<Delivery[]> => {
  const { deliveries } = (await api.get(`/webhook-deliveries?article_id=${article}`)).body
  const ids = (deliveries as { id: number }[]).map(({ id }) => id)
  return await Promise.all(ids.map((id) => deliveryOf(api, id)))
}

/** Makes deliveries and their attempts older, by days. */
const age = async (ids: number[], days: number): Promise<void> => {
  const by = sql`${days}::int * interval '1 day'`
  const those = sql`${sql.param(ids)}::int[]`
  await rowsIn(
    stack,
    sql`update deliveries set created_at = created_at - ${by}, updated_at = updated_at - ${by} where id = any(${those})`,
  )
  await rowsIn(
    stack,
    sql`update delivery_attempts set started_at = started_at - ${by} where delivery_id = any(${those})`,
  )
}

/** Lets a walk continue before a row, as if it had looked at all earlier ones. */
const walkTo = (name: string, id: number) =>
  rowsIn(
    stack,
    sql`insert into retention_walks (name, after) values (${name}, ${id - 1}::bigint)
      on conflict (name) do update set after = excluded.after, ended_at = null`,
  )

const forgetTextsFrom = async (id: number): Promise<number> => {
  await walkTo('texts', id)
  return await forgetTexts(systemDeps(stack))
}

const isStripped = async (id: number): Promise<boolean | undefined> => {
  const [row] = await rowsIn<{ gone: boolean }>(
    stack,
    sql`select payload -> 'content_html' is null and payload -> 'content_markdown' is null as gone from deliveries where id = ${id}::int`,
  )
  return row?.gone
}

const scene = async () => {
  const api = manyKeys(stack, await newAccount(stack))
  const { projectId } = await connectedTo(site, api)
  const article = await newArticle(api, projectId)
  await api.post(`/articles/${article}/publish`)
  return { api, article }
}

it('the text of a delivery of 90 days ago is read from the article’s revision, and sent again from there', async () => {
  const { api, article } = await scene()
  await api.post(`/articles/${article}/sync`, { content: '<p>The second text of the article.</p>' })
  const before = await deliveriesOf(api, article)
  const [second, first] = before
  if (!second || !first) throw new Error('two deliveries')
  expect([second.payload.content_html, first.payload.content_html]).toEqual([
    '<p>The second text of the article.</p>',
    expect.not.stringContaining('second'),
  ])
  await age([second.id, first.id], 89)
  await forgetTextsFrom(first.id)
  expect(await isStripped(first.id)).toBe(false)
  await age([second.id, first.id], 2)
  expect(await forgetTextsFrom(first.id)).toBe(2)
  expect([await isStripped(first.id), await isStripped(second.id)]).toEqual([true, true])
  const texts = (rows: Delivery[]) => rows.map(({ payload, content_hash }) => ({ payload, content_hash }))
  expect(texts(await deliveriesOf(api, article))).toEqual(texts(before))
  expect(first.content_hash).toMatch(/^[0-9a-f]{64}$/)
  const replay = await api.post(`/webhook-deliveries/${first.id}/replay`, { force: true })
  expect(replay.status).toBe(201)
  const sent = JSON.parse(site.seen.at(-1)?.body ?? '{}').data.articles[0]
  expect(sent).toMatchObject({
    content_html: first.payload.content_html,
    content_markdown: first.payload.content_markdown,
  })
})

it('a text that differs from the revision stays', async () => {
  const { api, article } = await scene()
  const [one] = await deliveriesOf(api, article)
  if (!one) throw new Error('a delivery')
  await rowsIn(
    stack,
    sql`update deliveries set payload = jsonb_set(payload, '{content_html}', '"<p>Other</p>"') where id = ${one.id}::int`,
  )
  await age([one.id], 91)
  await forgetTextsFrom(one.id)
  expect((await deliveryOf(api, one.id)).payload.content_html).toBe('<p>Other</p>')
})

it('a delivery keeps its text while its article is in the bin, and its key and hash after that', async () => {
  const { api, article } = await scene()
  const [one] = await deliveriesOf(api, article)
  if (!one) throw new Error('a delivery')
  await age([one.id], 91)
  expect(await forgetTextsFrom(one.id)).toBe(1)
  await api.post(`/articles/${article}/detach`)
  expect((await api.del(`/articles/${article}`)).status).toBe(200)
  expect(await forgetTextsFrom(one.id)).toBe(0)
  expect((await deliveryOf(api, one.id)).payload).toEqual(one.payload)
  await rowsIn(stack, sql`delete from deleted_articles where article_id = ${article}::int`)
  expect(await forgetTextsFrom(one.id)).toBe(1)
  expect(await deliveryOf(api, one.id)).toMatchObject({
    idempotency_key: one.idempotency_key,
    content_hash: one.content_hash,
    payload: { content_html: '', content_markdown: '', title: one.payload.title },
    attempts: [{ number: 1, status: 'delivered', http_status: 200 }],
  })
  const replay = await api.post(`/webhook-deliveries/${one.id}/replay`, { force: true })
  expectError(replay, 'superseded')
  expect(replay.body.message).toContain('its text is not kept')
})

it('attempts of 90 days ago are forgotten, except the last', async () => {
  const { api, article } = await scene()
  const [one] = await deliveriesOf(api, article)
  if (!one) throw new Error('a delivery')
  await rowsIn(stack, sql`update delivery_attempts set number = 3 where delivery_id = ${one.id}::int`)
  await rowsIn(stack, sql`update deliveries set attempts = 3 where id = ${one.id}::int`)
  const [first] = await rowsIn<{ id: number }>(
    stack,
    sql`insert into delivery_attempts (delivery_id, number, status, started_at)
      select ${one.id}::int, n, 'retrying', now() from generate_series(1, 2) n returning id`,
  )
  const shown = async () =>
    ((await deliveryOf(api, one.id)).attempts as { number: number }[]).map(({ number }) => number)
  const forget = async () => {
    const [least] = await rowsIn<{ id: number }>(
      stack,
      sql`select min(id) as id from delivery_attempts where delivery_id = ${one.id}::int`,
    )
    await walkTo('attempts', Math.min(least?.id ?? 0, first?.id ?? 0))
    await forgetAttempts(systemDeps(stack))
  }
  await age([one.id], 89)
  await forget()
  expect(await shown()).toEqual([1, 2, 3])
  await age([one.id], 2)
  await forget()
  expect(await shown()).toEqual([3])
  expect(await deliveryOf(api, one.id)).toMatchObject({ attempt_count: 3 })
})

it('of the revisions of 400 days ago the first, the newest 20 and those that were sent stay', async () => {
  const api = manyKeys(stack, await newAccount(stack))
  const { projectId } = await connectedTo(site, api)
  const article = await newArticle(api, projectId)
  const save = (n: number) => api.put(`/articles/${article}`, { title: `Version ${n}` })
  const listed = async () =>
    ((await api.get(`/articles/${article}/revisions`)).body.revisions as { revision: number }[])
      .map(({ revision }) => revision)
      .toSorted((a, b) => a - b)
  for (let n = 2; n <= 4; n += 1) await save(n)
  await api.post(`/articles/${article}/publish`)
  const [delivery] = await deliveriesOf(api, article)
  await rowsIn(
    stack,
    sql`insert into article_revisions (article_id, revision, title, meta_description, content)
      select id, revision + n, title, meta_description, content from articles, generate_series(0, 24) n where id = ${article}::int`,
  )
  await rowsIn(stack, sql`update articles set revision = revision + 25 where id = ${article}::int`)
  const all = await listed()
  const [oldest] = await rowsIn<{ id: number }>(
    stack,
    sql`select min(id) as id from article_revisions where article_id = ${article}::int`,
  )
  const forget = async (days: number) => {
    await rowsIn(
      stack,
      sql`update article_revisions set created_at = now() - ${days}::int * interval '1 day' where article_id = ${article}::int`,
    )
    await walkTo('revisions', oldest?.id ?? 0)
    await forgetRevisions(systemDeps(stack))
    return await listed()
  }
  expect(await forget(399)).toEqual(all)
  // The newest row is the article as it is now.
  const kept = [1, Number(delivery?.revision), ...all.slice(-21)]
  expect(await forget(401)).toEqual(kept)
})
