import { describe, expect, it } from 'vitest'
import { bandsOf, saltSketch, sharedPart } from '../../../src/content/seo/sketch.ts'
import { countWords } from '../../../src/content/seo/words.ts'

/** `count` words of their own for each seed. */
const words = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, n) => `w${(seed * 100_003 + n) * 7919}`).join(' ')

const sketchOf = (text: string, projectId: number) => saltSketch(bandsOf(text), projectId)
const shared = (one: string, other: string): number => sharedPart(sketchOf(one, 1), sketchOf(other, 1))

describe('sketches', () => {
  it('tell how much two texts have in common', () => {
    const text = words(1, 1_000)
    expect(shared(text, text)).toBe(1)
    expect(shared(text, words(2, 1_000))).toBeLessThan(0.36)
    for (const part of [0.9, 0.7, 0.5]) {
      const own = Math.round(1_000 * part)
      const estimates = Array.from({ length: 20 }, (_, n) => {
        const base = words(n + 10, own)
        // Two texts of n words with m in common share m ÷ (2n − m) of their phrases.
        return shared(`${base} ${words(n + 500, 1_000 - own)}`, `${base} ${words(n + 900, 1_000 - own)}`)
      })
      const mean = estimates.reduce((sum, value) => sum + value, 0) / estimates.length
      expect(Math.abs(mean - own / (2_000 - own))).toBeLessThan(0.1)
    }
  })

  it('do not mind case, accents and punctuation', () => {
    const text = words(3, 300)
    expect(shared(text, text.toUpperCase().replaceAll(' ', ', '))).toBe(1)
  })

  it('are each project’s own, and none for a short text', () => {
    const text = words(4, 300)
    expect(sharedPart(sketchOf(text, 1), sketchOf(text, 2))).toBe(0)
    expect(sketchOf(words(4, 40), 1)).toEqual([])
    expect(sketchOf('', 1)).toEqual([])
    for (const band of sketchOf(text, 2_147_483_647)) expect(band).toBe(band | 0)
  })

  it('work without spaces between words', () => {
    const text = Array.from({ length: 400 }, (_, n) => String.fromCharCode(0x4e00 + ((n * 7919) % 9_000))).join('')
    expect(shared(text, text)).toBe(1)
    expect(sketchOf(text, 1).length).toBeGreaterThan(0)
  })
})

describe('countWords', () => {
  it.each([
    ['', 0],
    ['One, two – three!', 3],
    ["don't re-enter 3.5 times", 4],
    ['Straße für Fußgänger', 3],
    ['我喜欢喝绿茶', 4],
    ['ฉันชอบชาเขียว', 4],
  ])('%s: %i', (text, count) => {
    expect(countWords(text)).toBe(count)
  })
})
