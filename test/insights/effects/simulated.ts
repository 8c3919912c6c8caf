import { type Clicks, estimate, MIN_CLICKS } from '../../../src/insights/effects/estimate.ts'

/** Numbers that look random and are the same in every run (Mulberry32). */
export const randomFrom = (seed: number) => {
  let state = seed >>> 0
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
  const poisson = (mean: number): number => {
    if (mean > 60) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()))
    const limit = Math.exp(-mean)
    let count = 0
    for (let product = uniform(); product > limit; product *= uniform()) count += 1
    return count
  }
  return { uniform, normal, poisson }
}

/** A made-up site: how many pages, how many clicks a usual one has in 28 days, and how much pages change by themselves. */
export type Site = { pages: number; clicks: number; sway: number; tails: 'normal' | 'heavy' }

type Random = ReturnType<typeof randomFrom>

const WEEK = [1.2, 1.25, 1.2, 1.15, 1.0, 0.6, 0.6]

/** Clicks of 28 days, day by day: weekdays differ, and single days stray. */
const month = (random: Random, level: number): number => {
  let clicks = 0
  for (let day = 0; day < 28; day += 1) {
    const stray = Math.exp(0.25 * random.normal() - 0.03)
    clicks += random.poisson((level / 28) * (WEEK[day % 7] ?? 1) * stray)
  }
  return clicks
}

/**
 * Returns pages of a site in three periods. Each varies about its own level, and all follow the season.
 *
 * `factor` is the gain of page 0.
 */
export const siteOf = (random: Random, { pages, clicks, sway, tails }: Site): ((factor: number) => Clicks)[] => {
  const seasons = [0, 0, 0].map(() => 0.15 * random.normal())
  const shock = () => {
    const heavy = tails === 'heavy' && random.uniform() < 0.1 ? 3 : 1
    return sway * heavy * random.normal()
  }
  return Array.from({ length: pages }, () => {
    const level = Math.log(clicks) + 0.9 * random.normal()
    let away = shock()
    const levels = seasons.map((season) => {
      away = 0.5 * away + Math.sqrt(0.75) * shock()
      return Math.exp(level + season + away)
    })
    const [prior = 0, before = 0, after = 0] = levels
    const [one, two] = [month(random, prior), month(random, before)]
    return (factor: number) => ({ prior: one, before: two, after: month(random, after * factor) })
  })
}

/** Page of a site that is changed: any that has enough clicks, or one that fell by 30 %, as the suggestions look for. */
export type Choice = 'any' | 'fell'

export type Rates = { up: number; down: number; noise: number; none: number; trials: number; covered: number }

/** Returns the rate of each verdict on a page whose clicks changed by `factor`, and of intervals that contain it. */
export const ratesOf = (seed: number, trials: number, site: Site, factor: number, choice: Choice): Rates => {
  const random = randomFrom(seed)
  const rates: Rates = { up: 0, down: 0, noise: 0, none: 0, trials: 0, covered: 0 }
  while (rates.trials < trials) {
    const pages = siteOf(random, site)
    const untouched = pages.map((page) => page(1))
    const chosen = untouched.findIndex(
      ({ prior, before }) => prior >= MIN_CLICKS && before >= MIN_CLICKS && (choice === 'any' || before <= 0.7 * prior),
    )
    const changed = pages[chosen]?.(factor)
    if (!changed) continue
    rates.trials += 1
    const similar = untouched
      .filter((_, n) => n !== chosen)
      .sort(
        (a, b) =>
          Math.abs(Math.log((a.before + 1) / (changed.before + 1))) -
          Math.abs(Math.log((b.before + 1) / (changed.before + 1))),
      )
      .slice(0, 100)
    const { estimate: found } = estimate(changed, similar)
    if (!found || found.verdict === null) rates.none += 1
    else if (found.verdict === 'within_noise') rates.noise += 1
    else rates[found.verdict] += 1
    if (found && found.interval.low <= factor - 1 && factor - 1 <= found.interval.high) rates.covered += 1
  }
  return rates
}
