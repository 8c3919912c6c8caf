import { gzipSync } from 'node:zlib'
import type { Page } from '../support/playwright.ts'
import { WIDTHS } from './gallery.ts'

const KIB = 1024
/** Most KiB of a page over the wire, with its styles and scripts; more for the editor and the documents. */
const WIRE: readonly [name: RegExp, kib: number][] = [
  [/^article-edit$/, 110],
  [/^docs/, 40],
  // The picture of the product.
  [/^start$/, 200],
  [/./, 20],
]
const MOST_SHIFT = 0.02

/**
 * Counts the bytes that a page fetches from the service, compressed, and stores the errors of its console.
 *
 * Call it before the page opens.
 */
export const watch = (page: Page, origin: string) => {
  const errors: string[] = []
  const sizes: Promise<number>[] = []
  page.on('console', (message) => {
    // Pages that are meant to be refused are errors in the console's eyes.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('response', (response) => {
    // Frames show articles, which are as large as they are.
    if (!response.url().startsWith(origin) || response.frame().parentFrame() !== null) return
    sizes.push(
      response.body().then(
        (body) => gzipSync(body).length,
        () => 0,
      ),
    )
  })
  return {
    errors,
    kib: async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / KIB,
  }
}

const SHIFT = `new Promise((done) => {
  let sum = 0
  const add = (entries) => { for (const one of entries) if (!one.hadRecentInput) sum += one.value }
  const observer = new PerformanceObserver((list) => add(list.getEntries()))
  observer.observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => requestAnimationFrame(() => { add(observer.takeRecords()); done(sum) }))
})`

const WIDE = `(() => {
  const wide = document.documentElement.clientWidth
  if (document.documentElement.scrollWidth <= wide) return []
  const isOut = ({ left, right }) => right > wide + 1 || left < -1
  return [...document.querySelectorAll('body *')].filter((one) => isOut(one.getBoundingClientRect())).slice(-3).map((one) => one.outerHTML.slice(0, 120))
})()`

/** Returns elements that have the focus without showing it. A key was pressed before, so that the browser shows focus. */
const UNSEEN_FOCUS = `[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [contenteditable=true]')]
  .filter((one) => one.checkVisibility() && !one.disabled).filter((one) => {
    one.focus()
    const { outlineStyle, outlineWidth } = getComputedStyle(one)
    return document.activeElement === one && (outlineStyle === 'none' || parseFloat(outlineWidth) < 2)
  }).map((one) => one.outerHTML.slice(0, 120))`

/** Controls and marks that have no border when the browser's own colors replace ours. */
const WITHOUT_BORDER = `[...document.querySelectorAll('.pill, .tile, button, .button, select, textarea, input:not([type=hidden], [type=checkbox], [type=radio])')]
  .filter((one) => one.checkVisibility()).filter((one) => {
    const { borderTopWidth, borderTopColor } = getComputedStyle(one)
    return parseFloat(borderTopWidth) === 0 || borderTopColor === 'rgba(0, 0, 0, 0)'
  }).map((one) => one.outerHTML.slice(0, 120))`

/** Current entries of menus that look like the others when the browser's own colors replace ours. */
const UNMARKED = `[...document.querySelectorAll('nav [aria-current]')].filter((one) => one.checkVisibility()).filter((one) => {
  const other = [...one.closest('nav').querySelectorAll('a:not([aria-current])')].find((link) => link.checkVisibility())
  const { backgroundColor, outlineStyle } = getComputedStyle(one)
  return other && outlineStyle === 'none' && backgroundColor === getComputedStyle(other).backgroundColor
}).map((one) => one.outerHTML.slice(0, 120))`

/** Returns faults of a page that was just opened: parts that move, and too many bytes. */
export const faultsOfLoading = async (
  page: Page,
  name: string,
  watched: ReturnType<typeof watch>,
): Promise<string[]> => {
  const shift = await page.evaluate<number>(SHIFT)
  const kib = await watched.kib()
  const most = WIRE.find(([which]) => which.test(name))?.[1] ?? 0
  return [
    ...watched.errors,
    ...(shift > MOST_SHIFT ? [`moves while it loads: ${shift}`] : []),
    ...(kib > most ? [`${kib.toFixed(1)} KiB over the wire, ${most} at most`] : []),
  ]
}

/** Returns the elements that are wider than the screen at a width. */
export const tooWide = async (page: Page, width: number, where: string): Promise<string[]> => {
  await page.setViewportSize({ width, height: 800 })
  return (await page.evaluate<string[]>(WIDE)).map((one) => `${where}: wider than the screen: ${one}`)
}

/** Width of a screen of 1,280 px at a zoom of 200 %, in px of CSS. */
const ZOOMED = 640

/** Returns faults by keyboard, at 200 % zoom, in a right-to-left language, and in forced colors. */
export const faultsByCondition = async (page: Page): Promise<string[]> => {
  const found = await tooWide(page, ZOOMED, '200 %')
  await page.evaluate("document.documentElement.dir = 'rtl'")
  for (const width of WIDTHS) found.push(...(await tooWide(page, width, `right to left, ${width} px`)))
  await page.evaluate("document.documentElement.dir = 'ltr'")
  await page.keyboard.press('Tab')
  for (const one of await page.evaluate<string[]>(UNSEEN_FOCUS)) found.push(`its focus is not seen: ${one}`)
  await page.emulateMedia({ forcedColors: 'active' })
  for (const one of await page.evaluate<string[]>(WITHOUT_BORDER)) found.push(`forced colors: no border: ${one}`)
  for (const one of await page.evaluate<string[]>(UNMARKED)) found.push(`forced colors: not marked: ${one}`)
  await page.emulateMedia({ forcedColors: 'none' })
  return found
}
