import { clip } from '../../platform/lib/text.ts'

export const MIN_PROMPT = 3
export const MAX_PROMPT = 300
/** Prompts of a project that are asked. */
export const MAX_ACTIVE = 25
/** Of them, those the service made itself. */
export const MAX_AUTO = 10
/** Most questions of each prompt to each engine in one scan. */
export const MAX_SAMPLES = 5
/** An index entry holds 2,704 bytes; a character has four at most. */
const MAX_KEY = 600

/** Returns a prompt as it is kept: one blank between words. */
export const plainPrompt = (text: string): string => text.trim().replace(/\s+/g, ' ')

/** Returns the form in which two prompts are the same: without case and spacing. */
export const promptKey = (text: string): string =>
  clip(text.normalize('NFKC').toLowerCase().replace(/\s+/g, ''), MAX_KEY)

/** The 97.5th percentile of the normal distribution: 95 % lie between minus and plus this. */
const Z = 1.959963984540054

type Interval = { low: number; high: number }
type Change = 'up' | 'down' | 'within_noise'

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
type Counts = { answers: number; cited: number; mentioned: number }

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
