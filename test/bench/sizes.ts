/** True for `--smoke`: every part runs once, small, to show that it still runs. Its figures mean nothing. */
const isSmoke = process.argv.includes('--smoke')

/** Returns the first number, or the second in a smoke run. */
export const sized = (full: number, smoke: number): number => (isSmoke ? smoke : full)
