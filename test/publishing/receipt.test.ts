import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkReceipt } from '../../src/publishing/live/receipt.ts'
import { type Api, newArticle, rowsIn } from '../support/client.ts'
import { borrowTestStack, type TestStack } from '../support/stack.ts'
import { accessOf, callExecutor, openScene, runAfterDeaths, type StackAccess, tirelessAccount, write } from './scene.ts'
import { connectedTo, type Site, type SiteAnswer, startSite } from './site.ts'
import { systemFor } from './system.ts'
import { loseMessages } from './waits.ts'

let stack: TestStack
let access: StackAccess
let site: Site
let api: Api
let projectId: number
/** Answer of the published article's page. */
let page: SiteAnswer | ((path: string) => SiteAnswer)
/** Answers of pictures, by their path and the method. */
let pictures: Record<string, SiteAnswer>
/** Address that the receiver gives for the post. */
let postPath: string

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const PICTURE: SiteAnswer = { body: PNG, headers: { 'content-type': 'image/png' } }

// No look is made but by the tests.
beforeAll(async () => {
  stack = await borrowTestStack()
  access = accessOf(stack)
  await loseMessages(access)
  site = await startSite(({ method, path }, url) => {
    if (method === 'POST') return { body: { success: true, published_url: `${url}${postPath}` } }
    if (path.startsWith('/pictures/')) return pictures[`${method} ${path}`] ?? pictures[path] ?? PICTURE
    return typeof page === 'function' ? page(path) : page
  })
  api = await tirelessAccount(access)
  projectId = (await connectedTo(site, api)).projectId
})
afterAll(async () => {
  await site.close()
  await stack.close()
})

beforeEach(() => {
  pictures = {}
  postPath = '/posts/it'
})

/** Returns the article's waiting check: its row and the seconds until it is due. */
const waiting = (articleId: number) =>
  rowsIn<{ id: string; due_s: string; look: string; not_before: string }>(
    access,
    sql`select id, extract(epoch from run_at - now()) as due_s, payload ->> 'look' as look,
      payload ->> 'not_before' as not_before from outbox
      where key = ${`receipt:${articleId}`} and done_at is null`,
  )

/** Runs the article's waiting check as if its time had come. */
const check = async (articleId: number): Promise<void> => {
  const rows = await waiting(articleId)
  expect(rows).toHaveLength(1)
  await rowsIn(
    access,
    sql`update outbox set run_at = now(), payload = jsonb_set(payload, '{not_before}', '1') where id = ${Number(rows[0]?.id)}`,
  )
  expect(await callExecutor(access, JSON.stringify({ outbox_id: Number(rows[0]?.id) }))).toMatchObject({ status: 200 })
}

const stored = async (id: number) => (await api.get(`/articles/${id}`)).body.Receipt as Record<string, unknown> | null

const published = async (fields: Record<string, unknown> = {}): Promise<number> => {
  const id = await newArticle(api, projectId, { title: 'Tea & kettles', ...fields })
  const { status, text } = await api.post(`/articles/${id}/publish`)
  expect(status, text).toBe(200)
  expect(await stored(id)).toBeNull()
  return id
}

