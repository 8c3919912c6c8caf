import { describe, expect, it } from 'vitest'
import { type Choice, ratesOf, type Site } from '../insights/effects/simulated.ts'

const SITES: Record<string, Site> = {
  'a small site': { pages: 15, clicks: 400, sway: 0.1, tails: 'normal' },
  'a site with few clicks': { pages: 60, clicks: 60, sway: 0.15, tails: 'normal' },
  'a steady site': { pages: 60, clicks: 400, sway: 0.1, tails: 'normal' },
  'a restless site': { pages: 60, clicks: 400, sway: 0.3, tails: 'normal' },
  'a site with pages that stray far': { pages: 60, clicks: 400, sway: 0.1, tails: 'heavy' },
  'a restless site with pages that stray far': { pages: 60, clicks: 400, sway: 0.3, tails: 'heavy' },
}
const CHOICES: Choice[] = ['any', 'fell']
const TRIALS = 1_000

/** Three standard errors of a share that is one in twenty. */
const SLACK = 3 * Math.sqrt((0.05 * 0.95) / TRIALS)

const share = (n: number): string => `${((100 * n) / TRIALS).toFixed(1)} %`

describe('verdicts on simulated pages', () => {
  it('without an effect are false alarms at most one time in twenty, also of pages chosen because they fell', () => {
    let alarms = 0
    let trials = 0
    for (const [name, site] of Object.entries(SITES))
      for (const choice of CHOICES) {
        const { up, down, none } = ratesOf(20_261_122, TRIALS, site, 1, choice)
        process.stdout.write(`${name}, ${choice}: false alarms ${share(up + down)}, no verdict ${share(none)}\n`)
        expect((up + down) / TRIALS, `${name}, ${choice}`).toBeLessThanOrEqual(0.05)
        alarms += up + down
        trials += TRIALS
      }
    expect(alarms / trials).toBeLessThanOrEqual(0.05)
  })

  it.each([
    ['half as many again', 1.5, 'up', 0.68],
    ['half', 0.5, 'down', 0.97],
    ['a tenth more', 1.1, 'up', 0.04],
    ['a tenth fewer', 0.9, 'down', 0.05],
  ] as const)('of %s are detected as often as documented', (_, factor, verdict, least) => {
    const wrong = verdict === 'up' ? 'down' : 'up'
    for (const [name, site] of Object.entries(SITES)) {
      const rates = ratesOf(42, TRIALS, site, factor, 'any')
      process.stdout.write(
        `${name}, ×${factor}: ${verdict} ${share(rates[verdict])}, no verdict ${share(rates.none)}\n`,
      )
      expect(rates[wrong] / TRIALS, name).toBeLessThanOrEqual(0.025 + SLACK)
      if (name === 'a steady site') expect(rates[verdict] / TRIALS).toBeGreaterThanOrEqual(least)
    }
  })
})
