import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { topBlocks } from '../../src/content/html/blocks.ts'
import { type Api, clientOf, newArticle } from '../support/client.ts'
import { type Browser, type Context, openBrowser } from '../support/playwright.ts'
import { type Gallery, openGallery } from './gallery.ts'

let gallery: Gallery
let browser: Browser
let context: Context
let api: Api
let article: number

beforeAll(async () => {
  ;[gallery, browser] = await Promise.all([openGallery(), openBrowser()])
  api = clientOf(gallery.stack.url, gallery.key, 0)
  article = await newArticle(api, gallery.project)
  const extraHTTPHeaders = { 'cf-connecting-ip': `pages-${randomBytes(6).toString('hex')}` }
  context = await browser.newContext({ extraHTTPHeaders })
  await context.addCookies(gallery.cookies.map((one) => ({ ...one, url: gallery.stack.url })))
})

afterAll(async () => {
  await browser?.close()
  await gallery?.close()
})

const word = fc.constantFrom('shed', 'Größe', 'دراجة', 'a &amp; b', 'x&nbsp;y', '&lt;em&gt;', '10&#160;m', '🚲')
const blank = fc.constantFrom(' ', '\n', '  ', ' \n ')
const words = fc.array(fc.tuple(word, blank), { minLength: 1, maxLength: 4 }).map((all) => all.flat().join(''))
const link = fc.constantFrom(
  '<a href="https://a.example/x?a=1&amp;b=2" rel="nofollow" title="t">link</a>',
  '<strong><a href="/y">bold link</a></strong>',
  '<a href="/z"><em>link</em></a>',
)
const inline = fc
  .array(
    fc.oneof(
      words,
      link,
      words.map((text) => `<strong>${text}</strong>`),
      words.map((text) => `<em class="soft">${text}</em>`),
      words.map((text) => `<code>${text}</code><sup id="f">1</sup>`),
      fc.constantFrom(
        '<br>',
        '<img src="https://img.example/a.jpg" alt="A shed" width="3" height="2">',
        '<kbd>Ctrl</kbd>',
      ),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(''))
const item = fc.oneof(
  inline.map((text) => `<li>${text}</li>`),
  inline.map((text) => `<li><p>${text}</p>\n<ul>\n<li>${text}</li>\n</ul></li>`),
)
const items = fc.array(item, { minLength: 1, maxLength: 3 }).map((all) => `\n${all.join('\n')}\n`)
const block = fc.oneof(
  inline.map((text) => `<p>${text}</p>`),
  inline.map((text) => `<p class="lead" dir="auto">${text}</p>`),
  words.map((text) => `<h2 id="part">${text}</h2>`),
  words.map((text) => `<h3>${text}</h3>`),
  items.map((all) => `<ul>${all}</ul>`),
  items.map((all) => `<ol start="3">${all}</ol>`),
  inline.map((text) => `<blockquote cite="https://q.example/">\n<p>${text}</p>\n</blockquote>`),
  words.map((text) => `<pre><code class="language-ts">${text}\n  two\n</code></pre>`),
  words.map((text) => `<pre>${text}</pre>`),
  fc
    .tuple(inline, words)
    .map(
      ([cell, head]) =>
        `<table>\n<caption>${head}</caption>\n<thead>\n<tr><th scope="col">${head}</th><th>b</th></tr>\n</thead>\n<tbody>\n<tr><td colspan="2">${cell}</td></tr>\n</tbody>\n</table>`,
    ),
  words.map((text) => `<figure><img src="https://img.example/b.jpg" alt="B"><figcaption>${text}</figcaption></figure>`),
  words.map((text) => `<details><summary>${text}</summary><p>${text}</p></details>`),
  words.map((text) => `<div class="box"><p>${text}</p><p>two</p></div>`),
  words.map((text) => `<dl><dt>${text}</dt><dd>meaning</dd></dl>`),
  fc.constantFrom(
    '<hr>',
    '<iframe src="https://www.youtube-nocookie.com/embed/M7lc1UVf-VE" width="560" height="315"></iframe>',
    '<p><ruby>漢<rt>kan</rt></ruby></p>',
    '<p></p>',
  ),
)
const gap = fc.constantFrom('', '\n', '\n\n', ' ')
const rest = fc.array(fc.tuple(block, gap), { minLength: 250, maxLength: 250 }).map((all) => all.flat().join(''))

type Page = Awaited<ReturnType<Context['newPage']>>

/** Presses a key that moves the cursor. The browser reports the new place to the editor in a task after the key, before the next frame. */
const moveCursor = async (page: Page, key: string): Promise<void> => {
  await page.keyboard.press(key)
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

/** Opens the editor with a text; the cursor is at the beginning of its first paragraph. */
const open = async (content: string) => {
  expect((await api.put(`/articles/${article}`, { content })).status).toBe(200)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !/img\.example/.test(message.text() + message.location().url))
      faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(`${gallery.stack.url}/p/${gallery.project}/articles/${article}/edit`)
  await page.locator('.ProseMirror > p >> nth=0').click({ position: { x: 2, y: 5 } })
  await moveCursor(page, 'Home')
  return { page, faults }
}

const save = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(({ pathname }) => !pathname.endsWith('/edit'))
}

