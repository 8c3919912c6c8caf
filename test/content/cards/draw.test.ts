import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../../../local/root.ts'
import { contrast, drawCard } from '../../../src/content/cards/draw.ts'
import { paragraphOf } from '../../../src/content/cards/lines.ts'
import type { Shaper } from '../../../src/content/cards/shaper.ts'
import { rasterise, testShaper } from './engine.ts'
import { TITLES } from './titles.ts'

/** Folder of the drawn cards, to be looked at. */
const OUTPUT = join(ROOT, '.galley/cards')

const [WIDTH, HEIGHT, MARGIN] = [1200, 630, 80]

const hexAt = (pixels: Uint8Array, x: number, y: number): string =>
  `#${Buffer.from(pixels.subarray((y * WIDTH + x) * 4, (y * WIDTH + x) * 4 + 3)).toString('hex')}`

/** Returns the pixels of the text's colour between two heights: first and last column, and the rows that have some. */
const inkIn = (pixels: Uint8Array, text: string, from: number, to: number) => {
  let [left, right] = [WIDTH, 0]
  const rows: number[] = []
  for (let y = from; y < to; y += 1) {
    let any = false
    for (let x = 0; x < WIDTH; x += 1)
      if (hexAt(pixels, x, y) === text) {
        any = true
        left = Math.min(left, x)
        right = Math.max(right, x)
      }
    if (any) rows.push(y)
  }
  return { left, right, rows }
}

/** Bands of rows with ink: the lines of a text, as one sees them. */
const bands = (rows: readonly number[]): number => rows.filter((row, at) => row - (rows[at - 1] ?? -99) > 4).length

let shaper: Shaper
beforeAll(async () => {
  shaper = await testShaper()
  mkdirSync(OUTPUT, { recursive: true })
})

const drawn = async (input: { title: string; brandColor: string; siteName: string }) =>
  await rasterise((await drawCard(shaper, input)) ?? expect.fail('no card was drawn'))

describe('a title card', () => {
  it.each(Object.entries(TITLES))('%s: stands in its margins, readable, below 150 KB', async (name, input) => {
    const { png, pixels } = await drawn(input)
    writeFileSync(join(OUTPUT, `${name}.png`), png)
    expect(Buffer.from(png.buffer, 16, 8).readUInt32BE(0)).toBe(WIDTH)
    expect(pixels.length).toBe(WIDTH * HEIGHT * 4)
    expect(png.length).toBeLessThan(150_000)

    const [background, text] = [
      hexAt(pixels, 600, 5),
      input.rightToLeft ? hexAt(pixels, 1100, 80) : hexAt(pixels, 90, 80),
    ]
    expect(background).toBe(input.brandColor)
    expect(contrast(text, background)).toBeGreaterThanOrEqual(4.5)

    const title = inkIn(pixels, text, 100, 520)
    expect(title.rows.length).toBeGreaterThan(40)
    expect(title.left).toBeGreaterThanOrEqual(MARGIN - 4)
    expect(title.right).toBeLessThanOrEqual(WIDTH - MARGIN + 4)
    // Lines begin at the side the script is read from.
    if (input.rightToLeft) expect(title.right).toBeGreaterThan(WIDTH - MARGIN - 14)
    else expect(title.left).toBeLessThan(MARGIN + 14)
    const site = inkIn(pixels, text, 535, HEIGHT)
    expect(site.rows.length > 0).toBe(input.siteName !== '')
  })

  it.each(Object.entries(TITLES))('%s: has a glyph for every character', async (_, { title, siteName }) => {
    expect((await paragraphOf(shaper, title)).missing).toBe(0)
    expect((await paragraphOf(shaper, siteName)).missing).toBe(0)
  })

  it('shows a title of 200 characters whole, and cuts a longer one with an ellipsis', async () => {
    const title = TITLES['two-hundred-characters']?.title ?? ''
    expect(title.length).toBe(200)
    const base = { brandColor: '#204060', siteName: '' }
    const [whole, same, longer] = await Promise.all(
      [title, ` ${title}\n`, `${title} and more`].map((text) => drawCard(shaper, { ...base, title: text })),
    )
    expect(same).toBe(whole)
    expect(longer).not.toBe(whole)
    const { pixels } = await rasterise(whole ?? '')
    expect(bands(inkIn(pixels, '#ffffff', 100, 520).rows)).toBeGreaterThanOrEqual(5)
  })

  it('joins Arabic letters, orders Latin words and numbers in it, and mirrors brackets', async () => {
    const joined = await shaper.shape('arabic', 'بب', true)
    const alone = await shaper.shape('arabic', 'ب', true)
    expect(joined.width).toBeLessThan(2 * alone.width)
    const { chars, rightToLeft } = await paragraphOf(shaper, 'دليل SEO (2026)')
    expect(rightToLeft).toBe(true)
    // "SEO (2026)" is written from left to right, and is left of the word before it.
    expect(chars.map(({ level }) => level % 2)).toEqual([1, 1, 1, 1, 1, ...Array(10).fill(0)])
    const [open, close] = [await shaper.shape('latin', '(', true), await shaper.shape('latin', ')', false)]
    expect(open.glyphs[0]?.path).toBe(close.glyphs[0]?.path)
  })

  it('is drawn as shapes, whatever the title says', async () => {
    const svg = await drawCard(shaper, {
      title: '</svg><script>alert("&amp;")</script>',
      brandColor: '#204060',
      siteName: '',
    })
    expect(svg).toBeDefined()
    expect(svg).not.toMatch(/script|alert|<text/)
    expect(svg?.match(/<\/svg>/g)).toHaveLength(1)
  })

  it('is not drawn for a script there is no font for, nor without a title', async () => {
    const base = { brandColor: '#204060', siteName: 'Site' }
    expect(await drawCard(shaper, { ...base, title: 'ᚠᚢᚦᚨᚱᚲᚷᚹ' })).toBeUndefined()
    expect(await drawCard(shaper, { ...base, title: ' \n ' })).toBeUndefined()
    // One unknown character among many is left out.
    expect(await drawCard(shaper, { ...base, title: 'The rune ᚠ explained' })).toBeDefined()
  })
})
