/** The value below which the given share (0 to 1) of the samples lies, by the nearest-rank method; NaN for none. */
export const quantile = (samples: readonly number[], share: number): number => {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5)

/** Milliseconds with two decimals, for the table's notes. */
export const ms = (value: number): string => (Number.isNaN(value) ? 'none' : `${value.toFixed(2)} ms`)
