import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, newArticle, rowsIn } from '../support/client.ts'
import { borrowTestStack, type TestStack } from '../support/stack.ts'
import { accessOf, callExecutor, openScene, runAfterDeaths, type StackAccess, tirelessAccount, write } from './scene.ts'
import { connectedTo, type Site, type SiteAnswer, startSite } from './site.ts'
import { loseMessages } from './waits.ts'

let stack: TestStack
let access: StackAccess
let site: Site
let api: Api
let projectId: number
/** Answer of the published article's page. */
let page: SiteAnswer

// No look is made but by the tests.
beforeAll(async () => {
  stack = await borrowTestStack()
  access = accessOf(stack)
  await loseMessages(access)
  site = await startSite(({ method }, url) =>
    method === 'POST' ? { body: { success: true, published_url: `${url}/posts/it` } } : page,
  )
  api = await tirelessAccount(access)
  projectId = (await connectedTo(site, api)).projectId
})
afterAll(async () => {
  await site.close()
  await stack.close()
})

const check = async (articleId: number): Promise<void> => {
  const rows = await rowsIn<{ id: string; late: boolean }>(
    access,
    sql`select id, run_at > now() + interval '1 minute' as late from outbox where key = ${`receipt:${articleId}`} and done_at is null`,
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]?.late).toBe(false)
  expect(await callExecutor(access, JSON.stringify({ outbox_id: Number(rows[0]?.id) }))).toMatchObject({ status: 200 })
}

const receiptOf = async (fields: Record<string, unknown> = {}): Promise<unknown> => {
  const id = await newArticle(api, projectId, { title: 'Tea & kettles', ...fields })
  const { status, text } = await api.post(`/articles/${id}/publish`)
  expect(status, text).toBe(200)
  expect((await api.get(`/articles/${id}`)).body.Receipt).toBeNull()
  await check(id)
  return (await api.get(`/articles/${id}`)).body.Receipt
}

const html = (head: string, body: string): SiteAnswer => ({
  body: `<!doctype html><html><head>${head}</head><body>${body}</body></html>`,
})

/** Returns a text in windows-1251, as far as this test writes it. */
const windows1251 = (text: string): Buffer => {
  const high = new Map(
    Array.from({ length: 128 }, (_, n) => [new TextDecoder('windows-1251').decode(Uint8Array.of(n + 128)), n + 128]),
  )
  return Buffer.from([...text].map((char) => high.get(char) ?? char.charCodeAt(0)))
}

const CONTENT =
  '<p>See <a href="https://example.com/steel?a=1&amp;b=2">steel</a>.</p><img src="https://images.example/a.png" alt="A">'

test('a page that shows all of it', async () => {
  page = html(
    `<title>Tea &amp; kettles – A blog</title><link rel="canonical" href="/posts/it">`,
    `<h1>Tea &amp; kettles</h1>${CONTENT}`,
  )
  expect(await receiptOf({ content: CONTENT })).toEqual({
    checked_at: expect.stringMatching(/Z$/),
    http_status: 200,
    title_found: true,
    canonical: `${site.url}/posts/it`,
    indexable: true,
    images_ok: true,
    links_ok: true,
  })
})

test('a page without title, links and pictures, and with noindex, is reported as it is', async () => {
  page = html('<title>Another</title><meta name="robots" content="noindex, follow">', '<h1>Another</h1>')
  expect(await receiptOf({ content: CONTENT })).toMatchObject({
    http_status: 200,
    title_found: false,
    canonical: null,
    indexable: false,
    images_ok: false,
    links_ok: false,
  })
})

test('a page in another character set, with a typographic title and late-loading pictures', async () => {
  const title = `Печь "Лучшая" -- it's 2026...`
  const shown = windows1251('<title>Печь “Лучшая” – it’s 2026…</title>')
  const pictures = windows1251('<img class="lazy" src="data:,x" data-src="https://images.example/a-300x200.png">')
  page = { body: Buffer.concat([shown, pictures]), headers: { 'content-type': 'text/html; charset=windows-1251' } }
  const content = '<p>Words.</p><img src="https://images.example/a.png" alt="A">'
  expect(await receiptOf({ title, content })).toMatchObject({ title_found: true, images_ok: true })
})

