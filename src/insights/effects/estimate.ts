import type { Interval, Verdict } from '../../../schema/values/effects.ts'

/** Clicks of a page in three periods of 28 days: 56 to 29 days before a change, the 28 days before it, and the 28 after it. */
export type Clicks = { prior: number; before: number; after: number }

/** Fewest clicks in each period before the change. With fewer, chance decides how a page changes. */
export const MIN_CLICKS = 20
/** Fewest untouched pages from which to estimate how much clicks change by themselves. */
const MIN_CONTROLS = 10
/** Widest useful interval, as a logarithm on each side: from half to twice the clicks. */
const WIDEST = Math.LN2

/**
 * 98.5th percentile of the normal distribution, for intervals of 97 %.
 *
 * An interval of 95 % would allow one false alarm in twenty. The difference is for pages that vary more than the normal curve
 * expects.
 */
const Z = 2.17009

/** Returns the 98.5th percentile of Student's t distribution (Abramowitz and Stegun, 26.7.5). */
const quantile = (degrees: number): number =>
  Z +
  (Z ** 3 + Z) / (4 * degrees) +
  (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / (96 * degrees ** 2) +
  (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / (384 * degrees ** 3)

/** Largest share of untouched pages that may be reported as having an effect, on any site. */
const FALSE_ALARMS = 0.04

const log = (clicks: number): number => Math.log(clicks + 0.5)

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Returns the variance that counting clicks adds to the logarithm of a change. */
const counting = ({ before, after }: Clicks): number => 1 / (before + 0.5) + 1 / (after + 0.5)

type Estimate = {
  change: number
  control_change: number
  controls: number
  interval: Interval
  verdict: Verdict | null
}

const FEW_CLICKS = `The page had fewer than ${MIN_CLICKS} clicks in 28 days before the change: too few to tell.`
const FEW_CONTROLS = (found: number) =>
  `${found} similar pages were unchanged; ${MIN_CONTROLS} are needed to estimate how clicks change by themselves.`
const TOO_WIDE = 'Clicks on this site’s pages vary so much that even half or twice as many would not stand out.'

const carries = ({ prior, before }: Clicks): boolean => prior >= MIN_CLICKS && before >= MIN_CLICKS

/** Fits a line to the untouched pages: how they changed, by how they had changed before. Pages that fell tend to recover. */
const fitted = (controls: readonly Clicks[]) => {
  const xs = controls.map(({ prior, before }) => log(before) - log(prior))
  const ys = controls.map(({ before, after }) => log(after) - log(before))
  const [x, y] = [mean(xs), mean(ys)]
  const spread = xs.reduce((sum, value) => sum + (value - x) ** 2, 0)
  const slope = spread === 0 ? 0 : xs.reduce((sum, value, n) => sum + (value - x) * ((ys[n] ?? 0) - y), 0) / spread
  const degrees = controls.length - 2
  const strays = ys.map((value, n) => Math.abs(value - y - slope * ((xs[n] ?? 0) - x)))
  const variance = strays.reduce((sum, value) => sum + value ** 2, 0) / degrees
  return { x, y, spread, slope, degrees, variance, strays }
}

/**
 * Returns the number of standard deviations from which a page's change counts as an effect, by Student's t.
 *
 * It is at least the distance that nearly all untouched pages keep (conformal prediction; Lei et al., 2018). So it also fits
 * sites whose pages vary a lot.
 */
const farFrom = ({ degrees, variance, strays }: ReturnType<typeof fitted>): number => {
  const place = Math.ceil((strays.length + 1) * (1 - FALSE_ALARMS))
  const seen = [...strays].sort((a, b) => a - b)[place - 1] ?? 0
  return Math.max(quantile(degrees), variance === 0 ? 0 : seen / Math.sqrt(variance))
}

const rounded = (value: number): number => Math.max(-0.9999, Math.round(value * 10_000) / 10_000)
const share = (logarithm: number): number => rounded(Math.exp(logarithm) - 1)

/**
 * Returns the effect of a change on a page, compared with similar pages that were not touched, with a 97 % prediction interval.
 *
 * The effect is the difference from the clicks that these pages predict. Unchanged clicks are an effect if the other pages lost
 * clicks.
 *
 * Returns only a reason if there are too few data. An estimate whose interval is too wide also has a reason.
 */
export const estimate = (page: Clicks, similar: readonly Clicks[]): { estimate?: Estimate; reason: string | null } => {
  if (!carries(page)) return { reason: FEW_CLICKS }
  const controls = similar.filter(carries)
  if (controls.length < MIN_CONTROLS) return { reason: FEW_CONTROLS(controls.length) }
  const line = fitted(controls)
  const { x, y, spread, slope, variance } = line
  const away = log(page.before) - log(page.prior) - x
  const expected = y + slope * away
  const effect = log(page.after) - log(page.before) - expected
  // A page with fewer clicks than the others varies more than they do.
  const finer = Math.max(0, counting(page) - mean(controls.map(counting)))
  const ofLine = variance * (1 / controls.length + (spread === 0 ? 0 : away ** 2 / spread))
  const reach = farFrom(line) * Math.sqrt(variance + finer + ofLine)
  const verdict = effect - reach > 0 ? 'up' : effect + reach < 0 ? 'down' : reach > WIDEST ? null : 'within_noise'
  return {
    estimate: {
      change: share(effect),
      control_change: share(expected),
      controls: controls.length,
      interval: { low: share(effect - reach), high: share(effect + reach) },
      verdict,
    },
    reason: verdict === null ? TOO_WIDE : null,
  }
}

/** A stored effect of one change. */
type Measured = { interval: Interval; controls: number }

/**
 * Returns the mean of several effects with its 97 % interval; undefined for fewer than two.
 *
 * Each effect is weighted by its precision, and differences between the effects widen the interval (DerSimonian and Laird,
 * 1986; Hartung and Knapp, 2001).
 */
export const pooled = (effects: readonly Measured[]): { n: number; change: number; interval: Interval } | undefined => {
  const n = effects.length
  if (n < 2) return undefined
  const known = effects.map(({ interval, controls }) => {
    const [low, high] = [Math.log1p(interval.low), Math.log1p(interval.high)]
    return { effect: (low + high) / 2, variance: Math.max(1e-6, ((high - low) / 2 / quantile(controls - 2)) ** 2) }
  })
  const weighted = (between: number) => {
    const weights = known.map(({ variance }) => 1 / (variance + between))
    const all = weights.reduce((sum, weight) => sum + weight, 0)
    const centre = known.reduce((sum, { effect }, i) => sum + effect * (weights[i] ?? 0), 0) / all
    const apart = known.reduce((sum, { effect }, i) => sum + (weights[i] ?? 0) * (effect - centre) ** 2, 0)
    return { all, centre, apart, squares: weights.reduce((sum, weight) => sum + weight ** 2, 0) }
  }
  const fixed = weighted(0)
  const between = Math.max(0, (fixed.apart - (n - 1)) / (fixed.all - fixed.squares / fixed.all))
  const { all, centre, apart } = weighted(between)
  const reach = quantile(n - 1) * Math.sqrt(Math.max(1, apart / (n - 1)) / all)
  return { n, change: share(centre), interval: { low: share(centre - reach), high: share(centre + reach) } }
}
