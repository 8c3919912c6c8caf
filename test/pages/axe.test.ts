import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clientOf, newProject, rowsIn } from '../support/client.ts'
import { installed } from '../support/installed.ts'
import { type Browser, type Context, openBrowser } from '../support/playwright.ts'
import { targetOf } from '../support/stack.ts'
import { faultsByCondition, faultsOfLoading, tooWide, watch } from './conditions.ts'
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

/** Rules that axe has switched off: targets of at least 24 px, and visible words in the names of controls. */
const MORE_RULES = "{ rules: { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } } }"

const AXE = (): string => readFileSync(installed('axe-core/axe.min.js'), 'utf8')

it.each(PAGES)(
  '%s: axe finds nothing at any width, light or dark; it holds by keyboard, zoomed, mirrored, in forced colors',
  async (name, shown) => {
    const { path, signedIn, status = 200, scripts: own = 0 } = shown
    const context = await openContext(signedIn, true)
    const page = await context.newPage()
    const watched = watch(page, gallery.stack.url)
    const response = await page.goto(gallery.stack.url + path(gallery))
    expect(response?.status()).toBe(status)
    // Every page with a menu has the script of the keys.
    const keys = await page.evaluate<number>("document.querySelectorAll('.shell').length")
    expect(await page.evaluate<number>('document.scripts.length')).toBe(own + keys)
    const found = await faultsOfLoading(page, name, watched)
    await page.evaluate(AXE())
    // The answer is the same at every width and in every theme, so the page is loaded once. A theme changes only colors.
    for (const width of WIDTHS)
      for (const colorScheme of SCHEMES) {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme })
        const where = `${width} px, ${colorScheme}`
        await page.screenshot({ path: join(PICTURES, `${name}-${width}-${colorScheme}.png`), fullPage: true })
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
        if (wide > width) found.push(`${where}: ${wide} px wide`)
        const rules = colorScheme === 'light' ? MORE_RULES : "{ runOnly: ['color-contrast'] }"
        const violations = await page.evaluate<Violation[]>(
          `axe.run(document, ${rules}).then(({ violations }) => violations)`,
        )
        for (const { id, help, nodes } of violations)
          found.push(`${where}: ${id}, ${help}: ${nodes.map(({ html }) => html).join(' ')}`)
      }
    found.push(...(await faultsByCondition(page)))
    expect(found).toEqual([])
    await context.close()
  },
)

it.each(PAGES.filter(([, { scripts }]) => scripts))('%s: is a page without scripts too', async (name, shown) => {
  const context = await openContext(shown.signedIn, false)
  const page = await context.newPage()
  const response = await page.goto(gallery.stack.url + shown.path(gallery))
  expect(response?.status()).toBe(shown.status ?? 200)
  expect(await page.locator('h1').textContent()).not.toBe('')
  await page.screenshot({ path: join(PICTURES, `${name}-without-scripts.png`), fullPage: true })
  await context.close()
})

/** Titles that are long in one word, from right to left, and without a place to break. */
const TITLES: [string, string, string] = [
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft ',
  'كيف تختار الأساس المناسب لسقيفة الحديقة وتحافظ عليها جافة طوال فصل الشتاء الطويل ',
  'https://www.example.com/a/very/long/address-that-has-no-blank-anywhere-in-it-at-all?and=more&of=it&',
]

/** Makes a site with planned articles of such titles, the first in an hour, and posts that are out and to come. */
const siteWith = async (count: number): Promise<number> => {
  const site = await newProject(clientOf(gallery.stack.url, gallery.key, 0), { business_name: TITLES[0].trim() })
  await rowsIn(
    targetOf(gallery.stack),
    sql`insert into articles (account_id, project_id, status, title, main_keyword, slug, content, scheduled_at)
      select account_id, id, 'Planned', (${sql.param(TITLES)}::text[])[n % 3 + 1] || n, 'keyword ' || n, 'article-' || n, '', now() + interval '1 hour' + n * interval '1 minute'
      from projects, generate_series(1, ${count}::int) n where id = ${site}::int`,
  )
  await rowsIn(
    targetOf(gallery.stack),
    sql`insert into social_posts (account_id, project_id, platform, route, social_account_id, content, status, scheduled_for, published_at, send_key)
      select account_id, id, 'googlebusiness', 'provider', 'acc', (${sql.param(TITLES)}::text[])[n % 3 + 1], case n % 2 when 0 then 'published' else 'scheduled' end,
        now() + interval '2 hours', case n % 2 when 0 then now() end, 'post-' || id || '-' || n
      from projects, generate_series(1, ${Math.min(count, 12)}::int) n where id = ${site}::int`,
  )
  return site
}

/** Notes for each key how long the page took from it to the frame after it, ms. */
const NOTE_WAITS = `(() => {
  globalThis.waits = []
  const note = ({ timeStamp }) => requestAnimationFrame(() => setTimeout(() => waits.push(performance.now() - timeStamp)))
  addEventListener('keydown', note, true)
})()`

/** The shortest of five waits, because other work of the machine only makes them longer. */
const SHORTEST = `new Promise((done) => {
  const look = () => waits.length < 5 ? requestAnimationFrame(look) : done(Math.min(...waits))
  look()
})`

it('lists hold 0, 1, 12 and 500 rows, and a calendar with 500 tiles answers keys at once', async () => {
  const context = await openContext(true, true)
  const page = await context.newPage()
  const { errors } = watch(page, gallery.stack.url)
  await rowsIn(
    targetOf(gallery.stack),
    sql`update accounts set project_slots = 9 where id = (select account_id from projects where id = ${gallery.project}::int)`,
  )
  const found: string[] = []
  for (const count of [0, 1, 12, 500]) {
    const site = await siteWith(count)
    for (const path of [
      '',
      '/articles',
      '/social',
      '/approvals',
      '/setup',
      '/settings',
      '/calendar?view=list',
      '/calendar',
    ]) {
      const response = await page.goto(`${gallery.stack.url}/p/${site}${path}`)
      expect(response?.status()).toBe(200)
      for (const width of WIDTHS) found.push(...(await tooWide(page, width, `${path}, ${count} rows, ${width} px`)))
    }
  }
  expect(await page.evaluate<number>("document.querySelectorAll('.month .tile').length")).toBeGreaterThanOrEqual(400)
  await page.evaluate(NOTE_WAITS)
  for (let times = 0; times < 5; times += 1) await page.keyboard.press('Tab')
  expect(await page.evaluate<number>(SHORTEST)).toBeLessThanOrEqual(100)
  expect([...found, ...errors]).toEqual([])
  await context.close()
})
