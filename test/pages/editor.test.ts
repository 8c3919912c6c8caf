import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { topBlocks } from '../../src/content/html/blocks.ts'
import { tell } from '../support/client.ts'
import type { Page } from '../support/playwright.ts'
import { moveCursor, openWriting, save, type Writing } from './writing.ts'

/** A picture of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

let writing: Writing

beforeAll(async () => {
  writing = await openWriting()
})

beforeEach(() => writing.forget())

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
  await kept(page)
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

it('sends a file as the feature image, and saves it with the text', async () => {
  const { page, faults } = await writing.open('<p>Sheds</p>')
  const buffer = Buffer.from(PIXEL, 'base64')
  await page.locator('#feature-file').setInputFiles({ name: 'shed.png', mimeType: 'image/png', buffer })
  await page.getByText('The picture is there.').waitFor()
  await page.getByLabel('What the feature image shows').fill('A shed')
  await save(page)
  const { FeatureImage, AltText } = (await writing.api.get(`/articles/${writing.article}`)).body
  expect([String(FeatureImage).includes('/media/'), AltText]).toEqual([true, 'A shed'])
  // Pictures of this stack have an address outside it, for which each later page would wait.
  await writing.api.put(`/articles/${writing.article}`, { feature_image: '' })
  expect(faults).toEqual([])
  await page.close()
})

/** Waits until the page says something about keeping the text. */
const kept = (page: Page, words = 'Kept'): Promise<string> =>
  page.evaluate(`new Promise((done) => {
    const look = () => {
      const said = document.querySelector('#editor-kept').textContent
      said.includes(${JSON.stringify(words)}) ? done(said) : requestAnimationFrame(look)
    }
    look()
  })`)

const ALONE = 'Kept in this browser alone'

const bringBack = async (page: Page, words: string): Promise<void> => {
  await page.locator('#draft:not([hidden])').waitFor()
  await page.getByRole('link', { name: 'Bring it back' }).click()
  await page.locator(`.ProseMirror p:has-text("${words}")`).waitFor()
}

const isOffered = async (): Promise<boolean> => {
  const { page } = await writing.open()
  const isHidden = await page.evaluate<boolean>(`document.querySelector('#draft').hidden`)
  await page.close()
  return !isHidden
}

/** Number of texts that only the browser has. */
const copies = (page: Page): Promise<number> =>
  page.evaluate(`Object.keys(localStorage).filter((key) => key.startsWith('galley-draft ')).length`)

/** Cuts the service off from what the editor's page keeps, or lets it through again. */
const cut = (page: Page, isOff: boolean): Promise<void> =>
  page.evaluate(
    isOff
      ? `{ window.whole ??= fetch; window.fetch = () => Promise.reject(new TypeError('cut off')) }`
      : `window.fetch = window.whole`,
  )

describe('text that was not saved', () => {
  it('is offered after the tab crashed, and not once it is saved', async () => {
    const { page } = await writing.open('<p>Sheds</p>')
    await page.keyboard.type('Mine: ')
    await kept(page)
    expect(await copies(page)).toBe(0)
    await page.close()
    const { page: again, faults } = await writing.open()
    await bringBack(again, 'Mine: Sheds')
    await save(again)
    expect(await writing.contentOf()).toBe('<p>Mine: Sheds</p>')
    expect(faults).toEqual([])
    await again.close()
    expect(await isOffered()).toBe(false)
  })

  it('is offered after a crash at which only the browser had it', async () => {
    const { page } = await writing.open('<p>Sheds</p>')
    await cut(page, true)
    await page.keyboard.type('Far: ')
    expect(await kept(page)).toContain('the service does not answer')
    expect(await kept(page)).toContain(ALONE)
    await page.close()
    const { page: again } = await writing.open()
    await bringBack(again, 'Far: Sheds')
    expect(await copies(again)).toBe(0)
    await save(again)
    await again.close()
  })

  it('is shown beside what a colleague saved, before anything is replaced', async () => {
    const { page } = await writing.open('<p>Sheds</p>')
    await page.keyboard.type('Mine: ')
    await kept(page)
    await page.close()
    const { page: again } = await writing.open('<p>Theirs</p>')
    await again.getByRole('link', { name: 'Compare both texts' }).click()
    const sides = again.locator('.compare >> nth=2')
    expect(await sides.textContent()).toMatch(/as it is saved\s*Theirs.*as you wrote it\s*Mine: Sheds/s)
    await again.getByRole('link', { name: 'Go on with yours' }).click()
    await again.locator('.ProseMirror p:has-text("Mine: Sheds")').waitFor()
    await save(again)
    expect(await writing.contentOf()).toBe('<p>Mine: Sheds</p>')
    await again.close()
  })

  it('is offered after the session ended while it was written', async () => {
    const { page } = await writing.open('<p>Sheds</p>')
    await writing.context.clearCookies()
    await page.keyboard.type('Late: ')
    expect(await kept(page)).toContain('you are signed out')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(({ pathname }) => pathname === '/sign-in')
    expect(new URL(page.url()).searchParams.get('next')).toBe(`${writing.path}/edit`)
    await writing.signIn()
    await page.goto(`${writing.gallery.stack.url}${writing.path}/edit`)
    await bringBack(page, 'Late: Sheds')
    await save(page)
    await page.close()
  })

  it('is kept by the service if the browser is full, and the page says so if neither can keep it', async () => {
    const { page } = await writing.open('<p>Sheds</p>')
    await page.evaluate(`{
      for (let size = 5_000_000; size >= 1; size = size >> 1)
        try { for (;;) localStorage.setItem('full' + Math.random(), 'x'.repeat(size)) } catch {}
    }`)
    await cut(page, true)
    await page.keyboard.type('Full: ')
    expect(await kept(page, 'Not kept')).toContain('the store of this browser is full')
    await cut(page, false)
    await page.keyboard.type('now ')
    await kept(page)
    await page.evaluate('localStorage.clear()')
    await page.close()
    const { page: again } = await writing.open()
    await bringBack(again, 'Full: now Sheds')
    await save(again)
    await again.close()
  })

  it('comes back if the database is away when it is saved', async () => {
    const { page } = await writing.open('<p>Sheds</p>')
    await page.keyboard.type('Away: ')
    await kept(page)
    await tell(writing.gallery.stack.neon.url, '/_faults', { status: 500 })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The database does not answer at the moment.').waitFor()
    await tell(writing.gallery.stack.neon.url, '/_faults')
    await page.getByRole('button', { name: 'Save again' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await writing.contentOf()).toBe('<p>Away: Sheds</p>')
    await page.close()
    expect(await isOffered()).toBe(false)
  })

  it('is at the service and no longer in the browser after signing out; if it cannot be, the page asks', async () => {
    const { page } = await writing.open('<p>Sheds</p>')
    await cut(page, true)
    await page.keyboard.type('Out: ')
    await kept(page, ALONE)
    const signOut = page.locator('.side button:text-is("Sign out")')
    await signOut.click()
    await page.getByText('only this browser has it').waitFor()
    await page.getByRole('button', { name: 'Stay signed in' }).click()
    expect(await copies(page)).toBe(1)
    await cut(page, false)
    await page.locator('.ProseMirror > * >> nth=0').click({ position: { x: 2, y: 5 } })
    await page.keyboard.type('and in')
    await signOut.click()
    await page.waitForURL(({ pathname }) => pathname === '/sign-in')
    expect(await copies(page)).toBe(0)
    await page.close()
  })
})
