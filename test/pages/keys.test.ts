import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PATHS } from '../../src/accounts/people/paths.ts'
import { installed } from '../support/installed.ts'
import { type Browser, openBrowser, type Page } from '../support/playwright.ts'
import { watch } from './conditions.ts'
import { type Gallery, openGallery, PICTURES } from './gallery.ts'

let gallery: Gallery
let browser: Browser
let page: Page
let errors: string[]

beforeAll(async () => {
  ;[gallery, browser] = await Promise.all([openGallery(), openBrowser()])
  const extraHTTPHeaders = { 'cf-connecting-ip': `pages-${randomBytes(6).toString('hex')}` }
  const context = await browser.newContext({ extraHTTPHeaders })
  await context.addCookies(gallery.cookies.map((one) => ({ ...one, url: gallery.stack.url })))
  page = await context.newPage()
  errors = watch(page, gallery.stack.url).errors
})

afterAll(async () => {
  await browser?.close()
  await gallery?.close()
})

const open = (path: string) => page.goto(`${gallery.stack.url}/p/${gallery.project}${path}`)

const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

const dialogs = () => page.evaluate<number>("document.querySelectorAll('dialog[open]').length")

/** Returns axe's findings in the open dialog, and saves a picture of it. */
const faultsOf = async (name: string): Promise<string[]> => {
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: false })
  await page.evaluate(readFileSync(installed('axe-core/axe.min.js'), 'utf8'))
  return await page.evaluate<string[]>("axe.run('dialog').then(({ violations }) => violations.map(({ help }) => help))")
}

/** Returns the address of the link that has the focus. */
const focused = () => page.evaluate<string>("document.activeElement.getAttribute('href') ?? ''")

const articleLinks = () =>
  page.evaluate<string[]>("[...document.querySelectorAll('main tbody a')].map((one) => one.getAttribute('href'))")

const isAt = (end: string) => page.waitForURL(({ pathname, search }) => `${pathname}${search}`.endsWith(end))

it('the palette finds an article by a word of its title, and Enter opens it', async () => {
  await open('/articles')
  const [path] = await page.evaluate<string[]>(
    "[...document.querySelectorAll('main tbody a')].filter((one) => one.textContent.includes('brake pads')).map((one) => one.getAttribute('href'))",
  )
  await open('')
  await press('Control+k')
  await page.keyboard.type('brake pa')
  await page.locator('[role=option]:has-text("brake pads")').waitFor()
  expect(await faultsOf('palette')).toEqual([])
  await press('Enter')
  await isAt(path ?? 'no article')
  await press('Control+k')
  await page.keyboard.type('notices')
  await press('Enter')
  await isAt(PATHS.noticeList)
  expect(errors).toEqual([])
})

it('keys open pages, walk through rows and months, and tick rows; the focus comes back from a dialog', async () => {
  await open('')
  await press('g', 'c')
  await isAt('/calendar')
  await press('ArrowRight')
  await page.waitForURL(({ search }) => /month=\d{4}-\d\d/.test(search))
  await press('t')
  await isAt('/calendar')
  await press('g', 'a')
  await isAt('/articles')
  const [first = '', second = ''] = await articleLinks()
  await press('j', 'j')
  expect(await focused()).toBe(second)
  await press('k', 'Control+k')
  expect(await dialogs()).toBe(1)
  await press('Escape')
  expect([await dialogs(), await focused()]).toEqual([0, first])
  await press('?')
  const list = (await page.locator('dialog').textContent()) ?? ''
  expect([
    /Next row/.test(list),
    /g a\s*Articles/.test(list),
    /Select the row/.test(list),
    /Next change/.test(list),
  ]).toEqual([true, true, true, false])
  expect(await faultsOf('keys')).toEqual([])
  await press('Escape')
  await press('x')
  expect(await page.evaluate<boolean>("document.querySelector('main tbody tr input[type=checkbox]').checked")).toBe(
    true,
  )
  await press('Enter')
  await isAt(first)
  await open(`/articles/${gallery.article}/versions/1`)
  await press('n')
  expect(await page.evaluate<string>('document.activeElement.tagName')).toMatch(/^(INS|DEL)$/)
  expect(errors).toEqual([])
})

it('keys do nothing in a field, and nothing if they are switched off', async () => {
  await open('/articles')
  const field = page.getByLabel('Words of the title or keyword')
  await field.click()
  await page.keyboard.type('gc?')
  await press('Control+k')
  expect(await page.evaluate<string>('document.activeElement.value')).toBe('gc?')
  expect(await dialogs()).toBe(0)
  await page.goto(gallery.stack.url + PATHS.profile)
  await page.evaluate("document.querySelector('select[name=keys]').value = 'off'")
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('.notice:has-text("Saved.")').waitFor()
  await press('?', 'Control+k')
  expect(await dialogs()).toBe(0)
  expect(errors).toEqual([])
})
