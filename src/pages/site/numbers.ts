/** Returns a number with its sign: `+1,200`. */
export const signed = (n: number): string => `${n > 0 ? '+' : ''}${n.toLocaleString('en-US')}`

/** Returns a position in Google's results: `4.2`. */
export const positionText = (position: number | null): string => (position === null ? '–' : position.toFixed(1))