const contentOf = async (): Promise<string> => (await api.get(`/articles/${article}`)).body.Content as string

it('an edit of one block leaves every byte of a thousand others as it was', { timeout: 180_000 }, async () => {
  for (const text of fc.sample(rest, { numRuns: 4, seed: 20_261_125 })) {
    const { page, faults } = await open(`<p>First words.</p>\n${text}`)
    const before = await contentOf()
    await page.keyboard.type('My ')
    expect(faults).toEqual([])
    await save(page)
    expect(await contentOf()).toBe(before.replace('<p>First words.</p>', '<p>My First words.</p>'))
    await page.close()
  }
})

it('blocks joined with the blanks between them are the text', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(rest, fc.string(), inline), async (text) => {
      expect(topBlocks(text).flat().join('')).toBe(text.trim() === '' ? '' : text)
    }),
    { numRuns: 300 },
  )
})

it('writes headings, lists, bold words and links', async () => {
  const { page } = await open('<p>Sheds</p>\n<p>last</p>')
  await moveCursor(page, 'End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('## Sizes')
  await page.keyboard.press('Enter')
  await page.keyboard.type('- small')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+b')
  await page.keyboard.type('large')
  await moveCursor(page, 'Shift+Home')
  await page.getByLabel('Address of the link').fill('https://large.example/')
  await page.getByRole('button', { name: 'Link', exact: true }).click()
  await save(page)
  expect((await contentOf()).replaceAll('\n', '')).toBe(
    '<p>Sheds</p><h2>Sizes</h2><ul><li>small</li><li><a href="https://large.example/"><strong>large</strong></a></li></ul><p>last</p>',
  )
  await page.close()
})

it('shows the preview while a person writes, and saves nothing', async () => {
  const { page, faults } = await open('<p>Sheds</p>')
  await page.locator('#live summary').click()
  const shown = page.frameLocator('#live iframe:not([hidden])')
  await shown.locator('main p:text-is("Sheds")').waitFor()
  await page.locator('.ProseMirror > p >> nth=0').click({ position: { x: 2, y: 5 } })
  await moveCursor(page, 'Home')
  await page.keyboard.type('Two ')
  await shown.locator('main p:text-is("Two Sheds")').waitFor()
  expect(faults).toEqual([])
  expect(await contentOf()).toBe('<p>Sheds</p>')
  await page.close()
})

it('shows both texts if another person saved meanwhile, and restores unsaved work', async () => {
  const { page } = await open('<p>Sheds</p>')
  await page.keyboard.type('Mine: ')
  await api.put(`/articles/${article}`, { content: '<p>Theirs</p>' })
  await save(page)
  const shown = await page.locator('main').textContent()
  expect(shown).toContain('Somebody saved the article while you wrote')
  expect(shown).toContain('Mine:')
  expect(await contentOf()).toBe('<p>Theirs</p>')
  await page.close()
})
