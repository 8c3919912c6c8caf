import { describe, expect, it } from 'vitest'
import { type Clicks, estimate, pooled } from '../../../src/insights/effects/estimate.ts'
import { randomFrom, ratesOf, siteOf } from './simulated.ts'

const STEADY = { pages: 60, clicks: 400, sway: 0.1, tails: 'normal' } as const

/** Returns pages that sway by a tenth, none of them changed. */
const untouched = (count: number, seed = 3): Clicks[] =>
  siteOf(randomFrom(seed), { ...STEADY, pages: count }).map((page) => page(1))

/** Twenty pages that all lost half of their clicks, give or take a few. */
const halved = Array.from({ length: 20 }, (_, n) => ({
  prior: 400 + n,
  before: 400 - 3 * n,
  after: 200 + ((7 * n) % 20),
}))

describe('the effect of a change', () => {
  it('is the difference from similar untouched pages', () => {
    const { estimate: found, reason } = estimate({ prior: 400, before: 400, after: 400 }, halved)
    expect(reason).toBeNull()
    expect(found?.verdict).toBe('up')
    expect(found?.control_change).toBeCloseTo(-0.45, 1)
    expect(found?.change).toBeGreaterThan(0.7)
    expect(estimate({ prior: 400, before: 400, after: 205 }, halved).estimate?.verdict).toBe('within_noise')
    expect(estimate({ prior: 400, before: 400, after: 90 }, halved).estimate?.verdict).toBe('down')
  })

  it('does not count the natural recovery of pages that had fallen', () => {
    const back = Array.from({ length: 30 }, (_, n) => {
      const fell = 1 - (n % 10) / 20
      return { prior: 400 + n, before: Math.round(400 * fell), after: 400 - ((7 * n) % 23) }
    })
    expect(estimate({ prior: 400, before: 220, after: 395 }, back).estimate?.verdict).toBe('within_noise')
  })

  it.each([
    ['a page with few clicks', { prior: 100, before: 19, after: 90 }, untouched(60), /fewer than 20 clicks/],
    ['a site with few pages', { prior: 400, before: 400, after: 900 }, untouched(9), /unchanged; 10 are needed/],
    [
      'a site whose pages go up and down',
      { prior: 400, before: 400, after: 500 },
      siteOf(randomFrom(5), { pages: 60, clicks: 400, sway: 0.9, tails: 'normal' }).map((page) => page(1)),
      /half or twice as many would not stand out/,
    ],
  ])('has no verdict on %s', (_, page, similar, reason) => {
    const found = estimate(page, similar)
    expect(found.reason).toMatch(reason)
    expect(found.estimate?.verdict ?? null).toBeNull()
  })

  it('is a false alarm in fewer than one simulated case of twenty, and half of the clicks are missed by hardly any', () => {
    const none = ratesOf(11, 200, STEADY, 1, 'fell')
    expect(none.up + none.down).toBeLessThanOrEqual(0.05 * 200)
    expect(ratesOf(12, 100, STEADY, 0.5, 'any').down).toBeGreaterThanOrEqual(90)
  })
})

describe('the average of several effects', () => {
  it('is nearer to the better known, and surer than any of them', () => {
    const sure = { interval: { low: 0.05, high: 0.15 }, controls: 60 }
    const unsure = { interval: { low: -0.3, high: 1 }, controls: 60 }
    const average = pooled([...Array.from({ length: 8 }, () => sure), unsure])
    expect(average).toMatchObject({ n: 9 })
    expect(average?.change).toBeCloseTo(0.1, 1)
    expect(average?.interval.low).toBeGreaterThan(0.05)
    expect(average?.interval.high).toBeLessThan(0.15)
  })

  it('is unsure where effects contradict each other, and nothing for one', () => {
    const up = { interval: { low: 0.4, high: 0.6 }, controls: 60 }
    const down = { interval: { low: -0.5, high: -0.3 }, controls: 60 }
    const average = pooled([up, down, up, down])
    expect(average?.interval.low).toBeLessThan(-0.2)
    expect(average?.interval.high).toBeGreaterThan(0.2)
    expect(pooled([up])).toBeUndefined()
  })
})