const receiptOf = async (fields: Record<string, unknown> = {}): Promise<unknown> => {
  const id = await published(fields)
  await check(id)
  return await stored(id)
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

const picture = (name: string): string => `<img src="${site.url}/pictures/${name}" alt="A">`
const content = (): string => `<p>See <a href="https://example.com/steel?a=1&amp;b=2">steel</a>.</p>${picture('a.png')}`

test('a page that shows all of it', async () => {
  page = html(
    `<title>Tea &amp; kettles – A blog</title><link rel="canonical" href="/posts/it">
      <script type="application/ld+json">{"@graph":[{"@type":"Article","author":{"@type":"Person"}},{"@type":["WebPage","FAQPage"]}]}</script>
      <script type="application/ld+json">{ broken</script><script>{"@type":"Event"}</script>`,
    `<h1>Tea &amp; kettles</h1>${content()}<script type='application/ld+json; charset=utf-8'>[{"@type":"https://schema.org/HowTo"}, 7]</script>`,
  )
  expect(await receiptOf({ content: content() })).toEqual({
    checked_at: expect.stringMatching(/Z$/),
    revision: 2,
    http_status: 200,
    title_found: true,
    canonical: `${site.url}/posts/it`,
    indexable: true,
    images_ok: true,
    images_checked: { asked: 1, of: 1 },
    links_ok: true,
    structured_data: ['Article', 'WebPage', 'FAQPage', 'HowTo'],
    engines_told: null,
    index: expect.objectContaining({ state: 'not_measured', last_crawl_at: null }),
    next_check_at: null,
  })
})

test('a page without title, links and pictures, and with noindex, is reported as it is', async () => {
  page = html('<title>Another</title><meta name="robots" content="noindex, follow">', '<h1>Another</h1>')
  expect(await receiptOf({ content: content() })).toMatchObject({
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
  const lazy = windows1251('<img class="lazy" src="data:,x" data-src="/pictures/a-300x200.png">')
  page = { body: Buffer.concat([shown, lazy]), headers: { 'content-type': 'text/html; charset=windows-1251' } }
  expect(await receiptOf({ title, content: `<p>Words.</p>${picture('a.png')}` })).toMatchObject({
    title_found: true,
    images_ok: true,
  })
})

test('a picture at the CMS is recognized by its address there, however the page loads it', async () => {
  const text = '<p>Words.</p><img src="https://images.example/8.png" alt="A">'
  const hash = createHash('sha256').update('https://images.example/8.png').digest('hex')
  await rowsIn(
    access,
    sql`insert into cms_images (integration_id, url_hash, hosted_url)
      select id, ${hash}, ${`${site.url}/pictures/8-photo.png`} from integrations where project_id = ${projectId}::int`,
  )
  const there = `${site.url}/pictures/8-photo`
  for (const [shown, isOk] of [
    [`<img src="${there}.png">`, true],
    [`<picture><source srcset="${there}-300x200.png 300w, ${there}.png 800w"><img src="data:,x"></picture>`, true],
    ['<img src="https://images.example/8.png">', false],
  ] as const) {
    page = html('<title>Tea &amp; kettles</title>', shown)
    expect(await receiptOf({ content: text }), shown).toMatchObject({ images_ok: isOk })
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
  page = html('<title>Tea &amp; kettles</title>', '<b>'.repeat(20_000) + content())
  expect(await receiptOf({ content: content() })).toMatchObject({ title_found: true, images_ok: true, links_ok: true })
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

test('a publication without an address is not checked', async () => {
  const scene = await openScene(access)
  await scene.mood({ mode: 'empty' })
  const id = await write(scene)
  await scene.publish(id)
  expect(await scene.rows(sql`select id from outbox where key = ${`receipt:${id}`}`)).toHaveLength(0)
  expect(await scene.article(id)).toMatchObject({ Status: 'Published', Url: null, Receipt: null })
  await scene.receiver.close()
})

describe('a page behind a redirect is read as readers see it', () => {
  const shown = (): SiteAnswer => html('<title>Tea &amp; kettles</title>', `<h1>Tea &amp; kettles</h1>${content()}`)
  test.each<[string, string, Record<string, SiteAnswer>]>([
    ['308 to the slash', '/posts/it', { '/posts/it': { status: 308, headers: { location: '/posts/it/' }, body: '' } }],
    ['301 to a full address', '/a', { '/a': { status: 301, headers: { location: 'HOST/posts/it' }, body: '' } }],
    [
      'several redirects',
      '/a',
      {
        '/a': { status: 302, headers: { location: '/b' }, body: '' },
        '/b': { status: 307, headers: { location: 'c?d=e' }, body: '' },
      },
    ],
  ])('%s', async (_, path, redirects) => {
    postPath = path
    page = (asked) => {
      const answer = redirects[asked]
      const location = answer?.headers?.location?.replace('HOST', site.url)
      return answer ? { ...answer, headers: { location: location ?? '' } } : shown()
    }
    expect(await receiptOf({ content: content() })).toMatchObject({
      http_status: 200,
      title_found: true,
      links_ok: true,
      images_ok: true,
      next_check_at: null,
    })
  })

  test.each([
    ['in a circle', '/posts/it', 'redirects too many times'],
    ['to a private address', 'http://10.0.0.1/', 'not public'],
  ])('a redirect %s is no page', async (_, location, reason) => {
    page = { status: 302, headers: { location }, body: '' }
    expect(await receiptOf()).toMatchObject({ http_status: null, error: expect.stringContaining(reason) })
  })
})

describe('pictures are asked for before they are said to load', () => {
  const NONE: SiteAnswer = { status: 404, body: '<p>No</p>' }
  test.each<[string, Record<string, SiteAnswer>, boolean]>([
    ['a picture that answers 404', { '/pictures/a.png': NONE }, false],
    ['a page instead of a picture', { '/pictures/a.png': { body: '<p>No</p>' } }, false],
    ['a picture that answers only GET', { 'HEAD /pictures/a.png': { status: 405, body: '' } }, true],
    [
      'a picture without a type that names it',
      { '/pictures/a.png': { body: PNG, headers: { 'content-type': 'application/octet-stream' } } },
      true,
    ],
    [
      'a part of a picture',
      {
        'HEAD /pictures/a.png': { status: 403, body: '' },
        'GET /pictures/a.png': { status: 206, body: PNG, headers: { 'content-type': 'image/png' } },
      },
      true,
    ],
    [
      'a picture behind a redirect',
      { '/pictures/a.png': { status: 302, headers: { location: '/pictures/b.png' }, body: '' } },
      true,
    ],
    [
      'an empty file',
      {
        'HEAD /pictures/a.png': { status: 405, body: '' },
        'GET /pictures/a.png': { body: Buffer.alloc(0), headers: { 'content-type': 'image/png' } },
      },
      false,
    ],
  ])('%s', async (_, answers, isOk) => {
    pictures = answers
    page = html('<title>Tea &amp; kettles</title>', content())
    expect(await receiptOf({ content: content() })).toMatchObject({
      images_ok: isOk,
      images_checked: { asked: 1, of: 1 },
    })
  })

  test('at most twenty, each once, and the receipt says how many', async () => {
    const many = Array.from({ length: 25 }, (_, n) => picture(`photo-number-${n + 10}.png`)).join('')
    page = html('<title>Tea &amp; kettles</title>', many + many)
    const before = site.seen.length
    expect(await receiptOf({ content: `<p>Words.</p>${many}` })).toMatchObject({
      images_ok: true,
      images_checked: { asked: 20, of: 25 },
    })
    expect(site.seen.slice(before).filter(({ path }) => path.startsWith('/pictures/'))).toHaveLength(20)
  })

  test('a later check asks only for those that did not load', async () => {
    const two = picture('first-photo.png') + picture('second-photo.png')
    pictures = { '/pictures/second-photo.png': NONE }
    page = html('<title>Another</title>', two)
    const id = await published({ content: `<p>Words.</p>${two}` })
    await check(id)
    expect(await stored(id)).toMatchObject({ images_ok: false, images_checked: { asked: 2, of: 2 } })
    const before = site.seen.length
    pictures = {}
    await check(id)
    expect(await stored(id)).toMatchObject({ images_ok: true, images_checked: { asked: 2, of: 2 } })
    const asked = site.seen.slice(before).filter(({ path }) => path.startsWith('/pictures/'))
    expect(asked.map(({ path }) => path)).toEqual(['/pictures/second-photo.png'])
  })

  test('a picture that is not on the page is not asked for', async () => {
    page = html('<title>Tea &amp; kettles</title>', '<p>No pictures.</p>')
    expect(await receiptOf({ content: content() })).toMatchObject({
      images_ok: false,
      images_checked: { asked: 0, of: 1 },
    })
  })
})

describe('a receipt is a state', () => {
  const LONG = 'Nobody boils water as quickly as the kettle from the third shelf of the old shop does on Mondays.'
  const OTHER = 'Somebody else keeps the water warm with a blanket that was knitted in the winter of last year.'
  const shows = (text: string): SiteAnswer => html('<title>Tea &amp; kettles</title>', `<p>${text}</p>`)

  test('a page that does not show the article yet is read again after 1, 5 and 20 minutes and 2 hours', async () => {
    page = { status: 404, body: '<h1>Not found</h1>' }
    const id = await published()
    for (const [look, waitS] of [60, 300, 1_200, 7_200].entries()) {
      await check(id)
      const [row] = await waiting(id)
      expect(row?.look).toBe(String(look + 1))
      const { next_check_at: next, checked_at: at } = (await stored(id)) ?? {}
      expect((Date.parse(String(next)) - Date.parse(String(at))) / 1_000).toBe(waitS)
    }
    await check(id)
    expect(await waiting(id)).toEqual([])
    expect(await stored(id)).toMatchObject({ http_status: 404, title_found: false, next_check_at: null })
  })

  test('and no longer once it shows the article', async () => {
    page = { status: 404, body: '<h1>Not found</h1>' }
    const id = await published({ content: `<p>${LONG}</p>` })
    await check(id)
    page = shows(OTHER)
    await check(id)
    expect(await stored(id)).toMatchObject({ http_status: 200, text_found: false, next_check_at: expect.any(String) })
    page = shows(LONG)
    await check(id)
    expect(await stored(id)).toMatchObject({ text_found: true, revision: 2, next_check_at: null })
    expect(await waiting(id)).toEqual([])
  })

  test('a page that could not be read is read again', async () => {
    page = { status: 200, body: '<title>Tea', breaksOff: true }
    const id = await published()
    await check(id)
    expect(await stored(id)).toMatchObject({ http_status: null, revision: null, next_check_at: expect.any(String) })
    expect(await waiting(id)).toHaveLength(1)
  })

  test('a sync starts one too, which names the revision that the page shows', async () => {
    page = shows(LONG)
    const id = await published({ content: `<p>${LONG}</p>` })
    await check(id)
    const synced = await api.post(`/articles/${id}/sync`, { content: `<p>${OTHER}</p>` })
    expect([synced.status, synced.body.revision]).toEqual([200, 3])
    expect(await stored(id)).toBeNull()
    await check(id)
    expect(await stored(id)).toMatchObject({ revision: 2, text_found: true, next_check_at: expect.any(String) })
    page = shows(OTHER)
    await check(id)
    expect(await stored(id)).toMatchObject({ revision: 3, text_found: true, next_check_at: null })
  })

  test('a sync during the wait starts the checks anew', async () => {
    page = { status: 404, body: '' }
    const id = await published()
    await check(id)
    await check(id)
    expect(await waiting(id)).toMatchObject([{ look: '2' }])
    await api.post(`/articles/${id}/sync`, { title: 'Another title' })
    const [row, ...others] = await waiting(id)
    expect([row?.look, others]).toEqual(['0', []])
    expect(Number(row?.due_s)).toBeLessThan(10)
  })

  test('a check that began before a sync changes nothing', async () => {
    const id = await published()
    const [row] = await waiting(id)
    const job = { article_id: id, look: 0, not_before: Number(row?.not_before), is_restored: false, loaded: [] }
    const targets = () => undefined
    await checkReceipt(
      systemFor(access, api.accountId, {
        outbound: async () => {
          expect((await api.post(`/articles/${id}/sync`, { title: 'Another title' })).status).toBe(200)
          return {
            ...{ kind: 'answered', status: 404, headers: new Headers() },
            ...{ body: '', bytes: new Uint8Array(), truncated: false, incomplete: false },
          }
        },
      }),
      targets,
      job,
    )
    expect(await stored(id)).toBeNull()
    expect(await waiting(id)).toMatchObject([{ id: row?.id, look: '0' }])
  })
})

test('an address is found behind a redirect that keeps the slug, and no other', async () => {
  const scene = await openScene(access, { blog_root_url: site.url })
  await scene.mood({ mode: 'empty' })
  const titled = html('<title>Tea &amp; kettles</title>', '<h1>Tea &amp; kettles</h1>')
  for (const [to, isFound] of [
    ['/', false],
    ['SLUG/', true],
  ] as const) {
    const id = await write(scene, { title: 'Tea & kettles' })
    const { Slug: slug } = await scene.article(id)
    const location = to.replace('SLUG', `/${slug}`)
    page = (path) => (path === `/${slug}` ? { status: 301, headers: { location }, body: '' } : titled)
    await scene.publish(id)
    await check(id)
    expect((await scene.article(id)).Url).toBe(isFound ? `${site.url}/${slug}/` : null)
  }
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
