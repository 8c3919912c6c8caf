import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { topBlocks } from '../../src/content/html/blocks.ts'
import type { Page } from '../support/playwright.ts'
import { moveCursor, openWriting, save, type Writing } from './writing.ts'

let writing: Writing

beforeAll(async () => {
  writing = await openWriting()
})

afterAll(() => writing?.close())

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

it('an edit of one block leaves every byte of a thousand others as it was', { timeout: 180_000 }, async () => {
  for (const text of fc.sample(rest, { numRuns: 4, seed: 20_261_125 })) {
    const { page, faults } = await writing.open(`<p>First words.</p>\n${text}`)
    const before = await writing.contentOf()
    await page.keyboard.type('My ')
    expect(faults).toEqual([])
    await save(page)
    expect(await writing.contentOf()).toBe(before.replace('<p>First words.</p>', '<p>My First words.</p>'))
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
  const { page } = await writing.open('<p>Sheds</p>\n<p>last</p>')
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
  expect((await writing.contentOf()).replaceAll('\n', '')).toBe(
    '<p>Sheds</p><h2>Sizes</h2><ul><li>small</li><li><a href="https://large.example/"><strong>large</strong></a></li></ul><p>last</p>',
  )
  await page.close()
})

it('shows the preview while a person writes, and saves nothing', async () => {
  const { page, faults } = await writing.open(`<p>Sheds</p>\n<p>${'A long text. '.repeat(3_000)}</p>`)
  const before = await writing.contentOf()
  await page.locator('#live summary').click()
  const shown = page.frameLocator('#live iframe:not([hidden])')
  await shown.locator('main p:text-is("Sheds")').waitFor()
  await page.locator('.ProseMirror > p >> nth=0').click({ position: { x: 2, y: 5 } })
  await moveCursor(page, 'Home')
  await page.keyboard.type('Two ')
  await shown.locator('main p:text-is("Two Sheds")').waitFor()
  expect(faults).toEqual([])
  expect(await writing.contentOf()).toBe(before)
  await page.locator('#live button[data-device=phone]').click()
  expect(await page.evaluate<number>(`document.querySelector('#live iframe').offsetWidth`)).toBeLessThanOrEqual(392)
  await page.close()
})

it('makes tables, and adds and removes rows and columns', async () => {
  const { page, faults } = await writing.open('<p>Sizes</p>')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await press('Table')
  for (const word of ['Size', 'Price', 'Stock', '2 m', '90']) {
    await page.keyboard.type(word)
    await page.keyboard.press('Tab')
  }
  await press('Remove the column')
  await press('Add a column')
  await press('Add a row')
  await page.keyboard.type('4 m')
  for (const _ of [1, 2, 3]) await page.keyboard.press('Tab')
  await press('Remove the row')
  await save(page)
  const row = (tag: string, cells: string[]) => `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
  expect((await writing.contentOf()).replaceAll('\n', '')).toBe(
    `<p>Sizes</p><table><thead>${row('th', ['Size', 'Price', ''])}</thead><tbody>${row('td', ['2 m', '90', ''])}${row('td', ['4 m', '', ''])}</tbody></table>`,
  )
  expect(faults).toEqual([])
  await page.close()
})

it('keeps the toolbar and Save in view on a long text, and counts its words', async () => {
  const { page } = await writing.open(`<p>First</p>\n${'<p>Two words</p>\n'.repeat(400)}`)
  expect(await page.locator('#editor-words').textContent()).toBe('801 words')
  for (const [width, height] of [
    [1280, 800],
    [390, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    const inView = await page.evaluate<boolean[]>(`(async () => {
      scrollTo(0, document.body.scrollHeight / 2)
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
      return ['#bar', '.save'].map((selector) => {
        const { left, width, top, height } = document.querySelector(selector).getBoundingClientRect()
        const seen = document.elementFromPoint(left + width / 2, top + height / 2)
        return top >= 0 && seen !== null && document.querySelector(selector).contains(seen)
      })
    })()`)
    expect(inView, String(width)).toEqual([true, true])
  }
  await page.close()
})

it('saves whatever the fields of the editor have, since none of them is in the form', async () => {
  const { page, faults } = await writing.open('<p><a href="/wool">wool</a></p>')
  const inForm = `[...document.querySelectorAll('#write-here :is(input, select, button, textarea)')].filter(({ form }) => form !== null).length`
  expect(await page.evaluate<number>(inForm)).toBe(0)
  await moveCursor(page, 'End')
  await moveCursor(page, 'ArrowLeft')
  await page.keyboard.type('s')
  await save(page)
  expect(await writing.contentOf()).toBe('<p><a href="/wool">woosl</a></p>')
  expect(faults).toEqual([])
  await page.close()
})

const KEPT = `document.querySelector('#editor-kept').textContent`

/** Waits until the browser has kept the text, or could not. */
const kept = (page: Page): Promise<string> =>
  page.evaluate(`new Promise((done) => {
    const look = () => ${KEPT} === '' ? requestAnimationFrame(look) : done(${KEPT})
    look()
  })`)

const bringBack = async (page: Page, words: string): Promise<void> => {
  await page.getByRole('button', { name: 'Bring it back' }).click()
  await page.locator(`.ProseMirror p:has-text("${words}")`).waitFor()
}

describe('text that was not saved', () => {
  it('is offered after the tab crashed, also if somebody saved meanwhile, and not once it is saved', async () => {
    const { page } = await writing.open('<p>Sheds</p>')
    await page.keyboard.type('Mine: ')
    await kept(page)
    await page.close()
    const { page: again, faults } = await writing.open('<p>Theirs</p>')
    await bringBack(again, 'Mine: Sheds')
    await save(again)
    expect(await writing.contentOf()).toBe('<p>Mine: Sheds</p>')
    expect(faults).toEqual([])
    await again.close()
    const { page: last } = await writing.open('<p>Another</p>')
    expect(await last.evaluate<boolean>(`document.querySelector('#draft').hidden`)).toBe(true)
    await last.close()
  })

  it('is offered after the session ended while it was written', async () => {
    const { page } = await writing.open('<p>Sheds</p>')
    await page.keyboard.type('Late: ')
    await writing.context.clearCookies()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(({ pathname }) => pathname === '/sign-in')
    expect(new URL(page.url()).searchParams.get('next')).toBe(`${writing.path}/edit`)
    await writing.signIn()
    await page.goto(`${writing.gallery.stack.url}${writing.path}/edit`)
    await bringBack(page, 'Late: Sheds')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(({ pathname }) => !pathname.endsWith('/edit'))
    await page.close()
  })

  it('is not kept in a full browser, and the page says so', async () => {
    const { page } = await writing.open('<p>Sheds</p>')
    await page.evaluate(`{
      for (let size = 5_000_000; size >= 1; size = size >> 1)
        try { for (;;) localStorage.setItem('full' + Math.random(), 'x'.repeat(size)) } catch {}
    }`)
    await page.keyboard.type('Full: ')
    expect(await kept(page)).toContain('Not kept: the store of this browser is full')
    await page.evaluate('localStorage.clear()')
    await save(page)
    await page.close()
  })

  it('is shown beside the other text if another person saved, and can replace it', async () => {
    const { page } = await writing.open('<p>Sheds</p>')
    await page.keyboard.type('Mine: ')
    await writing.api.put(`/articles/${writing.article}`, { content: '<p>Theirs</p>' })
    await save(page)
    const sides = page.locator('.compare >> nth=2')
    expect(await sides.textContent()).toMatch(/as it is saved\s*Theirs.*as you wrote it\s*Mine: Sheds/s)
    expect(await writing.contentOf()).toBe('<p>Theirs</p>')
    await page.getByRole('button', { name: 'Save yours instead' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await writing.contentOf()).toBe('<p>Mine: Sheds</p>')
    await page.close()
  })
})