test('a picture at the CMS is recognized by its address there, however the page loads it', async () => {
  const content = '<p>Words.</p><img src="https://images.example/8.png" alt="A">'
  const hash = createHash('sha256').update('https://images.example/8.png').digest('hex')
  await rowsIn(
    access,
    sql`insert into cms_images (integration_id, url_hash, hosted_url)
      select id, ${hash}, 'https://blog.example/wp-content/uploads/8-photo.png' from integrations where project_id = ${projectId}::int`,
  )
  const there = 'https://blog.example/wp-content/uploads/8-photo'
  for (const [shown, isOk] of [
    [`<img src="${there}.png">`, true],
    [`<picture><source srcset="${there}-300x200.png 300w, ${there}.png 800w"><img src="data:,x"></picture>`, true],
    ['<img src="https://images.example/8.png">', false],
  ] as const) {
    page = html('<title>Tea &amp; kettles</title>', shown)
    expect(await receiptOf({ content }), shown).toMatchObject({ images_ok: isOk })
  }
})

test('a robots header forbids too', async () => {
  page = { ...html('<title>Tea &amp; kettles</title>', ''), headers: { 'x-robots-tag': 'noindex' } }
  expect(await receiptOf()).toMatchObject({ indexable: false, title_found: true })
})

test('a missing page has a receipt, too', async () => {
  page = { status: 404, body: '<h1>Not found</h1>' }
  expect(await receiptOf()).toMatchObject({ http_status: 404, title_found: false, indexable: false })
})

test('a page of endlessly nested elements is read, too', async () => {
  page = html('<title>Tea &amp; kettles</title>', '<b>'.repeat(20_000) + CONTENT)
  expect(await receiptOf({ content: CONTENT })).toMatchObject({ title_found: true, images_ok: true, links_ok: true })
})

test('checks that keep crashing end with a receipt that says so', async () => {
  const id = await newArticle(api, projectId)
  await api.post(`/articles/${id}/publish`)
  await runAfterDeaths(access, `receipt:${id}`)
  await expect
    .poll(async () => (await api.get(`/articles/${id}`)).body.Receipt)
    .toMatchObject({ http_status: null, error: 'The page could not be checked, for a reason on our side.' })
})

test('a site that does not answer leaves a receipt that says so', async () => {
  const scene = await openScene(access)
  const id = await write(scene)
  expect((await scene.publish(id)).status).toBe(200)
  await scene.receiver.close()
  await check(id)
  expect((await scene.article(id)).Receipt).toMatchObject({
    http_status: null,
    title_found: false,
    error: expect.stringContaining('could not be fetched'),
  })
})

test('the sample receiver’s own page passes', async () => {
  const scene = await openScene(access)
  const id = await write(scene, { content: '<h2>Steel</h2><p>See <a href="https://example.com/x">this</a>.</p>' })
  await scene.publish(id)
  await check(id)
  expect((await scene.article(id)).Receipt).toMatchObject({ http_status: 200, title_found: true, links_ok: true })
  await scene.receiver.close()
})

test('no address, no check', async () => {
  const scene = await openScene(access)
  await scene.mood({ mode: 'empty' })
  const id = await write(scene)
  await scene.publish(id)
  expect(await scene.rows(sql`select id from outbox where key = ${`receipt:${id}`}`)).toHaveLength(0)
  expect(await scene.article(id)).toMatchObject({ Status: 'Published', Url: null, Receipt: null })
  await scene.receiver.close()
})

test('a page that shows the article is known by the canonical address that it names', async () => {
  const keyAfter = async (canonical: string): Promise<string | undefined> => {
    page = html(`<title>Tea &amp; kettles</title><link rel="canonical" href="${canonical}">`, '')
    const receipt = (await receiptOf()) as { canonical: string }
    const [row] = await rowsIn<{ url_key: string }>(
      access,
      sql`select url_key from site_pages where project_id = ${projectId}::int and article_id = (
        select max(id) from articles where project_id = ${projectId}::int)`,
    )
    expect(receipt.canonical).toBe(new URL(canonical, site.url).href)
    return row?.url_key
  }
  const { host } = new URL(site.url)
  expect(await keyAfter('/tea/?utm_source=x')).toBe(`${host}/tea`)
  expect(await keyAfter('https://elsewhere.example/tea')).toBe(`${host}/posts/it`)
})
