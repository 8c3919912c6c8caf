import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contrast, paletteOf } from '../../../src/content/cards/draw.ts'

const color = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)

describe('the colours of a card', () => {
  it('have the contrast that WCAG says', () => {
    // Pairs of the WCAG techniques and of widely used checkers.
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
    expect(contrast('#0000ff', '#ffffff')).toBeCloseTo(8.59, 2)
  })

  it('have text of at least 4.5 : 1 on every brand colour and on the shade beside it', () => {
    fc.assert(
      fc.property(color, (brand) => {
        const { background, shade, text } = paletteOf(brand)
        expect(background).toBe(brand)
        expect(contrast(text, background)).toBeGreaterThanOrEqual(4.5)
        expect(contrast(text, shade)).toBeGreaterThanOrEqual(4.5)
      }),
      { numRuns: 2_000 },
    )
  })
})
