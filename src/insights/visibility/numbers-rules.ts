/** The 97.5th percentile of the normal distribution: 95 % lie between minus and plus this. */
const Z = 1.959963984540054

export type Interval = { low: number; high: number }
export type Change = 'up' | 'down' | 'within_noise'

/** `share` times of `n`: a share between 0 and 1, which need not be a whole number of times. */
export type Rate = { n: number; share: number }

const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits

/** Returns the Wilson score interval of a share of `n`, 95 %; null where nothing was counted. */
export const wilson = ({ n, share }: Rate, digits = 4, scale = 1): Interval | null => {
  if (n <= 0) return null
  const square = Z * Z
  const middle = share + square / (2 * n)
  const spread = Z * Math.sqrt((share * (1 - share)) / n + square / (4 * n * n))
  const bound = (value: number) => rounded(Math.min(1, Math.max(0, value / (1 + square / n))) * scale, digits)
  return { low: bound(middle - spread), high: bound(middle + spread) }
}

/** True if a share has changed by more than chance does: the two-proportion z test, 5 %. Null where one is missing. */
export const changeOf = (now: Rate, before: Rate | undefined): Change | null => {
  if (!before || now.n === 0 || before.n === 0) return null
  const pooled = (now.share * now.n + before.share * before.n) / (now.n + before.n)
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / now.n + 1 / before.n))
  if (error === 0 || Math.abs(now.share - before.share) / error < Z) return 'within_noise'
  return now.share > before.share ? 'up' : 'down'
}

/** Counts of the verdicts of answers on a business. */
export type Counts = { answers: number; cited: number; mentioned: number }

/** Answers that cite or mention, a mention counting half. */
export const visibilityOf = ({ answers, cited, mentioned }: Counts): Rate => ({
  n: answers,
  share: answers === 0 ? 0 : (cited + mentioned / 2) / answers,
})

/** Own citations among those of the business and its competitors. */
export const shareOf = ({ own, competitors }: { own: number; competitors: number }): Rate => {
  const n = own + competitors
  return { n, share: n === 0 ? 0 : own / n }
}

/** Returns the share as a score of 0 to 100, halves up. Counted in whole numbers: 100 times the share of 23 in 40 is less than 57.5. */
export const scoreOf = ({ answers, cited, mentioned }: Counts): number =>
  answers === 0 ? 0 : Math.round((100 * cited + 50 * mentioned) / answers)

export const fraction = (value: number): number => rounded(value, 4)
