/** Beginnings that spreadsheets would run as a formula. Such a text gets an apostrophe in front, which they do not show. */
const FORMULA = /^[=+\-@\t\r]/

const cell = (value: string | number | null): string => {
  if (typeof value === 'number') return String(value)
  const text = value !== null && FORMULA.test(value) ? `'${value}` : (value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Returns a line of CSV (RFC 4180). Texts of others cannot become a formula. */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(cell).join(',')}\r\n`
