/** Returns a number with its sign: `+1,200`, `−87`. */
export const signed = (n: number): string => `${n > 0 ? '+' : n < 0 ? '−' : ''}${Math.abs(n).toLocaleString('en-US')}`

/** Returns a position in Google's results: `4.2`. */
export const positionText = (position: number | null): string => (position === null ? '–' : position.toFixed(1))
