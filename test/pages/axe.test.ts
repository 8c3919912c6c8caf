import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { installed } from '../support/installed.ts'
import { type Browser, type Context, openBrowser } from '../support/playwright.ts'
import { type Gallery, openGallery, PAGES, PICTURES, WIDTHS } from './gallery.ts'

const SCHEMES = ['light', 'dark'] as const

let gallery: Gallery
let browser: Browser

beforeAll(async () => {
  ;[gallery, browser] = await Promise.all([openGallery(), openBrowser()])
})

afterAll(async () => {
  await browser?.close()
  await gallery?.close()
})

const openContext = async (signedIn: boolean, javaScriptEnabled: boolean): Promise<Context> => {
  // A network address of its own: pages count how often one address asks.
  const extraHTTPHeaders = { 'cf-connecting-ip': `pages-${randomBytes(6).toString('hex')}` }
  const context = await browser.newContext({ javaScriptEnabled, extraHTTPHeaders })
  if (signedIn) await context.addCookies(gallery.cookies.map((one) => ({ ...one, url: gallery.stack.url })))
  return context
}

type Violation = { id: string; help: string; nodes: { html: string }[] }

const AXE = (): string => readFileSync(installed('axe-core/axe.min.js'), 'utf8')

it.each(PAGES)('%s: axe finds nothing at any width, light or dark', async (name, shown) => {
  const { path, signedIn, status = 200, scripts: own = 0 } = shown
  const context = await openContext(signedIn, true)
  const page = await context.newPage()
  const response = await page.goto(gallery.stack.url + path(gallery))
  expect(response?.status()).toBe(status)
  expect(await page.evaluate<number>('document.scripts.length')).toBe(own)
  await page.evaluate(AXE())
  const found: string[] = []
  // The answer is the same at every width and in every theme, so the page is loaded once. A theme changes only colors.
  for (const width of WIDTHS)
    for (const colorScheme of SCHEMES) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      const where = `${width} px, ${colorScheme}`
      await page.screenshot({ path: join(PICTURES, `${name}-${width}-${colorScheme}.png`), fullPage: true })
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
      if (wide > width) found.push(`${where}: ${wide} px wide`)
      const rules = colorScheme === 'light' ? '{}' : "{ runOnly: ['color-contrast'] }"
      const violations = await page.evaluate<Violation[]>(
        `axe.run(document, ${rules}).then(({ violations }) => violations)`,
      )
      for (const { id, help, nodes } of violations)
        found.push(`${where}: ${id}, ${help}: ${nodes.map(({ html }) => html).join(' ')}`)
    }
  expect(found).toEqual([])
  await context.close()
})

it.each(PAGES.filter(([, { scripts }]) => scripts))('%s: is a page without scripts too', async (name, shown) => {
  const context = await openContext(shown.signedIn, false)
  const page = await context.newPage()
  const response = await page.goto(gallery.stack.url + shown.path(gallery))
  expect(response?.status()).toBe(shown.status ?? 200)
  expect(await page.locator('h1').textContent()).not.toBe('')
  await page.screenshot({ path: join(PICTURES, `${name}-without-scripts.png`), fullPage: true })
  await context.close()
})
