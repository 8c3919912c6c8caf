import { sql } from 'drizzle-orm'
import { expect, inject, test, vi } from 'vitest'
import { continueBatch, giveUpBatch } from '../../../src/content/articles/batches/run.ts'
import { systemFor } from '../../publishing/system.ts'
import { type Api, makeKeys, newAccount, newProject, rowsIn } from '../../support/client.ts'
import { PATIENCE_MS } from '../../support/patience.ts'

const stack = inject('stack')

type Result = {
  position: number
  outcome: string
  article_id: number | null
  external_ref: string | null
  code: string | null
}
type Shown = { status: string; count: number; created: number; existed: number; refused: number; results: Result[] }

const shown = async (api: Api, id: unknown): Promise<Shown> => (await api.get(`/articles/batches/${id}`)).body as Shown

const done = (api: Api, id: unknown): Promise<Shown> =>
  vi.waitFor(
    async () => {
      // Calls are limited, so the row is asked.
      const [row] = await rowsIn<{ done_at: string | null }>(
        stack,
        sql`select done_at from article_batches where id = ${Number(id)}::int`,
      )
      expect(row?.done_at).not.toBeNull()
      return await shown(api, id)
    },
    { timeout: PATIENCE_MS, interval: 100 },
  )

const send = async (api: Api, project: number, articles: object[]) => {
  const answer = await api.post('/articles/batch', { project_id: project, articles })
  expect(answer.status, answer.text).toBe(202)
  return answer.body.batch_id as number
}

const words = (n: number) => ({ keyword: `keyword ${n}`, title: `Title ${n}`, content: `<p>Words of ${n}.</p>` })

const articlesOf = (project: number) =>
  rowsIn<{ id: number; title: string }>(
    stack,
    sql`select id, title from articles where project_id = ${project}::int order by id`,
  )

/** Stores a batch without its job, as if every message of the queue were lost. */
const stored = async (api: Api, project: number, count: number): Promise<number> => {
  const entries = JSON.stringify(Array.from({ length: count }, (_, n) => words(n)))
  const [row] = await rowsIn<{ id: number }>(
    stack,
    sql`insert into article_batches (account_id, project_id, count, entries)
      values (${api.accountId}::int, ${project}::int, ${count}::int, ${entries}::jsonb) returning id`,
  )
  return Number(row?.id)
}

test('50 articles are created in order, with a result for each', async () => {
  const api = await newAccount(stack)
  const project = await newProject(api)
  const id = await send(
    api,
    project,
    Array.from({ length: 50 }, (_, n) => words(n)),
  )
  const batch = await done(api, id)
  expect(batch).toMatchObject({ count: 50, created: 50, existed: 0, refused: 0 })
  const articles = await articlesOf(project)
  expect(articles.map(({ title }) => title)).toEqual(Array.from({ length: 50 }, (_, n) => `Title ${n}`))
  expect(batch.results.map((one) => one.article_id)).toEqual(articles.map((one) => Number(one.id)))
})

test('a wrong article is refused with its reason, a known one stays, and the others are created', async () => {
  const api = await newAccount(stack)
  const project = await newProject(api)
  const known = (await api.post('/articles', { project_id: project, ...words(0), external_ref: 'a.md' })).body
    .article_id
  const id = await send(api, project, [
    { ...words(1), external_ref: 'a.md' },
    { ...words(2), published_at: '2999-01-01' },
    { ...words(3), external_ref: 'b.md' },
    { ...words(4), external_ref: 'b.md' },
  ])
  const { results } = await done(api, id)
  expect(results).toMatchObject([
    { position: 0, outcome: 'existed', article_id: known, external_ref: 'a.md', code: null },
    { position: 1, outcome: 'refused', article_id: null, code: 'invalid_input', details: [{ field: 'published_at' }] },
    { position: 2, outcome: 'created', external_ref: 'b.md' },
    { position: 3, outcome: 'existed', article_id: results[2]?.article_id },
  ])
  expect(await articlesOf(project)).toHaveLength(2)
})

test('two runs at once, and one after a crash, create each article once', { tags: ['services'] }, async () => {
  const api = await newAccount(stack)
  const project = await newProject(api)
  const id = await stored(api, project, 6)
  let calls = 0
  // The run is ended after the second article, as by a crash.
  const crashing = systemFor(stack, api.accountId)
  const batch: typeof crashing.batch = async (steps, options) => {
    calls += 1
    if (calls > 2) throw new Error('the process ended')
    return await crashing.batch(steps, options)
  }
  await expect(continueBatch({ ...crashing, batch }, id)).rejects.toThrow('the process ended')
  expect(await shown(api, id)).toMatchObject({ status: 'running', created: 2 })
  await Promise.allSettled([1, 2].map(() => continueBatch(systemFor(stack, api.accountId), id)))
  await continueBatch(systemFor(stack, api.accountId), id)
  expect(await shown(api, id)).toMatchObject({ status: 'done', created: 6, refused: 0 })
  expect((await articlesOf(project)).map(({ title }) => title).sort()).toEqual(
    Array.from({ length: 6 }, (_, n) => `Title ${n}`),
  )
})

