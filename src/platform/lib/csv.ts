/** Beginnings that spreadsheets would run as a formula: they get an apostrophe in front, which is not shown. */
const FORMULA = /^[=+\-@\t\r]/

const cell = (value: string): string => {
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Returns a line of CSV (RFC 4180). Text that is not ours cannot become a formula. */
export const csvLine = (cells: readonly (string | null)[]): string =>
  `${cells.map((one) => cell(one ?? '')).join(',')}\r\n`
