import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { newOwner, textOf } from '../../accounts/people/browser.ts'
import { newAccount, newProject, rowsIn } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { connectedProject, publishedArticle } from '../../support/story.ts'

const stack = inject('stack')
const PATH = '/ai-visibility/bing'
const OCTOBER = { from: '2026-10-01', to: '2026-10-31' }

const siteOf = (api: Parameters<typeof newProject>[0]) =>
  newProject(api, { website_url: `https://${crypto.randomUUID().slice(0, 8)}.example` })

const importsIn = (accountId: number) =>
  rowsIn(stack, sql`select 1 from audit_log where account_id = ${accountId}::int and action = 'visibility.bing_import'`)

it('files by page, query and day are found by the names of their columns, with their periods', async () => {
  const api = await newAccount(stack)
  const id = await newProject(api, { website_url: 'https://sheds.example' })
  const pages =
    'Intent,URL,Total Citations\nLearn,https://sheds.example/a,"1,204"\nLearn,https://www.sheds.example/b,7\n'
  const first = await api.post(PATH, { project_id: id, file: pages, ...OCTOBER })
  expect(first.status, first.text).toBe(200)
  expect(first.body).toEqual({
    status: 'imported',
    project_id: id,
    kind: 'pages',
    ...OCTOBER,
    rows: 2,
    citations: 1211,
    columns: { name: 'URL', citations: 'Total Citations' },
    ignored_columns: ['Intent'],
  })
  const queries = '\uFEFF"Grounding Query";"Citations"\r\n"sheds; small";3\r\nsheds;9\r\n'
  expect((await api.post(PATH, { project_id: id, file: queries, ...OCTOBER })).body).toMatchObject({ kind: 'queries' })
  const days = 'Date,Citations,Cited pages\n2026-10-03T00:00:00,2,1\n2026-10-02,5,2\n'
  expect((await api.post(PATH, { project_id: id, file: days })).body).toMatchObject({
    kind: 'days',
    from: '2026-10-02',
    to: '2026-10-03',
  })
  const { body } = await api.get(`${PATH}?project_id=${id}&limit=1`)
  const imported_at = expect.any(String)
  expect(body).toEqual({
    project_id: id,
    pages: {
      ...OCTOBER,
      imported_at,
      citations: 1211,
      total: 2,
      rows: [{ url: 'https://sheds.example/a', citations: 1204 }],
    },
    queries: { ...OCTOBER, imported_at, citations: 12, total: 2, rows: [{ query: 'sheds', citations: 9 }] },
    days: {
      from: '2026-10-02',
      to: '2026-10-03',
      imported_at,
      citations: 7,
      total: 2,
      rows: [
        { date: '2026-10-03', citations: 2 },
        { date: '2026-10-02', citations: 5 },
      ],
    },
    files: [
      { kind: 'pages', ...OCTOBER, imported_at, citations: 1211, rows: 2 },
      { kind: 'queries', ...OCTOBER, imported_at, citations: 12, rows: 2 },
      { kind: 'days', from: '2026-10-02', to: '2026-10-03', imported_at, citations: 7, rows: 2 },
    ],
  })
})

it('the same file again changes nothing, and a corrected one of the period replaces it', async () => {
  const api = await newAccount(stack)
  const id = await siteOf(api)
  const send = (file: string) => api.post(PATH, { project_id: id, file, ...OCTOBER })
  expect((await send('Query,Citations\nsheds,4')).body).toMatchObject({ status: 'imported' })
  const before = (await api.get(`${PATH}?project_id=${id}`)).body
  expect((await send('Query,Citations\nsheds,4\n')).body).toMatchObject({ status: 'unchanged', citations: 4 })
  expect((await api.get(`${PATH}?project_id=${id}`)).body).toEqual(before)
  expect(await importsIn(api.accountId)).toHaveLength(1)
  expect((await send('Query,Citations\nsheds,5')).body).toMatchObject({ status: 'imported' })
  const after = (await api.get(`${PATH}?project_id=${id}`)).body
  expect(after).toMatchObject({ queries: { rows: [{ query: 'sheds', citations: 5 }] }, files: [{ kind: 'queries' }] })
  expect((after.files as unknown[]).length).toBe(1)
})

it('a wrong file is refused with the line and the column, and nothing is stored', async () => {
  const api = await newAccount(stack)
  const id = await newProject(api, { website_url: 'https://sheds.example' })
  const refused = async (file: string, given: object = OCTOBER) => {
    const answer = await api.post(PATH, { project_id: id, file, ...given })
    expectError(answer, 'invalid_input')
    return (answer.body.details as { field: string; message: string }[]).map((one) => `${one.field}: ${one.message}`)
  }
  expect(await refused('Page,Citations\nhttps://sheds.example/a,3\nhttps://other.example/b,x\n')).toEqual([
    "line 3, column Page: must be a page of the project's site, sheds.example",
    'line 3, column Citations: must be a whole number',
  ])
  expect(await refused('Date,Citations\n31.10.2026,3\n', {})).toEqual([
    'line 2, column Date: must be a date as 2026-10-31',
  ])
  expect(await refused('Clicks,Impressions\n1,2\n')).toEqual([expect.stringContaining('It has: Clicks, Impressions')])
  expect(await refused('Page,Citations\nhttps://sheds.example/a,3\n', {})).toEqual([
    'from: must be a date as 2026-10-31: the file has none',
    'to: must be a date as 2026-10-31: the file has none',
  ])
  expect(await refused('Page,Citations\nhttps://sheds.example/a,3\n', { from: OCTOBER.to, to: OCTOBER.from })).toEqual([
    'to: must not be before from',
  ])
  expect(await refused('Date,Citations\n2026-10-02,3\n2026-10-02,3\n', {})).toEqual(['file: must have each day once'])
  expect(await refused(`Query,Citations\n${'sheds,1\n'.repeat(5001)}`)).toEqual([
    'file: needs 1 to 5000 lines below its first',
  ])
  expect((await api.get(`${PATH}?project_id=${id}`)).body).toMatchObject({ files: [], pages: null })
})

it('people import a file on the page, and see it beside the other engines and on the page of the article', async () => {
  const { api, person } = await newOwner(stack)
  const project = await connectedProject(api, stack, { website_url: stack.receiverUrl })
  const article = await publishedArticle(api, project)
  const { Url: url } = (await api.get(`/articles/${article}`)).body as { Url: string }
  const page = `/p/${project}/visibility`
  const send = async (file: string) => {
    const parts = { from: OCTOBER.from, to: OCTOBER.to, 'file"; filename="pages.csv': file }
    const body = Object.entries(parts).map(
      ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    return textOf(await person.sendBody(`${page}/bing`, `${body.join('')}--b--\r\n`, { headers }))
  }
  expect(await send(`Page,Citations\n${url},x\n`)).toContain('line 2, column Citations')
  const shown = await send(`Page,Citations\n${url},13\n`)
  expect(shown).toContain('Imported 1 lines by page, 2026-10-01 to 2026-10-31, from the columns Page and Citations.')
  expect(shown).toContain('2026-10-01 to 2026-10-31')
  expect(await send(`Page,Citations\n${url},13\n`)).toContain('This file was imported already. Nothing was changed.')
  expect(textOf(await person.get(`/p/${project}/articles/${article}`))).toContain(
    'Bing and Copilot cited this page 13 times from 2026-10-01 to 2026-10-31',
  )
})
