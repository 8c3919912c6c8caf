import { expect, inject, it, vi } from 'vitest'
import { newAccount, newArticle, newProject } from '../../support/client.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { signInAsOwner, textOf, type Visitor } from './browser.ts'

const stack = inject('stack')

/** Opens an account with a site, and its owner. */
const open = async () => {
  const api = await newAccount(stack)
  const project = await newProject(api)
  const { person } = await signInAsOwner(stack, api)
  return { api, project, person }
}

/** Sends a file as the form of the page does. */
const send = async (person: Visitor, project: number, text: string | Uint8Array<ArrayBuffer>) => {
  const form = new FormData()
  form.set('file', new File([text], 'articles.csv', { type: 'text/csv' }))
  const encoded = new Response(form)
  const response = await fetch(`${stack.url}/p/${project}/import`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      origin: stack.url,
      'content-type': encoded.headers.get('content-type') ?? '',
    },
    body: await encoded.arrayBuffer(),
  })
  return { status: response.status, to: response.headers.get('location') ?? '', text: await response.text() }
}

it('a file of the list has no formula, and its rows are not created twice', { timeout: 60_000 }, async () => {
  const { api, project, person } = await open()
  await newArticle(api, project, { keyword: '=HYPERLINK("https://evil.example")', title: 'A, "quoted" one' })
  await newArticle(api, project, { keyword: 'bike chains', scheduled_date: '2031-05-04T10:00:00Z', status: 'Planned' })
  const file = await person.get(`/p/${project}/articles.csv`)
  expect(file.headers.get('content-type')).toContain('text/csv')
  const [head, newest, first] = file.text.split('\r\n')
  expect(head).toMatch(/^id,keyword,title,status,scheduled_date/)
  expect(newest).toContain('bike chains')
  expect(newest).toContain('Planned,2031-05-04T10:00:00.000Z')
  expect(first).toContain(`"'=HYPERLINK(""https://evil.example"")","A, ""quoted"" one"`)
  expect((await person.get(`/p/${project}/articles.csv?q=chains`)).text.trim().split('\r\n')).toHaveLength(2)

  const again = await send(person, project, file.text)
  expect(again.status).toBe(400)
  expect(textOf(again)).toContain('Row 2 It has an id, so the article exists already.')
})

it('rows of a file become articles, in parts, with what was refused by row', { timeout: 120_000 }, async () => {
  const { api, project, person } = await open()
  await newArticle(api, project, { keyword: 'known already', external_ref: 'row-1' })
  const rows = Array.from({ length: 50 }, (_, n) => `garden shed ${n};;;row-${n + 2};`)
  const text = `Keyword;Date;Tags;external ref;title\n'=1+1;2031-06-07 09:00;"tips, wood";row-1000;"Two\nlines"\nknown already;;;row-1;\n${rows.join('\n')}\n`
  const sent = await send(person, project, text)
  expect(sent.status, textOf(sent)).toBe(303)
  const shown = await vi.waitFor(
    async () => {
      const page = textOf(await person.get(sent.to))
      expect(page).toContain('51 of 52 created, 1 existed already, 0 refused')
      return page
    },
    { timeout: PATIENCE_MS, interval: 500 },
  )
  expect(shown).toContain('Existed Row 3')
  const { body } = await api.get(`/articles?project_id=${project}&external_ref=row-1000`)
  const [{ ID: id } = { ID: 0 }] = body.articles as { ID: number }[]
  const article = (await api.get(`/articles/${id}`)).body
  expect(article).toMatchObject({ MainKeyword: '=1+1', Status: 'Planned', ScheduledDate: '2031-06-07T09:00:00' })
  expect(article).toMatchObject({ Tags: ['tips', 'wood'], Title: expect.stringMatching(/^Two\s+lines$/) })
})

it.each([
  ['no keyword', 'title\nA title\n', 'One of them must be keyword.'],
  ['an unknown column', 'keyword,colour\nbike,red\n', 'The column colour is not known.'],
  ['a column twice', 'keyword,title,Title\nbike,a,b\n', 'The column title is there twice.'],
  ['no rows', 'keyword\n', 'no rows below'],
  ['a wrong date', 'keyword,date\nbike,\nlamp,soon\n', 'Row 3 scheduled_date'],
  ['too many rows', `keyword\n${'bike\n'.repeat(501)}`, 'At most 500'],
  ['no UTF-8', new Uint8Array([0x6b, 0xff, 0xfe, 0x0a]), 'no text in UTF-8'],
] as const)('a file with %s creates nothing, and says where', async (_, text, why) => {
  const { api, project, person } = await open()
  const sent = await send(person, project, text as string)
  expect(sent.status).toBe(400)
  expect(textOf(sent)).toContain(why)
  expect((await api.get(`/articles?project_id=${project}`)).body.articles).toEqual([])
})

it('results of another account are not shown', async () => {
  const { person, project } = await open()
  const other = await open()
  const sent = await send(other.person, other.project, 'keyword\nbike\n')
  const query = sent.to.slice(sent.to.indexOf('?'))
  expect((await person.get(`/p/${project}/import${query}`)).status).toBeGreaterThanOrEqual(403)
})
