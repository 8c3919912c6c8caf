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

it.each(PAGES)(
  '%s: axe finds nothing at any width, light or dark; without scripts it is the same page',
  async (name, shown) => {
    const { path, signedIn, status = 200, scripts: own = 0 } = shown
    const [withScripts, without] = [await openContext(signedIn, true), await openContext(signedIn, false)]
    const [page, plain] = [await withScripts.newPage(), await without.newPage()]
    const address = gallery.stack.url + path(gallery)
    const found: string[] = []
    for (const width of WIDTHS)
      for (const colorScheme of SCHEMES) {
        for (const one of [page, plain]) {
          await one.setViewportSize({ width, height: 800 })
          await one.emulateMedia({ colorScheme })
        }
        const where = `${width} px, ${colorScheme}`
        const statuses = [(await page.goto(address))?.status(), (await plain.goto(address))?.status()]
        expect(statuses, where).toEqual([status, status])
        const file = join(PICTURES, `${name}-${width}-${colorScheme}`)
        await page.screenshot({ path: `${file}.png`, fullPage: true })
        await plain.screenshot({ path: `${file}-without-scripts.png`, fullPage: true })
        const [wide, scripts] = await page.evaluate<[number, number]>(
          '[document.documentElement.scrollWidth, document.scripts.length]',
        )
        if (wide > width) found.push(`${where}: ${wide} px wide`)
        if (scripts !== own) found.push(`${where}: has ${scripts} scripts`)
        await page.evaluate(AXE())
        const violations = await page.evaluate<Violation[]>('axe.run(document).then(({ violations }) => violations)')
        for (const { id, help, nodes } of violations)
          found.push(`${where}: ${id}, ${help}: ${nodes.map(({ html }) => html).join(' ')}`)
      }
    expect(found).toEqual([])
    await Promise.all([withScripts.close(), without.close()])
  },
)
