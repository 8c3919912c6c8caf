/**
 * Returns the value below which the given share (0 to 1) of the samples is, by the nearest-rank method; NaN for none.
 */
export const quantile = (samples: readonly number[], share: number): number => {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5)

/**
 * Returns the ratio of a quantile of one side to that of the other, of samples taken in turns: the median over blocks of them.
 *
 * The samples after the last whole block are left out. Other work of the machine falls on both sides of a few blocks, and on no
 * more. Over all samples at once, the slowest twentieth would be those of its worst moment, which two sides meet by chance.
 */
export const growthAt = (share: number, before: readonly number[], after: readonly number[], block: number): number => {
  const starts = Array.from({ length: Math.floor(Math.min(before.length, after.length) / block) }, (_, n) => n * block)
  return median(
    starts.map((at) => quantile(after.slice(at, at + block), share) / quantile(before.slice(at, at + block), share)),
  )
}

/** Milliseconds with two decimals, for the table's notes. */
export const ms = (value: number): string => (Number.isNaN(value) ? 'none' : `${value.toFixed(2)} ms`)
