import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import type { SeoReport } from '../../schema/values/seo.ts'
import { signInAsOwner, textOf } from '../accounts/people/browser.ts'
import { openScene, type Scene, write } from './scene.ts'

const stack = inject('stack')
let scene: Scene

beforeEach(async () => {
  scene = await openScene(stack, { table_of_contents: true, internal_links_per_article: 2 })
})
afterEach(() => scene.receiver.close())

const CONTENT =
  '<p>Choosing a garden shed takes a plan. A log store keeps wood dry &amp; a log store is cheap.</p>' +
  '<h2>Which shed?</h2><p>One you like.</p><img src="https://i.example/a.png" alt="A"><img src="https://i.example/b.png" alt="B">' +
  '<h2>Where to put it</h2><p>On level ground, by a log store.</p>'

const SENT =
  '<p>Choosing a garden shed takes a plan. A <a href="https://shop.example/log-store">log store</a> keeps wood dry &amp; a log store is cheap.</p>' +
  '<nav class="toc"><ul><li><a href="#which-shed">Which shed?</a></li><li><a href="#where-to-put-it">Where to put it</a></li></ul></nav>' +
  '<h2 id="which-shed">Which shed?</h2><p>One you like.</p><img src="https://i.example/a.png" alt="A"><img src="https://i.example/b.png" alt="B" loading="lazy">' +
  '<h2 id="where-to-put-it">Where to put it</h2><p>On level ground, by a log store.</p>'

const DESCRIPTION =
  'Choosing a garden shed takes a plan. A log store keeps wood dry & a log store is cheap. One you like. On level ground, by a log store.'

const addPage = (path: string, keyword: string) =>
  scene.rows(sql`insert into site_pages (project_id, url, url_key, title, keyword)
    values (${scene.projectId}::int, ${`https://shop.example/${path}`}, ${`shop.example/${path}`}, ${`About ${keyword}`}, ${keyword})`)

type Version = { revision: number; content: string; meta_description: string }

const versions = (id: number) =>
  scene.rows<Version>(
    sql`select revision, content, meta_description from article_revisions where article_id = ${id}::int order by revision`,
  )

const sentOf = async (id: number): Promise<Record<string, unknown>[]> =>
  (await scene.deliveries(id)).map(
    ({ raw_body }) =>
      (JSON.parse(raw_body) as { data: { articles: Record<string, unknown>[] } }).data.articles[0] ?? {},
  )

test('an unclaimed article is sent with safe improvements, saved as a new revision with its report', async () => {
  await addPage('log-store', 'log store')
  const id = await write(scene, { keyword: 'garden shed', content: CONTENT })
  const before = (await scene.article(id)).Seo as SeoReport
  expect((await scene.publish(id)).status).toBe(200)
  const [sent] = await sentOf(id)
  expect(sent).toMatchObject({ content_html: SENT, meta_description: DESCRIPTION })
  const after = await scene.article(id)
  expect(after).toMatchObject({ Content: SENT, MetaDescription: DESCRIPTION, Revision: 2, Status: 'Published' })
  expect(await versions(id)).toEqual([{ revision: 1, content: CONTENT, meta_description: '' }])
  const gained = ['heading_ids', 'table_of_contents', 'meta_description_length']
  expect((after.Seo as SeoReport).passed).toEqual(expect.arrayContaining(gained))
  for (const check of gained) expect(before.passed).not.toContain(check)
})

test('a dry run and the page tell the links that publishing adds, and publishing adds these', async () => {
  await addPage('log-store', 'log store')
  const id = await write(scene, { keyword: 'garden shed', content: CONTENT })
  const dry = await scene.api.post(`/articles/${id}/publish?dry_run=true`)
  const links = [{ text: 'log store', url: 'https://shop.example/log-store' }]
  expect(dry.body).toMatchObject({ would: { body: { would_call: { payload: { links_added: links } } } } })
  const { person } = await signInAsOwner(stack, scene.api)
  const page = `/p/${scene.projectId}/articles/${id}`
  const told = /Publishing adds links 1 to your own pages “log store” https:\/\/shop\.example\/log-store/
  expect(textOf(await person.get(page))).toMatch(told)
  expect((await scene.publish(id)).status).toBe(200)
  expect((await sentOf(id))[0]?.content_html).toContain('<a href="https://shop.example/log-store">log store</a>')
  expect(textOf(await person.get(page))).not.toMatch(told)
})

test('a claimed article is sent byte for byte as saved', async () => {
  await addPage('log-store', 'log store')
  const content = `${CONTENT}<p>${'word '.repeat(400)}</p>`
  const fields = { keyword: 'garden shed', content, status: 'Planned', scheduled_date: '2099-01-01T10:00:00Z' }
  const id = await write(scene, fields)
  expect((await scene.article(id)).Claimed).toBe(true)
  const dry = await scene.api.post(`/articles/${id}/publish?dry_run=true`)
  expect(dry.text).toContain('would_call')
  expect(dry.text).not.toContain('links_added')
  expect((await scene.publish(id)).status).toBe(200)
  const [sent] = await sentOf(id)
  expect(sent).toMatchObject({ content_html: content, meta_description: '' })
  expect(await scene.article(id)).toMatchObject({ Content: content, MetaDescription: '', Revision: 1 })
  expect(await versions(id)).toEqual([])
})

test('content that was sent before is not improved again: same content, same key', async () => {
  await scene.mood({ mode: 'reject' })
  const id = await write(scene, { keyword: 'garden shed', content: CONTENT })
  expect((await scene.publish(id)).status).toBe(202)
  await addPage('log-store', 'log store')
  await scene.mood({ mode: 'ok' })
  expect((await scene.publish(id)).status).toBe(200)
  const [first, second] = await scene.deliveries(id)
  expect(second?.idempotency_key).toBe(first?.idempotency_key)
  const [once, again] = await sentOf(id)
  expect(again?.content_html).toBe(once?.content_html)
  expect(await scene.article(id)).toMatchObject({ Revision: 2 })
})

test('an edit after a failed publication is optimised again', async () => {
  await scene.mood({ mode: 'reject' })
  const id = await write(scene, { keyword: 'garden shed', content: CONTENT })
  await scene.publish(id)
  await scene.api.put(`/articles/${id}`, { content: '<h2>New words</h2><p>Text.</p>' })
  await scene.mood({ mode: 'ok' })
  expect((await scene.publish(id)).status).toBe(200)
  const sent = await sentOf(id)
  expect(sent.at(-1)?.content_html).toBe('<h2 id="new-words">New words</h2><p>Text.</p>')
})