test('a run leaves the rest to the next one, and what is given up has its reason', async () => {
  const api = await newAccount(stack)
  const project = await newProject(api)
  const id = await stored(api, project, 3)
  let minute = 0
  const slow = systemFor(stack, api.accountId, {
    now: () => {
      minute += 1
      return new Date(Date.now() + minute * 60_000)
    },
  })
  expect(await continueBatch(slow, id)).toMatchObject({ kind: 'later' })
  expect(await shown(api, id)).toMatchObject({ status: 'running', created: 1 })
  await giveUpBatch(systemFor(stack, api.accountId), id, 'failed')
  expect(await shown(api, id)).toMatchObject({
    status: 'done',
    created: 1,
    refused: 2,
    results: [{}, { code: 'internal' }, {}],
  })
  expect(await articlesOf(project)).toHaveLength(1)
})

test('a batch has limits, names wrong fields by their article, and is its account’s alone', async () => {
  const api = await newAccount(stack)
  const project = await newProject(api)
  const many = await api.post('/articles/batch', {
    project_id: project,
    articles: Array.from({ length: 51 }, (_, n) => words(n)),
  })
  expect([many.status, many.body.details]).toMatchObject([400, [{ field: 'articles' }]])
  const wrong = await api.post('/articles/batch', {
    project_id: project,
    articles: [words(1), { title: 'No keyword' }],
  })
  expect([wrong.status, wrong.body.details]).toMatchObject([400, [{ field: 'articles.1.keyword' }]])
  const other = await newAccount(stack)
  const large = (bytes: number) =>
    other.post('/articles/batch', {
      project_id: project,
      articles: [{ keyword: 'a', instructions: 'x' }],
      pad: 'x'.repeat(bytes),
    })
  expect(await large(3 * 1024 * 1024)).toMatchObject({ status: 403 })
  expect(await large(4 * 1024 * 1024)).toMatchObject({ status: 413, body: { max_bytes: 4 * 1024 * 1024 } })
  const id = await stored(api, project, 1)
  const third = await newAccount(stack)
  expect(await third.get(`/articles/batches/${id}`)).toMatchObject({ status: 403 })
  expect(await articlesOf(project)).toHaveLength(0)
})

test('a file in CSV creates articles, and the list is a file without formulas', async () => {
  const api = await newAccount(stack)
  const project = await newProject(api)
  const file =
    'Keyword;Date;Tags;external ref;content\n\'=1+1;2031-06-07 09:00;"tips, wood";a-1;<p>One.</p>\nlamps;;;a-2;\n'
  const sendFile = (raw: string, query = `?project_id=${project}`, more = {}) =>
    api.call('POST', `/articles/batch${query}`, {
      raw,
      headers: { 'content-type': 'text/csv; charset=utf-8', ...more },
    })
  const wrong = await sendFile('keyword,colour\na,b\n', `?project_id=${project}`)
  expect([wrong.status, wrong.body.details]).toEqual([400, [expect.objectContaining({ field: 'colour' })]])
  const key = { 'idempotency-key': 'file-1' }
  const sent = await sendFile(file, undefined, key)
  expect([sent.status, sent.body.count, sent.body.ignored], sent.text).toEqual([202, 2, undefined])
  const { created } = await done(api, sent.body.batch_id)
  expect(created).toBe(2)

  const list = await api.get(`/articles?project_id=${project}`, { headers: { accept: 'text/csv' } })
  expect(list.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const lines = list.text.split('\r\n')
  expect(lines[0]).toMatch(/^id,keyword,title,status,scheduled_date/)
  expect(lines.slice(1).join()).toMatch(/lamps.*Draft.*a-2.*'=1\+1.*Planned,2031-06-07T09:00:00.000Z.*a-1/s)
})

test('a file in CSV needs the same scope, project and size as JSON', async () => {
  const api = await newAccount(stack)
  const [project, [drafts]] = [await newProject(api), await makeKeys(stack, api.accountId, 1, ['draft'])]
  const other = await newProject(await newAccount(stack))
  const headers = { 'content-type': 'text/csv' }
  const file = (raw: string, id: number | string, key?: string) =>
    api.call('POST', `/articles/batch?project_id=${id}`, { raw, headers, ...(key === undefined ? {} : { key }) })
  expect((await file('keyword,date\na,2031-06-07\n', project, drafts)).body.code).toBe('key_may_not')
  expect((await file('keyword\na\n', other)).status).toBe(403)
  const [row] = [await file(`keyword\n${'a\n'.repeat(51)}`, project, drafts)]
  expect([row.status, row.body.details], row.text).toMatchObject([
    400,
    [{ message: expect.stringContaining('At most 50') }],
  ])
})
